"""NormPaths, the method that the source compares with: pages that are equal under one path, and how few hosts have them.

A page that `n` hosts have under one path counts 1/n for each two of them; no name, no address, no page that differs counts.
"""

from typing import Any

import numpy as np

from garimpo.mirrors.blocking import Candidates, overlap
from garimpo.mirrors.on_engine import SpreadLists
from garimpo.mirrors.page_scan import Array, Lists, Scan

UNIT = 1 << 30
"""What a page counts is a whole number of such parts, so that a sum is the same in whatever order it is made."""
CUT = 0.8
"""The source takes the first so many pairs; here, those that reach this score: eight equal pages that only they have."""


def likeness(found: Scan, pairs: Candidates) -> Array:
    """The sum over the pages that both hosts of a pair have, equal under one path, of 1/n for n hosts that have them."""
    lists: Any = found.lists["path"]
    if isinstance(lists, SpreadLists):
        return lists.likeness(pairs.first, pairs.second, UNIT)
    fetched = lists.values != 0
    host = np.repeat(np.arange(len(found.hosts)), np.diff(lists.starts))[fetched]
    page = np.column_stack([lists.items[fetched], lists.values[fetched]])
    number, df = np.unique(page, axis=0, return_inverse=True, return_counts=True)[1:]
    number = number.ravel()
    order = np.lexsort((number, host))
    starts = np.zeros(len(found.hosts) + 1, np.int64)
    np.cumsum(np.bincount(host, minlength=len(found.hosts)), out=starts[1:])
    nothing = np.zeros(len(host), np.int64)
    pages = Lists(starts, number[order], nothing, df[number[order]].astype(np.int32), nothing.astype(bool))
    return overlap(pages, pairs, np.floor(UNIT / pages.df) / UNIT).weight


def score(sums: Array) -> Array:
    """The sums as scores below one, in the same order."""
    return sums / (1.0 + sums)
