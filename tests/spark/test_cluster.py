"""On a cluster of two worker processes: an executor that dies in the middle costs time, not rows."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from spark.cluster import standalone


@pytest.fixture
def master(tmp_path):
    try:
        with standalone(tmp_path) as address:
            yield address
    except TimeoutError as error:
        pytest.skip(str(error))


def test_a_killed_executor_changes_no_row(master: str, tmp_path) -> None:
    program = Path(__file__).parent / "lose_an_executor.py"
    out = tmp_path / "sums.parquet"
    done = subprocess.run(
        [sys.executable, str(program), master, str(tmp_path), str(out)], capture_output=True, text=True, timeout=240
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (tmp_path / "killed").exists()
    rows = sorted(pq.read_table(out).to_pylist(), key=lambda row: row["k"])
    assert rows == [{"k": k, "v": 8 * sum(range(k, 100, 5))} for k in range(5)]
