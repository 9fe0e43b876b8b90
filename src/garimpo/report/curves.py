"""Small figures over time, several on a page: each with its name, round ticks, and its last value beside its line."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from garimpo.report.plots import COLOURS, Plot, Points, scale_of
from garimpo.report.words import duration

WIDTH, HEIGHT = 460.0, 210.0
LEFT, RIGHT, TOP, BOTTOM = 50.0, 74.0, 28.0, 26.0
APART = 14.0
"""So far apart labels at the ends of lines stand at least."""
STEPS = (1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800)
"""Lengths of time that are round, in seconds."""


class Curve(NamedTuple):
    """A line: its name, its points, and whether it is only estimated."""

    name: str
    points: Points
    estimated: bool = False


def curves(title: str, lines: Sequence[Curve], time: bool = True, top: float | None = None) -> Plot:
    """Lines over time (or over anything else), each named where it ends.

    Args:
        title: stands above.
        lines: the lines; an estimated one is dashed, in the colour of the one before.
        time: whether the horizontal axis is in seconds.
        top: the end of the vertical axis, if not that of the values.

    >>> curves("pages", [Curve("done", [(0, 0), (60, 30)]), Curve("", [(60, 30), (120, 60)], True)]).svg().count("<polyline")
    2
    """
    plot = Plot(WIDTH, HEIGHT, title)
    points = [point for line in lines for point in line.points] or [(0.0, 0.0)]
    across = scale_of([x for x, _ in points], LEFT, WIDTH - RIGHT)
    up = scale_of([top or 0.0, *(y for _, y in points)], HEIGHT - BOTTOM, TOP, most=4)
    plot.text(LEFT, 15, title, "start", 'font-weight="600"')
    for tick in up.ticks:
        plot.line(LEFT, up.place(tick), WIDTH - RIGHT, up.place(tick), kind="grid")
        plot.text(LEFT - 7, up.place(tick) + 4, _short(tick), "end", 'class="tick"')
    last = max(x for x, _ in points)
    for tick in _times(last) if time else across.ticks[::2]:
        plot.text(across.place(tick), HEIGHT - 8, duration(tick) if time and tick else _short(tick), "middle", 'class="tick"')
    plot.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#888", kind="axis")
    number, ends, going_on = -1, [], set[str]()
    for line in lines:
        number += not line.estimated
        colour = max(number, 0) % len(COLOURS)
        path = " ".join(f"{across.place(x):.1f},{up.place(y):.1f}" for x, y in line.points)
        dashed = ' stroke-dasharray="5 4"' if line.estimated else ""
        look = f'fill="none" stroke="{COLOURS[colour]}" stroke-width="2" class="c{colour}"{dashed}'
        plot.parts.append(f'<polyline points="{path}" {look}/>')
        if line.points and line.name:
            ends.append((up.place(line.points[-1][1]), across.place(line.points[-1][0]), line, colour))
        elif ends and line.estimated:
            going_on.add(ends[-1][2].name)
    _label(plot, ends, going_on)
    return plot


def _label(plot: Plot, ends: list[tuple[float, float, Curve, int]], going_on: set[str]) -> None:
    """Write what each line is and where it stands, beside its end (below, if an estimate goes on there), none over another."""
    lowest = TOP - APART
    for place, across, line, colour in sorted(ends, key=lambda end: end[0]):
        lowest = max(place + (1.5 * APART if line.name in going_on else 0.0), lowest + 2 * APART)
        look = f'class="f{colour}" font-weight="600" font-size="12"'
        plot.parts.append(f'<circle cx="{across:.1f}" cy="{place:.1f}" r="3" fill="{COLOURS[colour]}" class="f{colour}"/>')
        plot.text(across + 8, lowest, _short(line.points[-1][1]), "start", look)
        plot.text(across + 8, lowest + APART - 2, line.name, "start", 'class="tick" font-size="11"')


def _times(last: float) -> list[float]:
    step = next((step for step in STEPS if last / step <= 5), math.ceil(last / 5 / STEPS[-1]) * STEPS[-1])
    return [float(step * number) for number in range(int(last // step) + 1)]


def _short(value: float) -> str:
    """
    >>> _short(1200), _short(25_000), _short(3_400_000), _short(0.25)
    ('1,200', '25k', '3.4M', '0.25')
    """
    if value >= 1_000_000:
        return f"{value / 1_000_000:.3g}M"
    if value >= 10_000:
        return f"{value / 1000:.3g}k"
    return f"{value:,.0f}" if value == int(value) else f"{value:.2g}" if value < 10 else f"{value:,.0f}"
