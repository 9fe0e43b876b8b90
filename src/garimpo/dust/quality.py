"""How good rules are on clusters: what they save, what they join wrongly."""

from collections import Counter, defaultdict

import pyarrow as pa

from garimpo.contract.results import Result
from garimpo.dust.rules.ruleset import RuleSet

SHOWN = 20
"""False merges that are listed, unless told otherwise."""


def judge(rules: RuleSet, clusters: pa.Table, shown: int = SHOWN) -> Result:
    """What a crawler that skips every URL whose key it has seen would save and lose on these pages.

    Compression and coverage are of clusters of several URLs: the share of their URLs that is left out, and of what could be.
    Precision is of skips (against the first URL with the key) and of pairs. A rule is applied where it made the key of some URL,
    and valid where no key it made holds two pages. Clusters of one URL count as pages that must stay apart.

    Args:
        rules: the rules to judge
        clusters: columns `cluster` and `url`, as `prepare` makes them
        shown: how many false merges are listed, those of the rule with most first

    >>> from garimpo.dust import Rule
    >>> table = pa.table({"cluster": [1, 1, 2], "url": ["http://a.org/x", "http://a.org/x/", "http://a.org/y"]})
    >>> judge(RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1")]), table)["coverage"]
    1.0
    """
    numbers, urls = clusters.column("cluster").to_pylist(), clusters.column("url").to_pylist()
    keys, made_by = (column.to_pylist() for column in rules.keys(clusters.column("url")))
    size = Counter(numbers)
    first: dict[str, int] = {}
    in_key: dict[str, Counter[int]] = defaultdict(Counter)
    forms: dict[int, set[str]] = defaultdict(set)
    wrong: list[tuple[str, int, int]] = []
    skipped = 0
    for row, (number, key) in enumerate(zip(numbers, keys)):
        in_key[key][number] += 1
        forms[number].add(key)
        seen = first.setdefault(key, row)
        if seen != row:
            skipped += 1
            if numbers[seen] != number:
                wrong.append((made_by[row] or made_by[seen] or "-", seen, row))
    blamed = Counter(rule for rule, _, _ in wrong)
    wrong.sort(key=lambda one: (-blamed[one[0]], one))
    many = [number for number, n in size.items() if n > 1]
    original, left = sum(size[number] for number in many), sum(len(forms[number]) for number in many)
    pairs = sum(_pairs(counts.total()) for counts in in_key.values())
    good = sum(_pairs(n) for counts in in_key.values() for n in counts.values())
    applied = {name for key, url, name in zip(keys, urls, made_by) if name}
    told = {
        "urls": len(urls),
        "clusters": len(many),
        "unique": len(size) - len(many),
        "compression": _share(original - left, original, 0.0),
        "coverage": _share(original - left, original - len(many), 0.0),
        "skips": skipped,
        "skips_wrong": len(wrong),
        "skip_precision": _share(skipped - len(wrong), skipped, 1.0),
        "pair_precision": _share(good, pairs, 1.0),
        "rules": len(rules),
        "rules_applied": len(applied),
        "rules_valid": len(applied - set(blamed)),
        "false_merges": [{"rule": rule, "url": urls[row], "taken_for": urls[seen]} for rule, seen, row in wrong[:shown]],
    }
    return Result(told)


def _pairs(n: int) -> int:
    return n * (n - 1) // 2


def _share(part: int, whole: int, nothing: float) -> float:
    return round(part / whole, 6) if whole else nothing
