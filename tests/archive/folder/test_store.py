"""The crawl folder: commits, kills at any instant, locks, versions."""

import contextlib
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pytest

from archive.made import START, answer, check_with_warcio, commit, crawl, keep, urls
from garimpo.archive import Store
from garimpo.archive.folder import segments, state
from garimpo.contract import BadInput
from garimpo.contract.errors import LeftOut


def test_what_was_committed_is_read_back(tmp_path):
    with crawl(tmp_path / "c") as store:
        assert urls(store) == [f"http://a.example/{n}" for n in range(12)]
        assert store.count() == 12 and store.count("links") == 12
        assert store.settings == {"max_pages": 9}
    with Store.open(tmp_path / "c", write=False) as store:
        assert len(urls(store)) == 12 and store.messages == []
        assert store.record("http://a.example/5").body == answer(5).body
        assert store.record("http://a.example/nowhere") is None


def test_other_programs_open_the_folder(tmp_path):
    crawl(tmp_path / "c").close()
    assert duckdb.sql(f"select count(*) from '{tmp_path}/c/pages/*.parquet'").fetchall() == [(12,)]


def test_rows_of_the_caller_share_the_commit(tmp_path):
    with Store.create(tmp_path / "c") as store:
        store.database.execute("CREATE TABLE queue (url TEXT)")
        with store.commit(*keep(store, [answer(1)])) as database:
            database.execute("INSERT INTO queue VALUES ('x')")
        with pytest.raises(ZeroDivisionError), store.commit(*keep(store, [answer(2)])) as database:
            database.execute("INSERT INTO queue VALUES ('y')")
            raise ZeroDivisionError
        assert store.database.execute("SELECT url FROM queue").fetchall() == [("x",)]
        assert urls(store) == ["http://a.example/1"]
        assert not list((tmp_path / "c").rglob("*.tmp"))


@contextlib.contextmanager
def killed_at(monkeypatch, owner, name, after=False):
    """Make the process 'die' when it comes to call `owner.name`: nothing after that instant happens."""
    original = getattr(owner, name)

    def die(*arguments, **named):
        if after:
            original(*arguments, **named)
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(owner, name, die)
        patch.setattr(Path, "unlink", lambda *_, **__: None)  # a dead process cleans up nothing
        yield


@pytest.mark.parametrize(
    ("owner", "name", "after", "survives"),
    [
        ("warc", "sync", False, False),
        ("warc", "sync", True, False),
        ("segments", "write_aside", False, False),
        ("segments", "write_aside", True, False),
        ("state", "transaction", False, False),
        ("segments", "finish", False, True),
        ("segments", "finish", True, True),
    ],
)
def test_kill_at_each_step_of_a_commit(tmp_path, monkeypatch, owner, name, after, survives):
    store = crawl(tmp_path / "c", commits=1)
    tables = keep(store, [answer(number) for number in (10, 11)])
    owners = {"warc": type(store.warc), "segments": segments, "state": state}
    with killed_at(monkeypatch, owners[owner], name, after), pytest.raises(SystemExit), store.commit(*tables):
        pass
    shutil.copytree(tmp_path / "c", tmp_path / "dead")
    store.close()
    expected = 6 if survives else 4
    with Store.open(tmp_path / "dead", write=False) as reader:
        assert len(urls(reader)) == expected
    with Store.open(tmp_path / "dead") as opened:
        assert len(urls(opened)) == expected
        assert not list((tmp_path / "dead").glob("*/*.tmp"))
        commit(opened, range(20, 22))
        assert all(opened.record(url).body for url in urls(opened))
    check_with_warcio(tmp_path / "dead")


def test_half_written_leftovers_are_dropped_with_a_message(tmp_path):
    crawl(tmp_path / "c").close()
    (tmp_path / "c/pages/00000009.parquet.tmp").write_bytes(b"PAR1 half")
    (tmp_path / "c/links/00000009.parquet").write_bytes(b"PAR1 half")
    (tmp_path / "c/warc/garimpo-000002.warc.gz").write_bytes(b"\x1f\x8b half")
    with (tmp_path / "c/warc/garimpo-000001.warc.gz").open("ab") as file:
        file.write(b"\x1f\x8b\x08 half a record")
    with Store.open(tmp_path / "c") as store:
        assert len(store.messages) == 4 and all("commit" in message for message in store.messages)
        commit(store, range(50, 52))
        assert len(urls(store)) == 14
    assert "never committed" in (tmp_path / "c/crawl.log").read_text()
    check_with_warcio(tmp_path / "c")


def test_kill_9_in_the_middle_of_commits(tmp_path):
    code = """
import sys
sys.path.insert(0, sys.argv[2])
from archive.made import *
store = crawl(Path(sys.argv[1]), commits=0)
for number in range(10**6):
    commit(store, range(number * 5, number * 5 + 5))
    print(number, flush=True)
"""
    tests = str(Path(__file__).parent.parent.parent)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, str(tmp_path / "c"), tests]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as child:
        reported = [int(child.stdout.readline()) for _ in range(10)][-1]
        time.sleep(0.013)
        child.send_signal(signal.SIGKILL)
        rest = child.stdout.read().split()
    reported = int(rest[-1]) if rest else reported
    with Store.open(tmp_path / "c") as store:
        found = urls(store)
        assert len(found) in {(reported + 1) * 5, (reported + 2) * 5}
        assert len(set(found)) == len(found)
        assert store.record(found[-1]).body == answer(len(found) - 1).body
        commit(store, range(10**7, 10**7 + 2))
    check_with_warcio(tmp_path / "c")


def test_full_disk_leaves_the_folder_as_it_was_and_the_commit_can_be_tried_again(tmp_path, monkeypatch):
    store = crawl(tmp_path / "c", commits=1)
    tables = keep(store, [answer(10)])

    def full(*_, **__):
        raise OSError(28, "No space left on device")

    for owner, name in ((os, "pwrite"), (segments.pq.ParquetWriter, "write_table")):
        with monkeypatch.context() as patch, pytest.raises(OSError, match="No space"):
            patch.setattr(owner, name, full)
            with store.commit(*tables):
                pass
        assert len(urls(store)) == 4
    with monkeypatch.context() as patch:
        patch.setattr(segments, "finish", full)
        with store.commit(*tables):
            pass
    assert len(urls(store)) == 5 and len(list((tmp_path / "c").rglob("*.tmp"))) == 2
    commit(store, range(20, 21))
    assert len(urls(store)) == 6 and not list((tmp_path / "c").rglob("*.tmp"))
    assert store.record(answer(10).url).body == answer(10).body
    store.close()
    check_with_warcio(tmp_path / "c")


def test_two_processes_do_not_write_one_folder(tmp_path):
    with crawl(tmp_path / "c"):
        with pytest.raises(BadInput, match=f"in use by another process .{os.getpid()}"):
            Store.open(tmp_path / "c")
        Store.open(tmp_path / "c", write=False).close()
    Store.open(tmp_path / "c").close()


def test_other_versions_and_other_folders_are_refused_by_name(tmp_path):
    crawl(tmp_path / "c").close()
    settings = (tmp_path / "c/crawl.toml").read_text()
    (tmp_path / "c/crawl.toml").write_text(settings.replace("format = 1", "format = 99"))
    with pytest.raises(BadInput, match="format 99, this program reads format 1: use the version"):
        Store.open(tmp_path / "c")
    (tmp_path / "c/crawl.toml").write_text("format = [")
    with pytest.raises(BadInput, match=r"crawl\.toml"):
        Store.open(tmp_path / "c")
    with pytest.raises(BadInput, match="holds a crawl already"):
        Store.create(tmp_path / "c")
    with pytest.raises(BadInput, match="is not empty"):
        Store.create(tmp_path)
    with pytest.raises(BadInput, match="no crawl folder"):
        Store.open(tmp_path / "none")


def test_a_creation_that_was_killed_can_be_repeated(tmp_path):
    crawl(tmp_path / "c", commits=0).close()
    (tmp_path / "c/crawl.toml").unlink()
    crawl(tmp_path / "c").close()


@pytest.mark.parametrize("damage", ["missing", "garbage", "cut"])
def test_a_damaged_state_file_is_rebuilt_from_the_tables(tmp_path, damage):
    store = crawl(tmp_path / "c")
    twin = answer(3, host="twin.example")
    with store.commit(*keep(store, [twin])):
        pass
    store.close()
    file = tmp_path / "c" / state.FILE
    data = file.read_bytes()
    file.unlink()
    if damage != "missing":
        file.write_bytes(b"garbage" * 3000 if damage == "garbage" else data[: len(data) // 2])
    with pytest.warns(LeftOut, match=r"crawl\.sqlite"), Store.open(tmp_path / "c", write=False) as reader:
        assert len(urls(reader)) == 13
    with (tmp_path / "c/warc/garimpo-000001.warc.gz").open("ab") as warc:
        warc.write(b"\x1f\x8b\x08 half a record")
    with Store.open(tmp_path / "c") as store:
        assert store.rebuilt and "rebuilt from the tables" in store.messages[0]
        assert len(urls(store)) == 13
        assert store.record(twin.url).body == twin.body
        commit(store, range(50, 51))
    check_with_warcio(tmp_path / "c")


def test_a_reader_sees_what_a_running_crawl_commits(tmp_path):
    with crawl(tmp_path / "c") as writer, Store.open(tmp_path / "c", write=False) as reader:
        assert len(urls(reader)) == 12
        commit(writer, range(90, 93))
        assert len(urls(reader)) == 15
        assert reader.record("http://a.example/91").status == 200
        with pytest.raises(sqlite3.OperationalError):
            reader.database.execute("DELETE FROM segments")


def test_latest_is_the_newest_good_row_of_each_url(tmp_path):
    with crawl(tmp_path / "c", commits=1) as store:
        later = START.replace(year=2031)
        pages, links = keep(store, [answer(1, b"newer"), answer(2, status=500), answer(77, status=404)], later)
        with store.commit(pages, links):
            pass
        rows = {r["url"]: r["text"] for batch in store.latest(["url", "text"]) for r in batch.to_pylist()}
        assert sorted(rows) == [f"http://a.example/{n}" for n in range(4)]
        assert rows["http://a.example/1"] == "newer"
        assert store.record("http://a.example/1").body == b"newer"
        assert store.record("http://a.example/2").status == 200
        assert store.record("http://a.example/77").status == 404
