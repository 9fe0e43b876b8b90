"""Where there is neither epoll nor fcntl the rooms import, commands over files work, and a crawl is refused in one line."""

import json
import subprocess
import sys
from pathlib import Path

WITHOUT = """
import select, sys
del select.epoll, select.EPOLLIN, select.EPOLLOUT, select.EPOLLERR, select.EPOLLHUP
sys.modules["fcntl"] = None
import garimpo
for room in garimpo.ROOMS:
    names = getattr(garimpo, room).__all__
from garimpo.cli.app import run
sys.exit(run(sys.argv[1:]))
"""


def garimpo_without(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", WITHOUT, *map(str, arguments)], capture_output=True, text=True)


def test_commands_over_files_work(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("".join(json.dumps({"id": name, "text": "gold in the river"}) + "\n" for name in "ab"))
    done = garimpo_without("dedup", tmp_path / "a.jsonl", "--out", tmp_path / "near.csv")
    assert done.returncode == 0 and (tmp_path / "near.csv").exists(), done.stderr


def test_a_crawl_is_refused_in_one_line(tmp_path: Path) -> None:
    done = garimpo_without("crawl", "http://a.example/", "--out", tmp_path / "crawl")
    assert done.returncode == 2 and done.stderr.count("\n") == 1 and "Linux" in done.stderr
    assert not (tmp_path / "crawl").exists()
