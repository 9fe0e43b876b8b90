"""Any file of a crawl folder cut, emptied, flipped or removed: nothing that is whole is lost, and the crawl goes on."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from crawling import contents
from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.crawl import loop

HARMLESS = ("lock", ".table", "-shm")


@pytest.fixture(scope="module")
def made(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, Path, list[str]]]:
    """A crawl that was stopped after 60 pages, in several segments; the same crawl to its end; the flags of both."""
    from garimpo import webgen

    folder = tmp_path_factory.mktemp("damage")
    with webgen.serve(web) as server, pytest.MonkeyPatch.context() as patch:
        flags = [f"@{web / 'seeds.txt'}", "--scope", "all", "--strategy", "bfs", "--no-learn", "--delay", "0"]
        flags += ["--resolve-all", server.address, "--hosts", str(web / "hosts"), "--connections-per-address", "8"]
        patch.setattr(loop, "COMMIT_PAGES", 16)
        assert run(["crawl", *flags, "--out", str(folder / "half"), "--max-pages", "60"]) == 0
        assert run(["crawl", *flags, "--out", str(folder / "whole")]) == 0
        yield folder / "half", folder / "whole", flags


def damage(path: Path, how: str, draw: random.Random) -> None:
    data = bytearray(path.read_bytes())
    if how == "removed":
        path.unlink()
    elif how == "empty":
        path.write_bytes(b"")
    elif how == "cut":
        path.write_bytes(data[: draw.randrange(len(data))])
    else:
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        path.write_bytes(data)


def urls(folder: Path) -> set[str]:
    return {url for url, _, _ in contents(folder)}


FILES = ["pages/", "links/", "warc/", "state/crawl.sqlite", "state/seen.log", "crawl.toml", "state/crawl.toml", "crawl.log"]


@pytest.mark.parametrize("how", ["cut", "empty", "flipped", "removed"])
@pytest.mark.parametrize("which", FILES)
def test_a_damaged_file_costs_at_most_what_it_held(made, tmp_path: Path, which: str, how: str, capsys) -> None:
    half, whole, _ = made
    draw = random.Random(f"{which} {how}")
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    there = [path for path in sorted(folder.rglob("*")) if path.is_file() and not path.name.endswith(HARMLESS)]
    chosen = draw.choice([path for path in there if str(path.relative_to(folder)).startswith(which)])
    damage(chosen, how, draw)
    reading = {
        "status": run(["status", str(folder)]),
        "export": run(["export", str(folder), "--to", "jsonl", "--out", str(tmp_path / "a.jsonl")]),
        "report": run(["report", str(folder), "--out", str(tmp_path / "a.html")]),
    }
    told = capsys.readouterr().err
    if which == "pages/":
        assert set(reading.values()) == {1} and chosen.name in told
    elif which == "crawl.toml" and how == "flipped":
        assert set(reading.values()) <= {0, 1, 2}  # a letter of a name may have changed
    else:
        assert set(reading.values()) <= {0, 1}
    if which == "crawl.toml" and how == "flipped":
        shutil.copy(half / "crawl.toml", folder / "crawl.toml")
    assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
    assert urls(folder) == urls(whole)
    assert {run(["status", str(folder)]), run(["export", str(folder), "--to", "jsonl", "--out", str(tmp_path / "b")])} == {0}
    if which in ("state/crawl.sqlite", "state/seen.log", "crawl.toml"):  # all rows were whole: none is fetched twice
        assert len(contents(folder)) == len(urls(folder))


@pytest.mark.parametrize("lost", ["all", "log", "older"])
def test_a_lost_state_deletes_nothing(made, tmp_path: Path, lost: str) -> None:
    half, whole, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    state = folder / "state"
    if lost == "all":
        shutil.rmtree(state)
    elif lost == "log":  # what a copy without the -wal file of a killed crawl leaves: a database that lists nothing
        (state / "crawl.sqlite").write_bytes(b"")
    else:
        with Store.open(folder) as store:
            store.database.execute("DELETE FROM segments WHERE name > 'pages/00000003.parquet' OR kind = 'links'")
    before = contents(folder)
    with Store.open(folder) as store:
        assert store.rebuilt and store.count() == len(before)
    assert set(contents(folder)) == set(before)
    assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
    assert contents(folder) == contents(whole)


def test_wrong_values_in_the_state_are_damage(made, tmp_path: Path) -> None:
    half, whole, _ = made
    for number, change in enumerate(
        [
            "UPDATE meta SET value = 'many' WHERE name = 'seen'",
            "UPDATE queue SET url = NULL",
            "UPDATE segments SET name = '../x' WHERE name = 'pages/00000002.parquet'",
            "UPDATE hosts SET delay = 'slow'",
        ]
    ):
        folder = tmp_path / str(number)
        shutil.copytree(half, folder)
        with Store.open(folder) as store:
            store.database.execute(change)
        assert run(["status", str(folder)]) == 1
        assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
        assert contents(folder) == contents(whole)


def test_a_take_down_outlives_the_state(made, tmp_path: Path) -> None:
    half, _, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    url = next(url for url, status, _ in contents(folder) if status == 200)
    (folder / "state/dropped").mkdir()
    shutil.copy(min((folder / "pages").iterdir()), folder / "state/dropped/pages-00000001.parquet")
    shutil.copy(next((folder / "warc").iterdir()), folder / "state/dropped/warc-garimpo-000009.warc.gz")
    old = {path.name: path.read_bytes() for path in (folder / "pages").iterdir()}
    assert run(["archive", "remove", str(folder), url]) == 0
    assert not any((folder / "state/dropped").glob("warc-*"))
    shutil.rmtree(folder / "state")
    for name, data in old.items():  # as if the kill had come before the old files went
        (folder / "pages" / name).write_bytes(data)
    assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
    assert url not in urls(folder)
    with Store.open(folder, write=False) as store:
        assert store.removed() == [url] and store.record(url) is None


def test_status_says_what_was_dropped(made, tmp_path: Path, capsys) -> None:
    half, _, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    (folder / "pages/00000099.parquet.tmp").write_bytes(b"x" * 1234)
    Store.open(folder).close()
    assert run(["status", str(folder)]) == 0
    assert "dropped_bytes: 1,234" in capsys.readouterr().out
