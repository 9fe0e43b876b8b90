"""The components of all pages we show, in reports and in the dashboard: each a function that gives escaped HTML.

`Html` marks text that is HTML already; everything else is escaped where it meets a tag. Nothing here writes a style attribute
or a script, so the pages hold under a strict Content-Security-Policy.
"""

import difflib
import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

EMPTY = frozenset(["br", "hr", "img", "input", "link", "meta"])
"""Tags without content."""


class Html(str):
    """Text that is HTML, and not to be escaped again."""

    __slots__ = ()


def escape(value: object) -> Html:
    """A value as HTML; control characters that a browser would act on are shown as a mark.

    Args:
        value: anything; `Html` stays as it is, None is nothing.

    >>> escape("<b>"), escape(Html("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    if isinstance(value, Html):
        return value
    text = "" if value is None else str(value)
    if not text.isprintable():
        text = "".join(one if one.isprintable() or one in "\n\t" else "\N{REPLACEMENT CHARACTER}" for one in text)
    return Html(html.escape(text))


def tag(name: str, /, *children: object, **attributes: object) -> Html:
    """One element; in names of attributes `_` at the end is dropped, and within stands for `-`.

    Args:
        name: its name.
        children: what it holds; what is no `Html` is escaped.
        attributes: of these, None and False are left out, True is a bare name.

    >>> tag("a", "1 < 2", href='/x?"', data_live=True)
    '<a href="/x?&quot;" data-live>1 &lt; 2</a>'
    """
    shown = "".join(
        f" {key.rstrip('_').replace('_', '-')}" + ("" if value is True else f'="{escape(value)}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    return Html(f"<{name}{shown}>" if name in EMPTY else f"<{name}{shown}>{joined(children)}</{name}>")


def joined(pieces: Iterable[object], between: str = "") -> Html:
    """Pieces one after the other.

    Args:
        pieces: what is no `Html` is escaped.
        between: stands between them.
    """
    return Html(between.join(map(escape, pieces)))


def table(headers: Sequence[object], rows: Iterable[Sequence[Any]], caption: str = "", nothing: str = "") -> Html:
    """A table that scrolls by itself where it is too wide. Numbers stand flush right, None is a dash.

    Args:
        headers: one a column.
        rows: the cells; those that are `Html` stay as they are.
        caption: stands above.
        nothing: what is said in place of a table without rows.
    """
    several = [list(row) for row in rows]
    numeric = [any(_is_number(value) for value in column) for column in zip(*several)]
    body = [tag("tr", *map(cell, row, numeric)) for row in several]
    if not body and nothing:
        return tag("p", nothing, class_="quiet")
    kinds = ["number" if is_number else None for is_number in numeric] or [None] * len(headers)
    head = tag("thead", tag("tr", *(tag("th", name, scope="col", class_=kind) for name, kind in zip(headers, kinds))))
    title = tag("caption", caption) if caption else Html("")
    return tag("div", tag("table", title, head, tag("tbody", *body)), class_="scroll")


def cell(value: Any, right: bool = False) -> Html:
    """A cell of a table.

    Args:
        value: what it shows.
        right: whether it stands flush right, as numbers do.

    >>> cell(1234), cell(0.12345), cell(None)
    ('<td class="number">1,234</td>', '<td class="number">0.123</td>', '<td>–</td>')
    """
    kind = "number" if right or _is_number(value) else None
    if isinstance(value, bool) or value is None:
        return tag("td", "–" if value is None else "yes" if value else "no", class_=kind)
    if _is_number(value):
        return tag("td", f"{value:,}" if isinstance(value, int) else plain_number(value), class_=kind)
    return tag("td", value, class_=kind)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def plain_number(value: float) -> str:
    """A measured number with three digits that count.

    Args:
        value: the number.

    >>> plain_number(0.12345), plain_number(1234.5), plain_number(2.0)
    ('0.123', '1,234', '2')
    """
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 1000 else f"{value:.3g}"


def tiles(figures: Iterable[tuple[str, object, object]]) -> Html:
    """Large figures side by side.

    Args:
        figures: for each what it counts, its value, and a remark or nothing.
    """
    made = [
        tag("div", tag("dt", name), tag("dd", value), tag("dd", note, class_="note") if note else "", class_="tile")
        for name, value, note in figures
    ]
    return tag("dl", *made, class_="tiles")


def details(summary: object, *body: object, open_: bool = False, name: str | None = None) -> Html:
    """What opens when it is asked for.

    Args:
        summary: what stands there closed.
        body: what it holds.
        open_: whether it is open at first.
        name: an id by which it is known.
    """
    return tag("details", tag("summary", summary), *body, open=open_, id=name)


def bars(values: Mapping[str, float], shown: Mapping[str, object] | None = None) -> Html:
    """One bar a name, as a list.

    Args:
        values: for each name the length of its bar.
        shown: for some names what is written beside the bar in place of its length.

    >>> bars({"a": 2, "b": 1}).count("<rect")
    2
    """
    most = max(values.values(), default=0) or 1
    rows = []
    for name, value in values.items():
        bar = tag("rect", width=f"{100 * value / most:.1f}", height=1)
        drawn = tag("svg", bar, viewBox="0 0 100 1", preserveAspectRatio="none", aria_hidden="true")
        said = (shown or {}).get(name, plain_number(value))
        rows.append(tag("li", tag("span", name), drawn, tag("b", said)))
    return tag("ul", *rows, class_="bars")


def coloured(parts: Iterable[tuple[str, str]]) -> Html:
    """A URL, or any text, in parts of several kinds.

    Args:
        parts: each with the name of its kind: a, n, p for letters, numbers and signs; gone for what a rule drops.
    """
    return tag("code", *(tag("span", text, class_=kind) if kind else text for text, kind in parts), class_="url")


def difference(a: str, b: str, captions: tuple[object, object] = ("", "")) -> Html:
    """Two texts side by side, word by word: what only the first has struck red, what only the second has green.

    Args:
        a: a text.
        b: another.
        captions: stand above them.
    """
    left, right = _marked(a.split(), b.split())
    heads = [tag("p", caption, class_="caption") if caption else "" for caption in captions]
    return tag("div", tag("div", heads[0], left), tag("div", heads[1], right), class_="diff")


def chip(text: str, kind: str = "") -> Html:
    """A word in a frame: the state of a thing.

    Args:
        text: the word.
        kind: good, bad, wait or nothing.
    """
    return tag("span", text, class_=f"chip {kind}".strip())


def _marked(a: list[str], b: list[str]) -> tuple[Html, Html]:
    left: list[object] = []
    right: list[object] = []
    for kind, a1, a2, b1, b2 in difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes():
        before, after = " ".join(a[a1:a2]), " ".join(b[b1:b2])
        left += [before if kind == "equal" else tag("del", before)] if before else []
        right += [after if kind == "equal" else tag("ins", after)] if after else []
    return joined(left, " "), joined(right, " ")
