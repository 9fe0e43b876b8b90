"""The whole way of `docs/text.md`: a documentation site to Markdown and to a data set, as other people's tools read them.

Those tools (`tests/tools.txt`) are in an environment of their own, whose programs are in the folder `GARIMPO_TOOLS`:
``make test-text``.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from docs.made import ROOT, shown_lines
from docs_site import FOOTER, PAGES, sentence, served
from garimpo.archive import Store
from garimpo.page.pdf import has_pdf

TOOLS = os.environ.get("GARIMPO_TOOLS")
FLAGS = ["--allow-private", "--delay", "0", "--connections-per-address", "8"]
FLAGS += ["--content-types", "text/", "--content-types", "application/pdf"]


@pytest.fixture(scope="module")
def way(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which every line of the page was run, with the site for http://example.org/."""
    folder = tmp_path_factory.mktemp("way")
    with served() as address:
        for line in shown_lines(ROOT / "docs" / "text.md"):
            words = [address if word == "http://example.org/" else word for word in line.split()[1:]]
            words += FLAGS if words[0] == "crawl" else []
            subprocess.run([sys.executable, "-m", "garimpo", *words], cwd=folder, check=True, capture_output=True)
    return folder


def numbers(texts: list[str]) -> list[int]:
    """Which pages of the manual the texts are."""
    return sorted(number for text in texts for number in range(PAGES) if sentence(number, 1) in text)


def test_markdown_has_what_the_pages_say_and_nothing_else(way: Path) -> None:
    index = [json.loads(line) for line in (way / "pages/index.jsonl").read_text().splitlines()]
    found = {entry["url"].rpartition(":")[2].partition("/")[2]: (way / "pages" / entry["file"]).read_text() for entry in index}
    assert not any("rights" in text or "Manual of the panners" in text for text in found.values())
    assert set(numbers(list(found.values()))) == set(range(PAGES))
    text = found.get("Tools/3.html") or found["Copy/3.html"]
    head, body = text.split("---\n\n", 1)
    base = min((entry["url"] for entry in index), key=len)
    assert 'title: "cradle3"' in head and 'language: "en"' in head
    assert body.split("\n\n") == [
        "# The cradle3",
        *(sentence(3, part) for part in range(1, 9)),
        "## How to call the cradle3",
        "```sh\ncradle3 --wash 3\n```",
        "| part of it | weight in grams |\n| --- | --- |\n| rim of cradle3 | 3 g |",
        f"See [the one after cradle3]({base}Tools/4.html), [a copy]({base}Copy/3.html), [on paper]({base}Print/3.html).\n",
    ]


def test_the_data_set_has_every_page_once(way: Path) -> None:
    rows = pq.read_table(way / "clean.parquet").to_pylist()
    assert numbers([row["text"] for row in rows]) == list(range(PAGES))
    assert not any(FOOTER in row["text"] for row in rows)
    assert any("nobody had looked" in row["text"] for row in rows) == has_pdf()
    assert len(rows) == PAGES + 1 + has_pdf()  # the list of all, too
    assert pq.read_table(way / "manual.parquet").num_rows > len(rows)


def test_nothing_is_new_a_month_later(way: Path) -> None:
    assert pq.read_table(way / "new.parquet").num_rows == 0


def tool(name: str, *arguments: str | Path) -> str:
    if TOOLS is None:
        pytest.skip("no other tools here (make test-text)")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"} | {"HF_HUB_OFFLINE": "1"}
    done = subprocess.run([Path(TOOLS) / name, *arguments], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_datasets_loads_it(way: Path, tmp_path: Path) -> None:
    script = (
        "import datasets, json, sys\n"
        "found = datasets.load_dataset('parquet', data_files=sys.argv[1], split='train', cache_dir=sys.argv[2])\n"
        "print(json.dumps([found.column_names, found['text'][:]]))"
    )
    names, texts = json.loads(tool("python", "-c", script, way / "clean.parquet", tmp_path).splitlines()[-1])
    assert {"id", "text", "url"} <= set(names)
    assert texts == pq.read_table(way / "clean.parquet")["text"].to_pylist()


def test_wacz_is_valid(way: Path) -> None:
    tool("wacz", "validate", "-f", way / "manual.wacz")


def test_pywb_replays_by_our_index(way: Path, tmp_path: Path) -> None:
    """100 pages, byte for byte: WARC files and the CDXJ index as they are."""
    if TOOLS is None:
        pytest.skip("no other tools here (make test-text)")
    archive, indexes = (tmp_path / "collections/manual" / name for name in ("archive", "indexes"))
    shutil.copytree(way / "manual/warc", archive)
    indexes.mkdir()
    subprocess.run(
        [sys.executable, "-m", "garimpo", "export", way / "manual", "--to", "cdxj", "--out", indexes / "index.cdxj"], check=True
    )
    with Store.open(way / "manual", write=False) as store:
        rows = [row for batch in store.latest() for row in batch.to_pylist()][:100]
        stored = {row["url"]: store.record_at(row["warc_file"], row["warc_offset"]).body for row in rows}
    with replayed(tmp_path) as address:
        different = [url for url, body in stored.items() if get(f"{address}/manual/id_/{url}") != body]
    assert len(stored) == 100 and not different


@contextmanager
def replayed(folder: Path) -> Iterator[str]:
    """The address of pywb, serving the collections of a folder."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    program = [Path(TOOLS or "") / "wayback", "--bind", "127.0.0.1", "--port", str(port), "--directory", folder]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    server = subprocess.Popen(program, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        while server.poll() is None:
            with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
                break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def get(url: str) -> bytes:
    with urllib.request.urlopen(url) as answer:
        return answer.read()
