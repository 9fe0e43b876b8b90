"""Rules lent to hosts that have shown too little of them, because they hold nearly everywhere else.

A crawl has a few pages of most hosts: too few to confirm a rule there, though a hundred others did. A rule that holds on enough
hosts is lent to those where it would change some known URL and confuses no known pages; one that is sure enough, to all hosts but
those. Only for a crawl, which postpones what a lent rule joins, and never skips it.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.dust.method.operation import ANY_SEGMENT, LANGUAGE_FOLDER, Operation, habit
from garimpo.dust.rules.operations import names
from garimpo.dust.rules.reach import ANYWHERE, Reach
from garimpo.dust.rules.ruleset import Rule, RuleSet
from garimpo.url import host_column

FORMS = frozenset({"rewrite", "segment", "template", "case", "query-case", "separator"})
"""Kinds that speak of the form of a path: hosts that share it may mean other things by it; and of capital letters, which some
servers tell apart."""
ENOUGH_HOSTS = 2
LIKELY = 0.3
"""The chance, at the lower end of its interval, that a rule holds on the next host."""
Parts: TypeAlias = Callable[[], Iterable[pa.Table]]
SURE = 0.5
"""A rule this likely is lent to every host, so that it is there when the first URL it changes is met."""


def lend(rules: RuleSet, clusters: pa.Table | Parts) -> RuleSet:
    """The rules with the hosts that they may be tried on.

    Args:
        rules: what was learned
        clusters: the known pages, as `prepare` makes them: a rule is lent to no host of theirs that it would confuse. Where they
            are too many for one table, what gives them in parts, each of whole sites; it is called a few times
    """

    def parts() -> Iterable[pa.Table]:
        for table in [clusters] if isinstance(clusters, pa.Table) else clusters():
            yield table.append_column("host", host_column(table.column("url")))

    own = {rule.id: frozenset(rule.hosts) for rule in rules.rules}
    eligible = [rule for rule in rules.rules if _speaks_of_all(rule) and len(rule.hosts) >= ENOUGH_HOSTS]
    if not eligible:
        return rules
    known = list(dict.fromkeys(host for table in parts() for host in pc.unique(table.column("host")).to_pylist()))
    everywhere = {rule.id: _everywhere(rule, known) for rule in eligible}
    wide = _with_hosts(rules, everywhere)
    wrong, used = _tried(parts(), wide, own)
    fails = Counter(name for name, _ in wrong)
    chance = {name: _lower(len(own[name]), fails[name]) for name in everywhere}
    hosts = {name: everywhere[name] if low >= SURE else own[name] | used[name] for name, low in chance.items() if low >= LIKELY}
    doubtful = pa.array(sorted({host for _, host in wrong}), pa.string())
    told = [table.filter(pc.is_in(table.column("host"), doubtful)) for table in parts()] if wrong else []
    return _without_wrong(pa.concat_tables(told) if told else None, _with_hosts(rules, hosts), own, wrong)


def _speaks_of_all(rule: Rule) -> bool:
    """Whether a rule says anything about hosts it has not seen: names of software do, what any text may stand for does not."""
    if rule.kind == "alignment" or (rule.kind == "host" and "*" not in rule.context):
        return False
    parts = Operation(rule.kind, rule.context, rule.template).parts()
    return all(habit(part) not in (ANY_SEGMENT, LANGUAGE_FOLDER) and part.kind not in FORMS for part in parts)


def _everywhere(rule: Rule, known: Sequence[str]) -> Collection[str]:
    """All hosts; for a rule about two names of a host those that are known under both, as it does nothing on others."""
    if rule.kind != "host":
        return (ANYWHERE,)
    return {*rule.hosts, *(host for pair in names(rule.within(Reach.of(known))) for host, _ in pair)}


def _without_wrong(
    table: pa.Table | None, lent: RuleSet, own: Mapping[str, Collection[str]], wrong: list[tuple[str, str]]
) -> RuleSet:
    """What is lent, taken back wherever it confuses known pages: one rule after the other may be the one to blame."""
    while wrong and table is not None:
        lent = lent.without(wrong)
        doubtful = {host for _, host in wrong}
        table = table.filter(pc.is_in(table.column("host"), pa.array(sorted(doubtful))))
        wrong = _wrong(table, lent, own)
    return lent


def confusions(table: pa.Table, rules: RuleSet) -> list[tuple[str, str]]:
    """Rules and hosts whose keys hold more than one cluster, by the rule that made the key last."""
    keys, made_by = rules.keys(table.column("url"))
    codes = keys.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    clusters = table.column("cluster").to_numpy()
    order = np.lexsort((clusters, codes))
    mixed = np.zeros(codes.max() + 1 if len(codes) else 1, bool)
    changed = (codes[order][1:] == codes[order][:-1]) & (clusters[order][1:] != clusters[order][:-1])
    mixed[codes[order][1:][changed]] = True
    wrong = pa.array(np.flatnonzero(mixed[codes]))
    pairs = zip(made_by.take(wrong).to_pylist(), table.column("host").take(wrong).to_pylist())
    return sorted({(name, host) for name, host in pairs if name})


def _wrong(table: pa.Table, rules: RuleSet, own: Mapping[str, Collection[str]]) -> list[tuple[str, str]]:
    """The (rule, host) pairs, beyond those that were learned, that confuse pages of the table."""
    return [(name, host) for name, host in confusions(table, rules) if host not in own.get(name, ())]


def _tried(
    parts: Iterable[pa.Table], rules: RuleSet, own: Mapping[str, Collection[str]]
) -> tuple[list[tuple[str, str]], Mapping[str, set[str]]]:
    """What `_wrong` says of all parts, and the hosts on which each rule changes some URL."""
    wrong: set[tuple[str, str]] = set()
    used: dict[str, set[str]] = defaultdict(set)
    for table in parts:
        wrong.update(_wrong(table, rules, own))
        made_by = pa.table({"rule": rules.keys(table.column("url"))[1], "host": table.column("host")})
        for pair in made_by.group_by(["rule", "host"]).aggregate([]).to_pylist():
            if pair["rule"] is not None:
                used[pair["rule"]].add(pair["host"])
    return sorted(wrong), used


def _with_hosts(rules: RuleSet, hosts: Mapping[str, Collection[str]]) -> RuleSet:
    changed = (rule.within(Reach.of(hosts[rule.id])) if rule.id in hosts else rule for rule in rules.rules)
    return RuleSet(changed, rules.version)


def _lower(holds: int, fails: int) -> float:
    """The lower end of Wilson's interval (one standard error) of a share."""
    total = holds + fails
    mean, spread = holds / total, 1 / total
    return (mean + spread / 2 - math.sqrt(mean * (1 - mean) * spread + spread**2 / 4)) / (1 + spread)
