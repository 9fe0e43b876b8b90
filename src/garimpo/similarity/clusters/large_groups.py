"""Groups too large for one worker, cut so that the result stays the same.

A bucket in which very many documents meet is cut into slices; each gets the first documents of the bucket beside its own, for
only these are paired with the rest. A cluster of very many pairs is decided by rounds first: a document that resembles none
before it is kept, what resembles a kept one is not; only what that leaves undecided has to meet at one worker.
"""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.engine import Engine
from garimpo.engine.groups import group_starts
from garimpo.similarity.candidates.pairs import Rule

SLICE = 1 << 16
"""Rows of a bucket that one worker gets at once; they make at most `cap` times as many pairs."""
CROWD = 1 << 22
"""Pairs of one cluster from which it is decided by rounds."""
ROUNDS = 8
_SLICED = """
with placed as (
    select e.key, e.rank, e.size, e.probe, row_number() over (partition by e.key order by e.rank) - 1 as place
    from entries e join crowded c on c.key = e.key
), sliced as (
    select key, cast(floor(place / {slice}) as bigint) as slice, rank, size, probe, place from placed
)
select key, slice, rank, size, probe from sliced
union all
select s.key, o.slice, s.rank, s.size, s.probe
from sliced s join (select distinct key, slice from sliced where slice > 0) o on o.key = s.key
where s.place < {cap}
union all
select e.key, cast(0 as bigint) as slice, e.rank, e.size, e.probe
from entries e left join crowded c on c.key = e.key where c.key is null
"""
_CROWDED = "select component from grouped group by component having count(*) > {crowd}"
_IN = "select g.* from grouped g join crowded c on c.component = g.component"
_OUT = "select g.* from grouped g left join crowded c on c.component = g.component where c.component is null"
_ROOTS = "select distinct l.a as node from lasting l left join (select distinct b from lasting) n on n.b = l.a where n.b is null"
_LOST = "select distinct l.b as node from lasting l join roots r on r.node = l.a"
_LEFT = """select l.* from lasting l left join lost x on x.node = l.a left join lost y on y.node = l.b
           left join roots r on r.node = l.a where x.node is null and y.node is null and r.node is null"""
_ASSIGNED = """select * from (
    select p.*, row_number() over (partition by p.b order by p.a) as place
    from pairs p join removed r on r.node = p.b left join removed s on s.node = p.a where s.node is null
) x where place = 1"""


def sliced(engine: Engine, entries: Any, rule: Rule, largest: int) -> tuple[Any, list[str]]:
    """The entries, the largest bucket of which has so many, and by which columns they are grouped."""
    if largest <= SLICE:
        return entries, ["key"]
    crowded = engine.sql(f"select key from entries group by key having count(*) > {SLICE}", entries=entries)
    query = _SLICED.format(slice=SLICE, cap=rule.cap)
    return engine.sql(query, entries=entries, crowded=crowded), ["key", "slice"]


def slices(table: pa.Table) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for each slice of a sorted table, and its length."""
    starts = group_starts(table, ["key", "slice"])
    return np.arange(len(starts)), np.diff(np.append(starts, table.num_rows))


def thinned(engine: Engine, grouped: Any) -> tuple[Any, Any | None]:
    """Pairs by component without those of crowded components, and the latter, or None."""
    crowded = engine.sql(_CROWDED.format(crowd=CROWD), grouped=grouped)
    if not engine.count(crowded):
        return grouped, None
    tables = {"grouped": grouped, "crowded": crowded}
    return engine.sql(_OUT, **tables), engine.sql(_IN, **tables)


def decided(engine: Engine, pairs: Any, star_step: Any, removed_schema: pa.Schema, assign: Any) -> Any:
    """What the greedy stars of crowded components remove, as `star_step` would say of them."""
    lasting, parts = pairs, []
    for _ in range(ROUNDS):
        roots = engine.sql(_ROOTS, lasting=lasting)
        parts.append(engine.sql(_LOST, lasting=lasting, roots=roots))
        lasting = engine.sql(_LEFT, lasting=lasting, lost=parts[-1], roots=roots)
        if not engine.count(lasting):
            break
    else:
        rest = engine.group_map(lasting, ["component"], star_step, removed_schema, order=["b", "a"])
        parts.append(engine.sql("select rank as node from rest", rest=rest))
    names = {f"part{number}": part for number, part in enumerate(parts)}
    removed = engine.sql(" union all ".join(f"select node from {name}" for name in names), **names)
    return engine.map(engine.sql(_ASSIGNED, pairs=pairs, removed=removed), assign, removed_schema)
