"""R_tree (Lei, Cai and others 2010): a tree of URL patterns for each host, rules between patterns that share clusters.

As the thesis tells it, with the choices it leaves open: patterns are leaves, two of them give a rule where at least half
of the clusters of the smaller one are shared, a key of the target is copied where it agrees in nine of ten shared clusters.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from fanout import Clusters, Values, parts, rebuild

Pattern = tuple[tuple[str, str], ...]
Row = tuple[Values, int]
MOST_LEAVES = 200


def leaves(rows: Sequence[Row], pattern: Pattern = ()) -> Iterator[tuple[Pattern, Sequence[Row]]]:
    """Split at the key of least entropy: salient values get a child each, the others share one."""
    used = {key for key, _ in pattern}
    keys = sorted({key for values, _ in rows for key in values if key != "host"} - used)
    if not keys:
        yield pattern, rows
        return
    counts = {key: Counter(values.get(key, "") for values, _ in rows) for key in keys}
    key = min(keys, key=lambda name: (_entropy(counts[name], len(rows)), name))
    salient = _salient(counts[key])
    groups: dict[str, list[Row]] = defaultdict(list)
    for values, cluster in rows:
        value = values.get(key, "")
        groups[value if value in salient else "*"].append((values, cluster))
    for value, group in sorted(groups.items()):
        yield from leaves(group, (*pattern, (key, value)))


def _entropy(counts: Counter[str], total: int) -> float:
    return -sum(n / total * math.log(n / total) for n in counts.values())


def _salient(counts: Counter[str]) -> set[str]:
    ordered = counts.most_common()
    if len(ordered) == 1:
        return {ordered[0][0]}
    drops = [ordered[i][1] - ordered[i + 1][1] for i in range(len(ordered) - 1)]
    if max(drops) == 0:
        return set()
    return {value for value, _ in ordered[: drops.index(max(drops)) + 1]}


class TreeRule:
    """URLs of a source pattern become URLs of a target pattern."""

    def __init__(self, source: Pattern, target: list[tuple[str, str]]) -> None:
        self.source, self.target = source, target

    def apply(self, values: Values) -> str | None:
        named = dict(self.source)
        if any(key not in named for key in values if key != "host"):
            return None
        if any(value not in ("*", values.get(key, "")) for key, value in self.source):
            return None
        out = {"host": values["host"]}
        for key, action in self.target:
            kind, _, argument = action.partition(" ")
            text = values.get(argument, "") if kind == "ref" else argument
            if text or key in ("slash",):
                out[key] = text
        out.setdefault("scheme", "http")
        return rebuild(out)


def learn(
    training: Clusters, validation: Clusters, min_support: int = 10, fpr_max: float = 0.0, sample: int = 10
) -> tuple[dict[str, list[TreeRule]], int]:
    """Valid rules by host and the number of candidates."""
    by_host: dict[str, list[Row]] = defaultdict(list)
    for number, urls in training.items():
        for url in sorted(urls)[:sample]:
            values = parts(url)
            by_host[values["host"]].append((values, number))
    raw = {url: number for number, urls in validation.items() for url in urls}
    check: dict[str, list[tuple[Values, int]]] = defaultdict(list)
    for url, number in raw.items():
        values = parts(url)
        check[values["host"]].append((values, number))
    kept: dict[str, list[TreeRule]] = {}
    candidates = 0
    for host, rows in by_host.items():
        found = []
        for rule in _host_rules(rows):
            candidates += 1
            support, correct, saved = _measure(rule, check[host], raw)
            if support >= min_support and support - correct <= fpr_max * support:
                found.append((saved, rule))
        best: dict[Pattern, tuple[int, TreeRule]] = {}
        for saved, rule in found:
            if saved > best.get(rule.source, (0, rule))[0]:
                best[rule.source] = (saved, rule)
        if best:
            kept[host] = [rule for _, rule in sorted(best.values(), key=lambda entry: -entry[0])]
    return kept, candidates


def _host_rules(rows: list[Row]) -> Iterator[TreeRule]:
    made = [(pattern, group) for pattern, group in leaves(rows)][:MOST_LEAVES]
    clusters = [{cluster for _, cluster in group} for _, group in made]
    for i, (source, group) in enumerate(made):
        for j, (target, others) in enumerate(made):
            shared = clusters[i] & clusters[j]
            if i == j:
                shared = {number for number, count in Counter(c for _, c in group).items() if count > 1}
            if not shared or len(shared) < 0.5 * min(len(clusters[i]), len(clusters[j])):
                continue
            if rebuild_size(source) < rebuild_size(target):  # one direction of each pair, so that there are no cycles
                continue
            yield TreeRule(source, _mapping(source, target, group, others, shared))


def rebuild_size(pattern: Pattern) -> tuple[int, Pattern]:
    return sum(1 for _, value in pattern if value), pattern


def _mapping(
    source: Pattern, target: Pattern, group: Sequence[Row], others: Sequence[Row], shared: set[int]
) -> list[tuple[str, str]]:
    first = {cluster: values for values, cluster in group if cluster in shared}
    second = {cluster: values for values, cluster in reversed(others) if cluster in shared}
    made = []
    for key, value in target:
        if value != "*":
            made.append((key, f"const {value}"))
            continue
        agree = [name for name, _ in source if sum(first[c].get(name) == second[c].get(key) for c in shared) >= 0.9 * len(shared)]
        made.append((key, f"ref {key if key in agree else agree[0]}" if agree else "const *"))
    return made


def _measure(rule: TreeRule, rows: list[tuple[Values, int]], raw: dict[str, int]) -> tuple[int, int, int]:
    buckets: dict[str, Counter[int]] = defaultdict(Counter)
    for values, number in rows:
        form = rule.apply(values)
        if form is not None:
            buckets[form][number] += 1
    support = correct = saved = 0
    for form, counts in buckets.items():
        if form in raw and rule.apply(parts(form)) is None:
            counts[raw[form]] += 1
        total = counts.total()
        support += total * (total - 1) // 2
        correct += sum(n * (n - 1) // 2 for n in counts.values())
        saved += total - 1
    return support, correct, saved
