"""A crawl folder as Markdown, plain text and a Parquet data set, as the command writes them."""

import json

import pyarrow.parquet as pq
import pytest

from archive.made import START, keep, row
from garimpo.archive import Store
from garimpo.archive.chrome import host_chrome, learn_host_chrome, read_host_chrome, write_host_chrome
from garimpo.archive.collection.page_files import file_name
from garimpo.cli.app import run
from garimpo.contract.records import Fetched
from garimpo.contract.tables import PAGES
from garimpo.page import read

LETTERS = "abcdefghijklmnopqrstuvwxyz"
HEADERS = [("Content-Type", "text/html; charset=utf-8")]


def html(number):
    letter = LETTERS[number]
    return (
        f"<html lang=en><title>Find {letter}</title><div><a href=/>Home</a><a href=/all>All the finds of the river</a></div>"
        f"<h1>Find {letter}</h1><h2>How it was found</h2>"
        f"<p>The find {letter} by <a href=who>{letter}anna</a> is heavy{letter}.</p>"
        f"<ul><li>gold{letter}</ul><pre>pan --wash</pre><table><tr><td>weight<td>{letter}1<tr><td>price<td>{letter}2</table>"
        "<div>All rights are reserved by the panners</div>"
    )


@pytest.fixture
def folder(tmp_path):
    """24 pages of one host with chrome, of which one repeats another; one more of plain text, and one that was not found."""
    import pyarrow as pa

    with Store.create(tmp_path / "crawl") as store:
        answers = [Fetched(f"http://a.example/finds/{n}", 200, html(n).encode(), HEADERS, "10.0.0.1") for n in range(24)]
        answers.append(Fetched("http://b.example/notes.txt", 200, b"just # notes\n\nof mine", [("Content-Type", "text/plain")]))
        answers.append(Fetched("http://a.example/gone", 404, b"<p>gone", HEADERS))
        rows = []
        for one in answers:
            page = read(one.body, one.url, headers=one.headers)
            more = {"text": page.text, "title": page.title, "digest": page.digest, "content_type": page.content_type}
            rows.append(row(one, store.warc.write_response(one, [], at=START), START, **more))
        rows[5]["duplicate_of"] = rows[4]["url"]
        with store.commit(pa.Table.from_pylist(rows, PAGES)):
            pass
    return tmp_path / "crawl"


def lines_of(path):
    return path.read_text().split("---\n\n", 1)[-1].splitlines()


def test_markdown_of_the_main_text(folder, tmp_path, capfd):
    assert run(["export", str(folder), "--to", "markdown", "--main-text", "--out", str(tmp_path / "md"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["lines"] == 24
    found = tmp_path / "md/a.example/finds/3.md"
    assert found.read_text().startswith('---\nurl: "http://a.example/finds/3"\ntitle: "Find d"\n')
    assert lines_of(found) == [
        "# Find d",
        "",
        "## How it was found",
        "",
        "The find d by [danna](http://a.example/finds/who) is heavyd.",
        "",
        "- goldd",
        "",
        "```",
        "pan --wash",
        "```",
        "",
        "| weight | d1 |",
        "| --- | --- |",
        "| price | d2 |",
    ]
    assert lines_of(tmp_path / "md/b.example/notes.md") == ["just # notes", "", "of mine"]
    index = [json.loads(line) for line in (tmp_path / "md/index.jsonl").read_text().splitlines()]
    assert {entry["url"]: entry["file"] for entry in index}["http://a.example/finds/3"] == "a.example/finds/3.md"
    assert not (tmp_path / "md/a.example/finds/5.md").exists()


def test_all_pages_and_whole_pages(folder, tmp_path, capfd):
    assert run(["export", str(folder), "--to", "txt", "--all", "--out", str(tmp_path / "txt"), "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["lines"] == 25
    text = (tmp_path / "txt/a.example/finds/5.txt").read_text()
    assert text.startswith("Home") and text.endswith("All rights are reserved by the panners\n")


@pytest.mark.parametrize("main", [[], ["--main-text"]])
def test_parquet(folder, tmp_path, main):
    assert run(["export", str(folder), "--to", "parquet", *main, "--out", str(tmp_path / "x.parquet")]) == 0
    rows = {one["id"]: one for one in pq.read_table(tmp_path / "x.parquet").to_pylist()}
    assert len(rows) == 24
    one = rows["http://a.example/finds/0"]
    assert (one["url"], one["title"], one["date"], one["dump"]) == (one["id"], "Find a", "2030-01-01T00:00:00+00:00", "crawl")
    assert ("rights" in one["text"]) == (not main) and "heavya" in one["text"]


def test_main_text_in_the_formats_that_were_there(folder, tmp_path):
    import csv

    for name in ("x.jsonl", "x.csv"):
        assert run(["export", str(folder), "--to", name[2:], "--main-text", "--out", str(tmp_path / name)]) == 0
    rows = [json.loads(line) for line in (tmp_path / "x.jsonl").read_text().splitlines()]
    assert len(rows) == 25 and not any("rights" in one["text"] for one in rows)
    with (tmp_path / "x.csv").open() as file:
        table = list(csv.DictReader(file))
    assert len(table) == 26 and "heavya" in table[0]["main_text"] and table[25]["main_text"] == ""


def test_nothing_is_written_over_and_nothing_half(folder, tmp_path, capfd):
    (tmp_path / "there").mkdir()
    assert run(["export", str(folder), "--to", "markdown", "--out", str(tmp_path / "there")]) == 2
    assert "there: is there already" in capfd.readouterr().err
    assert run(["export", str(folder), "--to", "markdown"]) == 2
    assert "give the folder" in capfd.readouterr().err
    assert run(["export", str(folder), "--to", "parquet"]) == 2
    assert run(["export", str(folder), "--to", "txt", "--out", str(tmp_path / "no/such")]) == 2
    assert run(["export", str(folder), "--to", "cdxj", "--main-text", "--out", str(tmp_path / "i")]) == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["crawl", "there"]


def test_names_of_files_stay_in_the_folder_and_apart():
    taken = set()
    urls = [
        "http://a/..%2f/x",
        "http://a/x.md/y",
        "http://a/x",
        "http://a/X.html",
        "http://a/",
        f"http://a/{'é' * 500}?{'q' * 900}",
    ]
    names = [file_name(url, ".md", taken) for url in urls]
    assert len({name.lower() for name in names}) == len(names) and not any(".." in name.split("/") for name in names)
    assert names[1] == "a/x.md_/y.md" and all(len(part.encode()) < 256 for name in names for part in name.split("/"))


def test_chrome_is_kept_where_the_folder_is_open_to_be_written_to(folder, tmp_path):
    with Store.open(folder) as store:
        learned = host_chrome(store)
        assert list(learned) == ["a.example"] and store.learned.version("chrome") == 1
        again = host_chrome(store)
        assert store.learned.version("chrome") == 1 and (again["a.example"].chrome == learned["a.example"].chrome).all()
        with store.commit(keep(store, [Fetched("http://a.example/new", 200, b"<p>new", HEADERS)])[0]):
            pass
        host_chrome(store)
        assert store.learned.version("chrome") == 2
        write_host_chrome(learn_host_chrome(store), tmp_path / "c.parquet")
    assert read_host_chrome(tmp_path / "c.parquet")["a.example"].pages == 25
