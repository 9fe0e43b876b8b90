"""Every command whose --out is a table writes it by its suffix, and refuses what it cannot write before it works."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from garimpo.cli.app import run

REFUSED = [
    ["dedup", "no-such.parquet", "--out", "{}"],
    ["dedup", "no-such.parquet", "--out", "near.csv", "--pairs", "{}"],
    ["rank", "no-such.jsonl", "no-such.jsonl", "--out", "{}"],
    ["mirrors", "find", "no-such.parquet", "--out", "{}"],
    ["topic", "score", "no-such.model", "no-such.jsonl", "--out", "{}"],
    ["sites", "detect", "no-such.model", "a.org", "--out", "{}"],
    ["skipped", "no-such-folder", "--out", "{}"],
]


@pytest.mark.parametrize("command", REFUSED, ids=lambda command: " ".join(command[:2]))
def test_an_unknown_suffix_is_refused_first(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word.format("table.xlsx") for word in command]) == 2
    assert "table.xlsx: a table is written as" in capsys.readouterr().err


FILES = [["report", "no-such-folder", "--out", "{}"], ["export", "x", "--to", "csv", "--out", "{}"]]


@pytest.mark.parametrize("command", [*REFUSED, *FILES], ids=lambda command: " ".join(command[:2]))
def test_a_folder_that_is_not_there_is_named_first(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run([word.format("no/such/folder/table.csv") for word in command]) == 2
    assert "there is no folder no/such/folder" in capsys.readouterr().err


def test_dedup_writes_csv_where_it_is_asked_to(tmp_path: Path) -> None:
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"id": name, "text": "gold in the river " * 9}) + "\n" for name in "ab")
    )
    command = [sys.executable, "-m", "garimpo", "dedup", "docs.jsonl", "--out", "near.csv", "--pairs", "pairs.jsonl"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "near.csv").read_text().startswith('"id","cluster","keep","kept_id","similarity"\n"a",')
    assert json.loads((tmp_path / "pairs.jsonl").read_text()) == {"a": "a", "b": "b", "jaccard": 1.0}
    assert "read:" not in done.stderr
