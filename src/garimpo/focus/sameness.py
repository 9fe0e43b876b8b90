"""Words that tell the site of the examples, not their topic.

Examples of one site say the same things around their text: its name, its menu, its footer. A classifier that sees them in every
positive and nowhere else learns the site. Pages of one site are known by the runs of words they share; a word is passed over when
it stands only in such runs, or on no page outside the sites of the examples. The latter says nothing where nearly all pages are
of those sites, as in the crawl of one site: there every word of the topic would go, so pages from elsewhere must be enough.
"""

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray
from scipy.sparse.csgraph import connected_components

from garimpo.page import word_hashes

Hashes = NDArray[np.uint64]
RUN = 4
"""Words in a run."""
SHARED = 8
"""Pages that share so many runs are of one site."""
GROUP = 3
"""Fewer pages of a site than this do not outweigh the others."""
FOREIGN, FOREIGN_SHARE = 50, 0.2
"""Unlabelled pages of other sites, and their share of the unlabelled, from which on it counts that they lack a word."""
LOOKED_AT = 500
"""Of many examples so many are looked at."""


def site_words(positive: pa.Array, unlabelled: pa.Array) -> Hashes:
    """The hashes of words that stand for the sites of the examples.

    Args:
        positive: the texts of the examples.
        unlabelled: texts of any kind.

    >>> page = "gold diggers of the valley {} copyright by the valley club of gold diggers imprint {}"
    >>> texts = [page.format(a, b) for a, b in (("river", "x1"), ("gravel", "x2"), ("panning", "x3"))]
    >>> words = site_words(pa.array(texts), pa.array(["the river", "of gravel", "panning", "a copyright", "by the club"] * 10))
    >>> [name for name in ("valley", "imprint", "river", "gravel") if np.isin(word_hashes(pa.array([name]))[0], words).all()]
    ['valley', 'imprint']
    """
    words, offsets = word_hashes(positive.slice(0, LOOKED_AT))
    page = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    starts, runs = _runs(words, page)
    group, sizes = _groups(runs, page[starts], len(offsets) - 1)
    large = sizes[group] >= GROUP
    if not large.any():
        return np.zeros(0, np.uint64)
    frame = _frame(runs, page[starts], group, sizes)
    inside = np.zeros(len(words), bool)
    framed = np.isin(runs, frame)
    for step in range(RUN):
        inside[starts[framed] + step] = True
    return _union(_only_inside(words, page, inside), _nowhere_else(words[large[page]], frame, unlabelled))


def _runs(words: Hashes, page: NDArray[np.int64]) -> tuple[NDArray[np.int64], Hashes]:
    """Where a run begins that ends on the same page, and its hash."""
    if len(words) < RUN:
        return np.zeros(0, np.int64), np.zeros(0, np.uint64)
    starts = np.flatnonzero(page[: len(page) - RUN + 1] == page[RUN - 1 :])
    mixed = np.zeros(len(starts), np.uint64)
    for step in range(RUN):
        mixed = (mixed ^ words[starts + step]) * np.uint64(0x9E3779B97F4A7C15)
        mixed ^= mixed >> np.uint64(29)
    return starts, mixed


def _groups(runs: Hashes, page: NDArray[np.int64], pages: int) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """The site of each page as a number, and how many pages each has."""
    distinct, number = np.unique(runs, return_inverse=True)
    cells = sp.csr_matrix((np.ones(len(runs), np.int32), (page, number)), (pages, max(1, len(distinct))))
    cells.data[:] = 1
    shared = (cells @ cells.T).tocoo()
    close = shared.data >= SHARED
    links = sp.csr_matrix((np.ones(close.sum()), (shared.row[close], shared.col[close])), (pages, pages))
    group = connected_components(links, directed=False)[1]
    return group, np.bincount(group)


def _frame(runs: Hashes, page: NDArray[np.int64], group: NDArray[np.int32], sizes: NDArray[np.int64]) -> Hashes:
    """The runs that half of the pages of a site have."""
    found = []
    for number in np.flatnonzero(sizes >= GROUP):
        own = np.isin(page, np.flatnonzero(group == number))
        pairs = np.unique(np.column_stack([runs[own], page[own].astype(np.uint64)]), axis=0)[:, 0]
        distinct, count = np.unique(pairs, return_counts=True)
        found.append(distinct[2 * count >= sizes[number]])
    return np.concatenate(found)


def _only_inside(words: Hashes, page: NDArray[np.int64], inside: NDArray[np.bool_]) -> Hashes:
    """Words that most pages which have them have in the frame only."""
    every, free = (_pages_with(words[which], page[which]) for which in (np.ones(len(words), bool), ~inside))
    outside = dict(zip(*map(np.ndarray.tolist, free)))
    return np.array([word for word, count in zip(*map(np.ndarray.tolist, every)) if 2 * outside.get(word, 0) < count], np.uint64)


def _pages_with(words: Hashes, page: NDArray[np.int64]) -> tuple[Hashes, NDArray[np.int64]]:
    pairs = np.unique(np.column_stack([words, page.astype(np.uint64)]), axis=0)[:, 0]
    return np.unique(pairs, return_counts=True)


def _nowhere_else(words: Hashes, frame: Hashes, unlabelled: pa.Array) -> Hashes:
    """Words of the sites' pages that no unlabelled page of another site has; none where such pages are few."""
    others, offsets = word_hashes(unlabelled)
    page = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    starts, runs = _runs(others, page)
    framed = np.bincount(page[starts], np.isin(runs, frame), len(offsets) - 1)
    foreign = framed < SHARED
    if foreign.sum() < max(FOREIGN, FOREIGN_SHARE * len(foreign)):
        return np.zeros(0, np.uint64)
    return np.setdiff1d(words, others[foreign[page]])


def _union(*parts: Hashes) -> Hashes:
    return np.unique(np.concatenate(parts))
