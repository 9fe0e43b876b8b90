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


def _axes(x: str, y: str, title: str, height: float = 3.6) -> tuple[Any, Any]:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, height))
    axes = figure.add_subplot()
    axes.set(xlabel=x, ylabel=y, title=title)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.25)
    return figure, axes
