"""The pages of one site: what they propose and say, and which rules they give.

First the names of its hosts are looked at; what makes two one is applied, and the hosts that are left are looked at one by
one: what their clusters propose is counted on all their pages, chosen, applied, and what is left is looked at again. A site is
learned from alone; of other sites comes only what they say about operations (`belief`). So sites are learned in any order, by any
number of workers.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.dust.method.belief import Evidence, Trust
from garimpo.dust.method.candidates import proposed
from garimpo.dust.method.choice import Choice, Taken
from garimpo.dust.method.narrowing import LEAST
from garimpo.dust.method.operation import Operation, breadth
from garimpo.dust.method.sources.host_names import Alias, proposed_aliases, roots
from garimpo.dust.method.trial import Count, HostRows, Trial
from garimpo.dust.rules.program import Program
from garimpo.dust.rules.ruleset import SPACE, Rule, RuleSet
from garimpo.engine.columns import flat, hash_strings
from garimpo.url import host_column

ROUNDS, NAME_ROUNDS = 3, 2


class Found(NamedTuple):
    """A rule of a site: what it does, on which hosts, and its evidence."""

    operation: Operation
    hosts: tuple[str, ...]
    counted: Count
    clusters: int
    example: tuple[str, str]
    provisional: bool = False

    def rule(self) -> Rule:
        """The rule as it is stored."""
        count, said = self.counted, {"provisional": True} if self.provisional else {}
        evidence = {"support": count.saved, "clusters": self.clusters, "false_positives": count.denied, "made_from": self.example}
        return self.operation.rule(self.hosts, **evidence, **said)


class SiteRows:
    """The URLs of a site, sorted by cluster and URL, and which hosts have which."""

    def __init__(self, urls: pa.Array, clusters: NDArray[np.int64]) -> None:
        self.urls, self.clusters = urls, clusters
        self.data, self.offsets = flat(urls)
        encoded = host_column(urls).dictionary_encode()
        names = encoded.dictionary.to_pylist()
        codes = encoded.indices.to_numpy(zero_copy_only=False)
        self.hosts = {name: np.flatnonzero(codes == i).astype(np.int64) for i, name in enumerate(names)}

    @cached_property
    def _own_keys(self) -> NDArray[np.uint64]:
        return hash_strings(self.urls)

    def text(self, row: int) -> str:
        """The URL of a row."""
        return str(self.urls[row])

    def has_duplicates(self) -> bool:
        """Whether any cluster has two URLs."""
        return len(self.clusters) > 1 and bool((self.clusters[1:] == self.clusters[:-1]).any())

    def count(self, rules: Sequence[Rule]) -> tuple[Count, NDArray[np.uint64], NDArray[np.int32]]:
        """What rules do on the whole site, each row's key and the number of the rule that made it."""
        program = Program(rules)
        keys, made_by = self._own_keys.copy(), np.full(len(self.clusters), -1, np.int32)
        for host, rows in self.hosts.items():
            if program.applies(host):
                keys[rows], made_by[rows] = program.hashes(self.data, self.offsets, rows, host)
        return tally(keys, self.clusters), keys, made_by

    def under(self, rules: Iterable[Rule]) -> tuple["SiteRows", dict[str, set[str]]]:
        """The distinct keys of each cluster as URLs, and the hosts whose URLs came to each host."""
        keys = RuleSet(rules).keys(self.urls)[0].to_pylist() if rules else self.urls.to_pylist()
        came: dict[str, set[str]] = defaultdict(set)
        distinct: set[tuple[int, str]] = set()
        for host, rows in self.hosts.items():
            for row in rows.tolist():
                key = keys[row].removeprefix(SPACE)
                came[key.split("/", 3)[2].split("?")[0].partition(":")[0]].add(host)
                if "#" not in key:
                    distinct.add((int(self.clusters[row]), key))
        ordered = sorted(distinct)
        clusters = np.array([cluster for cluster, _ in ordered], np.int64)
        return SiteRows(pa.array([url for _, url in ordered], pa.string()), clusters), came


def tally(keys: NDArray[np.uint64], clusters: NDArray[np.int64]) -> Count:
    """Rows that share key and cluster with another row, and clusters too many of one key.

    >>> tally(np.array([1, 1, 1, 2], np.uint64), np.array([7, 7, 8, 9]))
    Count(saved=1, denied=1)
    """
    order = np.lexsort((clusters, keys))
    same_key = keys[order][1:] == keys[order][:-1]
    same_page = clusters[order][1:] == clusters[order][:-1]
    return Count(int((same_key & same_page).sum()), int((same_key & ~same_page).sum()))


def site_evidence(site: SiteRows, sample: int) -> list[Evidence]:
    """What the site's pages say about each operation they propose: of names, and of each host's own."""
    if not site.has_duplicates():
        return []
    found = [evidence for _, evidence in _name_evidence(site)]
    for host, rows in site.hosts.items():
        found += _host_evidence(site, host, rows, sample)
    return found


def _name_evidence(site: SiteRows) -> list[tuple[Alias, Evidence]]:
    if len(site.hosts) < 2:
        return []
    texts = site.urls.to_pylist()
    found = []
    for alias, (_, example) in proposed_aliases(texts, site.clusters).items():
        operation = alias.operation()
        count, _, _ = site.count([operation.rule(alias.hosts)])
        found.append((alias, Evidence(alias.source[0], operation, _without_roots(site, alias, count), example)))
    return found


def _without_roots(site: SiteRows, alias: Alias, count: Count) -> Count:
    """Equal home pages say little about two names."""
    homes = [row for host in alias.hosts for row in site.hosts.get(host, ())[:64] if site.text(int(row)).count("/") == 3]
    shown = {int(site.clusters[row]) for row in homes if site.text(int(row)).endswith("/")}
    return Count(max(count.saved - (1 if len(homes) > 1 and len(shown) == 1 else 0), 0), count.denied)


def _trial(site: SiteRows, rows: NDArray[np.int64]) -> Trial | None:
    """The host's pages made ready to try on; None where they can say nothing."""
    clusters = site.clusters[rows]
    return Trial(HostRows(rows, clusters), site.data, site.offsets) if (clusters[1:] == clusters[:-1]).any() else None


def _host_evidence(site: SiteRows, host: str, rows: NDArray[np.int64], sample: int) -> list[Evidence]:
    """What the host's pages say about what they propose."""
    trial = _trial(site, rows)
    if trial is None:
        return []
    ways = proposed(HostRows(rows, site.clusters[rows]), site.urls.take(pa.array(rows)).to_pylist(), sample)
    counts = trial.each(list(ways))
    return [Evidence(host, way, count, ways[way][1]) for way, count in counts.items() if count.saved]


def site_rules(site: SiteRows, said: Sequence[Evidence], trust: Trust, sample: int, bold: bool = False) -> list[Found]:
    """The rules that a site gives, checked together on all its pages; `said` is what `site_evidence` gave."""
    if not any(one.counted.saved >= LEAST or trust.accepts(one.operation, one.counted, trust.fpr_max) for one in said):
        return []  # as it is on most sites, that show a page or two: nothing to take, nothing to narrow
    names: list[Found] = []
    own: list[Found] = []
    for number in range(NAME_ROUNDS):
        more = _names_taken(site, [*names, *own], trust, bold)
        if number and not more:
            break
        names += more
        folded, came = site.under([found.rule() for found in names]) if names else (site, {host: {host} for host in site.hosts})
        own = _own_taken(folded, came, () if names else said, trust, sample)
        if len(site.hosts) < 2:
            break
    return _checked(site, [*names, *own], trust)


def _names_taken(site: SiteRows, found: Sequence[Found], trust: Trust, bold: bool) -> list[Found]:
    """What makes two names of the site one, by pages that `found` leaves apart."""
    left, _ = site.under([one.rule() for one in found])
    if len(left.hosts) < 2:
        return []
    level, least = trust.fpr_max, 1 if bold else 2
    told = {a: e for a, e in _name_evidence(left) if e.counted.saved >= least and trust.accepts(e.operation, e.counted, level)}
    plain = roots([alias for alias in told if not alias.also])
    taken = [_name_found(alias, told.get(alias)) for alias in plain]
    before, _, _ = left.count([one.rule() for one in taken])
    for alias in sorted(
        (a for a in told if a.also), key=lambda a: (-told[a].counted.saved, breadth(a.operation()), a[:2], a.operation().sorting)
    ):
        more = _name_found(alias, told[alias])
        count, _, _ = left.count([one.rule() for one in [*taken, more]])
        gain = Count(count.saved - before.saved, count.denied - before.denied)
        if trust.accepts(more.operation, gain, level):
            taken.append(more)
            before = count
    return taken


def _name_found(alias: Alias, evidence: Evidence | None) -> Found:
    count, example = (evidence.counted, evidence.example) if evidence else (Count(0, 0), ("", ""))
    return Found(alias.operation(), tuple(sorted(alias.hosts)), count, count.saved, example)


def _own_taken(site: SiteRows, came: dict[str, set[str]], said: Sequence[Evidence], trust: Trust, sample: int) -> list[Found]:
    """What each host takes, also for the names whose pages came to it."""
    found: list[Found] = []
    for host, rows in site.hosts.items():
        known = [one for one in said if one.host == host and not one.operation.renames]
        found += (
            Found(t.operation, tuple(sorted({host, *came[host]})), t.counted, t.counted.saved, t.example, t.provisional)
            for t in learn_host(site, host, rows, known, trust, sample)
        )
    return found


def learn_host(
    site: SiteRows, host: str, rows: NDArray[np.int64], said: Sequence[Evidence], trust: Trust, sample: int
) -> list[Taken]:
    """Rounds of proposing, counting and choosing on one host; the first by what it `said`, if that is known."""
    trial = _trial(site, rows)
    if trial is None:
        return []
    candidates = said or _host_evidence(site, host, rows, sample)
    choice = Choice(trial, lambda row: site.text(int(rows[row])), trust)
    alone = SiteRows(site.urls.take(pa.array(rows)), site.clusters[rows])
    for _ in range(ROUNDS):
        if not choice.choose(candidates) or choice.done:
            break
        left, _ = alone.under([operation.rule([host]) for operation in choice.operations])
        if host not in left.hosts:
            break
        again = _host_evidence(left, host, left.hosts[host], sample)
        counts = trial.each([found.operation for found in again])
        known = {found.operation for found in candidates}
        candidates = [
            found._replace(counted=Count(max(found.counted.saved, counts[found.operation].saved), counts[found.operation].denied))
            for found in again
            if found.operation not in known
        ]
        if not candidates:
            break
    choice.prune()
    return choice.taken


def _checked(site: SiteRows, found: list[Found], trust: Trust) -> list[Found]:
    """The rules without those that confuse too many pages when all are used."""
    while found:
        rules = RuleSet(one.rule() for one in found).rules
        count, keys, made_by = site.count(rules)
        if not trust.denies(count, trust.fpr_max):
            break
        order = np.lexsort((site.clusters, keys))
        mixed = (keys[order][1:] == keys[order][:-1]) & (site.clusters[order][1:] != site.clusters[order][:-1])
        blamed = made_by[np.isin(keys, keys[order][1:][mixed])]
        numbers = np.bincount(blamed[blamed >= 0], minlength=len(rules))
        worst = rules[int(numbers.argmax())].id
        found = [one for one in found if one.rule().id != worst]
    return found
