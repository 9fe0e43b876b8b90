"""The figures of all reports, in one look."""

from collections.abc import Mapping, Sequence
from typing import Any

COLOURS = ("#b8860b", "#2a6f97", "#9d4edd", "#2d6a4f", "#c1121f", "#6c757d", "#e07a5f", "#118ab2", "#073b4c", "#8d99ae")

Points = Sequence[tuple[float, float]]


def line_plot(series: Mapping[str, Points], x: str, y: str, title: str = "") -> Any:
    """One line a name, each a list of (x, y)."""
    figure, axes = _axes(x, y, title)
    for (name, points), colour in zip(series.items(), COLOURS * (1 + len(series) // len(COLOURS))):
        axes.plot([p[0] for p in points], [p[1] for p in points], label=name, color=colour, linewidth=1.8)
    if len(series) > 1:
        axes.legend(frameon=False)
    return figure


def bar_plot(values: Mapping[str, float], x: str, y: str, title: str = "") -> Any:
    """One horizontal bar a name, the first on top."""
    figure, axes = _axes(x, y, title, height=max(1.5, 0.32 * len(values) + 0.8))
    names = list(values)
    axes.barh(names, [values[name] for name in names], color=COLOURS[0])
    axes.invert_yaxis()
    return figure


def graph_plot(nodes: Sequence[tuple[str, float, float]], arcs: Sequence[tuple[int, int]], title: str = "") -> Any:
    """Named nodes on a circle, each with a size and a share in [0, 1] that colours it (light: all of it), and their arcs."""
    from math import cos, pi, sin

    figure, axes = _axes("", "", title, height=7.2)
    axes.set_axis_off()
    axes.set(xlim=(-1.7, 1.7), ylim=(-1.7, 1.7))
    turns = [2 * pi * place / max(1, len(nodes)) for place in range(len(nodes))]
    xs, ys = [cos(turn) for turn in turns], [sin(turn) for turn in turns]
    for a, b in arcs:
        axes.plot([xs[a], xs[b]], [ys[a], ys[b]], color="#adb5bd", linewidth=0.5, alpha=0.5, zorder=1)
    most = max((size for _, size, _ in nodes), default=1.0)
    areas = [20 + 400 * size / most for _, size, _ in nodes]
    axes.scatter(xs, ys, areas, [share for _, _, share in nodes], cmap="cividis", vmin=0, vmax=1, zorder=2)
    for (name, _, _), x, y, turn in zip(nodes, xs, ys, turns):
        side = {"ha": "left", "rotation": 180 * turn / pi} if x >= 0 else {"ha": "right", "rotation": 180 * turn / pi + 180}
        axes.text(1.1 * x, 1.1 * y, name, fontsize=6, va="center", rotation_mode="anchor", parse_math=False, **side)
    return figure


def _axes(x: str, y: str, title: str, height: float = 3.6) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, height))
    axes = figure.add_subplot()
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    return figure, axes
