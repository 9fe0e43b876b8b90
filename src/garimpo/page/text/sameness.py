"""When are two pages one? Their template set aside, they say the same.

Over the pages of a host some blocks repeat. *Chrome* stands as it is on at least a tenth of them (and on three); *volatile*
blocks do once their numbers are masked: dated lines, counters. The *soft* text of a page is all its blocks, volatile ones
masked; its *content* the blocks that are neither.

Two pages of a host are one if their soft texts are equal, or if the soft texts have a Jaccard similarity of at least .92 and the
contents of at least .85 (5-word shingles, exactly). Pages with at most ten words of content say too little for that: their soft
texts and titles must be equal. Of two hosts only the soft texts are compared, because each host has a chrome of its own.

A number of a page's own URL says which page it is: a block in which the two pages differ by such a number is not masked.

A template is learned from `ENOUGH` pages on; before that whole texts are compared, and must be nearly equal.
"""

import re
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.page.text.blocks import Blocks

ENOUGH = 20
"""Pages of a host from which on its template is known."""
SOFT, CONTENT, WHOLE = 0.92, 0.85, 0.95
"""How alike the soft texts and the contents must be, and whole texts where no template is known."""
LITTLE = 10
"""Words of content up to which a page says too little to be compared by shingles."""

_NONE = np.zeros(0, np.uint64)


@dataclass(frozen=True, slots=True)
class Chrome:
    """The template of a host: masked hashes of volatile blocks, hashes of chrome blocks; both sorted."""

    volatile: NDArray[np.uint64] = field(default_factory=lambda: _NONE)
    chrome: NDArray[np.uint64] = field(default_factory=lambda: _NONE)
    pages: int = 0
    """How many pages it was learned from."""

    @property
    def known(self) -> bool:
        """Whether enough pages were seen."""
        return self.pages >= ENOUGH


def learn_chrome(blocks: Blocks) -> Chrome:
    """The template of one host.

    Args:
        blocks: those of its pages; pages of equal bytes should be given once.
    """
    pages = len(blocks)
    least = max(3, -(-pages // 10))
    return Chrome(
        volatile=_common(blocks, np.where(blocks.masked > 0, blocks.masked, 0), least),
        chrome=_common(blocks, np.where(blocks.lettered > 0, blocks.as_is, 0), least),
        pages=pages,
    )


def _common(blocks: Blocks, hashes: NDArray[np.uint64], least: int) -> NDArray[np.uint64]:
    """The hashes (0: none) that stand on at least so many pages."""
    page = np.repeat(np.arange(len(blocks)), np.diff(blocks.offsets))
    order = np.lexsort((page, hashes))
    hashes, page = hashes[order], page[order]
    first = np.ones(len(hashes), bool)
    first[1:] = (hashes[1:] != hashes[:-1]) | (page[1:] != page[:-1])
    found, counts = np.unique(hashes[first], return_counts=True)
    return found[(counts >= least) & (found > 0)]


class PageBlocks(NamedTuple):
    """One page, to be compared with others."""

    url: str
    title: int
    """A hash of its title."""
    blocks: Blocks


class Comparison:
    """Compares pages, given the template of their hosts. Its arrays are used again from pair to pair."""

    def __init__(self) -> None:
        self._words = np.empty(0, np.uint32)
        self._shingles = np.empty((2, 0), np.uint64)

    def is_same(self, a: "PageBlocks", b: "PageBlocks", chrome: Chrome, other: Chrome | None = None) -> bool:
        """Whether two pages are one.

        Args:
            a: one page.
            b: the other.
            chrome: the template of the host of `a`.
            other: that of the host of `b`, where it is another host.
        """
        mine, theirs = (chrome, chrome) if other is None else _best_known(chrome, other)
        kinds = classify_blocks(a.blocks, mine), classify_blocks(b.blocks, theirs)
        _unmask_own_numbers(a, b, kinds)
        content, words = self._alike(a.blocks, b.blocks, kinds, content=True)
        if soft_digest(a.blocks, kinds[0]) == soft_digest(b.blocks, kinds[1]):
            return a.title == b.title or words > LITTLE
        if not mine.known:
            return words > LITTLE and content >= WHOLE
        if other is None and (words <= LITTLE or content < CONTENT):
            return False
        return self._alike(a.blocks, b.blocks, kinds, content=False)[0] >= SOFT

    def _alike(
        self, a: Blocks, b: Blocks, kinds: tuple[NDArray[np.uint8], NDArray[np.uint8]], content: bool
    ) -> tuple[float, int]:
        """The Jaccard similarity, and the words of the page that has fewer."""
        from garimpo.page.text._kernels_blocks import jaccard, shingles

        longest = max(len(a.words), len(b.words), 1)
        if len(self._words) < longest:
            self._words, self._shingles = np.empty(longest, np.uint32), np.empty((2, longest), np.uint64)
        sizes, fewest = [], longest
        for page, kind, out in zip((a, b), kinds, self._shingles):
            words, size = shingles(
                page.words, page.masked_words, page.word_offsets, kind, 0, len(page.as_is), content, self._words, out
            )
            sizes.append(size)
            fewest = min(fewest, words)
        return float(jaccard(self._shingles[0], sizes[0], self._shingles[1], sizes[1])), fewest


def _unmask_own_numbers(a: PageBlocks, b: PageBlocks, kinds: tuple[NDArray[np.uint8], NDArray[np.uint8]]) -> None:
    """Take volatile blocks as they are where the two pages differ in them by a number of their own URLs."""
    from garimpo.page.text._kernels_blocks import PLAIN, VOLATILE

    volatile = [np.flatnonzero(kind == VOLATILE) for kind in kinds]
    places = [dict(zip(page.blocks.masked[at].tolist(), at.tolist())) for page, at in zip((a, b), volatile)]
    own: list[frozenset[int]] = []
    for masked in places[0].keys() & places[1].keys():
        here, there = places[0][masked], places[1][masked]
        if a.blocks.as_is[here] == b.blocks.as_is[there]:
            continue
        own = own or [own_numbers(a.url), own_numbers(b.url)]
        mine, theirs = a.blocks.words_of(here), b.blocks.words_of(there)
        differ = mine != theirs
        if not own[0].isdisjoint(mine[differ].tolist()) or not own[1].isdisjoint(theirs[differ].tolist()):
            kinds[0][here] = kinds[1][there] = PLAIN


def own_numbers(url: str) -> frozenset[int]:
    """The numbers in a URL, as hashes of words. A part with several runs of digits is a hash or an id: its runs are no numbers.

    Args:
        url: the URL of a page.

    >>> len(own_numbers("http://a.org/item17?page=3&id=2ccab5411e"))
    2
    """
    import xxhash

    runs = (re.findall("[0-9]+", part) for part in re.findall("[0-9A-Za-z]+", url))
    return frozenset(xxhash.xxh64_intdigest(several[0].encode()) & 0xFFFFFFFF for several in runs if len(several) == 1)


def soft_digest(page: Blocks, kinds: NDArray[np.uint8]) -> int:
    """A hash of the soft text of one page."""
    import xxhash

    from garimpo.page.text._kernels_blocks import VOLATILE

    return xxhash.xxh64_intdigest(np.where(kinds == VOLATILE, page.masked, page.as_is).tobytes())


def _best_known(mine: Chrome, theirs: Chrome) -> tuple[Chrome, Chrome]:
    """The templates of two hosts; one that is not known yet is taken to be like the other: a host may have two names."""
    return mine if mine.known else theirs, theirs if theirs.known else mine


def classify_blocks(page: Blocks, chrome: Chrome) -> NDArray[np.uint8]:
    """What each block is to its host: plain (0), volatile (1) or chrome (2).

    Args:
        page: the blocks.
        chrome: the template of the host.
    """
    from garimpo.page.text._kernels_blocks import classify

    out = np.empty(len(page.as_is), np.uint8)
    classify(page.as_is, page.masked, page.lettered, chrome.volatile, chrome.chrome, out)
    return out
