"""Figures, tables and differences on one HTML page that opens offline, for every room.

::

    headings, paragraphs, tables, differences ──► Report ──► one .html file
    numbers ──► plots ──► inline SVG ──┘

A `Report` is a list of pieces, written in the order they were added. `plots` draws the kinds of figure that the rooms need,
all in one style.

Invariants: a page loads nothing from elsewhere, so it can be mailed or archived as one file. Everything that came from the Web
is escaped: a report shows a page's text and never runs it.
"""

from garimpo.report.page import Report
from garimpo.report.plots import Plot, bar_plot, graph_plot, line_plot

__all__ = ["Plot", "Report", "bar_plot", "graph_plot", "line_plot"]
