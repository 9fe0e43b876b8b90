"""The figures of all reports, in one look, written as SVG by hand: a report needs no drawing library."""

import html
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish_bytes

COLOURS = ("#b8860b", "#2a6f97", "#9d4edd", "#2d6a4f", "#c1121f", "#6c757d", "#e07a5f", "#118ab2", "#073b4c", "#8d99ae")
WIDTH, HEIGHT = 690.0, 330.0
LEFT, RIGHT, TOP, BOTTOM = 70.0, 20.0, 34.0, 48.0
BAR = 26.0

Points = Sequence[tuple[float, float]]


@dataclass
class Plot:
    """A figure: `svg()` is its text, `save` writes it as `.svg` (or, of lines, as `.png` or `.pdf` with matplotlib).

    Args:
        width: in pixels.
        height: in pixels.
        title: what it shows, in words.
        parts: its SVG elements so far.
        lines: lines by name, and the names of both axes, where it is a plot of lines.
    """

    width: float
    height: float
    title: str = ""
    parts: list[str] = field(default_factory=list)
    lines: tuple[Mapping[str, Points], str, str] | None = None

    def svg(self) -> str:
        """The figure as one SVG element, the same text for the same figure."""
        size = f'width="{self.width:g}" height="{self.height:g}" viewBox="0 0 {self.width:g} {self.height:g}"'
        style = 'xmlns="http://www.w3.org/2000/svg" font-family="system-ui, sans-serif" font-size="12" role="img"'
        name = f"<title>{html.escape(self.title)}</title>" if self.title else ""
        return f"<svg {size} {style}>{name}{''.join(self.parts)}</svg>"

    def save(self, path: str | Path) -> None:
        """Publish the figure by atomic rename; its suffix decides the format.

        Args:
            path: the file, .svg, .png or .pdf.
        """
        kind = Path(path).suffix.lower()
        if kind == ".svg":
            publish_bytes(path, self.svg().encode())
        elif kind in (".png", ".pdf") and self.lines is not None:
            publish_bytes(path, _by_matplotlib(*self.lines, self.title, kind[1:]))
        else:
            raise BadInput(f"{path}: a figure is .svg, .png or .pdf")

    def line(self, x1: float, y1: float, x2: float, y2: float, colour: str = "#ddd", width: float = 1.0, kind: str = "") -> None:
        ends = f'x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"'
        named = f' class="{kind}"' if kind else ""
        self.parts.append(f'<line {ends} stroke="{colour}" stroke-width="{width:g}"{named}/>')

    def text(self, x: float, y: float, words: str, anchor: str = "start", more: str = "") -> None:
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        self.parts.append(f'<text {place} fill="currentColor" {more}>{html.escape(words)}</text>')


def line_plot(series: Mapping[str, Points], x: str, y: str, title: str = "") -> Plot:
    """One line a name.

    Args:
        series: for each name its points, (x, y).
        x: what the horizontal axis shows.
        y: what the vertical axis shows.
        title: stands above.

    >>> line_plot({"a": [(0, 0), (1, 1)]}, "pages", "found").svg().count("<polyline")
    1
    """
    plot = Plot(WIDTH, HEIGHT, title, lines=(series, x, y))
    points = [point for line in series.values() for point in line] or [(0.0, 0.0)]
    across = scale_of([point[0] for point in points], LEFT, WIDTH - RIGHT)
    up = scale_of([point[1] for point in points], HEIGHT - BOTTOM, TOP)
    _frame(plot, across, up, x, y)
    for number, ((name, line), colour) in enumerate(zip(series.items(), cycle(COLOURS))):
        path = " ".join(f"{across.place(a):.1f},{up.place(b):.1f}" for a, b in line)
        plot.parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        if len(series) > 1:
            plot.line(LEFT + 12, TOP + 8 + 16 * number, LEFT + 32, TOP + 8 + 16 * number, colour, 2)
            plot.text(LEFT + 38, TOP + 12 + 16 * number, name)
    return plot


def bar_plot(values: Mapping[str, float], x: str, y: str, title: str = "") -> Plot:
    """One horizontal bar a name, the first on top, its value beside it.

    Args:
        values: for each name the length of its bar.
        x: what the names are.
        y: what the values are.
        title: stands above.

    >>> bar_plot({"a.org": 3, "b.org": 1}, "host", "pages").svg().count("<rect")
    2
    """
    left = min(320.0, 30 + 7.0 * max(map(len, values), default=0))
    plot = Plot(WIDTH, TOP + BAR * len(values) + BOTTOM, title)
    across = scale_of([0.0, *values.values()], left, WIDTH - 70)
    plot.text(WIDTH / 2, 18, title, "middle", 'font-weight="600"')
    for number, (name, value) in enumerate(values.items()):
        top = TOP + BAR * number
        shown = name if len(name) <= 44 else f"{name[:43]}…"
        plot.text(left - 6, top + 15, shown, "end")
        length = max(0.0, across.place(value) - left)
        plot.parts.append(f'<rect x="{left:.1f}" y="{top + 3:.1f}" width="{length:.1f}" height="16" fill="{COLOURS[0]}"/>')
        plot.text(left + length + 5, top + 15, _number(value))
    plot.text((left + WIDTH) / 2, plot.height - 14, f"{y} by {x}" if x and y else x or y, "middle")
    return plot


@dataclass(frozen=True)
class _Scale:
    """Where a value stands on an axis, and the round values that are marked on it."""

    place: Callable[[float], float]
    ticks: list[float]


def scale_of(values: Sequence[float], start: float, end: float, most: int = 6) -> _Scale:
    """An axis from zero (or the least value) to the largest, with so many marks at most."""
    known = [value for value in values if math.isfinite(value)] or [0.0]
    low, high = min(0.0, *known), max(known)
    high = high if high > low else low + 1.0
    step = 10 ** math.floor(math.log10((high - low) / 4))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= most)
    ticks = [tick * step for tick in range(math.ceil(low / step), math.floor(high / step) + 1)]
    return _Scale(lambda value: start + (end - start) * (min(max(value, low), high) - low) / (high - low), ticks)


def _frame(plot: Plot, across: _Scale, up: _Scale, x: str, y: str) -> None:
    for tick in up.ticks:
        plot.line(LEFT, up.place(tick), WIDTH - RIGHT, up.place(tick), kind="grid")
        plot.text(LEFT - 8, up.place(tick) + 4, _number(tick), "end", 'class="tick"')
    for tick in across.ticks:
        plot.line(across.place(tick), HEIGHT - BOTTOM, across.place(tick), HEIGHT - BOTTOM + 5, "#888", kind="axis")
        plot.text(across.place(tick), HEIGHT - BOTTOM + 18, _number(tick), "middle", 'class="tick"')
    plot.line(LEFT, HEIGHT - BOTTOM, WIDTH - RIGHT, HEIGHT - BOTTOM, "#888", kind="axis")
    plot.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x, "middle")
    plot.text(LEFT, TOP - 12, y)
    plot.text(WIDTH / 2, 18, plot.title, "middle", 'font-weight="600"')


def _number(value: float) -> str:
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.3g}"


def _by_matplotlib(series: Mapping[str, Points], x: str, y: str, title: str, kind: str) -> bytes:
    import io

    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput(
            "a figure as .png or .pdf needs matplotlib (pip install 'garimpo[report]'); .svg and .html need nothing"
        ) from None
    figure = Figure(figsize=(7.2, 3.6))
    axes = figure.add_subplot()
    axes.set(xlabel=x, ylabel=y, title=title)
    for (name, points), colour in zip(series.items(), cycle(COLOURS)):
        axes.plot([point[0] for point in points], [point[1] for point in points], label=name, color=colour)
    if len(series) > 1:
        axes.legend(frameon=False)
    buffer = io.BytesIO()
    figure.savefig(buffer, format=kind, bbox_inches="tight")
    return buffer.getvalue()
