"""Sorted runs of (key, document): the index's way from a band key to the documents that have it.

New entries make a run in memory; a commit writes the runs in memory to files. A run is merged with its older neighbour
as soon as it is half as long (up to a size whose merging no crawl notices), so n entries stand in few runs and each is copied
a few times. Short runs stay in memory as well; long ones are read where they are looked into (`stored`).
Runs are ordered from the oldest to the newest, and document numbers rise with age: the entries of one key, read run
after run, are in order of arrival.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import xxhash
from numpy.typing import NDArray

from garimpo.contract.files import fsync, publish
from garimpo.similarity.candidates.pairs import Hashes, Numbers
from garimpo.similarity.stores.run_files import PIECE, StoredRun

MOST_IN_MEMORY = 1 << 22
"""Entries held in memory before they go to a file, committed or not."""

SHORT = 1 << 16
"""A run with no more entries than this is short."""

LARGEST_MERGE = 1 << 24
"""Runs are not merged beyond this: a commit must not keep a crawl waiting, and ten more runs cost little."""


@dataclass(frozen=True)
class Run:
    """Sorted keys and, in step, the numbers of their documents, in memory; `name` is that of its files, if it has any."""

    keys: Hashes
    documents: NDArray[np.int32]
    name: str | None = None

    def __len__(self) -> int:
        return int(self.keys.size)

    def close(self) -> None:
        """Nothing is open."""

    def find(self, wanted: Hashes, limit: int) -> tuple[Numbers, Numbers]:
        """Where each wanted key stands, and how often (no more than `limit`)."""
        from garimpo.similarity._kernels_pairs import find

        start, count = np.empty(wanted.size, np.int64), np.empty(wanted.size, np.int64)
        find(self.keys, wanted, limit, start, count)
        return start, count

    def numbers(self, starts: Numbers, lengths: Numbers) -> Numbers:
        """The documents of some spans, one after the other."""
        within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        return self.documents[np.repeat(starts, lengths) + within].astype(np.int64)

    def piece(self, begin: int, end: int) -> tuple[Hashes, NDArray[np.int32]]:
        """Keys and documents of a part."""
        return self.keys[begin:end], self.documents[begin:end]

    def after(self, key: np.uint64) -> int:
        """How many keys are not larger than this one."""
        return int(np.searchsorted(self.keys, key, "right"))


AnyRun = Run | StoredRun


class Runs:
    """All runs of one index."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._next = 1 + max((int(name) for name in names), default=0)
        self._committed = set(names)
        self._digests: dict[str, str] = {}
        for path in folder.iterdir():
            if path.stem not in self._committed:
                path.unlink()
        self.runs: list[AnyRun] = [self._open(name) for name in names]

    def add(self, keys: Hashes, documents: Numbers) -> None:
        """Entries of documents newer than all before."""
        order = np.lexsort((documents, keys))
        self.runs.append(Run(keys[order], documents[order].astype(np.int32)))
        while len(self.runs) > 1 and not self.runs[-2].name and 2 * len(self.runs[-1]) >= len(self.runs[-2]):
            newer, older = self.runs.pop(), self.runs.pop()
            self.runs.append(_merged(older, newer))
        if len(self.runs[-1]) > MOST_IN_MEMORY:
            self.store()

    def find(self, wanted: Hashes, limit: int) -> tuple[Numbers, Numbers, Numbers]:
        """The first `limit` documents of each key: (which wanted key, document) of all, and how many each key has."""
        seen = np.zeros(wanted.size, np.int64)
        which, documents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for run in self.runs:
            start, count = run.find(wanted, limit)
            taken = np.minimum(count, limit - seen)
            hits = np.flatnonzero(taken > 0)
            if hits.size:
                which.append(np.repeat(hits, taken[hits]))
                documents.append(run.numbers(start[hits], taken[hits]))
            seen += taken
        return np.concatenate(which), np.concatenate(documents), seen

    def store(self) -> list[str]:
        """Put all runs in files, forced to the disk, and merge what is due; the names of the runs, oldest first.

        Where the disk is full nothing is lost: it may be called again.
        """
        while len(self.runs) > 1 and self.runs[-2].name is None:
            self.runs[-2:] = [_merged(*self.runs[-2:])]
        if self.runs and self.runs[-1].name is None:
            self.runs[-1] = self._write(self.runs[-1], Run(np.empty(0, np.uint64), np.empty(0, np.int32)))
        while len(self.runs) > 1 and self._due(*self.runs[-2:]):
            both = self.runs[-2:]
            self.runs[-2:] = [self._write(*both)]
            for old in both:
                old.close()
                if old.name not in self._committed:
                    self._remove(old.name)
        return [str(run.name) for run in self.runs]

    def _due(self, older: AnyRun, newer: AnyRun) -> bool:
        return 2 * len(newer) >= len(older) and len(older) + len(newer) <= LARGEST_MERGE

    def committed(self, names: list[str]) -> None:
        """The index has recorded these runs; files of others go."""
        for name in self._committed - set(names):
            self._remove(name)
        self._committed = set(names)

    def digests(self) -> dict[str, str]:
        """Of the files of each run that is stored."""
        names = [run.name for run in self.runs if run.name is not None]
        self._digests = {name: self._digests.get(name) or self._digest(name) for name in names}
        return self._digests

    def _digest(self, name: str) -> str:
        digest = xxhash.xxh3_64()
        for suffix in ("keys", "documents"):
            with (self._folder / f"{name}.{suffix}").open("rb") as file:
                while piece := file.read(8 * PIECE):
                    digest.update(piece)
        return digest.hexdigest()

    def close(self) -> None:
        """Let go of the files."""
        for run in self.runs:
            run.close()

    def _open(self, name: str) -> AnyRun:
        keys, documents = self._folder / f"{name}.keys", self._folder / f"{name}.documents"
        if keys.stat().st_size > 8 * SHORT:
            return StoredRun(self._folder, name)
        return Run(np.fromfile(keys, np.uint64), np.fromfile(documents, np.int32), name)

    def _write(self, older: AnyRun, newer: AnyRun) -> AnyRun:
        """Two runs merged into files, a piece at a time: memory does not grow with them."""
        name = f"{self._next:06}"
        self._next += 1
        paths = self._folder / f"{name}.keys", self._folder / f"{name}.documents"
        with publish(paths[0]) as first, publish(paths[1]) as second, open(first, "wb") as keys, open(second, "wb") as documents:
            for merged in _merged_pieces(older, newer):
                merged.keys.tofile(keys)
                merged.documents.tofile(documents)
        fsync(self._folder)
        return self._open(name)

    def _remove(self, name: str | None) -> None:
        for suffix in ("keys", "documents"):
            (self._folder / f"{name}.{suffix}").unlink(missing_ok=True)


def _merged(older: AnyRun, newer: AnyRun) -> Run:
    return _merge(older.piece(0, len(older)), newer.piece(0, len(newer)))


def _merged_pieces(older: AnyRun, newer: AnyRun) -> Iterator[Run]:
    """Two runs merged, in pieces that do not part equal keys."""
    i = j = 0
    while i < len(older):
        end = min(i + PIECE, len(older))
        last = older.piece(end - 1, end)[0][0]
        next_i, next_j = older.after(last), newer.after(last)
        yield _merge(older.piece(i, next_i), newer.piece(j, next_j))
        i, j = next_i, next_j
    if j < len(newer):
        yield Run(*newer.piece(j, len(newer)))


def _merge(older: tuple[Hashes, NDArray[np.int32]], newer: tuple[Hashes, NDArray[np.int32]]) -> Run:
    from garimpo.similarity._kernels_pairs import merge

    length = older[0].size + newer[0].size
    out = Run(np.empty(length, np.uint64), np.empty(length, np.int32))
    merge(*older, *newer, out.keys, out.documents)
    return out
