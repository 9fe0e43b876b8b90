"""Taking pages out for good."""

import gzip
import shutil

import pytest

from archive.made import START, answer, check_with_warcio, commit, crawl, keep, urls
from garimpo.archive import Store, documents, remove
from garimpo.contract import BadInput


def everything(folder):
    """All bytes of the tables and WARC files, unpacked."""
    warcs = b"".join(gzip.decompress(path.read_bytes()) for path in (folder / "warc").iterdir())
    with Store.open(folder, write=False) as store:
        tables = [batch.to_pylist() for part in (store.pages(), store.links()) for batch in part]
    return warcs + repr(tables).encode()


@pytest.fixture
def folder(tmp_path):
    """Two hosts; on the second a copy of a page of the first, and rows that name it."""
    store = crawl(tmp_path / "c")
    copies = [answer(3, host="b.example"), answer(30, answer(3).body, host="b.example"), answer(99, host="b.example")]
    pages, links = keep(store, copies, START.replace(year=2031))
    names = pages.column_names
    pointer = ["http://a.example/3", None, "http://a.example/1"]
    pages = pages.set_column(names.index("duplicate_of"), pages.schema.field("duplicate_of"), [pointer])
    with store.commit(pages, links):
        pass
    store.close()
    return tmp_path / "c"


def test_a_url_is_gone_and_its_copies_have_their_body(folder):
    result = remove(folder, ["HTTP://a.example/3"])
    assert result == {"pages": 1, "links": 1, "records": 2}
    assert b"http://a.example/3\r\n" not in everything(folder) and b"'http://a.example/3'" not in everything(folder)
    with Store.open(folder) as store:
        assert store.messages == []
        assert len(urls(store)) == 14
        for url in urls(store):
            number = int(url.rpartition("/")[2])
            assert store.record(url).body == answer(3 if number == 30 else number).body
        pointers = [row for batch in store.pages(["duplicate_of"]) for row in batch.column(0).to_pylist()]
        assert [pointer for pointer in pointers if pointer] == ["http://a.example/1"]
        assert store.database.execute("SELECT what, pages FROM removed").fetchall() == [("HTTP://a.example/3", 1)]
        assert store.removed() == ["HTTP://a.example/3"]
        commit(store, range(200, 203))
        again = answer(3, host="c.example")
        with store.commit(*keep(store, [again])):
            pass
        assert store.record(again.url).body == again.body
    check_with_warcio(folder)
    assert '"event":"removed"' in (folder / "crawl.log").read_text()


def test_a_host_is_gone(folder):
    assert remove(folder, ["A.example"])["pages"] == 12
    with Store.open(folder, write=False) as store:
        assert {url.split("/")[2] for url in urls(store)} == {"b.example"}
        assert store.record("http://b.example/30").body == answer(3).body
    assert b"a.example" not in everything(folder)
    check_with_warcio(folder)
    remove(folder, ["b.example"])
    with pytest.raises(BadInput, match="no documents"):
        list(documents(folder))


def test_removing_again_finds_nothing(folder):
    remove(folder, ["http://a.example/3"])
    before = sorted(path.name for path in folder.rglob("*.parquet"))
    assert remove(folder, ["http://a.example/3"]) == {"pages": 0, "links": 0, "records": 0}
    assert sorted(path.name for path in folder.rglob("*.parquet")) == before


def test_a_kill_before_the_switch_changes_nothing_and_after_it_everything(folder, monkeypatch):
    def die(*_):
        raise SystemExit

    for name, expected in (("transaction", 15), ("finish", 14)):
        copy = shutil.copytree(folder, folder.with_name(name))
        owner = "garimpo.archive.folder.removal." + ("state.transaction" if name == "transaction" else "segments.finish")
        with monkeypatch.context() as patch, pytest.raises(SystemExit), Store.open(copy) as store:
            patch.setattr(Store, "open", lambda *_, **__: store)  # opened before `finish` is broken: opening calls it too
            patch.setattr(owner, die)
            remove(copy, ["http://a.example/3"])
        with Store.open(copy) as store:
            assert len(urls(store)) == expected
            assert all(store.record(url).body for url in urls(store))
        check_with_warcio(copy)


@pytest.mark.parametrize("what", [[], ["http://["], ["two words"], ["ftp://a.example/x"]])
def test_what_is_no_url_or_host_is_said(folder, what):
    with pytest.raises(BadInput):
        remove(folder, what)
