"""The command line: what it prints, and one line with exit code 2 for what cannot be."""

import socket
from pathlib import Path

import msgspec
import pytest

from garimpo.cli.app import run


def test_make_says_what_it_made(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "make", str(tmp_path / "w"), "--seed", "2", "--hosts", "20", "--urls", "300", "--static", "--json"]) == 0
    made = msgspec.json.decode(capsys.readouterr().out.splitlines()[-1])
    assert made["hosts"] == 20 and made["static"] and made["urls"] > 150
    hosts = (tmp_path / "w" / "hosts").read_text().splitlines()
    assert len(hosts) == 20 and all(line.startswith("127.") and "\t" in line for line in hosts)


def test_tables_say_what_they_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["web", "tables", str(tmp_path / "t"), "--kind", "locator", "--sites", "200", "--relevant", "0.2", "--json"]) == 0
    assert msgspec.json.decode(capsys.readouterr().out)["relevant"] == 40


@pytest.mark.parametrize(
    "arguments",
    [
        ["make", "{new}", "--profile", "enormous"],
        ["make", "{new}", "--hosts", "5"],
        ["make", "{new}", "--hosts", "100", "--urls", "200"],
        ["make", "{taken}"],
        ["make", "{file}"],
        ["make", "{new}", "--seed", "many"],
        ["serve", "{taken}"],
        ["serve", "{new}"],
        ["serve", "{web}", "--port", "99999"],
        ["serve", "{web}", "--port", "{port}"],
        ["serve", "{web}", "--errors", "3"],
        ["serve", "{web}", "--errors", "0.7", "--resets", "0.7"],
        ["tables", "{new}", "--kind", "planets"],
        ["tables", "{new}", "--kind", "dust", "--hosts", "7"],
        ["tables", "{file}", "--kind", "dust"],
        ["tables", "{new}", "--kind", "mirrors", "--prevalence", "0"],
    ],
)
def test_bad_input(arguments: list[str], static_web: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "photo.jpg").write_bytes(b"x")
    (tmp_path / "file").write_text("x")
    with socket.create_server(("127.0.0.1", 0)) as busy:
        places = {"new": tmp_path / "new", "taken": tmp_path / "taken", "file": tmp_path / "file", "web": static_web}
        given = [text.format(**places, port=busy.getsockname()[1]) for text in arguments]
        assert run(["web", *given]) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and len(printed.err.splitlines()) == 1
