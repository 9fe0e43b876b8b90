"""Running crawls from tests: the command line, and what it stored."""

import subprocess
import sys
from pathlib import Path

import pyarrow.dataset as ds


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "garimpo", *map(str, arguments)]


def run(*arguments: object, code: int = 0) -> str:
    """Run a command to its end; its standard output (its error output where it must fail)."""
    done = subprocess.run(command(*arguments), capture_output=True, text=True, timeout=400)
    assert done.returncode == code, done.stderr
    return done.stdout if code == 0 else done.stderr


def contents(folder: Path) -> list[tuple[str, int, int | None]]:
    """(url, status, digest) of every stored row."""
    rows = ds.dataset(folder / "pages").to_table(columns=["url", "status", "digest"]).to_pylist()
    return sorted((row["url"], row["status"], row["digest"] or 0) for row in rows)
