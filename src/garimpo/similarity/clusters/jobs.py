"""The batch job as steps of an engine: the same functions over Arrow tables, the same rows, on any number of machines.

`place` says where a document was read, `n` is its number in order of arrival, `rank` that in the order of preference.
64-bit hashes travel as int64.
"""

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput, Counts
from garimpo.engine import Engine
from garimpo.similarity.candidates.bands import Bands
from garimpo.similarity.candidates.pairs import Capped, Pairs, Rule, candidates, keys_of, stars, unpack, verify
from garimpo.similarity.clusters import large_groups as crowds
from garimpo.similarity.clusters.collected import KEEP, priorities
from garimpo.similarity.clusters.contained import probed, probes_of
from garimpo.similarity.inputs.batches import Documents, batches_of, settled
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import Sketcher

INT, LISTS = pa.int64(), pa.list_(pa.int64())
SKETCHED = pa.schema(
    [
        ("place", INT),
        ("id", pa.string()),
        ("size", INT),
        ("digest", INT),
        ("priority", pa.float64()),
        ("keys", LISTS),
        ("shingles", LISTS),
    ]
)
ENTRIES = pa.schema([("key", INT), ("rank", INT), ("size", INT), ("probe", INT)])
PAIRS = pa.schema([("a", INT), ("b", INT)])
VERIFIED = pa.schema([("a", INT), ("b", INT), ("size_a", INT), ("size_b", INT), ("common", INT)])
CONTAINMENT = ", cast(common as double) / least(size_one, size_other) as containment"
REMOVED = pa.schema([("rank", INT), ("kept", INT), ("similarity", pa.float64())])


def sketch_step(sketcher: Sketcher, bands: Bands, keep: str, rule: Rule, table: pa.Table) -> pa.Table:
    """Documents to sets, digests and band keys (for containment: no keys, the shingles are entered themselves)."""
    sketches, sets = sketcher.read(table["text"])
    keys = keys_of(sketches, 0 if rule.containment else bands.bands, bands.rows)
    offsets = np.arange(len(sets) + 1, dtype=np.int32) * keys.shape[1]
    columns = [
        table["place"],
        table["id"],
        pa.array(sets.sizes),
        pa.array(sets.digests.view(np.int64)),
        pa.array(priorities(table, keep)),
        pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), pa.array(keys.ravel().view(np.int64))),
        sets.to_arrow(),
    ]
    return pa.table(columns, schema=SKETCHED)


def entry_step(rule: Rule, table: pa.Table) -> pa.Table:
    """One row a bucket a document is in: its band keys, or for containment all its shingles."""
    rank, size = table["rank"].to_numpy(), table["size"].to_numpy()
    lists = Sets.from_arrow(table["shingles" if rule.containment else "keys"])
    lengths = lists.sizes
    within = np.arange(lists.values.size) - np.repeat(lists.offsets[:-1], lengths)
    probe = within < np.repeat(probes_of(size, rule), lengths) if rule.containment else np.ones(within.size, bool)
    arrays = [lists.values.view(np.int64), np.repeat(rank, lengths), np.repeat(size, lengths), probe.astype(np.int64)]
    return pa.table([pa.array(array) for array in arrays], schema=ENTRIES)


def bucket_step(rule: Rule, table: pa.Table) -> pa.Table:
    """Whole buckets, sorted by key and rank, to candidate pairs."""
    keys, rank, size, probe = (np.ascontiguousarray(table[name].to_numpy()) for name in ENTRIES.names)
    if "slice" in table.column_names:  # each slice of a bucket is one of its own
        keys = np.repeat(*crowds.slices(table)).astype(np.int64)
    if rule.containment:
        packed = probed(keys.view(np.uint64), 2 * rank + probe, size, rule, Capped())
    else:
        packed = candidates(keys.view(np.uint64), rank, size, rule, Capped())
    first, second = unpack(packed)
    return pa.table([pa.array(first), pa.array(second)], schema=PAIRS)


def verify_step(rule: Rule, table: pa.Table) -> pa.Table:
    """Candidate pairs with both sets to verified pairs."""
    left, right = Sets.from_arrow(table["shingles_a"]), Sets.from_arrow(table["shingles_b"])
    common = verify(left.values, left.offsets[:-1], left.sizes, right.values, right.offsets[:-1], right.sizes, rule)
    good = common >= 0
    columns = [table["a"].to_numpy(), table["b"].to_numpy(), left.sizes, right.sizes, common]
    return pa.table([pa.array(column[good]) for column in columns], schema=VERIFIED)


def star_step(rule: Rule, table: pa.Table) -> pa.Table:
    """Whole components, their pairs sorted by (b, a) inside each, to the documents they remove."""
    a, b, common = (table[name].to_numpy() for name in ("a", "b", "common"))
    ranks = np.unique(np.concatenate([a, b]))
    first, second = np.searchsorted(ranks, a), np.searchsorted(ranks, b)
    order = np.lexsort((first, second))
    kept = stars(Pairs(first[order], second[order], common[order]), ranks.size)
    return removed_step(rule, table.filter(pa.array(kept[second] == first)))


def removed_step(rule: Rule, table: pa.Table) -> pa.Table:
    """Pairs of a document and the one that stands for it, as the documents they remove."""
    common, size_a, size_b = (table[name].to_numpy() for name in ("common", "size_a", "size_b"))
    return pa.table([table["b"], table["a"], pa.array(rule.similarity(common, size_a, size_b))], schema=REMOVED)


@dataclass
class Job:
    """The tables of one run on an engine."""

    engine: Engine
    rule: Rule
    sketched: Any
    ranked: Any
    verified: Any
    removed: Any
    candidates: int
    capped: Capped

    def near(self) -> Any:
        """The table `near`, in order of arrival, on the engine."""
        query = """
            select d.id, k.n as cluster, d.n = k.n as keep, k.id as kept_id,
                   cast(coalesce(x.similarity, 1.0) as float) as similarity
            from ranked d
            left join removed x on x.rank = d.leader
            join ranked k on k.rank = coalesce(x.kept, d.leader)
            order by d.n"""
        return self.engine.sql(query, ranked=self.ranked, removed=self.removed)

    def pairs(self) -> Any:
        """The table `near pairs`, on the engine; copies past the cap are paired with the first of their kind only."""
        cap, more = self.rule.copies, CONTAINMENT if self.rule.containment else ""
        query = f"""
            with m as (
                select leader, rank, id, size, row_number() over (partition by leader order by rank) as place
                from ranked where size > 0
            ), p as (
                select x.id as one, y.id as other, v.common, x.size as size_one, y.size as size_other
                from verified v join m x on x.leader = v.a join m y on y.leader = v.b
                where x.place <= {cap} and y.place <= {cap}
                union all
                select x.id, y.id, x.size, x.size, x.size
                from m x join m y on x.leader = y.leader
                where x.place < y.place and x.place <= {cap} and (y.place <= {cap} or x.place = 1)
            )
            select case when one < other then one else other end as a,
                   case when one < other then other else one end as b,
                   cast(common as double) / (size_one + size_other - common) as jaccard{more}
            from p order by a, b"""
        return self.engine.sql(query, ranked=self.ranked, verified=self.verified)


def run(engine: Engine, documents: Documents, sketcher: Sketcher, bands: Bands, rule: Rule, keep: str, counts: Counts) -> Job:
    """All steps up to the removed documents."""
    if keep not in KEEP:
        raise BadInput(f"which document is kept is decided by one of {', '.join(KEEP)}, not {keep}")
    sketched, arrived = _sketched(engine, documents, sketcher, bands, rule, keep, counts)
    # Documents arrive numbered in the order of preference unless another is asked for, which takes a sort of all of them.
    rank = "n" if keep == "first" else "cast(row_number() over (order by priority desc, n) as bigint) - 1"
    ranked = engine.sql(
        f"""with r as (select place, n, id, size, digest, {rank} as rank from arrived),
                l as (select digest, min(rank) as leader from r where size > 0 group by digest)
           select r.place, r.n, r.id, r.size, r.rank, case when r.size > 0 then l.leader else r.rank end as leader
           from r left join l on l.digest = r.digest""",
        arrived=arrived,
    )
    distinct = engine.sql(
        """select r.rank, r.size, s.keys, s.shingles from ranked r join sketched s on s.place = r.place
           where r.rank = r.leader and r.size > 0""",
        ranked=ranked,
        sketched=sketched,
    )
    entries = engine.map(distinct, partial(entry_step, rule), ENTRIES)
    rule, capped, largest = _capped(engine, entries, rule)
    buckets, keys = crowds.sliced(engine, entries, rule, largest)
    met = engine.group_map(buckets, keys, partial(bucket_step, rule), PAIRS, order=["rank"])
    met = engine.sql("select distinct a, b from met", met=met)
    both = engine.sql(
        """select m.a, m.b, x.shingles as shingles_a, y.shingles as shingles_b
           from met m join distinct_sets x on x.rank = m.a join distinct_sets y on y.rank = m.b""",
        met=met,
        distinct_sets=distinct,
    )
    verified = engine.map(both, partial(verify_step, rule), VERIFIED)
    nodes = engine.components(engine.sql("select a, b from verified", verified=verified))
    grouped = engine.sql("select v.*, c.component from verified v join nodes c on c.node = v.a", verified=verified, nodes=nodes)
    removed = _removed(engine, grouped, rule)
    return Job(engine, rule, sketched, ranked, verified, removed, engine.count(met), capped)


def _removed(engine: Engine, grouped: Any, rule: Rule) -> Any:
    step = partial(star_step, rule)
    few, crowded = crowds.thinned(engine, grouped)
    removed = engine.group_map(few, ["component"], step, REMOVED, order=["b", "a"])
    if crowded is None:
        return removed
    more = crowds.decided(engine, crowded, step, REMOVED, partial(removed_step, rule))
    return engine.sql("select * from removed union all select * from more", removed=removed, more=more)


def _sketched(
    engine: Engine, documents: Documents, sketcher: Sketcher, bands: Bands, rule: Rule, keep: str, counts: Counts
) -> tuple[Any, Any]:
    """All documents sketched, and `place`, `n`, `id`, `size`, `digest`, `priority` of those that count."""
    columns = {"score": pa.float64()} if keep == "score" else {}
    step = partial(sketch_step, sketcher, bands, keep, rule)
    documents = settled(documents)
    if isinstance(documents, pa.Table):
        sketched, numbers = engine.map(engine.table(_table_rows(documents, columns, counts)), step, SKETCHED), None
    else:
        from garimpo.archive.collection.on_engine import placed_texts

        read = placed_texts(engine, documents, columns, step, SKETCHED, counts)
        sketched, numbers = read.rows, read.numbers(engine, counts) if read.repeated else None
    wanted = "s.place, s.id, s.size, s.digest, s.priority"
    if numbers is None:
        return sketched, engine.sql(f"select {wanted}, s.place as n from sketched s", sketched=sketched)
    query = f"select {wanted}, m.n from sketched s join numbers m on m.place = s.place"
    return sketched, engine.sql(query, sketched=sketched, numbers=numbers)


def _table_rows(table: pa.Table, columns: dict[str, pa.DataType], counts: Counts) -> pa.Table:
    even = pa.Table.from_batches(list(batches_of(table, list(columns), counts)))
    rows = [np.arange(even.num_rows), even["id"], even["text"], *(even[name].cast(kind) for name, kind in columns.items())]
    return pa.table(rows, names=["place", "id", "text", *columns])


def _capped(engine: Engine, entries: Any, rule: Rule) -> tuple[Rule, Capped, int]:
    """The rule with its cap, what that leaves out, and how many documents meet in the largest bucket."""
    query = "select m, count(*) as buckets from (select count(*) as m from entries group by key) x group by m"
    found = engine.collect(engine.sql(query, entries=entries))
    sizes, buckets = (found[name].to_numpy().astype(np.int64) for name in ("m", "buckets"))
    rule = rule.with_cap(sizes, buckets)
    hidden = np.maximum(sizes - rule.cap, 0)
    capped = Capped(int(buckets[hidden > 0].sum()), int(buckets @ (hidden * (hidden - 1) // 2)))
    return rule, capped, int(sizes.max(initial=0))
