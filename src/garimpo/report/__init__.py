"""Figures, tables and differences, made into one HTML page that opens offline, for every room.

A `Report` is a list of pieces (headings, paragraphs, tables, figures, differences), written in the order they were
added. Nothing is loaded from elsewhere: the style sheet stands in the page and a figure is inline SVG, so a report can be
mailed or archived as one file. Everything that came from the Web is escaped: a report shows a page's text, it never runs it.

`plots` draws the kinds of figure the rooms need, with matplotlib, in one look.
"""

from garimpo.report.page import Report
from garimpo.report.plots import bar_plot, graph_plot, line_plot

__all__ = ["Report", "bar_plot", "graph_plot", "line_plot"]
