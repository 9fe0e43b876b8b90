"""The frame of the command line: help, exit codes, one line for every error."""

import json
import subprocess
import sys

import pytest

from garimpo.cli import app as application
from garimpo.contract import BadInput, GarimpoError


def garimpo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "garimpo", *arguments], capture_output=True, text=True)


def test_help_lists_every_command_and_each_can_be_imported() -> None:
    shown = garimpo("--help").stdout
    for name in application.COMMANDS:
        assert f" {name} " in shown
        assert garimpo(name, "--help").returncode == 0, name


def test_help_imports_nothing_heavy() -> None:
    check = "import sys, garimpo.cli.app; print([m for m in ('numba', 'pyarrow', 'numpy', 'duckdb') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True)
    assert done.stdout.strip() == "[]"


IN_ROUNDS = ["crawl", "--resume", "x", "--engine", "spark", "--rounds", "1", "--rollback", "rules:1"]


@pytest.mark.parametrize("arguments", [["nonsense"], ["warm", "--no-such-flag"], ["warm", "--seed", "x"], IN_ROUNDS])
def test_wrong_usage_is_one_line_and_exit_2(arguments: list[str]) -> None:
    done = garimpo(*arguments)
    assert done.returncode == 2 and len(done.stderr.strip().splitlines()) == 1 and done.stdout == ""


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (BadInput("a.tsv:3: bad"), 2),
        (GarimpoError("no room"), 1),
        (KeyboardInterrupt(), 1),
        (OSError(28, "No space left", "f"), 1),
    ],
)
def test_errors_become_exit_codes(error: BaseException, code: int, capsys, monkeypatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(application, "call", fail)
    assert application.run([]) == code
    assert len(capsys.readouterr().err.strip().splitlines()) == 1


def test_json_is_the_last_line() -> None:
    done = garimpo("warm", "--json")
    assert done.returncode == 0 and "seconds" in json.loads(done.stdout.splitlines()[-1])


def test_a_crawl_uses_the_allocator_of_the_system(tmp_path) -> None:  # type: ignore[no-untyped-def]
    code = """
import sys
from garimpo.cli.app import run
print(run(["crawl", "http://localhost/", "--out", sys.argv[1]]))
import pyarrow as pa
print(pa.default_memory_pool().backend_name)
"""
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "crawl")], capture_output=True, text=True)
    assert done.stdout.split()[-2:] == ["2", "system"], done.stderr
