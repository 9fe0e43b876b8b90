"""What a batch job knows of its documents once their texts are gone: ids, sizes, digests, band keys, and the sets on disk."""

import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.contract import BadInput, Counts
from garimpo.similarity.candidates.bands import Bands
from garimpo.similarity.candidates.pairs import Hashes, Numbers, keys_of
from garimpo.similarity.sketches.sketch import Sketcher

KEEP = ("first", "longest", "score")
AT_ONCE = 4 << 20
"""Bytes of text sketched at a time: their shingles then fit the processor's cache."""


@dataclass
class Collected:
    """Documents in order of arrival. `starts` and `sizes` say where each one's set stands in `values` (a mapped file)."""

    ids: pa.ChunkedArray
    sizes: Numbers
    starts: Numbers
    digests: Hashes
    priorities: NDArray[np.float64] | None
    keys: list[Hashes]
    """Band keys, a block of documents at a time, one row a band."""
    values: Hashes

    def __len__(self) -> int:
        return int(self.sizes.size)

    def band(self, number: int) -> Hashes:
        """The keys of one band, of all documents."""
        return np.concatenate([block[number] for block in self.keys]) if self.keys else np.empty(0, np.uint64)

    def order(self) -> Numbers:
        """Documents from the most to the least preferred; ties go to the one that came first."""
        if self.priorities is None:
            return np.arange(len(self))
        return np.argsort(-self.priorities, kind="stable")


def collect(batches: Iterable[pa.RecordBatch], sketcher: Sketcher, bands: Bands | None, keep: str, counts: Counts) -> Collected:
    """Read documents (`id`, `text`, and `score` to keep by score) into what the later steps need."""
    if keep not in KEEP:
        raise BadInput(f"which document is kept is decided by one of {', '.join(KEEP)}, not {keep}")
    ids: list[pa.Array] = []
    sizes, digests, keys, priority = [], [], [], []
    with tempfile.TemporaryFile(prefix="garimpo-sets-", buffering=0) as file:
        for batch in _small(batches):
            ids.append(batch.column("id"))
            sketches, sets = sketcher.read(batch.column("text"))
            sets.values.tofile(file)
            sizes.append(sets.sizes)
            digests.append(sets.digests)
            if bands is not None:
                keys.append(np.ascontiguousarray(keys_of(sketches, bands.bands, bands.rows).T))
            if keep != "first":
                priority.append(priorities(batch, keep))
            counts["documents"] += batch.num_rows
            counts["without text"] += int((sets.sizes == 0).sum())
        values = _mapped(file)
    every = np.concatenate([*sizes, np.empty(0, np.int64)])
    return Collected(
        pa.chunked_array(ids, pa.string()),
        every,
        np.concatenate([[0], np.cumsum(every)])[:-1],
        np.concatenate([*digests, np.empty(0, np.uint64)]),
        np.concatenate(priority) if priority else None,
        keys,
        values,
    )


def _mapped(file: IO[bytes]) -> Hashes:
    """The sets written so far, mapped: the system may drop their pages when memory is short."""
    file.flush()
    if not file.tell():
        return np.empty(0, np.uint64)
    return np.asarray(np.memmap(file, np.uint64, "r"))


def _small(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        rows = max(1, int(batch.num_rows * AT_ONCE / max(batch.column("text").nbytes, 1)))
        for start in range(0, batch.num_rows, rows):
            yield batch.slice(start, rows)


def priorities(batch: pa.RecordBatch | pa.Table, keep: str) -> NDArray[np.float64]:
    """What each document is preferred by; without a value it comes last."""
    if keep == "first":
        return np.zeros(batch.num_rows)
    if keep == "longest":
        wanted = pc.utf8_length(batch.column("text"))
    elif "score" not in batch.schema.names or pa.types.is_null(batch.column("score").type):
        raise BadInput("to keep by score, the documents need a column score")
    else:
        wanted = batch.column("score")
    try:
        numbers = wanted.cast(pa.float64())
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError):
        raise BadInput(f"to keep by score, the column score must hold numbers, not {wanted.type}") from None
    return np.nan_to_num(pc.fill_null(numbers, -np.inf).to_numpy(zero_copy_only=False), nan=-np.inf, posinf=np.inf)
