"""A crawl starts without what it does not use, and hides it from nobody afterwards."""

import subprocess
import sys
from pathlib import Path


def test_pandas_and_linear_algebra_are_not_loaded_but_can_be() -> None:
    code = """
import sys
from garimpo.cli.lean import slim
slim()
import garimpo.crawl, pyarrow as pa
from garimpo.engine.columns import hash_strings
hash_strings(pa.array(["gold"])), pa.table({"a": [1]}).column("a").to_numpy()
print([name for name in ("pandas", "scipy", "cffi", "tldextract", "sklearn", "duckdb") if name in sys.modules])
import scipy.linalg
print("scipy.linalg" in sys.modules)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout.splitlines() == ["[]", "True"], done.stderr


def test_a_crawl_uses_the_allocator_of_the_system(tmp_path: Path) -> None:
    code = """
import sys
from garimpo.cli.app import run
print(run(["crawl", "http://localhost/", "--out", sys.argv[1]]))
import pyarrow as pa
print(pa.default_memory_pool().backend_name)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "crawl")], capture_output=True, text=True)
    assert done.stdout.split()[-2:] == ["2", "system"], done.stderr
