"""A WACZ file says the truth about what is in it, and every answer can be found by its index."""

import gzip
import hashlib
import io
import json
import zipfile

import pytest
from fastwarc.warc import ArchiveIterator

from archive.made import crawl, keep
from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.contract.records import Fetched


@pytest.fixture
def packed(tmp_path):
    store = crawl(tmp_path / "c", commits=2, each=3)
    with store.commit(keep(store, [Fetched("http://a.example/Mixed-Case.html", 404, b"gone", [])])[0]):
        pass
    store.close()
    assert run(["export", str(tmp_path / "c"), "--to", "wacz", "--out", str(tmp_path / "c.wacz")]) == 0
    with zipfile.ZipFile(tmp_path / "c.wacz") as found:
        yield found


def test_every_file_is_listed_with_its_digest(packed):
    package = json.loads(packed.read("datapackage.json"))
    listed = {one["path"]: one for one in package["resources"]}
    assert {*listed, "datapackage.json", "datapackage-digest.json"} == set(packed.namelist())
    for path, one in listed.items():
        data = packed.read(path)
        assert (one["bytes"], one["hash"]) == (len(data), "sha256:" + hashlib.sha256(data).hexdigest())
        assert packed.getinfo(path).compress_type == zipfile.ZIP_STORED
    digest = json.loads(packed.read("datapackage-digest.json"))["hash"]
    assert digest == "sha256:" + hashlib.sha256(packed.read("datapackage.json")).hexdigest()


def test_every_answer_is_found_by_the_index(packed):
    blocks = packed.read("indexes/index.idx").decode().splitlines()[1:]
    index = packed.read("indexes/index.cdx.gz")
    lines = []
    for block in blocks:
        place = json.loads(block[block.index("{") :])
        part = gzip.decompress(index[place["offset"] : place["offset"] + place["length"]]).decode().splitlines()
        assert part[0].startswith(block[: block.index(" {")])
        lines += part
    assert len(lines) == 7 and lines == sorted(lines)
    for line in lines:
        place = json.loads(line[line.index("{") :])
        data = packed.read(f"archive/{place['filename']}")[int(place["offset"]) :]
        record = next(iter(ArchiveIterator(io.BytesIO(data))))
        assert record.headers["WARC-Target-URI"] == place["url"]
    assert any(line.startswith("example,a)/mixed-case.html ") for line in lines)
    pages = packed.read("pages/pages.jsonl").decode().splitlines()
    assert json.loads(pages[0])["format"] == "json-pages-1.0" and len(pages) == 7


def test_what_cannot_be_packed_is_refused(tmp_path, capfd):
    Store.create(tmp_path / "z", {"warc_packing": "zstd"}).close()
    with Store.open(tmp_path / "z") as store, store.commit(keep(store, [Fetched("http://a.example/", 200, b"x", [])])[0]):
        pass
    assert run(["export", str(tmp_path / "z"), "--to", "wacz", "--out", str(tmp_path / "z.wacz")]) == 2
    assert "packed with gzip only" in capfd.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["z"]
