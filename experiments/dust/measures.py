"""What a set of keys is worth: compression, coverage, precision of skips and of pairs."""

from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np


def measure(urls: Sequence[str], clusters: Sequence[int], keys: Sequence[str], rules: int) -> dict[str, float]:
    """Of test URLs in file order. Clusters of one URL count as negatives only, not in compression or coverage."""
    size = Counter(clusters)
    first: dict[str, int] = {}
    skipped = right = 0
    in_key: dict[str, Counter[int]] = defaultdict(Counter)
    forms: dict[int, set[str]] = defaultdict(set)
    for cluster, key in zip(clusters, keys):
        in_key[key][cluster] += 1
        if size[cluster] > 1:
            forms[cluster].add(key)
        if key in first:
            skipped += 1
            right += first[key] == cluster
        else:
            first[key] = cluster
    pairs = sum(_pairs(counts.total()) for counts in in_key.values())
    good = sum(_pairs(n) for counts in in_key.values() for n in counts.values())
    many = [cluster for cluster, n in size.items() if n > 1]
    original = sum(size[cluster] for cluster in many)
    left = sum(len(forms[cluster]) for cluster in many)
    return {
        "compression": 1 - left / original if original else 0.0,
        "coverage": 1 - (left - len(many)) / (original - len(many)) if original > len(many) else 0.0,
        "skip_precision": right / skipped if skipped else 1.0,
        "pair_precision": good / pairs if pairs else 1.0,
        "saved_per_rule": (original - left) / rules if rules else 0.0,
        "rules": rules,
        "skips": skipped,
    }


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def interval(clusters: Sequence[int], keys: Sequence[str], draws: int = 200) -> dict[str, tuple[float, float]]:
    """95 % intervals of coverage and skip precision: clusters drawn again and again, with replacement."""
    number = {cluster: i for i, cluster in enumerate(dict.fromkeys(clusters))}
    counts = np.zeros((4, len(number)))  # merged, could be merged, right skips, skips
    size = Counter(clusters)
    forms: dict[int, set[str]] = defaultdict(set)
    first: dict[str, int] = {}
    for cluster, key in zip(clusters, keys):
        forms[cluster].add(key)
        if key in first:
            counts[2, number[cluster]] += first[key] == cluster
            counts[3, number[cluster]] += 1
        first.setdefault(key, cluster)
    for cluster, i in number.items():
        counts[0, i], counts[1, i] = size[cluster] - len(forms[cluster]), size[cluster] - 1
    rng = np.random.default_rng(0)
    drawn = np.array([counts[:, rng.integers(0, len(number), len(number))].sum(axis=1) for _ in range(draws)])
    found = {}
    for name, top, bottom in (("coverage", 0, 1), ("skip_precision", 2, 3)):
        values = drawn[:, top] / np.maximum(drawn[:, bottom], 1)
        found[name] = (float(np.percentile(values, 2.5)), float(np.percentile(values, 97.5)))
    return found
