"""The benchmarks of a crawl at their smallest: what nobody runs for weeks breaks in silence."""

import subprocess
import sys
from pathlib import Path

import pytest

from garimpo import webgen

ROOT = Path(__file__).parent.parent


def run(script: str, *arguments: str) -> str:
    ran = subprocess.run([sys.executable, ROOT / "benchmarks" / script, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def test_memory() -> None:
    assert "100,000 seen keys: 0." in run("crawl/memory.py", "--seen", "100000", "--queued", "0")
    assert "100,001 queued URLs of 9,000 hosts: 0." in run(
        "crawl/memory.py", "--seen", "0", "--queued", "100000", "--hosts", "9000"
    )


@pytest.mark.parametrize("flags", [[], ["--crawl-flags", "no-learn"]])
def test_flat(tmp_path: Path, flags: list[str]) -> None:
    webgen.make(tmp_path / "web", "small", seed=7, hosts=20, urls=600)
    said = run("crawl/flat.py", "--pages", "300", "--web", str(tmp_path / "web"), *flags)
    assert "with mapped files: " in said and "with mapped files: 0 MB" not in said


def test_kills() -> None:
    said = run("crawl/kills.py", "--kills", "12", "--urls", "700", "--delay", "0.01", "--workers", "1")
    assert "1 readers, 12 kills" in said and "lost or stored twice: 0\n" in said


def test_hostile() -> None:
    assert '"good": 50, "faults": 0' in run("crawl/hostile.py", "--answers", "300")


def test_index() -> None:
    assert '"recall": 1.0, "wrong": 0' in run("similarity/index.py", "--pages", "4000")


def test_learner() -> None:
    lines = run("loop/learner.py", "--quick").splitlines()
    assert [line.split(" pages")[0].strip() for line in lines] == ["2,000", "4,000"] and "'rules': 2" in lines[1]


def test_start() -> None:
    lines = run("start.py", "--rounds", "1").splitlines()
    assert [line.split("garimpo")[0].strip() for line in lines] == ["--help", "crawl of 5 pages", "status"]


def test_size_counts_code_and_finds_what_is_over_its_limit(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    (room / "small.py").write_text('"""Prose."""\n\nx = 1  # one\n"""What x is."""\n')
    said = run("size.py", "--src", str(tmp_path))
    assert "room              1 modules       1 lines of code" in said and "keep their limits" in said
    (room / "long.py").write_text("x = 1\n" * 351)
    for number in range(12):
        (room / f"m{number}.py").touch()
    arguments = [sys.executable, ROOT / "benchmarks" / "size.py", "--src", tmp_path]
    failed = subprocess.run(arguments, capture_output=True, text=True)
    assert failed.returncode == 1 and failed.stdout.splitlines()[-2:] == [
        f"{room / 'long.py'}: 351 lines (at most 350)",
        f"{room}: 14 modules (at most 13)",
    ]
