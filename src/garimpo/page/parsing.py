"""From HTML to what it says: the parser, the limits put on it, and the reading of its tree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from garimpo.page import _kernels as k
from garimpo.page._kernels_plain import rewrite
from garimpo.page._kernels_tame import tame
from garimpo.page.scratch import scratch

MOST_BYTES = 8 << 20
"""What stands after that is not read (its bytes still count in the digest)."""
MOST_NODES = 500_000
"""Tags and attributes read of one page."""
MOST_DEPTH = 1_000
"""Elements inside each other; browsers stop at about half of that."""
MOST_ATTRIBUTES = 256
MOST_LINKS = 50_000

_MANY_TAGS, _MANY_BYTES, _TAG_BYTES = 3_000, 100_000, 3  # a tag takes at least `<a>`
_FORMATTING_NODES = 1_000_000
_LINK_BYTES, _HEAD_ROWS = 11, 1_000  # a link takes at least `<a href="">`
_WIDEST_ESCAPE, _PLAIN_DEPTH = 6, 256  # `"` as `&quot;`
_WITHOUT_EVENTS = LexborDocumentOptions.WO_EVENTS.value


@dataclass(slots=True)
class Parsed:
    """A page's tree, serialised (of a plain page what matters of it), with the spans that `extract` found in it."""

    html: bytes
    text: bytes
    links: NDArray[np.int32]
    head: list[list[int]]
    images: int
    prices: int
    title: bytes | None


def parse(html: bytes, whole: bool = False) -> Parsed:
    """Parse a page in UTF-8 and read all that matters from its tree; of a plain page only that is written, unless `whole`.

    >>> parse(b"<title>A</title><p>one<p>two <b>th</b>ree").text
    b'one two three'
    """
    serialised = (None if whole else rewritten(html)) or serialised_tree(html)
    text = scratch.array("text", len(serialised) + 1, np.uint8)
    links = _rows("links", min(len(serialised) // _LINK_BYTES + 1, MOST_LINKS))
    head = _rows("head", _HEAD_ROWS)
    counts = scratch.array("counts", k.COUNT_LENGTH, np.int64)
    k.extract(np.frombuffer(serialised, np.uint8), text, links, head, counts)
    length, link_count, head_count, images, prices, title, title_stop = counts[: k.COUNT_LENGTH].tolist()
    return Parsed(
        html=serialised,
        text=text[:length].tobytes(),
        links=links[:link_count].copy(),
        head=head[:head_count].tolist(),
        images=images,
        prices=prices,
        title=serialised[title:title_stop] if title >= 0 else None,
    )


def serialised_tree(html: bytes) -> bytes:
    """The page as the parser understands it."""
    tree = LexborHTMLParser(_safe(html), options=_WITHOUT_EVENTS, scripting=True)
    return (tree.html or " ").encode("utf-8", "replace")


def rewritten(html: bytes) -> bytes | None:
    """What matters of a plain page, for `extract` the same as its serialised tree; None where that takes the parser."""
    if len(html) > MOST_BYTES:
        return None
    out = scratch.array("rewritten", _WIDEST_ESCAPE * len(html) + 64, np.uint8)
    names, kinds = scratch.array("names", _PLAIN_DEPTH, np.uint64), scratch.array("kinds", _PLAIN_DEPTH, np.uint8)
    length = rewrite(np.frombuffer(html, np.uint8), out, names, kinds)
    return out[:length].tobytes() if length >= 0 else None


def _rows(name: str, count: int) -> NDArray[np.int32]:
    return scratch.array(name, count * k.COLUMNS, np.int32)[: count * k.COLUMNS].reshape(count, k.COLUMNS)


def _safe(html: bytes) -> bytes:
    """The page, or what can be parsed of it in bounded time and memory."""
    if len(html) < _MANY_TAGS * _TAG_BYTES:
        return html
    data: NDArray[np.uint8] = np.frombuffer(html, np.uint8)[:MOST_BYTES]
    tags = int(np.count_nonzero(data == ord("<")))  # five times as fast as bytes.count
    if tags < _MANY_TAGS and len(html) < _MANY_BYTES:
        return html
    data = data.copy()
    formatting = min(MOST_DEPTH, max(8, _FORMATTING_NODES // (tags + 1)))
    length = tame(data, MOST_DEPTH, formatting, MOST_ATTRIBUTES, MOST_NODES)
    return data[:length].tobytes()
