"""The links of a parsed page, resolved and normalised."""

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import Link
from garimpo.page._kernels_links import join_rows
from garimpo.page.escapes import unescape
from garimpo.page.scratch import scratch
from garimpo.url import Base

_MOST_URL_BYTES = 1 << 16  # no server takes a longer one
_JOINED_BYTES = 1 << 20


def find_links(html: bytes, text: bytes, rows: NDArray[np.int32], base_url: str) -> list[Link]:
    """A `Link` for each row of `extract` that resolves to http(s): most targets by a kernel, the rest by the URL parser."""
    if not len(rows):
        return []
    joined = _join(html, rows, base_url)
    base: Base | None = None
    parsed: dict[bytes, str | None] = {}
    # Where all is ASCII a place in the bytes is a place in the string.
    plain = text.decode("ascii") if text.isascii() else None
    links = []
    for _, value, value_stop, label, label_stop, start, stop, left, right, target_start, target_stop in rows.tolist():
        target: str | None
        if target_stop >= 0:
            target = joined[target_start:target_stop]
        else:
            href = html[value:value_stop]
            base = base or Base(base_url)
            if href not in parsed:
                parsed[href] = base.resolve(unescape(href)) if len(href) <= _MOST_URL_BYTES else None
            target = parsed[href]
            if target is None:
                continue
        rel = unescape(html[label:label_stop]).strip().lower() or None if label >= 0 else None
        if plain is not None:
            links.append(Link(target, plain[start:stop], rel, plain[left:right]))
        else:
            links.append(Link(target, text[start:stop].decode(), rel, text[left:right].decode()))
    return links


def _join(html: bytes, rows: NDArray[np.int32], base_url: str) -> str:
    """All targets that need no parser, one after another; the rows say where each stands."""
    base = base_url or " "  # in normal form, or not plain
    out = scratch.array("targets", min(len(html) + len(rows) * len(base), _JOINED_BYTES), np.uint8)
    length = join_rows(np.frombuffer(html, np.uint8), rows, np.frombuffer(base.encode(), np.uint8), out)
    return out[:length].tobytes().decode("ascii")
