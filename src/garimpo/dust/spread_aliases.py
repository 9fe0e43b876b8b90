"""Hosts that are aliases, found on an engine: names of one site meet at one worker, with the pages that can speak for or against.

The same evidence as `alias_evidence`, which compares only names of one site: clusters that too many names share are left out
before, and of each name come no more pages than are looked at.
"""

from collections import defaultdict
from typing import Any

import pyarrow as pa

from garimpo.dust.aliases import MOST_HOSTS, MOST_PATHS, Alias, measure_alias, propose_aliases, split_url
from garimpo.dust.evidence import Evidence
from garimpo.engine.groups import group_starts
from garimpo.url import site

_TEXTS = ("site", "name", "url")
NAMED = pa.schema([("cluster", pa.int64()), *((name, pa.string()) for name in _TEXTS)])
PROPOSED = pa.schema([(name, pa.string()) for name in ("site", "source", "cut", "target", "put")])
MEASURED = pa.schema(
    [(name, pa.string()) for name in (*PROPOSED.names[1:], "from_a", "from_b")]
    + [(name, pa.int64()) for name in ("confirmed", "denied")]
)
_FEW = f"""select n.cluster, n.site, n.name, n.url from named n join (
    select cluster from named group by cluster having count(distinct name) between 2 and {MOST_HOSTS}
) few on few.cluster = n.cluster"""
# Of the two rows that show one path (http and https) both count: so many rows hold the first MOST_PATHS paths for sure.
_TOLD = f"""select site, kind, cluster, name, url, source, cut, target, put from (
    select site, 1 as kind, cluster, name, url, cast(null as string) as source, cast(null as string) as cut,
           cast(null as string) as target, cast(null as string) as put
    from (
        select n.site, n.cluster, n.name, n.url, row_number() over (partition by n.name order by n.cluster, n.url) as place
        from named n join (select source as name from proposed union select target as name from proposed) wanted
        on wanted.name = n.name
    ) pages where place <= {2 * MOST_PATHS}
    union all
    select site, 0, 0, cast(null as string), cast(null as string), source, cut, target, put from proposed
) told"""


def spread_aliases(engine: Any, current: Any) -> list[tuple[Alias, Evidence]]:
    """The aliases that at least one page confirms, with what speaks for and against them."""
    named = engine.map(current, _named, NAMED, python_bound=True)
    few = engine.sql(_FEW, named=named)
    found = engine.group_map(few, ["site"], _proposed, PROPOSED, order=["cluster", "url"], python_bound=True)
    proposed = engine.sql("select distinct site, source, cut, target, put from found", found=found)
    if not engine.count(proposed):
        return []
    told = engine.sql(_TOLD, named=named, proposed=proposed)
    order = ["kind", "cluster", "url", "source", "cut", "target", "put"]
    measured = engine.group_map(told, ["site"], _measured, MEASURED, order=order, python_bound=True)
    rows = engine.collect(engine.sql("select * from measured where confirmed > 0", measured=measured)).to_pylist()
    evidence = []
    for row in rows:
        alias = Alias((row["source"], row["cut"]), (row["target"], row["put"]))
        example, confirmed = (row["from_a"], row["from_b"]), row["confirmed"]
        evidence.append((alias, Evidence(alias.operation(), confirmed, row["denied"], confirmed, example)))
    return sorted(evidence)


def _named(table: pa.Table) -> pa.Table:
    names = [split_url(url)[0] for url in table["url"].to_pylist()]
    sites = {name: site(name) for name in set(names)}
    columns = [table["cluster"], pa.array([sites[name] for name in names]), pa.array(names), table["url"]]
    return pa.table(columns, schema=NAMED)


def _proposed(table: pa.Table) -> pa.Table:
    """The aliases that whole sites propose, cluster by cluster."""
    rows = [split_url(url) for url in table["url"].to_pylist()]
    sites = table["site"].to_pylist()
    starts = group_starts(table, ["site", "cluster"]).tolist()
    found: set[tuple[str, Alias]] = set()
    for begin, end in zip(starts, [*starts[1:], len(rows)]):
        found |= {(sites[begin], alias) for alias in propose_aliases(rows[begin:end])}
    values = [(of_site, *alias.source, *alias.target) for of_site, alias in sorted(found)]
    return pa.table(list(map(pa.array, zip(*values))), schema=PROPOSED) if values else PROPOSED.empty_table()


def _measured(table: pa.Table) -> pa.Table:
    out: list[tuple[Any, ...]] = []
    starts = group_starts(table, ["site"]).tolist()
    for begin, end in zip(starts, [*starts[1:], table.num_rows]):
        aliases: list[Alias] = []
        pages: dict[str, dict[str, int]] = defaultdict(dict)
        for row in table.slice(begin, end - begin).to_pylist():
            if row["kind"] == 0:
                aliases.append(Alias((row["source"], row["cut"]), (row["target"], row["put"])))
            elif len(pages[row["name"]]) < MOST_PATHS:
                pages[row["name"]][split_url(row["url"])[1]] = row["cluster"]
        for alias in aliases:
            found = measure_alias(alias, pages)
            out.append((*alias.source, *alias.target, *found.example, found.confirmed, found.denied))
    return pa.table([pa.array(column) for column in zip(*out)], schema=MEASURED) if out else MEASURED.empty_table()
