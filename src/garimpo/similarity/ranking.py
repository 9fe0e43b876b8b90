"""For each query document, the most similar documents of a corpus, exactly."""

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput, Counts, check
from garimpo.contract.tables import RANKING
from garimpo.similarity.sets import Sets
from garimpo.similarity.source import Documents, batches_of

MOST = 1000
BLOCK = 1 << 24
"""Shingles of the corpus held at a time."""


def rank(
    queries: Documents,
    corpus: Documents,
    *,
    top: int = 10,
    shingle: int = 5,
    measure: str = "jaccard",
    counts: Counts | None = None,
) -> pa.Table:
    """The `top` documents of `corpus` for each query: `query, id, rank, similarity`. What shares nothing is not listed.

    Similarities are exact: the corpus is read once, in blocks, each block joined with all queries on their shingles.

    >>> corpus = pa.table({"id": ["x", "y"], "text": ["gold in the river", "rain on the hill"]})
    >>> rank(pa.table({"id": ["q"], "text": ["gold in a river"]}), corpus, shingle=1).to_pylist()
    [{'query': 'q', 'id': 'x', 'rank': 1, 'similarity': 0.6}]
    """
    if not 1 <= top <= MOST:
        raise BadInput(f"from 1 to {MOST} documents are listed for a query, not {top}")
    if measure not in ("jaccard", "containment"):
        raise BadInput(f"the measure is jaccard or containment, not {measure}")
    if not 1 <= shingle <= 100:
        raise BadInput(f"a shingle has 1 to 100 words, not {shingle}")
    counts = Counts() if counts is None else counts
    asked = list(batches_of(queries, (), counts))
    names = pa.chunked_array([batch.column("id") for batch in asked], pa.string())
    sets = _joined([Sets.from_texts(batch.column("text"), shingle) for batch in asked])
    best = np.full((len(sets), top), -1, np.int64)
    over, under = np.zeros((len(sets), top), np.int64), np.ones((len(sets), top), np.int64)
    ids: list[pa.Array] = []
    base = 0
    for block_ids, block in _blocks(batches_of(corpus, (), counts), shingle):
        _rank_block(sets, block, base, measure == "containment", (best, over, under))
        ids.append(block_ids)
        base += len(block)
    counts["queries"], counts["documents"] = len(sets), base
    row, place = np.nonzero(best >= 0)
    table = {
        "query": names.take(pa.array(row)),
        "id": pa.chunked_array(ids, pa.string()).take(pa.array(best[row, place])),
        "rank": pa.array((place + 1).astype(np.int32)),
        "similarity": pa.array(over[row, place] / under[row, place]),
    }
    return check(pa.table(table), RANKING)


def _rank_block(queries: Sets, block: Sets, base: int, inside: bool, best: tuple[np.ndarray, ...]) -> None:
    from garimpo.similarity._kernels_rank import rank_block

    documents = np.repeat(np.arange(len(block)), block.sizes)
    order = np.argsort(block.values)
    rank_block(queries.values, queries.offsets, block.values[order], documents[order], block.sizes, base, inside, *best)


def _blocks(batches: Iterable[pa.RecordBatch], shingle: int) -> Iterator[tuple[pa.Array, Sets]]:
    ids: list[pa.Array] = []
    held: list[Sets] = []
    for batch in batches:
        ids.append(batch.column("id"))
        held.append(Sets.from_texts(batch.column("text"), shingle))
        if sum(part.values.size for part in held) > BLOCK:
            yield pa.concat_arrays(ids), _joined(held)
            ids, held = [], []
    if held:
        yield pa.concat_arrays(ids), _joined(held)


def _joined(parts: list[Sets]) -> Sets:
    values = np.concatenate([*(part.values for part in parts), np.empty(0, np.uint64)])
    sizes = np.concatenate([*(part.sizes for part in parts), np.empty(0, np.int64)])
    return Sets(values, np.concatenate([[0], np.cumsum(sizes)]))
