"""One offline HTML page."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

import garimpo
from garimpo.contract.files import publish_bytes
from garimpo.report import pieces
from garimpo.report.look import STYLE
from garimpo.report.pieces import Html, tag
from garimpo.report.plots import Plot

Marked = tuple[str, Sequence[tuple[str, str]]]
"""A caption, and pieces of text with what they are marked as: "verbatim", "rewritten" or nothing."""


class Report:
    """A page made of pieces.

    Args:
        title: the page's heading.

    >>> report = Report("Pan"); report.table(["stone", "weight"], [["<gold>", 3]]); "&lt;gold&gt;" in report.html()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._pieces: list[Html] = []

    def add(self, *added: Html) -> None:
        """Pieces that are HTML already."""
        self._pieces += added

    def lead(self, text: str) -> None:
        """The sentence that says it all."""
        self.add(tag("p", text, class_="lead"))

    def heading(self, text: str) -> None:
        self.add(tag("h2", text))

    def paragraph(self, text: str) -> None:
        self.add(tag("p", text))

    def table(self, headers: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> None:
        """Numbers are set flush right; None is a dash."""
        self.add(pieces.table(headers, rows, caption))

    def tiles(self, figures: Iterable[tuple[str, object, object]]) -> None:
        """Large figures side by side: what each counts, its value, a remark."""
        self.add(pieces.tiles(figures))

    def figure(self, figure: Plot, caption: str = "") -> None:
        """A figure of `plots`, as inline SVG."""
        self.add(drawn(figure, caption))

    def diff(self, a: str, b: str, captions: tuple[str, str] = ("", "")) -> None:
        """Two texts side by side, word by word: what only the first has struck red, what only the second has green."""
        self.add(pieces.difference(a, b, captions))

    def marked(self, left: Sequence[Marked], right: Sequence[Marked]) -> None:
        """Texts side by side, each with a caption, in pieces of which some are marked as verbatim or rewritten."""
        sides = [tag("div", *(_marked_text(caption, parts) for caption, parts in side)) for side in (left, right)]
        self.add(tag("div", *sides, class_="diff"))

    def html(self) -> str:
        head = tag("meta", charset="utf-8") + tag("meta", name="viewport", content="width=device-width")
        head += tag("meta", name="color-scheme", content="light dark") + tag("title", self.title)
        footer = tag("footer", f"Made by Garimpo {garimpo.__version__}. This page loads nothing from elsewhere.")
        body = tag("main", tag("h1", self.title), *self._pieces, footer)
        return f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head><body>{body}</body></html>\n'

    def write(self, path: str | os.PathLike[str]) -> None:
        """Publish the page by atomic rename."""
        publish_bytes(path, self.html().encode("utf-8", "replace"))


def drawn(figure: Plot, caption: str = "") -> Html:
    """A figure and what it shows.

    Args:
        figure: the figure.
        caption: stands below.
    """
    return tag("figure", Html(figure.svg()), tag("figcaption", caption) if caption else "")


def _marked_text(caption: str, parts: Sequence[tuple[str, str]]) -> Html:
    shown = [tag("mark", text, class_=kind) if kind else text for text, kind in parts]
    return tag("p", tag("b", caption), Html("<br>"), *shown)
