"""A stored collection of documents that grows, and answers which of them are nearest to a text.

Every document is kept with its id and its whole shingle set: nothing is folded away, however alike two are. A query meets
the documents that agree with its sketch in a whole band; those are compared exactly, and the nearest are told. The bands are
planned when the collection is begun, for a recall from some similarity on.

On disk: `collection.json` (what it was made with, never changed), `documents`, `sets`, `ids` (only ever appended to),
`runs/` (see `runs`), and `state.json`, replaced by rename at each commit: only what it names exists.
"""

import os
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput, Counts, publish_bytes
from garimpo.engine.columns import hash_strings
from garimpo.similarity.candidates.bands import Bands, as_fraction, choose
from garimpo.similarity.candidates.pairs import Hashes, Numbers, Rule, keys_of, pack, unpack, verify
from garimpo.similarity.inputs.batches import Documents, batches_of
from garimpo.similarity.scoring.best import Best
from garimpo.similarity.scoring.measures import SET_MEASURES, SetMeasure, from_common, require_measure
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import SketchConfig, Sketcher, Sketches
from garimpo.similarity.stores.growing_array import Growing
from garimpo.similarity.stores.index import read_json
from garimpo.similarity.stores.runs import Runs

FORMAT = 1
RECORD = np.dtype([("set", "<i8"), ("id", "<i8"), ("size", "<i4"), ("id_size", "<i4")])
SAME_ID = np.uint64(0x5C5C5C5C3A3A3A3A)
"""Makes the hash of an id a key of its own kind among the band keys."""
CROWD = 1 << 16
"""Documents of one bucket that a query is compared with; what lies behind is counted."""
AT_ONCE = 64
"""Queries answered together."""
ANY = Rule(Fraction(1, 1_000_000))
THRESHOLD = 0.3


class Collection:
    """Documents on disk, nearest by sketches and exact sets. One process writes; `commit` makes what was added last.

    Args:
        folder: where it is kept.
        bands: of its sketches.
        state: what its last commit says (`Collection.open` reads it).

    >>> import tempfile
    >>> with Collection.open(tempfile.mkdtemp(), Sketcher(shingle=1)) as kept:
    ...     _ = kept.add(["a", "b"], ["red gold in the river", "rain on the hill"])
    ...     kept.nearest(["gold in the river"], top=1).documents.tolist(), kept.names(np.array([0]))
    ([[0]], ['a'])
    """

    def __init__(self, folder: Path, bands: Bands, state: dict[str, Any]) -> None:
        self.bands, self.crowded = bands, 0
        config = bands.config
        self.sketcher = Sketcher(config.method, config.slots, config.shingle, config.seed)
        self._folder = folder
        self._records = Growing(folder / "documents", RECORD, state["documents"])
        self._sets = Growing(folder / "sets", np.dtype("<u8"), state["sets"])
        self._ids = Growing(folder / "ids", np.dtype("u1"), state["ids"])
        self._runs = Runs(folder / "runs", state["runs"])

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        sketcher: Sketcher | None = None,
        *,
        threshold: float | None = None,
        recall: float = 0.99,
        bands: int | None = None,
        rows: int | None = None,
    ) -> "Collection":
        """Open the collection of a folder, or begin one.

        Args:
            folder: where it is, or will be.
            sketcher: how texts become sets and sketches; a collection made otherwise is refused.
            threshold: begin it so that documents at least so similar are found with `recall` (0.3 if nothing is said); of
                one that exists, the least similarity that has to be found.
            recall: of what is at the threshold.
            bands: so many bands instead of the planned.
            rows: slots in each of them.
        """
        path = Path(folder)
        found = read_json(path / "collection.json")
        if found is None:
            if path.is_dir() and any(path.iterdir()):
                raise BadInput(f"{path}: a folder with other things in it, not a stored collection")
            config = (sketcher or Sketcher()).config
            planned = choose(config, as_fraction(THRESHOLD if threshold is None else threshold), recall, bands=bands, rows=rows)
            path.mkdir(parents=True, exist_ok=True)
            publish_bytes(path / "collection.json", msgspec.json.encode(_settings(planned)))
        else:
            planned = _stored(path, found)
            if sketcher is not None:
                planned.config.require_same(sketcher.config)
            if threshold is not None and as_fraction(threshold) < planned.threshold:
                raise BadInput(f"{path}: made to find similarities from {float(planned.threshold):g} on, not from {threshold:g}")
        state = read_json(path / "state.json") or {"documents": 0, "sets": 0, "ids": 0, "runs": []}
        return cls(path, planned, state)

    def __enter__(self) -> "Collection":
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    def __len__(self) -> int:
        """How many documents were added."""
        return len(self._records)

    def add(self, ids: Sequence[str], texts: pa.Array | list[str | None]) -> int:
        """Add documents; those with an id that is known already are passed over. How many were added.

        Args:
            ids: one a document.
            texts: as many texts; one without words is added and never found.
        """
        column = pa.array(texts, pa.large_string()) if isinstance(texts, list) else texts
        if len(ids) != len(column):
            raise BadInput(f"{len(ids)} ids and {len(column)} texts are not of the same documents")
        marks = hash_strings(pa.array(ids, pa.large_string())) ^ SAME_ID
        fresh = np.zeros(len(ids), bool)
        fresh[np.unique(marks, return_index=True)[1]] = True
        known, _, _ = self._runs.find(marks, 1)
        fresh[known] = False
        rows = np.flatnonzero(fresh)
        if rows.size:
            sketches, sets = self.sketcher.read(column.take(pa.array(rows)))
            self._remember([ids[row] for row in rows.tolist()], sketches, sets, marks[rows])
        return int(rows.size)

    def nearest(self, texts: pa.Array | list[str | None], top: int = 10, measure: SetMeasure = "jaccard") -> Best:
        """For each text the documents most similar to it, by number, with their exact similarity.

        Args:
            texts: queries.
            top: how many documents a query gets at most.
            measure: any measure of sets; what is looked into first are documents with a high Jaccard.
        """
        require_measure(measure, SET_MEASURES)
        sketches, sets = self.sketcher.read(texts)
        best = Best(len(sets), top)
        for start in range(0, len(sets), AT_ONCE):
            rows = np.arange(start, min(start + AT_ONCE, len(sets)))
            part = sets.take(rows)
            document, row, common, size = self._met(sketches[rows], part)
            similarity = from_common(measure, common, part.sizes[row], size)
            for query in np.unique(row):
                best.put(start + int(query), document[row == query], similarity[row == query])
        return best

    def names(self, documents: Numbers) -> list[str]:
        """The ids of documents."""
        records, data = self._records[documents], self._ids.all()
        return [data[r["id"] : r["id"] + r["id_size"]].tobytes().decode() for r in records]

    def commit(self) -> int:
        """Make everything added so far last; the number of documents."""
        for file in (self._sets, self._ids, self._records):
            file.sync()
        names = self._runs.store()
        state = {"documents": len(self._records), "sets": len(self._sets), "ids": len(self._ids), "runs": names}
        publish_bytes(self._folder / "state.json", msgspec.json.encode(state))
        self._runs.committed(names)
        return len(self._records)

    def close(self) -> None:
        """Let go of the files; what was not committed is forgotten."""
        for file in (self._sets, self._ids, self._records, self._runs):
            file.close()

    def _met(self, sketches: Sketches, sets: Sets) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Documents and rows of `sets` that meet in a band and share something; what they share; the documents' sizes."""
        filled = np.flatnonzero(sets.sizes > 0)
        keys = self._keys(sketches[filled])
        which, old, seen = self._runs.find(keys.ravel(), CROWD)
        self.crowded += int((seen >= CROWD).sum())
        row, old = unpack(np.unique(pack(filled[which // max(1, self.bands.bands)], old)))
        records = self._records[old]
        start, size = records["set"].astype(np.int64), records["size"].astype(np.int64)
        common = verify(self._sets.all(), start, size, sets.values, sets.offsets[row], sets.sizes[row], ANY)
        good = common > 0
        return old[good], row[good], common[good], size[good]

    def _keys(self, sketches: Sketches) -> Hashes:
        return keys_of(sketches, self.bands.bands, self.bands.rows)

    def _remember(self, ids: list[str], sketches: Sketches, sets: Sets, marks: Hashes) -> None:
        names = [name.encode() for name in ids]
        lengths = np.array([len(name) for name in names], np.int64)
        records = np.zeros(len(sets), RECORD)
        records["set"], records["size"] = len(self._sets) + sets.offsets[:-1], sets.sizes
        records["id"], records["id_size"] = len(self._ids) + np.cumsum(lengths) - lengths, lengths
        base = len(self._records)
        self._sets.append(sets.values)
        self._ids.append(np.frombuffer(b"".join(names), np.uint8))
        self._records.append(records)
        filled = np.flatnonzero(sets.sizes > 0)
        keys = np.concatenate([self._keys(sketches[filled]).ravel(), marks])
        self._runs.add(keys, np.concatenate([np.repeat(base + filled, self.bands.bands), base + np.arange(len(sets))]))


def require_collection(folder: str | os.PathLike[str]) -> Path:
    """The folder, if there is a collection in it."""
    path = Path(folder)
    if not (path / "collection.json").is_file():
        raise BadInput(f"{path}: no stored collection")
    return path


def shingle_of(folder: str | os.PathLike[str] | None) -> int | None:
    """How many words a shingle has in the collection of a folder; None where there is none yet.

    Args:
        folder: where the collection is, or may be.
    """
    found = None if folder is None else read_json(Path(folder) / "collection.json")
    return None if found is None else _stored(Path(folder or ""), found).config.shingle


def require_fit(folder: str | os.PathLike[str], sketcher: Sketcher, threshold: float) -> None:
    """Raise where documents so sketched cannot go into the collection of a folder; one that is still to be begun can take all.

    Args:
        folder: where the collection is, or will be.
        sketcher: how the documents become sets and sketches.
        threshold: the least similarity that has to be found.
    """
    path = Path(folder)
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        Collection.open(path, sketcher, threshold=threshold).close()


def fill(collection: Collection, batches: Iterable[pa.RecordBatch], wanted: pa.Array | None = None) -> int:
    """Add documents (`id`, `text`), only those with a wanted id if any are named; how many were added."""
    added = 0
    for batch in batches:
        rows = batch if wanted is None else batch.filter(pc.is_in(batch.column("id"), value_set=wanted))
        added += collection.add(rows.column("id").to_pylist(), rows.column("text"))
    return added


def store_kept(folder: str | os.PathLike[str], clusters: Any, documents: Documents, text_column: str | None = None) -> int:
    """Put what `dedup` keeps into a collection, made for its threshold if it is new; how many documents were added."""
    config, near = clusters.bands.config, clusters.near
    sketcher = Sketcher(config.method, config.slots, config.shingle, config.seed)
    with Collection.open(folder, sketcher, threshold=float(clusters.rule.threshold)) as collection:
        kept = near.filter(near["keep"])["id"].combine_chunks()
        return fill(collection, batches_of(documents, (), Counts(), text_column), kept)


def _settings(bands: Bands) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "sketch": asdict(bands.config),
        "threshold": str(bands.threshold),
        "bands": bands.bands,
        "rows": bands.rows,
    }


def _stored(path: Path, found: dict[str, Any]) -> Bands:
    if found.get("format") != FORMAT:
        raise BadInput(f"{path}: a collection of format {found.get('format')}, this program reads {FORMAT}")
    try:
        config = SketchConfig(**found["sketch"])
        config.require_same(SketchConfig(config.method, config.slots, config.shingle, config.seed))  # words and hashes as today
        return choose(config, Fraction(found["threshold"]), bands=found["bands"], rows=found["rows"])
    except (TypeError, KeyError, ValueError) as error:
        raise BadInput(f"{path}/collection.json: damaged ({error})") from None
