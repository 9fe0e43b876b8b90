"""From HTML to what it says: the parser, the limits put on it, and the reading of its tree."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from garimpo.page import _kernels as k
from garimpo.page._kernels_plain import read_plain
from garimpo.page._kernels_tame import tame
from garimpo.page.room import Room, room_for

MOST_BYTES = 8 << 20
"""What stands after that is not read (its bytes still count in the digest)."""
MOST_NODES = 500_000
"""Tags and attributes read of one page."""
MOST_DEPTH = 1_000
"""Elements inside each other; browsers stop at about half of that."""
MOST_ATTRIBUTES = 256

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


def parse(html: bytes, whole: bool = False) -> Parsed:
    """Parse a page in UTF-8 and read all that matters from its tree; of a plain page only that is written, unless `whole`.

    >>> parse(b"<title>A</title><p>one<p>two <b>th</b>ree").text
    b'one two three'
    """
    room = None if whole else read_if_plain(html)
    if room is not None:
        serialised = room.html[: room.length].tobytes()
    else:
        serialised = serialised_tree(html)
        room = room_for(len(serialised))
        k.extract(np.frombuffer(serialised, np.uint8), room.text, room.links, room.head, room.counts)
    length, link_count, head_count, images, prices, title, title_stop = room.counts.tolist()
    return Parsed(
        html=serialised,
        text=room.text[:length].tobytes(),
        links=room.links[:link_count].copy(),
        head=room.head[:head_count].tolist(),
        images=images,
        prices=prices,
        title=serialised[title:title_stop] if title >= 0 else None,
    )


def read_if_plain(html: bytes) -> Room | None:
    """What a plain page says, and what matters of it, for `extract` the same as its tree; None where it takes the parser."""
    if len(html) > MOST_BYTES:
        return None
    room, data = room_for(_WIDEST_ESCAPE * len(html) + 64), np.frombuffer(html, np.uint8)
    room.length = read_plain(data, room.html, room.names, room.kinds, room.text, room.links, room.head, room.counts)
    return room if room.length >= 0 else None


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
