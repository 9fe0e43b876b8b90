"""From pairs of distinct sets to pairs of documents: copies are paired too."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import check
from garimpo.contract.tables import NEAR_PAIRS
from garimpo.similarity.candidates.pairs import Numbers, Pairs, Rule
from garimpo.similarity.clusters.collected import Collected


@dataclass(frozen=True)
class Found:
    """The documents and, by their rank of preference, what was found about them."""

    collected: Collected
    order: Numbers
    """Rank to document."""
    representative: Numbers
    """Rank to the rank of the first document with the same set."""
    pairs: Pairs
    kept: Numbers
    """Rank to the rank of the document that stands for it."""


def pair_table(found: Found, rule: Rule) -> pa.Table:
    """The table `near pairs`, with a column `containment` as well when that is the measure."""
    sizes = found.collected.sizes[found.order]
    members, begins = _groups(found.representative, sizes)
    first, second, pair = _between(found, members, begins, rule.copies)
    a, b = _within(members, begins, rule.copies)
    common = np.concatenate([found.pairs.common[pair], sizes[a]])
    first, second = np.concatenate([first, a]), np.concatenate([second, b])
    return _table(found, first, second, common, sizes, rule)


def _groups(representative: Numbers, sizes: Numbers) -> tuple[Numbers, Numbers]:
    """Ranks sorted by representative, and where the members of each rank's group begin."""
    members = np.argsort(representative, kind="stable")
    members = members[sizes[members] > 0]
    counts = np.bincount(representative[members], minlength=representative.size)
    return members, np.concatenate([[0], np.cumsum(counts)])


def _between(found: Found, members: Numbers, begins: Numbers, cap: int) -> tuple[Numbers, Numbers, Numbers]:
    """All pairs of a member of one group with a member of the other, for each verified pair of groups."""
    counts = np.minimum(np.diff(begins), cap)
    left, right = counts[found.pairs.first], counts[found.pairs.second]
    each = left * right
    pair = np.repeat(np.arange(each.size), each)
    within = np.arange(pair.size) - np.repeat(np.cumsum(each) - each, each)
    i, j = within // right[pair], within % right[pair]
    return members[begins[found.pairs.first[pair]] + i], members[begins[found.pairs.second[pair]] + j], pair


def _within(members: Numbers, begins: Numbers, cap: int) -> tuple[Numbers, Numbers]:
    """All pairs inside each group; members past the cap with the first one only."""
    lefts, rights = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for start, stop in pairwise(begins):
        if stop - start < 2:
            continue
        i, j = np.triu_indices(min(int(stop - start), cap), 1)
        lefts += [members[start + i], np.full(max(0, stop - start - cap), members[start])]
        rights += [members[start + j], members[start + cap : stop]]
    return np.concatenate(lefts), np.concatenate(rights)


def _table(found: Found, first: Numbers, second: Numbers, common: Numbers, sizes: Numbers, rule: Rule) -> pa.Table:
    ids = found.collected.ids
    one, other = (ids.take(pa.array(found.order[side])) for side in (first, second))
    ordered = pc.less(one, other)
    columns = {
        "a": pc.if_else(ordered, one, other),
        "b": pc.if_else(ordered, other, one),
        "jaccard": pa.array(common / np.maximum(sizes[first] + sizes[second] - common, 1)),
    }
    if rule.containment:
        columns["containment"] = pa.array(rule.similarity(common, sizes[first], sizes[second]))
    return check(pa.table(columns), NEAR_PAIRS).sort_by([("a", "ascending"), ("b", "ascending")])
