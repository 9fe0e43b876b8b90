"""Arrays that are filled anew for every page and kept between pages: touching fresh memory costs more than the filling."""

import threading

import numpy as np

from garimpo.page.html import _kernels_extract as k

MOST_LINKS = 50_000
_LINK_BYTES, _HEAD_ROWS = 11, 1_000  # a link takes at least `<a href="">`
_PLAIN_DEPTH = 256
_KEPT_BYTES = 8 << 20


class Buffers:
    """What a page is read into: its form for `extract`, of up to `size` bytes, the stack of its open elements, what it says."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.length = 0
        """Of the form."""
        self.html, self.text = np.empty(size, np.uint8), np.empty(size + 1, np.uint8)
        self.names, self.kinds = np.empty(_PLAIN_DEPTH, np.uint64), np.empty(_PLAIN_DEPTH, np.uint8)
        self.links = np.empty((min(size // _LINK_BYTES + 1, MOST_LINKS), k.COLUMNS), np.int32)
        self.head, self.counts = np.empty((_HEAD_ROWS, k.COLUMNS), np.int32), np.empty(k.COUNT_LENGTH, np.int64)


class _Kept(threading.local):
    buffers = Buffers(0)


_kept = _Kept()


def buffers_for(size: int) -> Buffers:
    """The buffers of this thread, overwritten by its next page; those for a very large page are not kept.

    >>> buffers_for(10).size >= 10
    True
    """
    if size <= _kept.buffers.size:
        return _kept.buffers
    fresh = Buffers(size + size // 2)
    if fresh.size <= _KEPT_BYTES:
        _kept.buffers = fresh
    return fresh
