"""Rules lent to hosts that have shown too little of them, because they hold nearly everywhere else.

A crawl has a few pages of most hosts: too few to confirm a rule there, though a hundred others did. A rule that holds on enough
hosts is lent to those where it would change some known URL and confuses no known pages. Only for a crawl, which fetches the
first URLs that a rule skips on a host all the same: that check is the confirmation which the host could not give.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec
import pyarrow as pa

from garimpo.dust.learner import confusions
from garimpo.dust.rules import RuleSet
from garimpo.url import host_column

ENOUGH_HOSTS = 3
LIKELY = 0.6
"""The chance, at the lower end of its interval, that a rule holds on the next host."""
SURE = 0.85
"""A rule this likely is lent to every host, so that it is there when the first URL it changes is met."""
LENT_KINDS = ("www", "path-parameter", "index", "parameter", "order")
"""Habits of software. Names, folders, case and endings mean what each site wants them to mean, and are never lent."""


def lend(rules: RuleSet, clusters: pa.Table) -> RuleSet:
    """The rules with the hosts of `clusters` (as `prepare` makes it) that they may be tried on."""
    hosts = host_column(clusters.column("url"))
    everywhere = sorted(set(hosts.to_pylist()))
    own = {rule.id: frozenset(rule.hosts) for rule in rules.rules}
    eligible = {rule.id for rule in rules.rules if rule.kind in LENT_KINDS and len(rule.hosts) >= ENOUGH_HOSTS}
    if not eligible:
        return rules
    wide = _with_hosts(rules, dict.fromkeys(eligible, everywhere))
    fails = Counter(name for name, host in confusions(clusters, wide, 0.0) if host not in own.get(name, ()))
    likely = {name for name in eligible if _lower(len(own[name]), fails[name]) >= LIKELY}
    used: dict[str, set[str]] = defaultdict(set)
    made_by = wide.keys(clusters.column("url"))[1].to_pylist()
    for name, host in zip(made_by, hosts.to_pylist()):
        if name in likely:
            used[name].add(host)
    sure = {name for name in likely if _lower(len(own[name]), fails[name]) >= SURE}
    lent = _with_hosts(rules, {name: everywhere if name in sure else own[name] | used[name] for name in likely})
    for _ in range(4):
        wrong = [(name, host) for name, host in confusions(clusters, lent, 0.0) if host not in own.get(name, ())]
        if not wrong:
            return lent
        lent = lent.without(wrong)
    return rules


def _with_hosts(rules: RuleSet, hosts: dict[str, Iterable[str]]) -> RuleSet:
    changed = [
        msgspec.structs.replace(rule, hosts=tuple(sorted(hosts[rule.id]))) if rule.id in hosts else rule
        for rule in rules.rules
    ]
    return RuleSet(changed, rules.version)


def _lower(holds: int, fails: int) -> float:
    """The lower end of Wilson's interval (one standard error) of a share."""
    total = holds + fails
    mean, spread = holds / total, 1 / total
    return (mean + spread / 2 - math.sqrt(mean * (1 - mean) * spread + spread**2 / 4)) / (1 + spread)
