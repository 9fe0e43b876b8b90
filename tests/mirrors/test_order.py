"""Rows and columns of what is found do not depend on the order of Python's sets."""

import os
import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq


def test_two_processes_with_other_hashes_write_the_same_bytes(tmp_path: Path) -> None:
    hosts = ("a.org", "www.a.org", "b.org", "c.net")
    rows = [(f"http://{host}/page/{n}.html", n if host != "c.net" else 100 + n) for host in hosts for n in range(12)]
    pq.write_table(pa.table({"url": [row[0] for row in rows], "digest": [row[1] for row in rows]}), tmp_path / "pages.parquet")
    for seed in ("1", "2"):
        command = [sys.executable, "-m", "garimpo", "mirrors", "find", "pages.parquet", "--out", f"{seed}.csv"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env={**os.environ, "PYTHONHASHSEED": seed})
    assert (tmp_path / "1.csv").read_bytes() == (tmp_path / "2.csv").read_bytes()
    assert len((tmp_path / "1.csv").read_text().splitlines()) > 1
