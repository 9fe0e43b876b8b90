"""The method `garimpo` on an engine: the rounds of `Learner`, with clusters, evidence and trials where the rows are.

Rows of a host meet at one worker, which says what they show (`evidence_step`), and again which operations it takes. To the driver
come what all hosts together say about an operation (one row for each operation), what is taken, and pairs of a rule and a
host that confuse pages: nothing that grows with the URLs.
"""

from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.dust import learner
from garimpo.dust.evidence import EVIDENCE, Evidence, evidence_step
from garimpo.dust.learner import ROUNDS, Found, Learner, together, without_roundabout
from garimpo.dust.operation import Operation
from garimpo.dust.prepare import TABLE
from garimpo.dust.rules import SPACE, RuleSet
from garimpo.dust.spread_aliases import spread_aliases
from garimpo.dust.trial import HostRows
from garimpo.dust.trust import Trust
from garimpo.engine.columns import flat, hash_strings
from garimpo.engine.groups import group_starts
from garimpo.url import host_column

HOSTED = pa.schema([("host", pa.string()), *TABLE])
SAID = pa.schema([*EVIDENCE, ("round", pa.int64()), ("place", pa.int64())])
KEYED = pa.schema([("key", pa.int64()), ("cluster", pa.int64()), ("rule", pa.string()), ("host", pa.string())])
_POOLED = """select kind, context, template, fails, count(*) as hosts,
    cast(sum(denied) as bigint) as denied, cast(sum(confirmed) as bigint) as confirmed
    from (select *, denied > cast({fpr_max} as double) * (confirmed + denied) as fails from said where confirmed > 0) told
    group by kind, context, template, fails"""
_TRIED = """select host, 0 as part, 0 as cluster, cast(null as string) as url, {said} from good
    union all
    select h.host, 1, h.cluster, h.url, {nothing}
    from hosted h join (select distinct host from good) some_hosts on some_hosts.host = h.host"""
_CONFUSED = """select k.rule, k.host, count(*) as wrong from keyed k join (
    select key from keyed group by key having count(distinct cluster) > 1) mixed on mixed.key = k.key
    where k.rule is not null group by k.rule, k.host"""


class SpreadLearner(Learner):
    """`Learner` over a table of an engine, as `read_spread` makes it; remembers nothing."""

    engine: Any

    def learn(self, table: Any) -> RuleSet:
        """Rules, one by one those that `Learner` gives."""
        self.left_out = 0
        found: Found = {}
        aliases: dict[Any, Evidence] = {}
        current, said = table, None
        trust = Trust(self.allowed_error, self.fpr_max)
        for number in range(ROUNDS):
            aliases |= self._trusted(spread_aliases(self.engine, current), number, trust)
            current = self._keys(table, self._rules(found, aliases))
            hosted = self._not_crowded(self.engine.map(current, _hosted, HOSTED))
            now = self._said(hosted, number)
            said = now if said is None else self.engine.sql("select * from said union all select * from now", said=said, now=now)
            self._pool(now, trust)
            before = len(found) + len(aliases)
            found |= self._tried(hosted, said, number, trust)
            if number and len(found) + len(aliases) == before:
                break
            current = self._keys(table, self._rules(found, aliases))
        return self._checked(table, self._rules(found, aliases))

    def _keys(self, table: Any, rules: RuleSet) -> Any:
        """The distinct keys of each cluster, as URLs."""
        if not len(rules):
            return table
        keyed = self.engine.map(table, partial(_as_keys, rules), TABLE)
        return self.engine.sql("select distinct cluster, url from keyed", keyed=keyed)

    def _not_crowded(self, hosted: Any) -> Any:
        """The rows, of a crowded host those that `by_host` gives."""
        query = f"select host, count(*) as n from hosted group by host having count(*) > {learner.MOST_ROWS}"
        crowds = self.engine.collect(self.engine.sql(query, hosted=hosted))
        if not crowds.num_rows:
            return hosted
        parts = dict(zip(crowds["host"].to_pylist(), map(learner.parts_of, crowds["n"].to_pylist())))
        thin = self.engine.map(hosted, partial(_thin, parts), HOSTED)
        self.left_out = max(self.left_out, self.engine.count(hosted) - self.engine.count(thin))
        return thin

    def _said(self, hosted: Any, number: int) -> Any:
        step = partial(_evidence, number, self.sample, self.fpr_max, self.bold)
        return self.engine.group_map(hosted, ["host"], step, SAID, order=["cluster", "url"], python_bound=True)

    def _pool(self, said: Any, trust: Trust) -> None:
        pooled = self.engine.sql(_POOLED.format(fpr_max=float(self.fpr_max)), said=said)
        for batch in self.engine.rows(pooled):
            for row in batch.to_pylist():
                operation = Operation(row["kind"], row["context"], row["template"])
                trust.add(operation, row["hosts"], row["denied"], row["confirmed"], row["fails"])

    def _tried(self, hosted: Any, said: Any, number: int, trust: Trust) -> Found:
        """What each host takes of what it can trust, tried on its rows."""
        step = partial(_good, number, trust, self.min_support)
        good = self.engine.group_map(said, ["host"], step, SAID, order=["round", "place"])
        names = [field.name for field in SAID if field.name != "host"]
        nothing = ", ".join(f"cast(null as {'bigint' if SAID.field(n).type == pa.int64() else 'string'})" for n in names)
        tried = self.engine.sql(_TRIED.format(said=", ".join(names), nothing=nothing), good=good, hosted=hosted)
        step = partial(_taken, self.fpr_max)
        order = ["part", "place", "cluster", "url"]
        taken = self.engine.group_map(tried, ["host"], step, EVIDENCE, order=order, python_bound=True)
        found: Found = {}
        for batch in self.engine.rows(taken):
            for row in batch.to_pylist():
                evidence = _evidence_of(row)
                found[row["host"], evidence.operation] = evidence
        return found

    def _confusions(self, table: Any, rules: RuleSet) -> list[tuple[str, str]]:
        keyed = self.engine.map(table, partial(_keyed, rules), KEYED)
        wrong = self.engine.sql(_CONFUSED, keyed=keyed)
        if not self.fpr_max:
            rows = self.engine.collect(wrong).to_pylist()
            return sorted((row["rule"], row["host"]) for row in rows)
        query = f"""select w.rule, w.host from wrong w join (select rule, host, count(*) as n from keyed group by rule, host) a
                    on a.rule = w.rule and a.host = w.host where w.wrong > cast({float(self.fpr_max)} as double) * a.n"""
        rows = self.engine.collect(self.engine.sql(query, wrong=wrong, keyed=keyed)).to_pylist()
        return sorted((row["rule"], row["host"]) for row in rows)


def _as_keys(rules: RuleSet, table: pa.Table) -> pa.Table:
    keys = pc.replace_substring_regex(rules.keys(table.column("url"))[0], f"^{SPACE}", "")
    return pa.table([table.column("cluster"), keys], schema=TABLE)


def _hosted(table: pa.Table) -> pa.Table:
    return pa.table([host_column(table.column("url")), table.column("cluster"), table.column("url")], schema=HOSTED)


def _thin(parts: dict[str, int], table: pa.Table) -> pa.Table:
    cut = np.array([parts.get(host, 1) for host in table["host"].to_pylist()], np.int64)
    return table.filter(pa.array(learner.chosen(table["cluster"].to_numpy(), cut)))


def _evidence(number: int, sample: int, fpr_max: float, bold: bool, table: pa.Table) -> pa.Table:
    """What whole hosts say, each in its order."""
    said = evidence_step(table.select(HOSTED.names).combine_chunks(), sample, fpr_max, bold)
    starts = group_starts(said, ["host"])
    place = np.arange(said.num_rows) - np.repeat(starts, np.diff([*starts, said.num_rows]))
    return pa.table([*said.columns, np.full(said.num_rows, number), place], schema=SAID)


def _evidence_of(row: dict[str, Any]) -> Evidence:
    operation = Operation(row["kind"], row["context"], row["template"])
    return Evidence(operation, row["confirmed"], row["denied"], row["saved"], (row["from_a"], row["from_b"]))


def _good(number: int, trust: Trust, min_support: int, table: pa.Table) -> pa.Table:
    """Of what whole hosts said in this round, what can be trusted, by all they said."""
    rows = table.to_pylist()
    starts = group_starts(table, ["host"]).tolist()
    chosen: list[int] = []
    for begin, end in zip(starts, [*starts[1:], len(rows)]):
        said = [_evidence_of(row) for row in rows[begin:end]]
        denied = {found.operation: found for found in said if trust.denies(found)}
        now = {found.operation: at for at, found in enumerate(said, begin) if rows[at]["round"] == number}
        good = [found for found in (said[at - begin] for at in now.values()) if trust.accepts(found, min_support, denied)]
        chosen += [now[found.operation] for found in without_roundabout(good, said)]
    return table.take(pa.array(chosen, pa.int64())).select(SAID.names).cast(SAID)


def _taken(fpr_max: float, table: pa.Table) -> pa.Table:
    """Whole hosts, first what each could take, then its rows: what it takes."""
    out: list[pa.Table] = []
    starts = group_starts(table, ["host"]).tolist()
    for begin, end in zip(starts, [*starts[1:], table.num_rows]):
        host = table.slice(begin, end - begin)
        said = host.filter(pc.equal(host["part"], 0))
        rows = host.filter(pc.equal(host["part"], 1))
        data, offsets = flat(rows["url"].combine_chunks())
        own = HostRows(np.arange(rows.num_rows, dtype=np.int64), rows["cluster"].to_numpy())
        places = {found.operation: (at, found) for at, found in enumerate(map(_evidence_of, said.to_pylist()))}
        kept = together([found for _, found in places.values()], own, data, offsets, fpr_max)
        out.append(said.take(pa.array([places[found.operation][0] for found in kept], pa.int64())))
    return pa.concat_tables(out).select(EVIDENCE.names).cast(EVIDENCE)


def _keyed(rules: RuleSet, table: pa.Table) -> pa.Table:
    keys, made_by = rules.keys(table.column("url"))
    columns = [hash_strings(keys).view(np.int64), table.column("cluster"), made_by, host_column(table.column("url"))]
    return pa.table(columns, schema=KEYED)
