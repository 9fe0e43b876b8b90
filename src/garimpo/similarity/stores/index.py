"""An index of pages for a running crawl: is this page nearly one we have?

The index answers in order of arrival, and its answers are those that `dedup` with `keep="first"` gives for the same
documents in the same order. A page whose set is already known takes the answer of the page that had it; it leaves no
trace. Any other page gets a number, a record, and an entry under each of its band keys; a page that is kept also
leaves its shingle set and its id, because later pages are checked against it.

On disk: `index.json` (what the index was made with, never changed), `documents`, `sets`, `ids` (only ever appended to),
`runs/` (see `runs`), and `state.json`, replaced by rename at each commit. Only what `state.json` names exists: opening cuts
the rest off. Sets, ids and records are mapped anew whenever they grew; in memory are only the entries since the last commit.
"""

import os
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from garimpo.contract import BadInput, publish_bytes
from garimpo.contract.versions import INDEX_FORMAT
from garimpo.similarity.candidates.bands import Bands, choose
from garimpo.similarity.candidates.pairs import (
    CAP,
    Capped,
    Hashes,
    Numbers,
    Pairs,
    Rule,
    candidates,
    firsts,
    keys_of,
    merged,
    pack,
    unpack,
    verify,
)
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import SketchConfig, Sketcher, Sketches
from garimpo.similarity.stores.growing_array import Growing
from garimpo.similarity.stores.runs import Runs

RECORD = np.dtype(
    [("digest", "<u8"), ("set", "<i8"), ("id", "<i8"), ("kept", "<i4"), ("size", "<i4"), ("id_size", "<i4"), ("free", "<i4")]
)
SAME_SET = np.uint64(0xA5A5A5A5C3C3C3C3)
"""Makes a digest a key of its own kind among the band keys."""


class Index:
    """Near-duplicates in order of arrival, on disk. One process writes; `commit` makes what was added last.

    Args:
        folder: where it is kept.
        rule: when two documents are similar.
        bands: of its sketches.
        state: what its last commit says (`Index.open` reads it).

    >>> import tempfile
    >>> sketcher = Sketcher(shingle=2)
    >>> with Index.open(tempfile.mkdtemp(), sketcher, threshold=0.5) as index:
    ...     index.ask_add(["a", "b", "c"], *sketcher.read(["red gold in the river", "other", "red gold in the rivers"]))
    [None, None, 'a']
    """

    def __init__(self, folder: Path, rule: Rule, bands: Bands, state: dict[str, Any]) -> None:
        self.rule, self.bands, self.capped = rule, bands, Capped()
        self._folder = folder
        self._records = Growing(folder / "documents", RECORD, state["documents"])
        self._sets = Growing(folder / "sets", np.dtype("<u8"), state["sets"])
        self._ids = Growing(folder / "ids", np.dtype("u1"), state["ids"])
        self._runs = Runs(folder / "runs", state["runs"])

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        sketcher: Sketcher | SketchConfig,
        *,
        threshold: float = 0.8,
        recall: float = 0.99,
        cap: int = CAP,
    ) -> "Index":
        """Open the index of a folder, or begin one. An index made with other settings is refused."""
        config = sketcher.config if isinstance(sketcher, Sketcher) else sketcher
        rule = Rule.of(threshold, cap=cap)
        path = Path(folder)
        path.mkdir(parents=True, exist_ok=True)
        found = read_json(path / "index.json")
        made = {} if found is None else {name: found.get(name) for name in ("bands", "rows")}  # as planned when it was begun
        bands = choose(config, rule.threshold, recall, **made)
        wanted = _settings(config, rule, bands)
        if found is None:
            publish_bytes(path / "index.json", msgspec.json.encode(wanted))
        elif found != wanted:
            other = [f"{name} {found.get(name)}, now {wanted[name]}" for name in wanted if found.get(name) != wanted[name]]
            raise BadInput(f"{path}: this index was made with {', '.join(other)}")
        state = read_json(path / "state.json") or {"documents": 0, "sets": 0, "ids": 0, "runs": []}
        return cls(path, rule, bands, state)

    def __enter__(self) -> "Index":
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        if kind is None:
            self.commit()
        self.close()

    def __len__(self) -> int:
        """How many distinct documents were added."""
        return len(self._records)

    def ask_add(self, ids: Sequence[str], sketches: Sketches, sets: Sets) -> list[str | None]:
        """For each document the id of the kept one it nearly repeats, or None; and remember all of them.

        Documents are taken in the order given, as if each were added before the next is asked about. A document is never
        a duplicate of one with its own id.
        """
        self._require_fit(ids, sketches, sets)
        fresh, stands_for = self._fold(sets)
        new = sets.take(fresh)
        keys = keys_of(sketches[fresh], self.bands.bands, self.bands.rows)
        kept = self._decide(new, keys)
        self._remember([ids[i] for i in fresh], new, keys, kept)
        return [self._answer(ids[i], int(target)) for i, target in enumerate(stands_for)]

    def ask(self, sketches: Sketches, sets: Sets) -> list[list[tuple[str, float]]]:
        """For each document all kept ones similar to it, with their similarity, the most similar first; nothing is added."""
        self._require_fit([""] * len(sets), sketches, sets)
        filled = np.flatnonzero(sets.sizes > 0)
        asked = sets.take(filled)
        keys = keys_of(sketches[filled], self.bands.bands, self.bands.rows)
        old, row, common, _ = self._met(asked, keys)
        same_old, same_row = self._same_set(asked)
        old, row = np.concatenate([old, same_old]), np.concatenate([row, same_row])
        common = np.concatenate([common, asked.sizes[same_row]])
        similarity = self.rule.similarity(common, self._records[old]["size"].astype(np.int64), asked.sizes[row])
        out: list[dict[str, float]] = [{} for _ in range(len(sets))]
        for document, at, value in zip(old.tolist(), filled[row].tolist(), similarity.tolist()):
            out[at][self._id(document)] = value
        return [sorted(found.items(), key=lambda pair: (-pair[1], pair[0])) for found in out]

    def commit(self) -> int:
        """Make everything added so far last; the number of distinct documents. Commit before what relies on it."""
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

    # -- inside -----------------------------------------------------------------------------------------------------

    def _require_fit(self, ids: Sequence[str], sketches: Sketches, sets: Sets) -> None:
        self.bands.config.require_same(sketches.config)
        if not len(ids) == len(sketches) == len(sets):
            raise BadInput(f"{len(ids)} ids, {len(sketches)} sketches and {len(sets)} sets are not of the same documents")

    def _fold(self, sets: Sets) -> tuple[Numbers, Numbers]:
        """The documents with a set not known before, and for each document what it stands for.

        That is -1 for an empty one, an old document's number, or (past those) the place of a fresh one.
        """
        base = len(self._records)
        stands_for = np.full(len(sets), -1, np.int64)
        filled = np.flatnonzero(sets.sizes > 0)
        old, row = self._same_set(sets.take(filled))
        stands_for[filled[row]] = old
        unknown = filled[stands_for[filled] < 0]
        leader = firsts(sets.digests[unknown], unknown)
        fresh = unknown[leader == unknown]
        stands_for[unknown] = base + np.searchsorted(fresh, leader)
        return fresh, stands_for

    def _same_set(self, sets: Sets) -> tuple[Numbers, Numbers]:
        which, old, _ = self._runs.find(sets.digests ^ SAME_SET, 1)
        records = self._records[old]
        same = (records["digest"] == sets.digests[which]) & (records["size"] == sets.sizes[which])
        return old[same], which[same]

    def _met(self, sets: Sets, keys: Hashes) -> tuple[Numbers, Numbers, Numbers, Numbers]:
        """Kept documents and rows of `sets` that are similar, what they share, and how full each bucket was."""
        which, old, seen = self._runs.find(keys.ravel(), self.rule.cap)
        old, row = unpack(np.unique(pack(old, which // max(1, self.bands.bands))))
        records = self._records[old]
        good = records["kept"] == old
        old, row, records = old[good], row[good], records[good]
        start, size = records["set"].astype(np.int64), records["size"].astype(np.int64)
        common = verify(self._sets.all(), start, size, sets.values, sets.offsets[row], sets.sizes[row], self.rule)
        return old[common >= 0], row[common >= 0], common[common >= 0], seen

    def _decide(self, sets: Sets, keys: Hashes) -> Numbers:
        """For each fresh document its own place, the place of an earlier fresh one, or -1 - the number of an old one."""
        from garimpo.similarity import _kernels_pairs

        kept = np.arange(len(sets))
        old, row, _, seen = self._met(sets, keys)
        earliest = np.full(len(sets), np.iinfo(np.int64).max)
        np.minimum.at(earliest, row, old)
        matched = np.unique(row)
        kept[matched] = -1 - earliest[matched]
        pairs = self._among(sets, keys, seen)
        _kernels_pairs.stars(pairs.first, pairs.second, kept)
        return kept

    def _among(self, sets: Sets, keys: Hashes, seen: Numbers) -> Pairs:
        """Verified pairs among fresh documents; `seen` says how many older ones stand before them in each bucket."""
        documents = np.repeat(np.arange(len(sets)), keys.shape[1])
        order = np.lexsort((documents, keys.ravel()))
        documents = documents[order]
        packed = np.unique(candidates(keys.ravel()[order], documents, sets.sizes[documents], self.rule, self.capped, seen[order]))
        first, second = unpack(packed)
        starts, sizes = sets.offsets[:-1], sets.sizes
        common = verify(sets.values, starts[first], sizes[first], sets.values, starts[second], sizes[second], self.rule)
        good = common >= 0
        return merged([Pairs(first[good], second[good], common[good])])

    def _remember(self, ids: list[str], sets: Sets, keys: Hashes, kept: Numbers) -> None:
        if not len(sets):
            return
        own = kept == np.arange(len(sets))
        names = [name.encode() if keep else b"" for name, keep in zip(ids, own)]
        lengths = np.array([len(name) for name in names], np.int64)
        sizes = np.where(own, sets.sizes, 0)
        base = len(self._records)
        records = np.zeros(len(sets), RECORD)
        records["digest"], records["size"] = sets.digests, sets.sizes
        records["set"] = len(self._sets) + np.cumsum(sizes) - sizes
        records["id"], records["id_size"] = len(self._ids) + np.cumsum(lengths) - lengths, lengths
        records["kept"] = np.where(kept >= 0, base + kept, -1 - kept)
        self._sets.append(sets.take(np.flatnonzero(own)).values)
        self._ids.append(np.frombuffer(b"".join(names), np.uint8))
        self._records.append(records)
        every = np.concatenate([keys, (sets.digests ^ SAME_SET)[:, None]], axis=1)
        self._runs.add(every.ravel(), np.repeat(base + np.arange(len(sets)), every.shape[1]))

    def _answer(self, own_id: str, target: int) -> str | None:
        if target < 0:
            return None
        document = int(self._records[np.array([target])]["kept"][0])
        found = self._id(document)
        return None if found == own_id else found

    def _id(self, document: int) -> str:
        record = self._records[np.array([document])][0]
        return self._ids.all()[record["id"] : record["id"] + record["id_size"]].tobytes().decode()


def _settings(config: SketchConfig, rule: Rule, bands: Bands) -> dict[str, Any]:
    return {
        "format": INDEX_FORMAT,
        "sketch": asdict(config),
        "threshold": str(rule.threshold),
        "bands": bands.bands,
        "rows": bands.rows,
        "cap": rule.cap,
    }


def read_json(path: Path) -> dict[str, Any] | None:
    """The JSON object in a file, or None where there is no file."""
    try:
        found = msgspec.json.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except msgspec.DecodeError as error:
        raise BadInput(f"{path}: damaged ({error})") from None
    if not isinstance(found, dict):
        raise BadInput(f"{path}: damaged")
    return found
