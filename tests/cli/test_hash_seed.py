"""No output depends on the seed of Python's own hashes."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

SITES = [f"www.{name}.example" for name in ("gold", "river", "gravel")]
LINES = {
    "clusters.tsv": "".join(
        f"{number}\thttp://{host}/p/{number}{end}\n"
        for number, host in enumerate(SITES * 12) for end in ("", "?sid=1", "?sid=2", "?utm_source=a&view=x")
    ),
    "docs.jsonl": "".join(
        json.dumps({"id": f"d{number}", "text": f"gold in the river number {number % 5} and gravel beside it"}) + "\n"
        for number in range(30)
    ),
}  # fmt: skip


@pytest.mark.parametrize(
    ("command", "out"),
    [
        ("dust learn clusters.tsv --out rules.json", "rules.json"),
        ("dedup docs.jsonl --out near.csv --pairs pairs.csv --shingle 2", "pairs.csv"),
        ("rank docs.jsonl docs.jsonl --out ranking.csv", "ranking.csv"),
    ],
)
def test_the_same_bytes_under_two_seeds(tmp_path: Path, command: str, out: str) -> None:
    for name, text in LINES.items():
        (tmp_path / name).write_text(text)
    found = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        subprocess.run(
            [sys.executable, "-m", "garimpo", *command.split()], cwd=tmp_path, env=environment, check=True, capture_output=True
        )
        found.append((tmp_path / out).read_bytes())
    assert found[0] == found[1] and found[0].count(b"\n") + found[0].count(b"made_from") > 1
