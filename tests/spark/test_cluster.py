"""On a cluster of two worker processes: an executor that dies in the middle costs time, not rows."""

import subprocess
import sys
from pathlib import Path

import pyarrow.parquet as pq


def test_a_killed_executor_changes_no_row(cluster) -> None:
    master, folder = cluster
    program = Path(__file__).parent / "lose_an_executor.py"
    out = folder / "sums.parquet"
    done = subprocess.run(
        [sys.executable, str(program), master, str(folder), str(out)], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert (folder / "killed").exists()
    rows = sorted(pq.read_table(out).to_pylist(), key=lambda row: row["k"])
    assert rows == [{"k": k, "v": 8 * sum(range(k, 100, 5))} for k in range(5)]
