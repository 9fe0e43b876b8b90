"""A script without `if __name__ == "__main__":` runs once, also where processes are started for it."""

import subprocess
import sys
from pathlib import Path

import pytest

from garimpo import webgen

STEPS = """
import pyarrow as pa
from pyarrow import compute
from garimpo import engine

def doubled(table):
    return pa.table({"n": compute.add(table["n"], table["n"])})

print("the script runs")
step = {step}
if __name__ == "__main__" or {guarded}:
    with engine.local(threads=2) as here:
        rows = here.map(here.table(pa.table({"n": [1, 2]})), step, pa.schema([("n", pa.int64())]), python_bound=True)
        print(here.collect(rows)["n"].to_pylist())
"""

CRAWL = """
import sys
import garimpo
print("the script runs")
settings = garimpo.crawl.Settings(
    seeds=[sys.argv[2]], resolve_all=sys.argv[1], allow_private=True, delay=0, max_pages=60, scope="all", workers=1
)
print(garimpo.crawl.crawl("crawl", settings).stored)
"""


def script(text: str, folder: Path, *arguments: str) -> list[str]:
    (folder / "script.py").write_text(text)
    done = subprocess.run([sys.executable, "script.py", *arguments], cwd=folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_step_of_ours_runs_in_processes_of_any_script(tmp_path: Path) -> None:
    text = STEPS.replace("{step}", "pa.Table.combine_chunks").replace("{guarded}", "True")
    assert script(text, tmp_path) == ["the script runs", "[1, 2]"]


def test_a_step_of_the_script_is_found_there(tmp_path: Path) -> None:
    lines = script(STEPS.replace("{step}", "doubled").replace("{guarded}", "False"), tmp_path)
    assert lines[-1] == "[2, 4]" and "the script runs" in lines


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("web") / "web"
    webgen.make(folder, "small", seed=1, hosts=20, urls=300)
    return folder


def test_a_crawl_in_a_script_of_four_lines_runs_once(web: Path, tmp_path: Path) -> None:
    seed = (web / "seeds.txt").read_text().split()[0]
    with webgen.serve(web) as server:
        assert script(CRAWL, tmp_path, server.address, seed) == ["the script runs", "60"]
