"""Shingle sets, many in one flat array."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Sets:
    """Sorted sets of 64-bit hashes: set i is `values[offsets[i]:offsets[i + 1]]`.

    Args:
        values: the hashes of all sets, one set after the other.
        offsets: where each set begins; the last is their number.

    >>> sets = Sets.of([[3, 1, 3], [], [2]])
    >>> [sets[i].tolist() for i in range(len(sets))], sets.sizes.tolist()
    ([[1, 3], [], [2]], [2, 0, 1])
    """

    values: Hashes
    offsets: Numbers

    @classmethod
    def of(cls, lists: Iterable[Iterable[int]]) -> "Sets":
        """Sets from any lists of hashes."""
        rows = [np.asarray(list(row), np.uint64) for row in lists]
        offsets = np.zeros(len(rows) + 1, np.int64)
        np.cumsum([len(row) for row in rows], out=offsets[1:])
        return cls.from_hashes(np.concatenate([*rows, np.empty(0, np.uint64)]), offsets)

    @classmethod
    def from_hashes(cls, hashes: Hashes, offsets: Numbers) -> "Sets":
        """Sets from flat hashes in any order, with repeats."""
        from garimpo.similarity._kernels import sort_unique

        values = np.empty(hashes.size, np.uint64)
        starts = np.empty(offsets.size, np.int64)
        used = sort_unique(hashes, offsets, values, starts)
        return cls(values[:used], starts)

    @classmethod
    def from_texts(cls, texts: pa.Array | pa.ChunkedArray, width: int = 5) -> "Sets":
        """The shingle sets of a column of texts; a null or empty text has the empty set."""
        from garimpo.page import shingle_hashes

        return cls.from_hashes(*shingle_hashes(texts, width))

    @classmethod
    def from_arrow(cls, column: pa.Array | pa.ChunkedArray) -> "Sets":
        """The reverse of `to_arrow`."""
        if isinstance(column, pa.ChunkedArray):
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
        offsets = column.offsets.to_numpy().astype(np.int64)
        values = column.values.to_numpy(zero_copy_only=False).view(np.uint64)
        return cls(values[offsets[0] : offsets[-1]], offsets - offsets[0])

    def to_arrow(self) -> pa.Array:
        """The sets as a column of lists of int64: the same 64 bits, for Spark has no unsigned integers (nor large lists).

        >>> Sets.from_arrow(Sets.of([[7], [8, 9]]).to_arrow())[1].tolist()
        [8, 9]
        """
        return pa.ListArray.from_arrays(pa.array(self.offsets, pa.int32()), pa.array(self.values.view(np.int64)))

    def __len__(self) -> int:
        return int(self.offsets.size - 1)

    def __getitem__(self, index: int) -> Hashes:
        return self.values[self.offsets[index] : self.offsets[index + 1]]

    @cached_property
    def sizes(self) -> Numbers:
        return np.diff(self.offsets)

    @cached_property
    def digests(self) -> Hashes:
        """One 64-bit digest a set; equal sets have equal digests."""
        from garimpo.similarity._kernels import digests

        out = np.empty(len(self), np.uint64)
        digests(self.values, self.offsets, out)
        return out

    def take(self, rows: Numbers) -> "Sets":
        """Some of the sets, in the order given."""
        sizes = self.sizes[rows]
        offsets = np.zeros(rows.size + 1, np.int64)
        np.cumsum(sizes, out=offsets[1:])
        within = np.arange(offsets[-1]) - np.repeat(offsets[:-1], sizes)
        return Sets(self.values[np.repeat(self.offsets[:-1][rows], sizes) + within], offsets)
