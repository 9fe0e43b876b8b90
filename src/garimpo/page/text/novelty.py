"""How much of a page's text is new to the crawl.

The shingles of a page's content (the template of its host set aside) are looked up in a table of those met before, and put there.
Blocks met before are not new in whatever order they come: a list that is sorted in another way says nothing new. The tables have
a fixed size and forget what is overwritten: what was forgotten looks new again, so in a very large crawl novelty is a little
overrated and memory stays flat.
"""

import numpy as np
from numpy.typing import NDArray

from garimpo.page.text.blocks import Blocks
from garimpo.page.text.sameness import Chrome, classify_blocks

PLACES = 1 << 22
LITTLE = 20
"""Shingles that a page is taken to have beside its own, so that a few new words on an empty page are no great gain."""


class Novelty:
    """The shingles met so far.

    >>> import pyarrow as pa
    >>> from garimpo.page.text.blocks import read_blocks
    >>> novelty = Novelty(1 << 20)
    >>> page = read_blocks(pa.array(["gold " + " ".join(f"word{n}" for n in range(100))]))
    >>> round(novelty.add(page, Chrome()), 2), novelty.add(page, Chrome())
    (0.83, 0.0)
    >>> there, back = (read_blocks(pa.array(["\\n".join(lines)])) for lines in (["a b c d", "e f g"], ["e f g", "a b c d"]))
    >>> novelty.add(there, Chrome()) > 0.0 == novelty.add(back, Chrome())
    True
    """

    def __init__(self, places: int = PLACES) -> None:
        """Begin with nothing met.

        Args:
            places: how many shingles are remembered at most, a power of two.
        """
        self._table = np.zeros(places, np.uint64)
        self._blocks = np.zeros(places // 8, np.uint64)
        self._words, self._shingles = np.empty(0, np.uint32), np.empty(0, np.uint64)

    def add(self, page: Blocks, chrome: Chrome) -> float:
        """The share of a page's content that is new, from 0 to 1; from now on it is known.

        Args:
            page: the blocks of one page.
            chrome: the template of its host.
        """
        from garimpo.page.text._kernels_blocks import CHROME, PLAIN, SHINGLE, count_new, shingles

        if len(self._words) < len(page.words):
            self._words, self._shingles = np.empty(len(page.words), np.uint32), np.empty(len(page.words), np.uint64)
        kinds = classify_blocks(page, chrome)
        size = int(np.diff(page.word_offsets)[kinds == PLAIN].sum())
        kinds[self._met(page.as_is)] = CHROME
        _, made = shingles(
            page.words, page.masked_words, page.word_offsets, kinds, 0, len(page.as_is), True, self._words, self._shingles
        )
        return count_new(self._shingles, made, self._table) / (max(made, size - SHINGLE + 1) + LITTLE)

    def _met(self, blocks: NDArray[np.uint64]) -> NDArray[np.bool_]:
        """Which blocks were met before; now they were."""
        places = (blocks & np.uint64(self._blocks.size - 1)).astype(np.int64)
        met = self._blocks[places] == blocks
        self._blocks[places] = blocks
        return met
