"""Figures, tables and differences on HTML pages, for every room and for the dashboard.

::

    values ──► pieces (tables, tiles, bars, differences) ──┐
    numbers ──► plots, curves ──► inline SVG ──────────────┼──► Report ──► one .html file
    counts, bytes, seconds ──► words ──────────────────────┘         └──► pages of the dashboard (`ui`)

A `Report` is a list of pieces, written in the order they were added. `look` is the one stylesheet, light and dark. `plots`
draws the kinds of figure that the rooms need, `curves` small ones over time, all in one style; `words` writes numbers as a
person reads them.

Invariants: a page loads nothing from elsewhere, so it can be mailed or archived as one file. Everything that came from the Web
is escaped where it meets a tag: what is no `Html` is text. No piece writes a style attribute or a script.
"""

from garimpo.report.page import Report
from garimpo.report.plots import Plot, bar_plot, line_plot

__all__ = ["Plot", "Report", "bar_plot", "line_plot"]
