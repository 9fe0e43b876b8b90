"""Blocks: the pieces of text between block-level tags, as hashes that the template of a host can be learned from.

A block is one line of a page's text. It is known by a hash of its words *as they are* and, where its numbers may be a date or a
counter of the template, by a hash with every run of digits *masked*. Only blocks with at least three real words are masked.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.page.text.alphabet import folded
from garimpo.page.text.shingles import settled


@dataclass(frozen=True, slots=True)
class Blocks:
    """The blocks of many pages as flat arrays. The blocks of page i are `offsets[i]:offsets[i + 1]`.

    The words of block j are `words[word_offsets[j]:word_offsets[j + 1]]`, as they are and masked. Hashes of words have 32 bits.
    """

    offsets: NDArray[np.int64]
    as_is: NDArray[np.uint64]
    masked: NDArray[np.uint64]
    """0 where a block is not to be masked."""
    lettered: NDArray[np.uint8]
    """Whether the block has a letter; bare numbers are never part of a template."""
    word_offsets: NDArray[np.int64]
    words: NDArray[np.uint32]
    masked_words: NDArray[np.uint32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def words_of(self, block: int) -> NDArray[np.uint32]:
        """The words of one block as they are.

        Args:
            block: its number.
        """
        return self.words[self.word_offsets[block] : self.word_offsets[block + 1]]

    def take(self, pages: Sequence[int] | NDArray[np.integer]) -> "Blocks":
        """The blocks of some pages, in the order given.

        Args:
            pages: their numbers.
        """
        blocks, offsets = _spans(self.offsets, np.asarray(pages, np.int64))
        words, word_offsets = _spans(self.word_offsets, blocks)
        return Blocks(
            offsets,
            self.as_is[blocks],
            self.masked[blocks],
            self.lettered[blocks],
            word_offsets,
            self.words[words],
            self.masked_words[words],
        )


def read_blocks(texts: pa.Array | pa.ChunkedArray) -> Blocks:
    """The blocks of a column of texts.

    Args:
        texts: the visible text of each page, a newline between blocks.

    >>> blocks = read_blocks(pa.array(["Gold\\nRead 31 times since May 2021"]))
    >>> len(blocks.as_is), (blocks.masked > 0).tolist()
    (2, [False, True])
    """
    from garimpo.page.text._kernels_blocks import read_rows

    data, offsets = settled(texts)
    rows, size = len(offsets) - 1, int(offsets[-1] - offsets[0]) if len(offsets) > 1 else 0
    longest = int(np.diff(offsets).max(initial=0))
    # What is not filled is never touched, so it costs no memory.
    most_words = size // 2 + rows + 1
    most_blocks = int(np.count_nonzero(data == ord("\n"))) + rows + 1
    line, masked_line = np.empty(2 * longest + 40, np.uint8), np.empty(2 * longest + 40, np.uint8)
    starts = np.empty(longest + 3, np.int64)
    ends, word_ends = np.zeros(rows + 1, np.int64), np.zeros(most_blocks + 1, np.int64)
    as_is, masked = np.empty(most_blocks, np.uint64), np.empty(most_blocks, np.uint64)
    lettered = np.empty(most_blocks, np.uint8)
    words, masked_words = np.empty(most_words, np.uint32), np.empty(most_words, np.uint32)
    scratch = (line, masked_line, starts)
    count, total = read_rows(
        data, offsets, folded(), *scratch, ends[1:], as_is, masked, lettered, word_ends[1:], words, masked_words
    )
    return Blocks(
        ends,
        as_is[:count].copy(),
        masked[:count].copy(),
        lettered[:count].copy(),
        word_ends[: count + 1].copy(),
        words[:total].copy(),
        masked_words[:total].copy(),
    )


def _spans(offsets: NDArray[np.int64], rows: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places that some rows cover, one after another, and where those of each begin."""
    starts, sizes = offsets[rows], np.diff(offsets)[rows] if len(offsets) > 1 else np.zeros(0, np.int64)
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    places = np.arange(ends[-1]) + np.repeat(starts - ends[:-1], sizes)
    return places, ends
