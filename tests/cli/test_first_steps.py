"""What goes wrong in somebody's first minutes ends in one line that says what to do, and leaves nothing in the way."""

import io
import re
from pathlib import Path

import pytest

from crawling import run as garimpo
from garimpo.archive import import_documents
from garimpo.cli.app import run
from garimpo.contract import BadInput
from garimpo.contract.errors import option
from garimpo.crawl import Settings, crawl
from garimpo.engine import open_engine


def test_a_crawl_that_reached_nothing_can_be_begun_again(tmp_path: Path) -> None:
    line = ("crawl", "http://a.example/", "--out", tmp_path / "x", "--resolve-all", "127.0.0.1:1", "--delay", 0, "--tries", 1)
    assert "no seed could be reached" in garimpo(*line, code=1)
    assert not (tmp_path / "x").exists()
    assert "no seed could be reached" in garimpo(*line, code=1)


def test_a_folder_that_holds_a_crawl_is_refused_with_the_way_to_go_on(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "crawl.toml").write_text("format = 1\n")
    assert "--resume" in garimpo("crawl", "http://a.example/", "--out", tmp_path / "x", code=2)


def test_errors_speak_of_parameters_in_python_and_of_flags_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BadInput, match="give allow_private=True"):
        crawl(tmp_path / "x", Settings(seeds=["http://localhost/"]))
    with pytest.raises(BadInput, match=re.escape("engine='spark'")), open_engine("local", "local[2]"):
        pass
    assert run(["crawl", "localhost:8101", "--out", str(tmp_path / "x")]) == 2
    assert "http://localhost:8101/: a private address (give --allow-private to crawl it)" in capsys.readouterr().err
    assert option("allow_private") == "allow_private=True"  # the command line has not changed what Python says


def test_removing_what_is_not_there_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.jsonl").write_text('{"url": "http://a.example/", "text": "gold"}\n')
    import_documents(tmp_path / "a.jsonl", tmp_path / "crawl")
    assert run(["archive", "remove", str(tmp_path / "crawl"), "b.example"]) == 1
    assert "nothing in it matched b.example" in capsys.readouterr().err
    assert run(["archive", "remove", str(tmp_path / "crawl"), "a.example"]) == 0


def test_rules_are_applied_to_standard_input_by_a_dash(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary) -> None:
    (tmp_path / "clusters.tsv").write_text("1\thttp://a.org/\n")
    assert run(["dust", "learn", str(tmp_path / "clusters.tsv"), "--out", str(tmp_path / "rules.json")]) == 0
    capfdbinary.readouterr()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"http://a.org/\n")))
    assert run(["dust", "apply", str(tmp_path / "rules.json"), "-"]) == 0
    assert capfdbinary.readouterr().out == b"http://a.org/\thttp://a.org/\t-\n"
