import errno
import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from garimpo.contract.errors import GarimpoError
from garimpo.crawl.state.seen import KNOWN, NEW, RAISED, KeyTable, SeenSet

keys = st.lists(st.integers(0, 40) | st.integers(0, 2**64 - 1), max_size=60)


@given(st.lists(keys, max_size=5))
def test_answers_like_a_python_set(tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]]) -> None:
    seen, twin = SeenSet(tmp_path_factory.mktemp("seen")), set()
    for batch in batches:
        answers = seen.add(np.array(batch, np.uint64)).tolist()
        for key, answer in zip(batch, answers):
            known = (key or 1) in twin
            assert answer == (KNOWN if known else NEW)
            twin.add(key or 1)
    assert len(seen) == len(twin)
    seen.close()


def test_grows_and_forgets_nothing(tmp_path: Path) -> None:
    seen = SeenSet(tmp_path)
    slots = seen.slots
    numbers = np.random.default_rng(1).integers(1, 2**64 - 1, 200_000, dtype=np.uint64)
    for part in np.array_split(numbers, 7):
        assert seen.add(part).all()
        seen.flush()
    assert seen.slots > slots
    assert seen.contains(numbers).all()
    assert not seen.contains(numbers + np.uint64(1)).any()


def test_only_what_was_committed_counts_when_opened_again(tmp_path: Path) -> None:
    seen = SeenSet(tmp_path)
    seen.add(np.array([1, 2], np.uint64))
    committed = seen.flush()
    seen.add(np.array([3], np.uint64))
    seen.flush()
    again = SeenSet(tmp_path, committed)
    assert again.contains(np.array([1, 2, 3], np.uint64)).tolist() == [True, True, False]


@pytest.mark.parametrize("damage", ["cut", "missing", "flipped"])
def test_a_damaged_log_is_made_anew_from_what_the_tables_name(tmp_path: Path, damage: str) -> None:
    seen = SeenSet(tmp_path)
    seen.add(np.arange(1, 9, dtype=np.uint64))
    committed, digest = seen.flush(), seen.digest
    log = tmp_path / "seen.log"
    data = bytearray(log.read_bytes())
    data[3] ^= 1
    log.write_bytes({"cut": data[:20], "missing": b"", "flipped": data}[damage])
    with pytest.raises(GarimpoError, match="damaged"):
        SeenSet(tmp_path, committed, digest)
    log.write_bytes({"cut": data[:20], "missing": b"", "flipped": data}[damage])
    mended = SeenSet(tmp_path, committed, digest, lambda: np.arange(1, 9, dtype=np.uint64))
    assert mended.mended and len(mended) == 8 and mended.contains(np.arange(1, 9, dtype=np.uint64)).all()
    again = SeenSet(tmp_path, mended.flush(), mended.digest)
    assert not again.mended and len(again) == 8


def test_a_better_offer_is_reported_once(tmp_path: Path) -> None:
    seen, one = SeenSet(tmp_path), np.array([9], np.uint64)
    answers = [int(seen.add(one, np.array([level], np.uint8))[0]) for level in (3, 3, 7, 5)]
    assert answers == [NEW, KNOWN, RAISED, KNOWN]


def test_a_full_disk_stops_the_growth_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = np.arange(1, 200_001, dtype=np.uint64)
    tables = [SeenSet(tmp_path), KeyTable(scratch=tmp_path / "bodies.table")]
    for table in tables:
        table.add(keys[:40_000])

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "posix_fallocate", full)
        for table in tables:
            with pytest.raises(OSError, match="No space"):
                table.reserve(160_000)
    for table in tables:
        table.reserve(160_000)
        assert (table.add(keys) == KNOWN).sum() == 40_000
        table.close()
    assert not list(tmp_path.glob("*.table"))
