"""Runs in files answer as runs in memory do."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garimpo.similarity.stores import run_files as stored
from garimpo.similarity.stores import runs
from garimpo.similarity.stores.run_files import StoredRun
from garimpo.similarity.stores.runs import Run, Runs

KEYS = st.lists(st.integers(0, 40), min_size=1, max_size=120)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stored, "BLOCK", 4)
    monkeypatch.setattr(stored, "WINDOW", 8)
    monkeypatch.setattr(stored, "AT_ONCE", 3)
    monkeypatch.setattr(stored, "PIECE", 8)
    monkeypatch.setattr(runs, "PIECE", 8)
    monkeypatch.setattr(runs, "SHORT", 2)


def spread(keys: list[int]) -> np.ndarray:
    return np.array(keys, np.uint64) * np.uint64(2**58 - 1)


def run_of(keys: list[int]) -> Run:
    return Run(np.sort(spread(keys)), np.arange(len(keys), dtype=np.int32))


def stored_run(run: Run, folder: Path) -> StoredRun:
    run.keys.tofile(folder / "1.keys")
    run.documents.tofile(folder / "1.documents")
    return StoredRun(folder, "1")


@given(keys=KEYS, wanted=st.lists(st.integers(0, 41), max_size=10), limit=st.integers(1, 9))
def test_a_run_in_files_finds_what_one_in_memory_does(tmp_path_factory, keys, wanted, limit) -> None:
    memory = run_of(keys)
    files = stored_run(memory, tmp_path_factory.mktemp("run"))
    asked = spread(wanted)
    start, count = files.find(asked, limit)
    expected, counted = memory.find(asked, limit)
    assert count.tolist() == counted.tolist()
    assert files.numbers(start, count).tolist() == memory.numbers(expected, counted).tolist()
    assert [files.after(key) for key in asked] == [memory.after(key) for key in asked]
    files.close()


@given(batches=st.lists(KEYS, min_size=1, max_size=8), stored_at=st.sets(st.integers(0, 7)))
def test_documents_of_a_key_come_in_order_of_arrival(tmp_path_factory, batches, stored_at) -> None:
    made, first, told = Runs(tmp_path_factory.mktemp("runs"), []), 0, []
    for number, keys in enumerate(batches):
        documents = np.arange(first, first + len(keys))
        made.add(spread(keys), documents)
        told += zip(keys, documents.tolist())
        first += len(keys)
        if number in stored_at:
            made.committed(made.store())
    which, documents, seen = made.find(spread(range(41)), 5)
    expected = [[document for key, document in told if key == wanted][:5] for wanted in range(41)]
    assert [documents[which == wanted].tolist() for wanted in range(41)] == expected
    assert seen.tolist() == [len(documents) for documents in expected]
    made.close()


def test_nothing_is_lost_where_the_disk_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made, fails = Runs(tmp_path, []), iter([False, True, True, False, True, False, False])
    fsync = runs.fsync

    def full(path: Path) -> None:
        if next(fails, False):
            raise OSError(28, "No space left on device")
        fsync(path)

    monkeypatch.setattr(runs, "fsync", full)
    for number in range(4):
        made.add(spread(list(range(6))), np.full(6, number))
        for _ in range(9):
            try:
                made.committed(made.store())
                break
            except OSError:
                continue
    which, documents, _ = made.find(spread(range(6)), 9)
    assert [documents[which == wanted].tolist() for wanted in range(6)] == [[0, 1, 2, 3]] * 6
    made.close()
