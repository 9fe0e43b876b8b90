"""Ranking against a stored collection instead of reading a corpus."""

import os
from pathlib import Path
from typing import cast

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput, Counts
from garimpo.similarity.inputs.batches import Documents, batches_of
from garimpo.similarity.retrieval.ranking import MOST, ranking_table
from garimpo.similarity.scoring.best import Best
from garimpo.similarity.scoring.measures import SET_MEASURES, SetMeasure, require_measure
from garimpo.similarity.sketches.sketch import Sketcher
from garimpo.similarity.stores.collection import Collection, fill, require_collection

WIDTH = 3
"""Words of a shingle where a collection is begun and nothing is said: one-word sets of strangers are too much alike."""


def rank_stored(
    queries: Documents,
    index: str | os.PathLike[str],
    corpus: Documents | None = None,
    *,
    top: int = 10,
    measure: str = "jaccard",
    shingle: tuple[int, ...] | None = None,
    threshold: float | None = None,
    recall: float = 0.99,
    bands: int | None = None,
    rows: int | None = None,
    sketch: str | None = None,
    slots: int | None = None,
    seed: int = 0,
    counts: Counts | None = None,
) -> pa.Table:
    """The nearest documents of a stored collection for each query: `query, id, rank, similarity`.

    Args:
        queries: documents to find sources for.
        index: the folder of the collection.
        corpus: documents to add to it first; it is begun if it is not there.
        top: how many documents are listed for a query.
        measure: any measure of sets.
        shingle: words in a shingle, one number; of a collection that exists, what it was made with.
        threshold: begin it so that documents at least so similar are found.
        recall: the share of them that is found.
        bands: begin it with so many bands instead of the planned.
        rows: slots in each band.
        sketch: how candidates are found; of a collection that exists, what it was made with.
        slots: numbers in a sketch.
        seed: of the hash functions.
        counts: what was read, added and passed over is added to it.
    """
    require_measure(measure)
    if measure not in SET_MEASURES:
        raise BadInput(f"a stored collection is searched by {', '.join(SET_MEASURES)}, not by {measure}")
    if not 1 <= top <= MOST:
        raise BadInput(f"from 1 to {MOST} documents are listed for a query, not {top}")
    if shingle is not None and len(shingle) != 1:
        raise BadInput("a stored collection has shingles of one width")
    counts = Counts() if counts is None else counts
    folder = index if corpus is not None else require_collection(index)
    exists = (Path(folder) / "collection.json").exists()
    said = shingle is not None or sketch is not None
    sketcher = Sketcher(sketch or "fss", slots, shingle[0] if shingle else WIDTH, seed) if said or not exists else None
    with Collection.open(folder, sketcher, threshold=threshold, recall=recall, bands=bands, rows=rows) as collection:
        if corpus is not None:
            counts["added"] = fill(collection, batches_of(corpus, (), counts))
        batches = list(batches_of(queries, (), counts))
        names = pa.chunked_array([batch.column("id") for batch in batches], pa.string())
        texts = pa.concat_arrays([batch.column("text") for batch in batches])
        best = collection.nearest(texts, top, cast(SetMeasure, measure))
        counts["queries"], counts["documents"] = len(names), len(collection)
        counts["crowded buckets"] += collection.crowded
        return _table(names, collection, best)


def _table(names: pa.ChunkedArray, collection: Collection, best: Best) -> pa.Table:
    """The ranking, with the ids of only those documents that are listed."""
    numbers, places = np.unique(best.documents, return_inverse=True)
    known = numbers[numbers >= 0]
    best.documents = places.reshape(best.documents.shape) - (numbers.size - known.size)
    return ranking_table(names, pa.chunked_array([pa.array(collection.names(known), pa.string())]), best)
