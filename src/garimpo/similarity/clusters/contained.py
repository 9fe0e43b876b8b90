"""Candidates for containment: a page wholly (or mostly) inside another.

A small page inside a large one has a small Jaccard, so bands do not find it. But if at least ceil(t * n) of a page's n
hashes are in another page, then one of its n - ceil(t * n) + 1 smallest is, for no more than the others can be missing.
So every page is entered under all its hashes, and two pages meet where a hash is among those few of the smaller page.
Nothing is missed.
"""

from collections.abc import Iterator

import numpy as np

from garimpo.similarity.candidates.pairs import Capped, Hashes, Numbers, Rule, sorted_bucket_entries
from garimpo.similarity.clusters.collected import Collected

AT_ONCE = 1 << 24
"""Hashes sorted at a time; more are taken in ranges of their value."""


def contained_candidates(collected: Collected, distinct: Numbers, rank: Numbers, rule: Rule, capped: Capped) -> Iterator[Hashes]:
    """Packed candidate pairs, by ranges of hash value."""
    from garimpo.similarity._kernels_pairs import in_range

    starts, sizes, documents = collected.starts[distinct], collected.sizes[distinct], rank[distinct]
    probes = probes_of(sizes, rule)
    by_rank = np.zeros(rank.size, np.int64)
    by_rank[rank] = collected.sizes
    ranges = max(1, int(sizes.sum()) // AT_ONCE)
    edges = [int(edge) for edge in np.linspace(0, 1, ranges + 1)[1:-1] * 2.0**64]
    for low, high in zip([0, *edges], [*edges, 2**64 - 1]):
        arguments = (collected.values, starts, sizes, probes, documents, np.uint64(low), np.uint64(high))
        count = in_range(*arguments, np.empty(0, np.uint64), np.empty(0, np.int64))
        keys, marked = np.empty(count, np.uint64), np.empty(count, np.int64)
        in_range(*arguments, keys, marked)
        keys, marked = sorted_bucket_entries(keys, marked)
        yield probed(keys, marked, by_rank[marked >> 1], rule, capped)


def probed(keys: Hashes, marked: Numbers, sizes: Numbers, rule: Rule, capped: Capped) -> Hashes:
    """Candidate pairs of sorted entries; `marked` is twice the document, plus one where the hash is a probe of its set."""
    from garimpo.similarity._kernels_pairs import probe_pairs

    count = probe_pairs(keys, marked, sizes, rule.cap, np.empty(0, np.uint64), np.zeros(2, np.int64))
    out = np.empty(count, np.uint64)
    probe_pairs(keys, marked, sizes, rule.cap, out, capped.counts)
    capped.add()
    return out


def probes_of(sizes: Numbers, rule: Rule) -> Numbers:
    """How many of each set's smallest hashes must be looked up."""
    return sizes - -(-rule.part * sizes // rule.whole) + 1
