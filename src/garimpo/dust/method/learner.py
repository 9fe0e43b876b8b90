"""The method `garimpo`: operations proposed from several sources, counted once, and chosen.

Every site says what it shows of each operation (`site_evidence`); all of that together is `Trust`; with it every site gives its
rules (`site_rules`). Both steps are pure functions of the site's rows, so they run here or on an engine, with the same result.
What a site's rows said is remembered, so that learning again touches only sites whose rows changed, or whose operations are now
trusted more or less.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.dust.method.belief import DEFAULT_ERROR, Evidence, Trust
from garimpo.dust.method.operation import Operation
from garimpo.dust.method.site import Found, SiteRows, site_evidence, site_rules
from garimpo.dust.method.trial import Count
from garimpo.dust.rules.ruleset import Rule, RuleSet
from garimpo.engine.base import Engine
from garimpo.engine.columns import hash_strings
from garimpo.engine.groups import group_starts
from garimpo.url import host_column, site

ENOUGH_ROWS = 100_000
"""From this many rows on, an engine's processes are worth starting."""
ROWS = pa.schema([("site", pa.string()), ("cluster", pa.int64()), ("url", pa.string())])
_TEXTS = ("site", "host", "kind", "context", "template", "condition", "from_a", "from_b")
SAID = pa.schema([*((name, pa.string()) for name in _TEXTS), ("saved", pa.int64()), ("denied", pa.int64())])
GIVEN = pa.schema([*SAID, ("hosts", pa.list_(pa.string())), ("clusters", pa.int64()), ("provisional", pa.bool_())])


class Learner:
    """Learns a rule set from prepared clusters, again and again as they grow.

    Args:
        fpr_max: the share of wrong pairs that a rule may be expected to have
        min_support: fetches a rule must save
        min_frequency: the same; the larger of the two counts
        sample: URLs of one cluster that are compared
        seed: not used: nothing is drawn
        allowed_error: how far a rule without a denial may be doubted; more for guesses
        engine: where to run when there is much
        bold: also join names of a site by one equal page: for guesses, by which a crawl postpones and does not skip
    """

    def __init__(
        self,
        fpr_max: float = DEFAULT_ERROR,
        min_support: int | None = None,
        min_frequency: int | None = None,
        sample: int = 10,
        seed: int = 0,
        allowed_error: float = DEFAULT_ERROR,
        engine: Engine | None = None,
        bold: bool = False,
    ) -> None:
        self.engine, self.bold = engine, bold
        self.fpr_max, self.sample, self.seed = fpr_max, sample, seed
        self.min_support = max(min_support or 1, min_frequency or 1)
        self.allowed_error = allowed_error
        self._said: dict[str, tuple[int, list[Evidence]]] = {}
        self._given: dict[str, tuple[dict[tuple[Operation, int], tuple[float, bool]], list[Found]]] = {}
        self.sites_touched = 0

    def learn(self, table: Any) -> RuleSet:
        """Rules from a table as `prepare` makes it, or from one of the engine that `read_spread` made.

        Args:
            table: columns `cluster` and `url`
        """
        if not isinstance(table, pa.Table):
            assert self.engine is not None
            return self._spread(self.engine.map(table, by_site, ROWS, python_bound=True))
        rows = by_site(table)
        if self.engine is not None and rows.num_rows >= ENOUGH_ROWS:
            return self._spread(self.engine.table(rows))
        return self._learn_here(list(whole_sites(rows)))

    def _learn_here(self, sites: list[tuple[str, SiteRows]]) -> RuleSet:
        self.sites_touched = 0
        digests = {name: _digest(own) for name, own in sites}
        for name, own in sites:
            if self._said.get(name, (None,))[0] != digests[name]:
                self._said[name] = (digests[name], site_evidence(own, self.sample))
                self._given.pop(name, None)
                self.sites_touched += 1
        trust = self._trust()
        for name in digests:
            trust.count(self._said[name][1])
        found: list[Found] = []
        for name, own in sites:
            with trust.without(self._said[name][1]):
                if name not in self._given or not trust.answers_still(self._given[name][0]):
                    given = site_rules(own, self._said[name][1], trust, self.sample, self.bold)
                    self._given[name] = (trust.asked, given)
            found += self._given[name][1]
        return rule_set(found)

    def _trust(self) -> Trust:
        return Trust(self.fpr_max, self.allowed_error, self.min_support)

    def _spread(self, rows: Any) -> RuleSet:
        """The same where the engine's workers are."""
        engine = self.engine
        assert engine is not None
        step = partial(evidence_step, self.sample)
        said = engine.group_map(rows, ["site"], step, SAID, order=["cluster", "url"], python_bound=True)
        trust = self._trust()
        share = max(self.fpr_max, DEFAULT_ERROR)
        query = f"""select kind, context, template, fails, count(*) as hosts from (
            select *, denied > cast({share!r} as double) * (saved + denied) as fails from said where saved > 0) told
            group by kind, context, template, fails"""
        for batch in engine.rows(engine.sql(query, said=said)):
            for row in batch.to_pylist():
                trust.add(Operation(row["kind"], row["context"], row["template"]), row["hosts"], row["fails"])
        step = partial(rules_step, trust, self.sample, self.bold)
        given = engine.group_map(rows, ["site"], step, GIVEN, order=["cluster", "url"], python_bound=True)
        return rule_set(_found(row) for batch in engine.rows(given) for row in batch.to_pylist())


def by_site(table: pa.Table) -> pa.Table:
    """The rows with the site of each, sorted by site, cluster and URL; without sites that have nothing to tell."""
    encoded = host_column(table.column("url")).dictionary_encode()
    names = [site(name) or name for name in encoded.dictionary.to_pylist()]
    column = pa.array(names, pa.string()).take(encoded.indices)
    rows = pa.table([column, table.column("cluster"), table.column("url")], schema=ROWS)
    return rows.sort_by([("site", "ascending"), ("cluster", "ascending"), ("url", "ascending")]).combine_chunks()


def whole_sites(rows: pa.Table) -> Iterable[tuple[str, SiteRows]]:
    """The sites of a table sorted by site, those that have duplicates."""
    rows = rows.combine_chunks()
    starts = group_starts(rows, ["site"]).tolist() if rows.num_rows else []
    clusters, urls, names = rows.column("cluster").to_numpy(), rows.column("url"), rows.column("site")
    urls = urls.chunk(0) if urls.num_chunks else pa.array([], pa.string())
    for begin, end in zip(starts, [*starts[1:], rows.num_rows]):
        own = clusters[begin:end]
        if (own[1:] == own[:-1]).any():
            yield names[begin].as_py(), SiteRows(urls.slice(begin, end - begin), own)


def _digest(rows: SiteRows) -> int:
    return xxhash.xxh64_intdigest(hash_strings(rows.urls).tobytes() + _ranks(rows.clusters).tobytes())


def _ranks(clusters: NDArray[np.int64]) -> NDArray[np.int64]:
    """Clusters by their order: what their numbers are says nothing."""
    return np.unique(clusters, return_inverse=True)[1].astype(np.int64)


def evidence_step(sample: int, table: pa.Table) -> pa.Table:
    """What whole sites say, as a table."""
    said = [(name, found) for name, rows in whole_sites(table) for found in site_evidence(rows, sample)]
    return pa.Table.from_pylist([_said_row(name, found) for name, found in said], SAID)


def _said_row(name: str, found: Evidence) -> dict[str, Any]:
    texts = (name, found.host, *found.operation, *found.example)
    return {**dict(zip(_TEXTS, texts)), "saved": found.counted.saved, "denied": found.counted.denied}


def rules_step(trust: Trust, sample: int, bold: bool, table: pa.Table) -> pa.Table:
    """The rules of whole sites, as a table."""
    rows = []
    for name, own in whole_sites(table):
        told = site_evidence(own, sample)
        with trust.without(told):
            given = site_rules(own, told, trust, sample, bold)
        for found in given:
            said = _said_row(name, Evidence(found.hosts[0], found.operation, found.counted, found.example))
            rows.append({**said, "hosts": list(found.hosts), "clusters": found.clusters, "provisional": found.provisional})
    return pa.Table.from_pylist(rows, GIVEN)


def _found(row: dict[str, Any]) -> Found:
    operation = Operation(row["kind"], row["context"], row["template"], row["condition"])
    count, example = Count(row["saved"], row["denied"]), (row["from_a"], row["from_b"])
    return Found(operation, tuple(row["hosts"]), count, row["clusters"], example, row["provisional"])


def rule_set(found: Iterable[Found]) -> RuleSet:
    """One rule for each operation, with all hosts it holds on and all its evidence."""
    by_operation: dict[Operation, list[Found]] = defaultdict(list)
    for one in found:
        by_operation[one.operation].append(one)
    return RuleSet(_merged(same) for same in by_operation.values())


def _merged(same: list[Found]) -> Rule:
    hosts = tuple(sorted({host for one in same for host in one.hosts}))
    count = Count(sum(one.counted.saved for one in same), sum(one.counted.denied for one in same))
    example = max(one.example for one in same)
    provisional = all(one.provisional for one in same)
    return Found(same[0].operation, hosts, count, sum(one.clusters for one in same), example, provisional).rule()
