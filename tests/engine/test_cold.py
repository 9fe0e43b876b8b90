"""A kernel that has to be compiled says so, once; one that lies in the cache says nothing; old versions go."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from garimpo.engine import jit

CODE = """
import logging
logging.basicConfig(level=logging.INFO)
import pyarrow as pa
from garimpo.engine.columns import hash_strings
hash_strings(pa.array(["gold"]))
"""


def told(cache: Path) -> int:
    environment = {**os.environ, "GARIMPO_CACHE": str(cache)}
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, env=environment, check=True)
    return done.stderr.count("compiling kernels for the first time")


def test_a_cold_kernel_says_once_that_it_compiles(tmp_path: Path) -> None:
    assert [told(tmp_path), told(tmp_path)] == [1, 0]


def test_kernels_of_forgotten_versions_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GARIMPO_CACHE", str(tmp_path))
    jit.cache_folder.cache_clear()
    try:
        current = jit.cache_folder(jit.kernel_modules()[0])
        old, recent = current.parent / "kernels-0-numba-0", current.parent / "kernels-1-numba-0"
        now = time.time()
        for folder, written in ((current, now - 9e6), (old, now - 9e6), (recent, now)):
            folder.mkdir(parents=True)
            os.utime(folder, (written, written))
        assert jit.remove_stale(now - 1e6) == 1
        assert current.exists() and recent.exists() and not old.exists()
    finally:
        jit.cache_folder.cache_clear()
