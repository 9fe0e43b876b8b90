"""Sorted runs of (key, document): the index's way from a band key to the documents that have it.

New entries make a run in memory; a commit writes the runs in memory as one file. A run is merged with its older neighbour
as soon as it is half as long (up to a size whose merging no crawl notices), so n entries stand in few runs and each is copied
a few times.
Runs are ordered from the oldest to the newest, and document numbers rise with age: the entries of one key, read run
after run, are in order of arrival.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.contract.files import fsync, publish
from garimpo.similarity.pairs import Hashes, Numbers

MOST_IN_MEMORY = 1 << 22
"""Entries held in memory before they go to a file, committed or not."""

LARGEST_MERGE = 1 << 24
"""Runs are not merged beyond this: a commit must not keep a crawl waiting, and ten more runs cost little."""


@dataclass(frozen=True)
class Run:
    """Sorted keys and, in step, the numbers of their documents; `name` is that of its files, if it has any."""

    keys: Hashes
    documents: NDArray[np.int32]
    name: str | None = None

    def __len__(self) -> int:
        return int(self.keys.size)


class Runs:
    """All runs of one index."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        folder.mkdir(exist_ok=True)
        self._folder = folder
        self._next = 1 + max((int(name) for name in names), default=0)
        self._committed = set(names)
        for path in folder.iterdir():
            if path.stem not in self._committed:
                path.unlink()
        self.runs = [self._open(name) for name in names]

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
        from garimpo.similarity._kernels_pairs import find

        seen = np.zeros(wanted.size, np.int64)
        start, count = np.empty(wanted.size, np.int64), np.empty(wanted.size, np.int64)
        which, documents = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        for run in self.runs:
            find(run.keys, wanted, limit, start, count)
            taken = np.minimum(count, limit - seen)
            hits = np.flatnonzero(taken > 0)
            if hits.size:
                lengths = taken[hits]
                within = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
                which.append(np.repeat(hits, lengths))
                documents.append(run.documents[np.repeat(start[hits], lengths) + within].astype(np.int64))
            seen += taken
        return np.concatenate(which), np.concatenate(documents), seen

    def store(self) -> list[str]:
        """Put all runs in files, forced to the disk, and merge what is due; the names of the runs, oldest first."""
        memory = [run for run in self.runs if run.name is None]
        self.runs = [run for run in self.runs if run.name is not None]
        while len(memory) > 1:
            newer, older = memory.pop(), memory.pop()
            memory.append(_merged(older, newer))
        for run in memory:
            self.runs.append(self._write(run, Run(np.empty(0, np.uint64), np.empty(0, np.int32))))
        while len(self.runs) > 1 and self._due(*self.runs[-2:]):
            newer, older = self.runs.pop(), self.runs.pop()
            self.runs.append(self._write(older, newer))
            for old in (older, newer):
                if old.name not in self._committed:
                    self._remove(old.name)
        return [str(run.name) for run in self.runs]

    def _due(self, older: Run, newer: Run) -> bool:
        return 2 * len(newer) >= len(older) and len(older) + len(newer) <= LARGEST_MERGE

    def committed(self, names: list[str]) -> None:
        """The index has recorded these runs; files of others go."""
        for name in self._committed - set(names):
            self._remove(name)
        self._committed = set(names)

    def _open(self, name: str) -> Run:
        keys = _mapped(self._folder / f"{name}.keys", np.uint64)
        return Run(keys, _mapped(self._folder / f"{name}.documents", np.int32), name)

    def _write(self, older: Run, newer: Run) -> Run:
        """Two runs merged straight into mapped files: memory does not grow with them."""
        from garimpo.similarity._kernels_pairs import merge

        name, length = f"{self._next:06}", len(older) + len(newer)
        self._next += 1
        paths = self._folder / f"{name}.keys", self._folder / f"{name}.documents"
        with publish(paths[0]) as first, publish(paths[1]) as second:
            keys = np.memmap(first, np.uint64, "w+", shape=(length,))
            documents = np.memmap(second, np.int32, "w+", shape=(length,))
            merge(older.keys, older.documents, newer.keys, newer.documents, np.asarray(keys), np.asarray(documents))
            keys.flush()
            documents.flush()
        fsync(self._folder)
        return self._open(name)

    def _remove(self, name: str | None) -> None:
        for suffix in ("keys", "documents"):
            (self._folder / f"{name}.{suffix}").unlink(missing_ok=True)


def _merged(older: Run, newer: Run) -> Run:
    from garimpo.similarity._kernels_pairs import merge

    length = len(older) + len(newer)
    out = Run(np.empty(length, np.uint64), np.empty(length, np.int32))
    merge(older.keys, older.documents, newer.keys, newer.documents, out.keys, out.documents)
    return out


def _mapped(path: Path, kind: Any) -> NDArray[Any]:
    return np.asarray(np.memmap(path, kind, "r"))
