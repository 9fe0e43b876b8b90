"""Resolve the links of a page against its base where that takes no more than joining two strings.

The base is a plain URL (see `garimpo.url._kernels`), a link stands escaped in serialised HTML. What is joined is kept only
if the result is plain; dot segments, other schemes, spaces and all else are left to the URL parser.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_extract import ROWS, TARGET, TARGET_STOP, VALUE, VALUE_STOP
from garimpo.url._kernels import host_start, host_stop, plain_stop

MOST_BYTES = 2048


@kernel(types.int64(BYTES, types.int64, types.int64, OUT8, types.int64))
def _unescape(html, at, stop, out, to):  # type: ignore[no-untyped-def]
    """Copy with `&amp;` undone; -1 where another escape stands."""
    i, o, end = np.uint64(at), np.uint64(to), np.uint64(stop)
    while i < end:
        byte = html[i]
        out[o] = byte
        o += np.uint64(1)
        i += np.uint64(1)
        if byte == 38:
            if html[i] != 97:
                return -1
            i += np.uint64(4)
    return np.int64(o)


@kernel(types.boolean(BYTES, types.int64, types.int64))
def _has_scheme(html, at, stop):  # type: ignore[no-untyped-def]
    while at < stop and html[at] != 47 and html[at] != 63 and html[at] != 35:
        if html[at] == 58:
            return True
        at += 1
    return False


@kernel(types.int64(BYTES, types.int64, types.int64, BYTES, types.int64, types.int64, types.int64))
def _kept_of_base(html, start, stop, base, origin, folder, path):  # type: ignore[no-untyped-def]
    """How much of the base comes before this link; -1 where the parser has to say."""
    if start == stop or html[start] == 35:
        return base.size
    if html[start] == 47:
        if start + 1 < stop and html[start + 1] == 47:
            return 5 if base[4] == 58 else 6
        return origin
    if html[start] == 63:
        return path
    if host_start(html, start, stop) > 0:
        return 0
    return -1 if _has_scheme(html, start, stop) else folder


@kernel(types.int64(BYTES, ROWS, BYTES, OUT8))
def join_rows(html, rows, base, out):  # type: ignore[no-untyped-def]
    """Note the target of each link as a span of `out`, its stop -1 where the parser has to say; gives the length of `out`."""
    if plain_stop(base, 0, base.size) < 0:
        rows[:, TARGET_STOP] = -1
        return 0
    origin = host_stop(base, host_start(base, 0, base.size), base.size)
    path = origin
    while path < base.size and base[path] != 63:
        path += 1
    folder = path
    while base[folder - 1] != 47:
        folder -= 1
    to = np.int64(0)
    for r in range(rows.shape[0]):
        start, stop = np.int64(rows[r, VALUE]), np.int64(rows[r, VALUE_STOP])
        rows[r, TARGET], rows[r, TARGET_STOP] = to, -1
        kept = _kept_of_base(html, start, stop, base, origin, folder, path)
        if kept < 0 or stop - start > MOST_BYTES or to + kept + stop - start > out.size:
            continue
        for i in range(kept):
            out[to + i] = base[i]
        end = _unescape(html, start, stop, out, to + kept)
        if end >= 0:
            end = plain_stop(out, to, end)
            rows[r, TARGET_STOP] = end
            to = max(to, end)
    return to


STARTS = types.Array(types.int64, 1, "C", readonly=True)


@kernel(types.int64(BYTES, STARTS, ROWS, STARTS, BYTES, STARTS, OUT8))
def join_pages(html, html_starts, rows, row_starts, bases, base_starts, out):  # type: ignore[no-untyped-def]
    """`join_rows` for pages that stand one after another."""
    to = np.int64(0)
    for page in range(html_starts.size - 1):
        own = rows[row_starts[page] : row_starts[page + 1]]
        page_html = html[html_starts[page] : html_starts[page + 1]]
        length = join_rows(page_html, own, bases[base_starts[page] : base_starts[page + 1]], out[to:])
        for r in range(own.shape[0]):
            if own[r, TARGET_STOP] >= 0:
                own[r, TARGET] += to
                own[r, TARGET_STOP] += to
        to += length
    return to


@kernel(types.void(BYTES, STARTS, types.Array(types.int32, 1, "C", readonly=True), OUT8))
def copy_spans(data, starts, offsets, out):  # type: ignore[no-untyped-def]
    """Put spans of `data` one after another: the one that starts at `starts[i]` between two offsets of `out`."""
    for i in range(starts.size):
        start, first = np.uint64(starts[i]), np.uint64(offsets[i])
        for j in range(np.uint64(offsets[i + 1]) - first):
            out[first + j] = data[start + j]
