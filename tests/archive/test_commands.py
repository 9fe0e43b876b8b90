"""`garimpo archive` and `garimpo export` as they are called: exit codes, one line of error, nothing half-written."""

import csv
import json
import os
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from archive.made import answer, check_with_warcio, crawl, keep
from garimpo.archive import Store, import_documents
from garimpo.cli.app import run
from garimpo.contract import Counts

PAGES = [
    {"url": "http://a.example/", "html": "<title>A</title><p>gold <a href=b>bee</a>", "class": "x"},
    {"url": "http://a.example/b", "html": "<p>river</p>", "class": "y"},
    {"url": "ftp://a.example/c", "html": "<p>no</p>", "class": "y"},
    {"url": "HTTP://A.example/b#twice", "html": "<p>again</p>", "class": "y"},
]


@pytest.fixture
def pages(tmp_path):
    pq.write_table(pa.Table.from_pylist(PAGES), tmp_path / "pages.parquet")
    return tmp_path / "pages.parquet"


def last_json(text):
    return json.loads(text.strip().splitlines()[-1])


def test_import_makes_a_crawl_folder(pages, tmp_path, capfd):
    assert run(["archive", "import", str(pages), "--out", str(tmp_path / "c"), "--json", "--seed", "3"]) == 0
    result = last_json(capfd.readouterr().out)
    assert (result["pages"], result["links"]) == (2, 1)
    assert result["counts"] == {"URL is not http(s)": 1, "repeated URL": 1}
    with Store.open(tmp_path / "c") as store:
        rows = [row for batch in store.pages() for row in batch.to_pylist()]
        assert [(row["url"], row["title"], row["text"], row["class"]) for row in rows] == [
            ("http://a.example/", "A", "gold bee", "x"),
            ("http://a.example/b", None, "river", "y"),
        ]
        assert [row for batch in store.links(["target", "anchor"]) for row in batch.to_pylist()] == [
            {"target": "http://a.example/b", "anchor": "bee"}
        ]
        assert store.record("http://a.example/b").body == b"<p>river</p>"
    check_with_warcio(tmp_path / "c")


def test_a_sample_is_what_a_shallow_crawl_would_have_brought(tmp_path, capfd):
    """Two hosts: a chain of six pages with a side page at each, and five pages of another host linked from the third."""
    links = {f"a.example/{i}": [f"a.example/side{i}", f"a.example/{i + 1}"] for i in range(6)}
    links["a.example/"] = ["a.example/0"]
    links["a.example/2"].append("b.example/0")
    links |= {f"b.example/{i}": [f"b.example/{i + 1}"] for i in range(5)}
    every = dict.fromkeys([*links, *(end for ends in links.values() for end in ends)])
    rows = [{"url": f"http://{url}", "html": "<p>" + " ".join(f"<a href='http://{end}'>{end}</a>" for end in links.get(url, []))}
            for url in reversed([*every])]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "pages.parquet")
    (tmp_path / "seeds.txt").write_text("http://a.example/3\nhttp://gone.example/\n")
    assert run(["archive", "import", str(tmp_path / "pages.parquet"), "--out", str(tmp_path / "c")]) == 0
    common = ["archive", "sample", str(tmp_path / "c"), "--seeds", str(tmp_path / "seeds.txt"), "--json"]
    for name, limits, wanted in (
        ("deep", ["--per-host", "4", "--max-depth", "9"], {"a.example/", "a.example/0", "a.example/side0", "a.example/1"}),
        ("flat", ["--per-host", "99", "--max-depth", "1"], {"a.example/", "a.example/0"}),
        ("both", ["--per-host", "7", "--max-depth", "4"],
         {"a.example/", "a.example/0", "a.example/side0", "a.example/1", "a.example/side1", "a.example/2", "a.example/side2",
          *(f"b.example/{i}" for i in range(5))}),
        ("few", ["--per-host", "7", "--max-depth", "4", "--max-pages", "2"], {"a.example/", "a.example/0"}),
    ):  # fmt: skip
        assert run([*common, *limits, "--out", str(tmp_path / name)]) == 0
        result = last_json(capfd.readouterr().out)
        with Store.open(tmp_path / name) as store:
            kept = [url.removeprefix("http://") for batch in store.pages(["url"]) for url in batch.column("url").to_pylist()]
            sources = {url for batch in store.links(["source"]) for url in batch.column("source").to_pylist()}
            assert store.record(f"http://{kept[0]}").body
        assert set(kept) == wanted and result["pages"] == len(kept) and {*sources} <= {f"http://{url}" for url in kept}
    for wrong in (["--per-host", "0", "--max-depth", "1"], ["--per-host", "1", "--max-depth", "-1"]):
        assert run([*common, *wrong, "--out", str(tmp_path / "no")]) == 2
    (tmp_path / "seeds.txt").write_text("http://gone.example/\n")
    assert run([*common, "--per-host", "1", "--max-depth", "1", "--out", str(tmp_path / "no")]) == 2
    assert run([*common[:3], "--per-host", "1", "--max-depth", "0", "--out", str(tmp_path / "ends"), "--json"]) == 0
    assert last_json(capfd.readouterr().out)["pages"] == 2


def test_import_with_links_of_its_own_and_every_kind_of_document(pages, tmp_path, capfd):
    links = {"source": ["http://a.example/", "x"], "target": ["HTTP://c.example", "http://d.example/"]}
    pq.write_table(pa.table(links), tmp_path / "links.parquet")
    (tmp_path / "html").mkdir()
    (tmp_path / "html/one page.html").write_text("<p>one")
    (tmp_path / "t.jsonl").write_text('{"id": "t", "text": "plain words"}')
    crawl(tmp_path / "old").close()
    inputs = [pages, tmp_path / "html", tmp_path / "t.jsonl", tmp_path / "old/warc/garimpo-000001.warc.gz", tmp_path / "old"]
    counts = Counts()
    result = import_documents(inputs, tmp_path / "c", links=tmp_path / "links.parquet", counts=counts)
    assert result == {"pages": 2 + 1 + 1 + 12, "links": 1}
    assert counts["link is not http(s)"] == 1 and counts["repeated id"] == 12 and counts["URL made from the id"] == 2
    with Store.open(tmp_path / "c", write=False) as store:
        texts = {row["url"]: row["text"] for batch in store.pages(["url", "text"]) for row in batch.to_pylist()}
        assert texts["http://import.invalid/one%20page.html"] == "one"
        assert texts["http://import.invalid/t"] == "plain words"
        first = next(store.pages(["url", "fetched_at"]))
        assert first.num_rows and next(store.links()).column("target").to_pylist() == ["http://c.example/"]
        old = [row for batch in store.pages() for row in batch.to_pylist() if row["url"].startswith("http://a.example/1")]
        assert old[0]["fetched_at"].year == 2030 and old[0]["ip"] == "10.0.0.1"


def test_links_keep_the_places_they_bring_along(pages, tmp_path):
    columns = {"source": ["http://a.example/", "x"], "target": ["http://a.example/b", "http://a.example/b"]}
    for kind, kept in ((pa.uint64(), [2**64 - 1]), (pa.string(), None)):
        links = pa.table({**columns, "place": pa.array([2**64 - 1, 7], pa.uint64()).cast(kind)})
        pq.write_table(links, tmp_path / "links.parquet")
        import_documents(pages, tmp_path / str(kind), links=tmp_path / "links.parquet")
        with Store.open(tmp_path / str(kind), write=False) as store:
            found = next(store.links())
        assert ("place" in found.schema.names) == (kept is not None)
        assert kept is None or found.column("place").to_pylist() == kept


def test_exports(tmp_path, capfd):
    store = crawl(tmp_path / "c", commits=1, each=3)
    with store.commit(*keep(store, [answer(0, host="b.example"), answer(9, status=404)])):
        pass
    store.close()
    assert run(["export", str(tmp_path / "c"), "--to", "jsonl", "--json"]) == 0
    out, err = capfd.readouterr()
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["id"][-11:] for line in lines] == ["a.example/0", "a.example/1", "a.example/2", "b.example/0"]
    assert last_json(err)["lines"] == 4
    assert run(["export", str(tmp_path / "c"), "--to", "csv", "--out", str(tmp_path / "x.csv")]) == 0
    with (tmp_path / "x.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 5 and "text" not in rows[0] and rows[4]["status"] == "404"
    assert run(["export", str(tmp_path / "c"), "--to", "cdxj", "--out", str(tmp_path / "x.cdxj")]) == 0
    index = (tmp_path / "x.cdxj").read_text().splitlines()
    assert index == sorted(index) and len(index) == 5
    assert index[0].startswith("example,a)/0 20300101000000 {")
    entries = [json.loads(line.split(" ", 2)[2]) for line in index]
    assert [entry["mime"] for entry in entries] == ["text/html"] * 4 + ["warc/revisit"]
    data = (tmp_path / "c/warc" / entries[2]["filename"]).read_bytes()
    offset, length = int(entries[2]["offset"]), int(entries[2]["length"])
    (tmp_path / "one.warc.gz").write_bytes(data[offset : offset + length])
    from garimpo.archive import read_warc

    assert [stored.fetched.url for stored in read_warc(tmp_path / "one.warc.gz")] == [entries[2]["url"]]


def test_an_exported_crawl_can_be_imported(tmp_path, capfd):
    crawl(tmp_path / "c").close()
    assert run(["export", str(tmp_path / "c"), "--to", "jsonl", "--out", str(tmp_path / "x.jsonl")]) == 0
    assert run(["archive", "import", str(tmp_path / "x.jsonl"), "--out", str(tmp_path / "d"), "--json"]) == 0
    assert last_json(capfd.readouterr().out)["pages"] == 12
    with Store.open(tmp_path / "d", write=False) as store:
        assert next(store.pages()).to_pylist()[0]["fetched_at"].year == 2030


def test_remove(tmp_path, capfd):
    crawl(tmp_path / "c").close()
    assert run(["archive", "remove", str(tmp_path / "c"), "http://a.example/3", "--json"]) == 0
    assert last_json(capfd.readouterr().out) == {"pages": 1, "links": 1, "records": 2, "what": ["http://a.example/3"]}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["archive", "import", "nowhere.jsonl", "--out", "c"], "nowhere.jsonl: no such file or folder"),
        (["archive", "import", "bad.jsonl", "--out", "c"], "bad.jsonl:2: not JSON"),
        (["archive", "import", "bad.jsonl"], "--out"),
        (["archive", "import", "--out", "c"], "no documents given"),
        (["archive", "import", "empty.jsonl", "--out", "c"], "empty.jsonl: no documents in it"),
        (["archive", "import", "pages.parquet", "--links", "pages.parquet", "--out", "c"], "no column source, target"),
        (["archive", "import", "pages.parquet", "--links", "bad.jsonl", "--out", "c"], "bad.jsonl: not a Parquet file"),
        (["archive", "import", "pages.parquet", "--out", "full"], "full: exists already"),
        (["archive", "remove", "full", "x"], "full: no crawl folder"),
        (["archive", "remove", "crawl"], "nothing to remove"),
        (["archive", "remove", "crawl", "no host"], "neither a URL"),
        (["export", "nowhere", "--to", "jsonl"], "nowhere: no crawl folder"),
        (["export", "bad.jsonl", "--to", "jsonl"], "bad.jsonl: a file, not a crawl folder"),
        (["export", "crawl", "--to", "xml"], "xml"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(pages, tmp_path, capfd, monkeypatch, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bad.jsonl").write_text('{"text": "a"}\n{')
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "full").mkdir()
    (tmp_path / "full/x").write_text("")
    crawl(tmp_path / "crawl").close()
    before = sorted(tmp_path.iterdir())
    assert run(arguments) == 2
    err = capfd.readouterr().err
    assert message in err and err.startswith("garimpo: ") and err.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_the_real_command(pages, tmp_path):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "garimpo", "archive", "import", "pages.parquet", "--out", "c"]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and done.stdout == "c: 2 pages, 1 links\n"
    again = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert again.returncode == 2 and again.stderr == "garimpo: c: exists already (choose another --out)\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission(pages, tmp_path, capfd):
    (tmp_path / "locked").mkdir(mode=0o500)
    assert run(["archive", "import", str(pages), "--out", str(tmp_path / "locked/c")]) == 2
    assert "no permission" in capfd.readouterr().err


def test_a_full_disk_leaves_nothing(pages, tmp_path, capfd, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device", "c")

    monkeypatch.setattr("os.pwrite", full)
    before = sorted(tmp_path.iterdir())
    assert run(["archive", "import", str(pages), "--out", str(tmp_path / "c")]) == 1
    assert "No space left" in capfd.readouterr().err and sorted(tmp_path.iterdir()) == before


def test_webkb_imports_as_it_is(shared_data, tmp_path):
    pages = pq.read_table(shared_data / "webkb/pages.parquet").slice(1000, 300)
    pq.write_table(pages, tmp_path / "pages.parquet")
    pq.write_table(pq.read_table(shared_data / "webkb/links.parquet").slice(20000, 3000), tmp_path / "links.parquet")
    result = import_documents(tmp_path / "pages.parquet", tmp_path / "c", links=tmp_path / "links.parquet")
    assert result["pages"] > 290 and result["links"] > 2700
    check_with_warcio(tmp_path / "c")
