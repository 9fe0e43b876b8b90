"""What hosts share, where the lists are: on an engine whose workers hold them. To this process come pairs of hosts only.

The same numbers as from lists in memory: weights are multiples of a small power of two, so that sums of them do not depend on the
order in which they are added.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract.reading import as_strings
from garimpo.engine import hash_strings
from garimpo.mirrors.page_scan import Array, item_weight
from garimpo.url import host_column

_SHORT = "{0}.df <= {1} and not {0}.customary"
_MET = """select x.host_key as a, y.host_key as b from entries x
    join entries y on y.item = x.item and y.host_key > x.host_key join weights w on w.df = x.df
    where {short} group by x.host_key, y.host_key having sum(w.weight) >= {least}"""
_SHARED = """select p.a, p.b, count(*) as n, sum(coalesce(w.weight, 0)) as weight,
    cast(sum(case when x.agreed <> 0 and y.agreed <> 0 then 1 else 0 end) as bigint) as both_say,
    cast(sum(case when x.agreed <> 0 and y.agreed = x.agreed then 1 else 0 end) as bigint) as same
    from pairs p join entries x on x.host_key = p.a join entries y on y.host_key = p.b and y.item = x.item
    left join weights w on w.df = x.df {where} group by p.a, p.b"""
_COVERED = """select a, b, cast(sum(n) as bigint) as common, count(*) as sections,
    cast(sum(size_a) as bigint) as inside_a, cast(sum(size_b) as bigint) as inside_b,
    cast(sum({idle_a}) as bigint) as idle_a, cast(sum({idle_b}) as bigint) as idle_b
    from (select *, sum(n) over w - count(*) over w as met,
    sum(size_a) over w - count(*) over w as known_a, sum(size_b) over w - count(*) over w as known_b
    from (select p.a, p.b, x.section, count(*) as n, min(x.size) as size_a, min(y.size) as size_b
    from pairs p join entries x on x.host_key = p.a join entries y on y.host_key = p.b and y.item = x.item
    where not x.customary group by p.a, p.b, x.section) s window w as (partition by a, b)) t group by a, b"""
_IDLE = """case when met > 0 then floor(greatest(cast(size_{0} as double)
    - (cast(n as double) + cast(2 as double) * sqrt(cast(n as double)) + cast(1 as double))
    * cast(known_{0} as double) / cast(met as double), cast(0 as double))) else cast(0 as double) end"""
_LIKENESS = """select p.a, p.b, cast(sum(floor(cast({unit} as double) / n)) as bigint) as total
    from pairs p join entries x on x.host_key = p.a
    join entries y on y.host_key = p.b and y.item = x.item and y.agreed = x.agreed
    join (select item, agreed, count(*) as n from entries where agreed <> 0 group by item, agreed) c
    on c.item = x.item and c.agreed = x.agreed group by p.a, p.b"""
_SUPPRESSED = """select coalesce(cast(sum(df - 1) as bigint), 0) as every,
    coalesce(cast(sum(case when {short} then df - 1 else 0 end) as bigint), 0) as short from entries x"""


@dataclass(slots=True)
class Pairs:
    """The candidates on the engine, shared by the lists of all kinds."""

    data: Any = None


@dataclass(slots=True)
class SpreadLists:
    """What hosts have of one kind: `item`, `host_key`, `agreed`, `df`, `customary` on an engine; `number` numbers the hosts."""

    engine: Any
    entries: Any
    number: Callable[[Any], Array]
    pairs: Pairs = field(repr=False)

    def suppressed(self, max_list: int) -> int:
        """How many pairs the items make that stand on more than `max_list` hosts, or on every host by custom."""
        query = _SUPPRESSED.format(short=_SHORT.format("x", max_list))
        row = self.engine.collect(self.engine.sql(query, entries=self.entries)).to_pylist()[0]
        return int(row["every"]) // 2 - int(row["short"]) // 2

    def shared(self, first: Array, second: Array, max_list: int | None) -> tuple[Array, Array, Array, Array]:
        """For each of the candidates how many items both have, their weight, on how many both say something, and the same."""
        where = f"where {_SHORT.format('x', max_list)}" if max_list else ""
        tables = {"pairs": self.pairs.data, "entries": self.entries, "weights": _weights(self.engine, max_list or 2)}
        table = self.engine.collect(self.engine.sql(_SHARED.format(where=where), **tables))
        place = np.searchsorted(_keys(first, second), _keys(self.number(table["a"]), self.number(table["b"])))
        out = [np.zeros(len(first), kind) for kind in (np.int32, np.float64, np.int32, np.int32)]
        for column, name in zip(out, ("n", "weight", "both_say", "same")):
            column[place] = table[name].to_numpy()
        return out[0], out[1], out[2], out[3]

    def likeness(self, first: Array, second: Array, unit: int) -> Array:
        """For each candidate the sum of 1/n over the values both have under one item, for n hosts that have them there."""
        table = self.engine.collect(self.engine.sql(_LIKENESS.format(unit=unit), pairs=self.pairs.data, entries=self.entries))
        out = np.zeros(len(first))
        out[np.searchsorted(_keys(first, second), _keys(self.number(table["a"]), self.number(table["b"])))] = table["total"]
        return out / unit

    def covered(self, first: Array, second: Array) -> list[Array]:
        """For each candidate the columns of `blocking.Covered`."""
        query = _COVERED.format(idle_a=_IDLE.format("a"), idle_b=_IDLE.format("b"))
        table = self.engine.collect(self.engine.sql(query, pairs=self.pairs.data, entries=self.entries))
        a, b = self.number(table["a"]), self.number(table["b"])
        place = np.searchsorted(_keys(first, second), _keys(a, b))
        of = {name: table[name].to_numpy() for name in table.column_names}
        columns = [of["common"], of["sections"]]
        for kind in ("inside", "idle"):
            sides = of[f"{kind}_a"], of[f"{kind}_b"]
            columns += [np.where(a < b, *sides), np.where(a < b, *reversed(sides))]
        out = [np.zeros(len(first), np.int64) for _ in columns]
        for column, values in zip(out, columns):
            column[place] = values
        return out


def meet(lists: list[SpreadLists], max_list: int, min_weight: float, named: list[tuple[str, str]]) -> tuple[Array, Array]:
    """The pairs of hosts that share enough of one kind, and those given, in order; they stay on the engine, too."""
    engine, parts = lists[0].engine, {}
    query = _MET.format(short=_SHORT.format("x", max_list), least=f"cast({min_weight} as double)")
    for number, of_kind in enumerate(lists):
        parts[f"met{number}"] = engine.sql(query, entries=of_kind.entries, weights=_weights(engine, max_list))
    ends = [hash_strings(pa.array([pair[side] for pair in named], pa.string())).view(np.int64) for side in (0, 1)]
    parts["named"] = engine.table(pa.table({"a": np.minimum(*ends), "b": np.maximum(*ends)}))
    lists[0].pairs.data = engine.sql(" union ".join(f"select a, b from {name}" for name in parts), **parts)
    table = engine.collect(lists[0].pairs.data)
    keys = np.sort(_keys(lists[0].number(table["a"]), lists[0].number(table["b"])))
    return (keys >> 32).astype(np.int32), (keys & 0xFFFFFFFF).astype(np.int32)


def _keys(one: Array, other: Array) -> Array:
    low, high = np.minimum(one, other).astype(np.int64), np.maximum(one, other).astype(np.int64)
    return (low << 32) | high


def _weights(engine: Any, max_list: int) -> Any:
    df = np.arange(2, max_list + 1)
    return engine.table(pa.table({"df": df, "weight": item_weight(df, max_list)}))


_HOSTS = pa.schema([("source", pa.string()), ("target", pa.string())])


def host_links(engine: Any, links: Any) -> pa.Table:
    """Links from files as links between hosts, each once, which is all that is asked of them."""
    hosts = engine.map(engine.table(links, _HOSTS.names), _roots, _HOSTS)
    return engine.collect(engine.sql("select distinct source, target from hosts where source <> target", hosts=hosts))


def _roots(table: pa.Table) -> pa.Table:
    """The first page of the host of each source and target."""
    hosts = [host_column(as_strings(table[name])) for name in _HOSTS.names]
    return pa.table([pc.binary_join_element_wise("http://", host, "/", "") for host in hosts], schema=_HOSTS)
