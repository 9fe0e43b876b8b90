"""From HTML to what it says: the parser, the limits put on it, and the reading of its tree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from garimpo.page import _kernels as k
from garimpo.page._kernels_tame import tame

MOST_BYTES = 16 << 20
"""What stands after that is not read (its bytes still count in the digest)."""
MOST_NODES = 1_000_000
"""Tags and attributes read of one page."""
MOST_DEPTH = 1_000
"""Elements inside each other; browsers stop at about half of that."""
MOST_ATTRIBUTES = 256
MOST_LINKS = 50_000

_MANY_TAGS, _MANY_BYTES = 3_000, 100_000
_FORMATTING_NODES = 2_000_000
_WITHOUT_EVENTS = LexborDocumentOptions.WO_EVENTS.value


@dataclass(slots=True)
class Parsed:
    """A page's tree, serialised, with the spans that `extract` found in it."""

    html: bytes
    text: bytes
    rows: list[list[int]]
    images: int
    prices: int
    title: bytes | None


def parse(html: bytes) -> Parsed:
    """Parse a page in UTF-8 and read all that matters from its tree.

    >>> parse(b"<title>A</title><p>one<p>two <b>th</b>ree").text
    b'one two three'
    """
    tree = LexborHTMLParser(_safe(html), options=_WITHOUT_EVENTS, scripting=True)
    serialised = (tree.html or "").encode("utf-8", "replace")
    del tree
    data = np.frombuffer(serialised or b" ", np.uint8)
    text = np.empty(data.size + 1, np.uint8)
    rows = np.empty((min(serialised.count(b"<"), MOST_LINKS), k.COLUMNS), np.int32)
    counts = np.empty(k.COUNT_LENGTH, np.int64)
    k.extract(data, text, rows, counts)
    start, stop = int(counts[k.TITLE_START]), int(counts[k.TITLE_STOP])
    return Parsed(
        html=serialised,
        text=text[: counts[k.TEXT_LENGTH]].tobytes(),
        rows=rows[: counts[k.ROW_COUNT]].tolist(),
        images=int(counts[k.IMAGES]),
        prices=int(counts[k.PRICES]),
        title=serialised[start:stop] if start >= 0 else None,
    )


def _safe(html: bytes) -> bytes:
    """The page, or what can be parsed of it in bounded time and memory."""
    html = html[:MOST_BYTES]
    tags = html.count(b"<")
    if tags < _MANY_TAGS and len(html) < _MANY_BYTES:
        return html
    data: NDArray[np.uint8] = np.frombuffer(html, np.uint8).copy()
    formatting = min(MOST_DEPTH, max(8, _FORMATTING_NODES // (tags + 1)))
    length = tame(data, MOST_DEPTH, formatting, MOST_ATTRIBUTES, MOST_NODES)
    return data[:length].tobytes()
