"""Rules that say nothing new: all they join, another rule joins too."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from garimpo.dust.rules import Rule

Partition = dict[int, int]
"""URL -> bucket, for the URLs a rule joins with another."""


def drop_redundant(rules: Sequence[Rule], validation: pa.Table) -> list[Rule]:
    """The rules, in their order, without those whose instances are all instances of one kept before."""
    from garimpo.dust.alignment import canonical_rows

    partitions: list[Partition] = [{} for _ in rules]
    for number, rows, canonical in canonical_rows(validation, rules):
        _, bucket, counts = np.unique(canonical, return_inverse=True, return_counts=True)
        joined = counts[bucket] >= 2
        partitions[number] = dict(zip(rows[joined].tolist(), bucket[joined].tolist()))
    return [rules[number] for number in survivors(partitions)]


def survivors(partitions: Sequence[Partition]) -> list[int]:
    """Which partitions join two URLs that no single one before them joins. The first of equal ones survives.

    >>> survivors([{1: 0, 2: 0, 3: 0}, {1: 0, 2: 0}, {1: 0, 4: 0}, {1: 5, 4: 5}])
    [0, 2]
    """
    kept: list[int] = []
    by_url: dict[int, list[int]] = {}
    for number, partition in enumerate(partitions):
        some_url = next(iter(partition), None)
        if some_url is None or any(_refines(partition, partitions[k]) for k in by_url.get(some_url, ())):
            continue
        kept.append(number)
        for url in partition:
            by_url.setdefault(url, []).append(number)
    return kept


def _refines(fine: Partition, coarse: Partition) -> bool:
    """Whether every bucket of `fine` lies inside one bucket of `coarse`."""
    inside: dict[int, int] = {}
    for url, bucket in fine.items():
        target = coarse.get(url)
        if target is None or inside.setdefault(bucket, target) != target:
            return False
    return True
