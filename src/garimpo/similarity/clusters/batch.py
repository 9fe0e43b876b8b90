"""Documents in, verified clusters out, on one machine."""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput, Counts, Summarised, check
from garimpo.contract.tables import NEAR, NEAR_PAIRS
from garimpo.engine import Engine
from garimpo.similarity.candidates.bands import Bands, choose
from garimpo.similarity.candidates.pairs import (
    Capped,
    Hashes,
    Numbers,
    Pairs,
    Rule,
    candidates,
    firsts,
    merged,
    sorted_bucket_entries,
    stars,
    unpack,
    verify,
)
from garimpo.similarity.clusters.collected import Collected, collect
from garimpo.similarity.clusters.contained import contained_candidates
from garimpo.similarity.clusters.expand import Found, pair_table
from garimpo.similarity.clusters.snapshot import Known
from garimpo.similarity.inputs.batches import Documents, batches_of, watched
from garimpo.similarity.sketches.sketch import Sketcher
from garimpo.similarity.stores.collection import Collection

if TYPE_CHECKING:
    from garimpo.similarity.clusters.jobs import Job

WIDTH = 5
"""Words of a shingle, if nothing else is said."""
AT_ONCE = 1 << 24
Keep = Literal["first", "longest", "score"]
PairMeasure = Literal["jaccard", "containment"]
"""Candidate pairs held before they are checked."""


@dataclass(repr=False)
class Clusters(Summarised):
    """What `dedup` found. `near` has one row a document; `pairs()` one row a verified pair.

    Args:
        counts: what was passed over when documents were read.
        capped: which crowds were not compared in full.
        bands: the bands of the sketches that were compared.
        rule: when two documents are similar.
    """

    near: pa.Table
    counts: Counts
    capped: Capped
    bands: Bands
    rule: Rule
    _pairs: Callable[[], pa.Table] = field(repr=False)

    def pairs(self) -> pa.Table:
        """Every verified pair (table `near pairs`), copies included.

        Of more than `cap` equal documents, those past the first `cap` are paired with the first one only.
        """
        return self._pairs()

    def summary(self) -> dict[str, Any]:
        """The figures of the run, for ``--json``."""
        kept = int(pc.sum(self.near["keep"]).as_py() or 0)
        sizes = pc.value_counts(self.near["cluster"])
        many = sum(1 for entry in sizes.field("counts").to_pylist() if entry > 1)
        return figures(self.near.num_rows, kept, many, self.counts, self.capped, self.bands, self.rule)


def figures(documents: int, kept: int, clusters: int, counts: Counts, capped: Capped, bands: Bands, rule: Rule) -> dict[str, Any]:
    """The figures of a run by their names in ``--json``."""
    return {
        "documents": documents,
        "kept": kept,
        "removed": documents - kept,
        "clusters": clusters,
        "pairs_checked": counts["candidate pairs"],
        "pairs_verified": counts["verified pairs"],
        "equal": counts["equal to another"],
        "in_collection": counts["in the collection"],
        "without_text": counts["without text"],
        "repeated_ids": counts["repeated id"],
        "capped_buckets": capped.buckets,
        "capped_pairs": capped.pairs,
        "capped_copies": counts["copies past the cap"],
        "threshold": float(rule.threshold),
        "measure": rule.measure,
        "sketch": bands.config.method,
        "slots": bands.config.slots,
        "bands": bands.bands,
        "rows": bands.rows,
        "expected_recall": 1.0 if rule.containment else round(bands.recall, 5),
    }


def dedup(
    documents: Documents,
    threshold: float = 0.8,
    *,
    shingle: int | None = None,
    sketch: str = "fss",
    slots: int | None = None,
    recall: float = 0.99,
    keep: Keep = "first",
    measure: PairMeasure = "jaccard",
    cap: int | None = None,
    seed: int = 0,
    text_column: str | None = None,
    against: Collection | None = None,
    engine: Engine | None = None,
    progress: Callable[[int], None] | None = None,
) -> Clusters:
    """Near-duplicates among documents.

    On one machine all steps run here, over arrays; with an `engine` (say, Spark) the same functions run there as the
    steps of a job, and give the same rows.

    Args:
        documents: a table with `text` or `html` (any object with `__arrow_c_stream__`), a list of texts, or path(s) of any
            kind `garimpo` reads.
        threshold: the least similarity of near-duplicates.
        shingle: words in a shingle; by default 5, or those of the collection to compare with.
        sketch: how candidates are found.
        slots: numbers in a sketch.
        recall: the least share of the pairs at the threshold that is found.
        keep: which of similar documents stays: "first", "longest", or the one with the highest "score".
        measure: "jaccard", or "containment": the share of the smaller document that is in the larger.
        cap: so many documents of a bucket are compared with the rest of it; None: as many as is possible in bounded time.
        seed: of the hash functions.
        text_column: the column of texts, where it is not called `text`.
        against: a stored collection; what is similar to one of its documents is not kept.
        engine: where the job runs, if not here.
        progress: is told how many documents were just read.

    >>> table = pa.table({"id": ["a", "b", "c"], "text": ["a b c d e f g h"] * 2 + ["quite another text than those"]})
    >>> dedup(table).near.select(["id", "keep", "kept_id"]).to_pylist()[1]
    {'id': 'b', 'keep': False, 'kept_id': 'a'}
    """
    rule = Rule.of(threshold, measure, cap)
    if shingle is None:
        shingle = WIDTH if against is None else against.sketcher.config.shingle
    sketcher = Sketcher(sketch, slots, shingle, seed)
    bands = choose(sketcher.config, rule.threshold, recall)
    counts, capped = Counts(), Capped()
    if engine is not None:
        if text_column is not None or against is not None:
            raise BadInput("a text column and a collection to compare with go with the local engine")
        job = run_job(engine, documents, sketcher, bands, rule, keep, counts)
        near = check(engine.collect(job.near()), NEAR)
        return Clusters(near, counts, job.capped, bands, rule, lambda: check(engine.collect(job.pairs()), NEAR_PAIRS))
    columns = ("score",) if keep == "score" else ()
    batches = watched(batches_of(documents, columns, counts, text_column), progress)
    known = None if against is None else Known.of(against, sketcher, rule)
    collected = collect(
        batches if known is None else known.pass_fresh(batches), sketcher, None if rule.containment else bands, keep, counts
    )
    found = find(collected, bands, rule, counts, capped)
    near = near_table(found, rule)
    if known is not None:
        near, counts["in the collection"] = known.joined(near), known.removed
    return Clusters(near, counts, capped, bands, rule, lambda: pair_table(found, rule))


def dedup_to(
    engine: Engine,
    out: str | os.PathLike[str],
    pairs_out: str | os.PathLike[str] | None,
    documents: Documents,
    threshold: float = 0.8,
    *,
    shingle: int = 5,
    sketch: str = "fss",
    slots: int | None = None,
    recall: float = 0.99,
    keep: Keep = "first",
    measure: PairMeasure = "jaccard",
    seed: int = 0,
) -> tuple[dict[str, Any], Counts]:
    """`dedup` with an engine that writes its tables itself, however large they are; the figures, and what was counted."""
    rule, counts = Rule.of(threshold, measure, None), Counts()
    sketcher = Sketcher(sketch, slots, shingle, seed)
    bands = choose(sketcher.config, rule.threshold, recall)
    job = run_job(engine, documents, sketcher, bands, rule, keep, counts)
    near = job.near()
    written = engine.write(near, out, NEAR)
    told = engine.collect(engine.sql(_KEPT, near=near)).to_pylist()[0]
    summary = figures(written, int(told["kept"] or 0), told["clusters"], counts, job.capped, bands, rule)
    if pairs_out is not None:
        summary.update(pairs=engine.write(job.pairs(), pairs_out, NEAR_PAIRS), pairs_out=os.fspath(pairs_out))
    return summary, counts


_KEPT = """select cast(sum(kept) as bigint) as kept, sum(case when m > 1 then 1 else 0 end) as clusters
from (select count(*) as m, sum(case when keep then 1 else 0 end) as kept from near group by cluster) x"""


def run_job(
    engine: Engine, documents: Documents, sketcher: Sketcher, bands: Bands, rule: Rule, keep: str, counts: Counts
) -> "Job":
    """The job on an engine, up to its results, and what it counted."""
    from garimpo.similarity.clusters import jobs

    job = jobs.run(engine, documents, sketcher, bands, rule, keep, counts)
    totals = engine.sql(
        """select count(*) as documents, sum(case when size = 0 then 1 else 0 end) as empty,
                  sum(case when rank <> leader then 1 else 0 end) as equal from ranked""",
        ranked=job.ranked,
    )
    crowds = engine.sql(
        f"""select coalesce(sum(m - {rule.copies}), 0) as past
            from (select count(*) as m from ranked where size > 0 group by leader) x where m > {rule.copies}""",
        ranked=job.ranked,
    )
    row = engine.collect(totals).to_pylist()[0]
    counts["copies past the cap"] = int(engine.collect(crowds)["past"][0].as_py())
    counts["documents"] = row["documents"]
    counts["without text"], counts["equal to another"] = int(row["empty"] or 0), int(row["equal"] or 0)
    counts["candidate pairs"], counts["verified pairs"] = job.candidates, engine.count(job.verified)
    return job


def find(collected: Collected, bands: Bands, rule: Rule, counts: Counts, capped: Capped) -> Found:
    """Equal sets folded, candidates met and checked, stars made."""
    order = collected.order()
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    filled = np.flatnonzero(collected.sizes > 0)
    representative = np.arange(order.size)
    representative[rank[filled]] = firsts(collected.digests[filled], rank[filled])
    distinct = filled[representative[rank[filled]] == rank[filled]]
    counts["equal to another"] += filled.size - distinct.size
    copies = np.bincount(representative[rank[filled]], minlength=1)
    counts["copies past the cap"] += int(np.maximum(copies - rule.copies, 0).sum())
    sizes, starts = collected.sizes[order], collected.starts[order]
    if rule.containment:
        streams = contained_candidates(collected, distinct, rank, rule, capped)
    else:
        streams = _band_candidates(collected, distinct, rank, bands, rule, capped)
    pairs = merged([_checked(block, collected.values, starts, sizes, rule, counts) for block in _blocks(streams)])
    counts["verified pairs"] += len(pairs)
    kept = stars(pairs, order.size)[representative]
    return Found(collected, order, representative, pairs, kept)


def _band_candidates(
    collected: Collected, distinct: Numbers, rank: Numbers, bands: Bands, rule: Rule, capped: Capped
) -> Iterator[Hashes]:
    every = rank[distinct]
    rule = rule.with_cap(*_crowds(collected, distinct, bands)) if rule.planned else rule
    sizes = np.empty(rank.size, np.int64)
    sizes[rank] = collected.sizes
    for number in range(bands.bands):
        keys, documents = sorted_bucket_entries(collected.band(number)[distinct], every)
        yield candidates(keys, documents, sizes[documents], rule, capped)


def _crowds(collected: Collected, distinct: Numbers, bands: Bands) -> tuple[Numbers, Numbers]:
    """How many buckets there are of each size."""
    tally: Counter[int] = Counter()
    for number in range(bands.bands):
        keys = np.sort(collected.band(number)[distinct])
        ends = np.flatnonzero(np.append(keys[1:] != keys[:-1], True))
        lengths, times = np.unique(np.diff(ends, prepend=-1), return_counts=True)
        tally.update(dict(zip(lengths.tolist(), times.tolist())))
    return np.array(list(tally), np.int64), np.array(list(tally.values()), np.int64)


def _blocks(streams: Iterable[Hashes]) -> Iterator[Hashes]:
    """Candidates each once in a block; a pair may come again in a later block, never in the same."""
    held: list[Hashes] = []
    for packed in streams:
        held.append(packed)
        if sum(part.size for part in held) > AT_ONCE:
            yield np.unique(np.concatenate(held))
            held = []
    if held:
        yield np.unique(np.concatenate(held))


def _checked(packed: Hashes, values: Hashes, starts: Numbers, sizes: Numbers, rule: Rule, counts: Counts) -> Pairs:
    first, second = unpack(packed)
    counts["candidate pairs"] += first.size
    common = verify(values, starts[first], sizes[first], values, starts[second], sizes[second], rule)
    good = common >= 0
    return Pairs(first[good], second[good], common[good])


def near_table(found: Found, rule: Rule) -> pa.Table:
    """The table `near`: one row a document, in order of arrival."""
    order, kept = found.order, found.kept
    rank = np.empty(order.size, np.int64)
    rank[order] = np.arange(order.size)
    documents = found.collected
    similarity = _similarity_to_kept(found, rule)
    kept_document = order[kept[rank]]
    ids = documents.ids
    table = pa.table(
        {
            "id": ids,
            "cluster": pa.array(kept_document),
            "keep": pa.array(kept_document == np.arange(order.size)),
            "kept_id": ids.take(pa.array(kept_document)),
            "similarity": pa.array(similarity[rank].astype(np.float32)),
        }
    )
    return check(table, NEAR)


def _similarity_to_kept(found: Found, rule: Rule) -> Any:
    """By rank: 1 for what is kept and its copies, else the similarity of the pair that decided."""
    sizes = found.collected.sizes[found.order]
    out = np.ones(sizes.size)
    pairs = found.pairs
    decided = found.kept[pairs.second] == pairs.first
    first, second = pairs.first[decided], pairs.second[decided]
    out[second] = rule.similarity(pairs.common[decided], sizes[first], sizes[second])
    return out[found.representative]
