"""The links of a parsed page, resolved and normalised: as objects where someone looks at them, else as columns of many pages."""

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import Link
from garimpo.page.html._kernels_links import join_rows
from garimpo.page.html.escapes import unescape
from garimpo.url import Base

_MOST_URL_BYTES = 1 << 16  # no server takes a longer one
_JOINED_BYTES = 1 << 20


class Links(Sequence[Link]):
    """A `Link` for each row of `extract` that resolves to http(s); made when first asked for.

    >>> from garimpo.page import read_text
    >>> read_text("<a href=b>two</a>", "http://a.org/").links
    [Link(target='http://a.org/b', anchor='two', rel=None, context='two')]
    """

    __slots__ = ("_made", "base_url", "html", "rows", "text")

    def __init__(self, html: bytes, text: bytes, rows: NDArray[np.int32], base_url: str) -> None:
        self.html, self.text, self.rows, self.base_url = html, text, rows, base_url
        self._made: list[Link] | None = None

    @overload
    def __getitem__(self, at: int) -> Link: ...

    @overload
    def __getitem__(self, at: slice) -> list[Link]: ...

    def __getitem__(self, at: int | slice) -> Link | list[Link]:
        return self._links()[at]

    def __len__(self) -> int:
        return len(self._links())

    def __iter__(self) -> Iterator[Link]:
        return iter(self._links())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and self._links() == list(other)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return repr(self._links())

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self._links(),)

    def _links(self) -> list[Link]:
        if self._made is None:
            self._made = list(self._make()) if len(self.rows) else []
        return self._made

    def _make(self) -> Iterator[Link]:
        joined = _join(self.html, self.rows, self.base_url)
        parse = Parser(self.base_url)
        html, text = self.html, self.text
        # Where all is ASCII a place in the bytes is a place in the string.
        plain = text.decode("ascii") if text.isascii() else None
        for row in self.rows.tolist():
            value, value_stop, label, label_stop, start, stop, left, right, target_start, target_stop = row[1:11]
            target = joined[target_start:target_stop] if target_stop >= 0 else parse(html[value:value_stop])
            if target is None:
                continue
            rel = relation(html[label:label_stop]) if label >= 0 else None
            if plain is not None:
                yield Link(target, plain[start:stop], rel, plain[left:right])
            else:
                yield Link(target, text[start:stop].decode(), rel, text[left:right].decode())


class Parser:
    """Resolves what takes more than joining two strings; the same words again cost nothing."""

    def __init__(self, base_url: str) -> None:
        self._base_url = base_url
        self._base: Base | None = None
        self._parsed: dict[bytes, str | None] = {}

    def __call__(self, href: bytes) -> str | None:
        if href not in self._parsed:
            self._base = self._base or Base(self._base_url)
            self._parsed[href] = self._base.resolve(unescape(href)) if len(href) <= _MOST_URL_BYTES else None
        return self._parsed[href]


def relation(escaped: bytes) -> str | None:
    """What a `rel` attribute says."""
    return unescape(escaped).strip().lower() or None


def _join(html: bytes, rows: NDArray[np.int32], base_url: str) -> str:
    """All targets that need no parser, one after another; the rows say where each stands."""
    base = base_url or " "  # in normal form, or not plain
    out = np.empty(min(len(html) + len(rows) * len(base), _JOINED_BYTES), np.uint8)
    length = join_rows(np.frombuffer(html, np.uint8), rows, np.frombuffer(base.encode(), np.uint8), out)
    return out[:length].tobytes().decode("ascii")
