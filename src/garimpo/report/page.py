"""One offline HTML page."""

import difflib
import html
import os
from collections.abc import Iterable, Sequence
from typing import Any

from garimpo.contract.files import publish_bytes
from garimpo.report.plots import Plot

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 62rem; padding: 0 1rem; color: #222; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2rem; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .92rem; } caption { text-align: left; color: #555; }
th, td { padding: .25rem .7rem; text-align: left; vertical-align: top; border-bottom: 1px solid #eee; overflow-wrap: anywhere; }
th { background: #f6f4ee; } td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 1rem 0; } figure svg { max-width: 100%; height: auto; } figcaption { color: #555; }
.diff { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; font-size: .9rem; } .diff div { overflow-wrap: anywhere; }
del { background: #fbdcd8; text-decoration: none; } ins { background: #d9f0d3; text-decoration: none; }
mark.verbatim { background: #f3c969; } mark.rewritten { background: #faeecb; }
code { background: #f6f4ee; padding: 0 .2em; overflow-wrap: anywhere; }
"""


Marked = tuple[str, Sequence[tuple[str, str]]]
"""A caption, and pieces of text with what they are marked as: "verbatim", "rewritten" or nothing."""


class Report:
    """A page made of pieces.

    >>> report = Report("Pan"); report.table(["stone", "weight"], [["<gold>", 3]]); "&lt;gold&gt;" in report.html()
    True
    """

    def __init__(self, title: str) -> None:
        self.title = title
        self._pieces: list[str] = []

    def heading(self, text: str) -> None:
        self._pieces.append(f"<h2>{html.escape(text)}</h2>")

    def paragraph(self, text: str) -> None:
        self._pieces.append(f"<p>{html.escape(text)}</p>")

    def table(self, headers: Sequence[str], rows: Iterable[Sequence[Any]], caption: str = "") -> None:
        """Numbers are set flush right; floats with three decimals; None is a dash."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in headers)
        body = "".join("<tr>" + "".join(_cell(value) for value in row) + "</tr>" for row in rows)
        title = f"<caption>{html.escape(caption)}</caption>" if caption else ""
        self._pieces.append(f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>")

    def figure(self, figure: Plot, caption: str = "") -> None:
        """A figure of `plots`, as inline SVG."""
        self._pieces.append(f"<figure>{figure.svg()}<figcaption>{html.escape(caption)}</figcaption></figure>")

    def diff(self, a: str, b: str, captions: tuple[str, str] = ("", "")) -> None:
        """Two texts side by side, word by word: what only the first has struck red, what only the second has green."""
        left, right = _marked(a.split(), b.split())
        titles = [f"<b>{html.escape(caption)}</b><br>" if caption else "" for caption in captions]
        self._pieces.append(f'<div class="diff"><div>{titles[0]}{left}</div><div>{titles[1]}{right}</div></div>')

    def marked(self, left: Sequence[Marked], right: Sequence[Marked]) -> None:
        """Texts side by side, each with a caption, in pieces of which some are marked as verbatim or rewritten."""
        sides = ["".join(_marked_text(caption, pieces) for caption, pieces in side) for side in (left, right)]
        self._pieces.append(f'<div class="diff"><div>{sides[0]}</div><div>{sides[1]}</div></div>')

    def html(self) -> str:
        title = html.escape(self.title)
        head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{title}</title>'
        return f"<!doctype html><html><head>{head}<style>{STYLE}</style></head><body><h1>{title}</h1>" + "".join(
            [*self._pieces, "</body></html>\n"]
        )

    def write(self, path: str | os.PathLike[str]) -> None:
        """Publish the page by atomic rename."""
        publish_bytes(path, self.html().encode("utf-8", "replace"))


def _marked_text(caption: str, pieces: Sequence[tuple[str, str]]) -> str:
    shown = [f'<mark class="{kind}">{html.escape(text)}</mark>' if kind else html.escape(text) for text, kind in pieces]
    return f"<p><b>{html.escape(caption)}</b><br>{''.join(shown)}</p>"


def _cell(value: Any) -> str:
    if isinstance(value, bool) or value is None:
        return f"<td>{'–' if value is None else 'yes' if value else 'no'}</td>"
    if isinstance(value, int):
        return f'<td class="number">{value:,}</td>'
    if isinstance(value, float):
        return f'<td class="number">{value:,.3f}</td>'
    return f"<td>{html.escape(str(value))}</td>"


def _marked(a: list[str], b: list[str]) -> tuple[str, str]:
    left, right = [], []
    for kind, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        before, after = html.escape(" ".join(a[a1:a2])), html.escape(" ".join(b[b1:b2]))
        left.append(before if kind == "equal" else f"<del>{before}</del>" if before else "")
        right.append(after if kind == "equal" else f"<ins>{after}</ins>" if after else "")
    return " ".join(left), " ".join(right)
