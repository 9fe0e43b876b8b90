"""The method `garimpo`: operations proposed pair by pair, pooled over hosts, confirmed on each, and tried together.

A round looks at what is left: the distinct keys of each cluster under the rules so far. First hosts that are aliases are found,
then each host's clusters propose operations and measure them (`evidence`); `trust` weighs them over all hosts; each host
takes, from the one that saves most, those that save something more and confuse nothing. Two rounds and a last check of
all rules together on all URLs. What a host's rows said is remembered, so learning again touches only hosts whose rows changed.
"""

from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.dust.aliases import Alias, alias_evidence, roots, sorted_rows
from garimpo.dust.evidence import Evidence, distributed_evidence, host_evidence
from garimpo.dust.operation import Operation
from garimpo.dust.prepare import cluster_hash
from garimpo.dust.rules import KINDS, SPACE, Rule, RuleSet
from garimpo.dust.trial import HostRows, Trial
from garimpo.dust.trust import Trust
from garimpo.engine.base import Engine
from garimpo.engine.columns import flat, hash_strings
from garimpo.url import host_column

ROUNDS = 3
MOST_ROWS = 1 << 21
"""URLs of one host that are looked at together; of a larger host some clusters are, chosen by hash."""
ENOUGH_ROWS = 100_000
"""From this many rows on, an engine's processes are worth starting."""
Found = dict[tuple[str, Operation], Evidence]
"""Rules by host and operation, with the evidence they were taken on."""


class Learner:
    """Learns a rule set from prepared clusters, again and again as they grow.

    `bold` also takes what a single cluster of a host proposes: for guesses, by which a crawl postpones and does not skip.
    """

    def __init__(
        self,
        fpr_max: float = 0.0,
        min_support: int | None = None,
        min_frequency: int | None = None,
        sample: int = 10,
        seed: int = 0,
        allowed_error: float = 0.002,
        engine: Engine | None = None,
        bold: bool = False,
    ) -> None:
        self.engine, self.bold = engine, bold
        self.fpr_max, self.sample, self.seed = fpr_max, sample, seed
        self.min_support = max(min_support or 1, min_frequency or 1)
        self.allowed_error = allowed_error
        self._remembered: dict[tuple[int, str], tuple[int, list[Evidence]]] = {}
        self.hosts_touched = 0
        self.left_out = 0
        """URLs of crowded hosts that were not looked at; rules are checked on all the same."""

    def learn(self, table: pa.Table) -> RuleSet:
        """Rules from a table as `prepare` makes it."""
        self.hosts_touched = self.left_out = 0
        found: Found = {}
        aliases: dict[Alias, Evidence] = {}
        current = table
        said: dict[str, list[Evidence]] = defaultdict(list)
        trust = Trust(self.allowed_error, self.fpr_max)
        for number in range(ROUNDS):
            aliases |= self._aliases(current, number, trust)
            current = distinct_keys(table, self._rules(found, aliases))
            evidence = self._evidence(current, number)
            for host, of_host in evidence.items():
                trust.count(of_host)
                said[host].extend(of_host)
            before = len(found) + len(aliases)
            found |= self._taken(current, evidence, said, trust)
            if number and len(found) + len(aliases) == before:
                break
            current = distinct_keys(table, self._rules(found, aliases))
        return self._checked(table, self._rules(found, aliases))

    def _aliases(self, current: pa.Table, number: int, trust: Trust) -> dict[Alias, Evidence]:
        return self._trusted(alias_evidence(*sorted_rows(current)), number, trust)

    def _trusted(self, told: list[tuple[Alias, Evidence]], number: int, trust: Trust) -> dict[Alias, Evidence]:
        evidence = [(alias, found._replace(operation=alias.habit())) for alias, found in told]
        if number == 0:  # later rounds see the same names again
            trust.count(found for _, found in evidence)
        least = 1 if self.bold else 2
        return {alias: found for alias, found in evidence if found.confirmed >= least and trust.accepts(found, self.min_support)}

    def _evidence(self, current: pa.Table, number: int) -> dict[str, list[Evidence]]:
        urls = current.column("url").combine_chunks()
        data, offsets = flat(urls)
        hashes = hash_strings(urls)
        digests, changed = {}, {}
        hosts = by_host(current)
        self.left_out = max(self.left_out, current.num_rows - sum(len(rows.rows) for rows in hosts.values()))
        for host, rows in hosts.items():
            if len(rows.clusters) == len(np.unique(rows.clusters)):
                continue
            digests[host] = xxhash.xxh64_intdigest(hashes[rows.rows].tobytes() + rows.clusters.tobytes())
            if self._remembered.get((number, host), (None,))[0] != digests[host]:
                changed[host] = rows
        self.hosts_touched += len(changed)
        if self.engine is not None and sum(len(rows.rows) for rows in changed.values()) >= ENOUGH_ROWS:
            told = distributed_evidence(self.engine, current, changed, self.sample, self.fpr_max, self.bold)
        else:
            told = {
                host: host_evidence(
                    rows, urls.take(pa.array(rows.rows)).to_pylist(), data, offsets, self.sample, self.fpr_max, self.bold
                )
                for host, rows in changed.items()
            }
        for host in changed:
            self._remembered[number, host] = (digests[host], told.get(host, []))
        return {host: self._remembered[number, host][1] for host in digests}

    def _taken(
        self, current: pa.Table, evidence: dict[str, list[Evidence]], said: dict[str, list[Evidence]], trust: Trust
    ) -> Found:
        """What each host takes, by this round's evidence and by what it `said` in all rounds."""
        data, offsets = flat(current.column("url").combine_chunks())
        hosts = by_host(current)
        taken: Found = {}
        for host, of_host in evidence.items():
            denied = {found.operation: found for found in said[host] if trust.denies(found)}
            good = [found for found in of_host if trust.accepts(found, self.min_support, denied)]
            good = without_roundabout(good, said[host])
            for found in together(good, hosts[host], data, offsets, self.fpr_max):
                taken[host, found.operation] = found
        return taken

    def _rules(self, found: Found, aliases: dict[Alias, Evidence]) -> RuleSet:
        """One rule for each operation, with all hosts it holds on, also under their other names."""
        names: dict[str, set[str]] = defaultdict(set)
        rules: dict[Operation, list[Any]] = {}
        for alias in roots(list(aliases)):
            (source, cut), (target, _) = alias
            if not cut:
                names[target].add(source)
            _add(rules, alias.operation(), [source, target], aliases.get(alias))
        for (host, operation), evidence in found.items():
            _add(rules, operation, [host, *names[host]], evidence)
        return RuleSet(
            Rule.make(*_rule_key(operation, hosts), support=saved, clusters=clusters, false_positives=wrong, made_from=example)
            for operation, (hosts, saved, clusters, wrong, example) in rules.items()
        )

    def _checked(self, table: pa.Table, rules: RuleSet) -> RuleSet:
        """The rules, each withdrawn from the hosts where all together confuse pages."""
        for _ in range(4):
            wrong = self._confusions(table, rules)
            if not wrong:
                break
            rules = rules.without(wrong)
        return rules

    def _confusions(self, table: pa.Table, rules: RuleSet) -> list[tuple[str, str]]:
        return confusions(table, rules, self.fpr_max)


def _rule_key(operation: Operation, hosts: set[str]) -> tuple[str, set[str], str, str]:
    return operation.kind, hosts, operation.context, operation.template


def _add(rules: dict[Operation, list[Any]], operation: Operation, hosts: list[str], found: Evidence | None) -> None:
    entry = rules.setdefault(operation, [set(), 0, 0, 0, ()])
    entry[0].update(hosts)
    if found:
        entry[1] += found.saved
        entry[2] += found.confirmed
        entry[3] += found.denied
        entry[4] = max(entry[4], found.example)


def by_host(table: pa.Table) -> dict[str, HostRows]:
    """The rows of each host, sorted by cluster (as the table is); of a crowded host those of some clusters."""
    encoded = host_column(table.column("url")).dictionary_encode()
    codes = encoded.indices.to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable").astype(np.int64)
    clusters = table.column("cluster").to_numpy()
    bounds = np.searchsorted(codes[order], np.arange(len(encoded.dictionary) + 1))
    found = {}
    for i, name in enumerate(encoded.dictionary.to_pylist()):
        rows = order[bounds[i] : bounds[i + 1]]
        rows = rows[chosen(clusters[rows], parts_of(len(rows)))]
        found[name] = HostRows(rows, clusters[rows])
    return found


def parts_of(rows: int) -> int:
    """Into how many parts a host of so many rows is cut, of which one is looked at."""
    return max(1, -(-rows // MOST_ROWS))


def chosen(clusters: NDArray[np.int64], parts: int | NDArray[np.int64]) -> NDArray[np.bool_]:
    """Which rows are in the part that is looked at: whole clusters, by hash.

    >>> chosen(np.array([4, 4, 7]), 1).tolist()
    [True, True, True]
    """
    return cluster_hash(clusters) % np.asarray(parts, np.uint64) == 0


def without_roundabout(good: list[Evidence], of_host: list[Evidence]) -> list[Evidence]:
    """Leave out rules from a folder to parameters where the folder itself was seen to hold other pages.

    Where ``/pt/`` is a translation for some pages, ``/pt/x-5.htm`` is not ``/show?id=5`` only because no pair has said so yet.
    """
    other = tuple(
        found.operation.context.removesuffix("(**)$")
        for found in of_host
        if found.denied and found.operation.kind == "prefix" and found.operation.context.count("/") == 2
    )
    return [found for found in good if "?" not in found.operation.template or not found.operation.context.startswith(other)]


def together(
    good: list[Evidence], host: HostRows, data: NDArray[np.uint8], offsets: NDArray[np.int64], fpr_max: float
) -> list[Evidence]:
    """From the one that saves most, the operations that save more with those before them, and confuse no pages.

    Of two that save the same the one that says less about where it holds comes first: other hosts share it.
    """

    def rank(found: Evidence) -> tuple[int, int, int, int, Operation]:
        operation = found.operation
        return -found.saved, -found.confirmed, KINDS.index(operation.kind), len(operation.context), operation

    good = sorted(good, key=rank)
    taken = set(Trial(host, data, offsets).together([found.operation for found in good], fpr_max)) if good else set()
    return [found for found in good if found.operation in taken]


def distinct_keys(table: pa.Table, rules: RuleSet) -> pa.Table:
    """The distinct keys of each cluster, as URLs, sorted by cluster and URL."""
    if not len(rules):
        return table
    import pyarrow.compute as pc

    keys = pc.replace_substring_regex(rules.keys(table.column("url"))[0], f"^{SPACE}", "")
    distinct = pa.table({"cluster": table.column("cluster"), "url": keys}).group_by(["cluster", "url"]).aggregate([])
    return distinct.select(["cluster", "url"]).sort_by([("cluster", "ascending"), ("url", "ascending")]).combine_chunks()


def confusions(table: pa.Table, rules: RuleSet, fpr_max: float) -> list[tuple[str, str]]:
    """Rules and hosts whose keys hold more than one cluster, by the rule that made the key last."""
    keys, made_by = rules.keys(table.column("url"))
    codes = keys.dictionary_encode().indices.to_numpy(zero_copy_only=False)
    clusters = table.column("cluster").to_numpy()
    order = np.lexsort((clusters, codes))
    mixed = np.zeros(codes.max() + 1 if len(codes) else 1, bool)
    changed = (codes[order][1:] == codes[order][:-1]) & (clusters[order][1:] != clusters[order][:-1])
    mixed[codes[order][1:][changed]] = True
    wrong = np.flatnonzero(mixed[codes])
    if not len(wrong):
        return []
    names = made_by.take(pa.array(wrong)).to_pylist()
    hosts = host_column(table.column("url").take(pa.array(wrong))).to_pylist()
    blamed = {(name, host) for name, host in zip(names, hosts) if name}
    if fpr_max:
        total: dict[tuple[str, str], int] = defaultdict(int)
        bad: dict[tuple[str, str], int] = defaultdict(int)
        everywhere = host_column(table.column("url")).to_pylist()
        for name, host, is_wrong in zip(made_by.to_pylist(), everywhere, mixed[codes].tolist()):
            total[name, host] += 1
            bad[name, host] += is_wrong
        blamed = {pair for pair in blamed if bad[pair] > fpr_max * total[pair]}
    return sorted(blamed)
