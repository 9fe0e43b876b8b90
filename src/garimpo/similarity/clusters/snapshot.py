"""Documents against a stored collection: what it has already is set aside, before the rest is compared with each other."""

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from garimpo.contract import BadInput, check
from garimpo.contract.tables import NEAR
from garimpo.similarity.candidates.pairs import Rule
from garimpo.similarity.sketches.sketch import Sketcher
from garimpo.similarity.stores.collection import Collection


class Known:
    """Batches pass through; rows similar to a document of the collection are taken out and remembered."""

    def __init__(self, collection: Collection, threshold: float) -> None:
        """What is at least so similar is known."""
        self._collection, self._threshold = collection, threshold
        self._tables: list[pa.Table] = []
        self._fresh: list[np.ndarray] = []
        self._count = 0

    @classmethod
    def of(cls, collection: Collection, sketcher: Sketcher, rule: Rule) -> "Known":
        """With the settings of a run, which have to be those of the collection."""
        if rule.containment:
            raise BadInput("a collection finds what has a high Jaccard: containment goes without one")
        if collection.sketcher.config.shingle != sketcher.config.shingle:
            made, now = collection.sketcher.config.shingle, sketcher.config.shingle
            raise BadInput(f"the collection was made with {made} words a shingle, not {now}")
        if rule.threshold < collection.bands.threshold:
            least = float(collection.bands.threshold)
            raise BadInput(f"the collection was made to find similarities from {least:g} on, not from {float(rule.threshold):g}")
        return cls(collection, float(rule.threshold))

    def pass_fresh(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The batches without what the collection has."""
        for batch in batches:
            best = self._collection.nearest(batch.column("text"), top=1)
            known = best.scores[:, 0] >= self._threshold - 1e-12
            self._remember(batch, known, best.documents[known, 0], best.scores[known, 0])
            self._fresh.append(self._count + np.flatnonzero(~known))
            self._count += batch.num_rows
            yield batch.filter(pa.array(~known))

    def _remember(self, batch: pa.RecordBatch, known: np.ndarray, documents: np.ndarray, scores: np.ndarray) -> None:
        rows = np.flatnonzero(known)
        table = {
            "id": batch.column("id").take(pa.array(rows)),
            "cluster": pa.array(-1 - documents),
            "keep": pa.array(np.zeros(rows.size, bool)),
            "kept_id": pa.array(self._collection.names(documents), pa.string()),
            "similarity": pa.array(scores.astype(np.float32)),
            "place": pa.array(self._count + rows),
        }
        self._tables.append(pa.table(table))

    @property
    def removed(self) -> int:
        """How many documents the collection had already."""
        return sum(table.num_rows for table in self._tables)

    def joined(self, near: pa.Table) -> pa.Table:
        """What was found about the rest, with the rows that were taken out, in order of arrival.

        A document of the collection has the cluster -1 minus its number; a cluster of new ones is called by the place of the
        one kept, as ever.
        """
        places = np.concatenate([*self._fresh, np.empty(0, np.int64)])
        near = near.set_column(1, "cluster", pa.array(places[near["cluster"].to_numpy()]))
        near = near.append_column("place", pa.array(places))
        every = pa.concat_tables([near, *self._tables], promote_options="permissive")
        return check(every.sort_by("place").drop_columns(["place"]), NEAR)
