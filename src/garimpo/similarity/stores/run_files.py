"""A long run in its files, read a block at a time.

Most keys that are looked for are in no run. So a run keeps a bit in memory for each range of keys, eight to sixteen ranges a key
in it, which says whether any lies there; and of what is read, the first key of each block, which says where to read.
"""

import os
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from garimpo.similarity.candidates.pairs import Hashes, Numbers

BLOCK = 256
"""Keys in a block."""
WINDOW = 2 * BLOCK
"""Keys read to look for one: it stands within the first block, or right behind."""
AT_ONCE = 256
"""Keys looked for together."""
PIECE = 1 << 15
"""Keys read together when all are."""


class StoredRun:
    """The run that `NAME.keys` and `NAME.documents` hold."""

    def __init__(self, folder: Path, name: str) -> None:
        self.name = name
        self._keys = os.open(folder / f"{name}.keys", os.O_RDONLY)
        self._documents = os.open(folder / f"{name}.documents", os.O_RDONLY)
        self._length = os.fstat(self._keys).st_size // 8
        self._shift = np.uint64(61 - self._length.bit_length())
        self._bits = np.zeros(1 << self._length.bit_length(), np.uint8)
        firsts = []
        for begin in range(0, self._length, PIECE):
            keys = np.frombuffer(os.pread(self._keys, 8 * PIECE, 8 * begin), np.uint64)
            firsts.append(keys[::BLOCK].copy())
            self._mark(keys)
        self._firsts = np.concatenate(firsts)

    def __len__(self) -> int:
        return self._length

    def close(self) -> None:
        os.close(self._keys)
        os.close(self._documents)

    def find(self, wanted: Hashes, limit: int) -> tuple[Numbers, Numbers]:
        """Where each wanted key stands, and how often (no more than `limit`)."""
        start, count = np.zeros(wanted.size, np.int64), np.zeros(wanted.size, np.int64)
        maybe = np.flatnonzero(self._may_have(wanted))
        for begin in range(0, maybe.size, AT_ONCE):
            part = maybe[begin : begin + AT_ONCE]
            start[part], count[part] = self._find(wanted[part], limit)
        return start, count

    def numbers(self, starts: Numbers, lengths: Numbers) -> Numbers:
        """The documents of some spans, one after the other."""
        spans = [self._span(start, length) for start, length in zip(starts.tolist(), lengths.tolist())]
        return np.concatenate(spans).astype(np.int64) if spans else np.empty(0, np.int64)

    def piece(self, begin: int, end: int) -> tuple[Hashes, NDArray[np.int32]]:
        """Keys and documents of a part."""
        return np.frombuffer(os.pread(self._keys, 8 * (end - begin), 8 * begin), np.uint64), self._span(begin, end - begin)

    def after(self, key: np.uint64) -> int:
        """How many keys are not larger than this one."""
        block = max(int(np.searchsorted(self._firsts, key, "right")) - 1, 0)
        keys, _ = self.piece(block * BLOCK, min((block + 1) * BLOCK, self._length))
        return block * BLOCK + int(np.searchsorted(keys, key, "right"))

    def _find(self, wanted: Hashes, limit: int) -> tuple[Numbers, Numbers]:
        """The first of equal keys stands in the block before the first that begins with one as large, or begins that one."""
        block = np.maximum(np.searchsorted(self._firsts, wanted) - 1, 0)
        read, row = np.unique(block, return_inverse=True)
        keys, sizes = np.empty((read.size, WINDOW), np.uint64), np.empty(read.size, np.int64)
        for at, begin in enumerate((8 * BLOCK * read).tolist()):
            sizes[at] = os.preadv(self._keys, [keys[at]], begin) // 8
        there = np.arange(WINDOW) < sizes[row, None]
        start = block * BLOCK + ((keys[row] < wanted[:, None]) & there).sum(1)
        count = ((keys[row] == wanted[:, None]) & there).sum(1)
        for at in np.flatnonzero((start + count == block * BLOCK + WINDOW) & (count < limit)).tolist():
            count[at] = self.after(wanted[at]) - start[at]  # more of them follow
        return start, np.minimum(count, limit)

    def _span(self, start: int, length: int) -> NDArray[np.int32]:
        return np.frombuffer(os.pread(self._documents, 4 * length, 4 * start), np.int32)

    def _mark(self, keys: Hashes) -> None:
        """Set the bits of sorted keys."""
        place = keys >> self._shift
        byte, bit = (place >> np.uint64(3)).astype(np.int64), np.uint8(1) << (place & np.uint64(7)).astype(np.uint8)
        begins = np.flatnonzero(np.diff(byte, prepend=-1))
        self._bits[byte[begins]] |= np.bitwise_or.reduceat(bit, begins)

    def _may_have(self, keys: Hashes) -> NDArray[np.bool_]:
        """False for keys that are surely not here."""
        place = keys >> self._shift
        return (self._bits[place >> np.uint64(3)] >> (place & np.uint64(7)).astype(np.uint8)) & np.uint8(1) > 0
