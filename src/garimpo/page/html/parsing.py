"""From HTML to what it says: the parser, the limits put on it, and the reading of its tree."""

import os
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from garimpo.page.html import _kernels_extract as k
from garimpo.page.html._kernels_limits import tame
from garimpo.page.html.buffers import Buffers, buffers_for
from garimpo.page.html.plain._kernels_plain import read_plain

MOST_BYTES = 8 << 20
"""What stands after that is not read (its bytes still count in the digest)."""
MOST_NODES = 500_000
"""Tags and attributes read of one page."""
MOST_DEPTH = 1_000
"""Elements inside each other; browsers stop at about half of that."""
MOST_ATTRIBUTES = 256

PLAIN_READER = os.environ.get("GARIMPO_PLAIN_READER") != "0"
"""Whether plain pages are read without the parser. What is read is the same; the variable is there to check that."""

_MANY_TAGS, _MANY_BYTES, _TAG_BYTES = 3_000, 100_000, 3  # a tag takes at least `<a>`
_FORMATTING_NODES = 1_000_000
_WIDEST_ESCAPE = 6  # `"` as `&quot;`
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
    plain: bool
    """Whether the page was read without the parser."""


def parse(html: bytes, whole: bool = False) -> Parsed:
    """Parse a page in UTF-8 and read all that matters from its tree; of a plain page only that is written, unless `whole`.

    >>> parse(b"<title>A</title><p>one<p>two <b>th</b>ree").text
    b'one\\ntwo three'
    """
    buffers = read_if_plain(html) if PLAIN_READER and not whole else None
    plain = buffers is not None
    if buffers is not None:
        serialised = buffers.html[: buffers.length].tobytes()
    else:
        serialised = serialised_tree(html)
        buffers = buffers_for(len(serialised))
        k.extract(np.frombuffer(serialised, np.uint8), buffers.text, buffers.links, buffers.head, buffers.counts)
    length, link_count, head_count, images, prices, title, title_stop = buffers.counts.tolist()
    return Parsed(
        html=serialised,
        text=buffers.text[:length].tobytes(),
        links=buffers.links[:link_count].copy(),
        head=buffers.head[:head_count].tolist(),
        images=images,
        prices=prices,
        title=serialised[title:title_stop] if title >= 0 else None,
        plain=plain,
    )


def read_if_plain(html: bytes) -> Buffers | None:
    """What a plain page says, and what matters of it, for `extract` the same as its tree; None where it takes the parser."""
    if len(html) > MOST_BYTES:
        return None
    buffers, data = buffers_for(_WIDEST_ESCAPE * len(html) + 64), np.frombuffer(html, np.uint8)
    buffers.length = read_plain(
        data, buffers.html, buffers.names, buffers.kinds, buffers.text, buffers.links, buffers.head, buffers.counts
    )
    return buffers if buffers.length >= 0 else None


def serialised_tree(html: bytes) -> bytes:
    """The page as the parser understands it."""
    tree = LexborHTMLParser(_safe(html), options=_WITHOUT_EVENTS, scripting=True)
    return (tree.html or " ").encode("utf-8", "replace")


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
