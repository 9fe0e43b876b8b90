"""Any file of a crawl folder cut, emptied, flipped or removed: nothing that is whole is lost, and the crawl goes on."""

import os
import random
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from crawling import command, contents
from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.crawl import loop
from garimpo.dust import RuleSet

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
    elif how == "zeros":
        start = draw.randrange(len(data))
        data[start : start + 4096] = bytes(len(data[start : start + 4096]))
        path.write_bytes(data)
    elif how == "noise":
        path.write_bytes(draw.randbytes(len(data)))
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
    else:
        assert set(reading.values()) <= {0, 1}
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
            "UPDATE segments SET name = '../x' WHERE name = (SELECT max(name) FROM segments WHERE kind = 'pages')",
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
    assert "1.2 kB in state/dropped" in capsys.readouterr().out


KINDS = ["cut", "empty", "flipped", "removed", "zeros", "noise"]


@pytest.fixture(scope="module")
def learning(web: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A crawl that learns, with an index of pages, rules and all, stopped half way."""
    from garimpo import webgen

    folder = tmp_path_factory.mktemp("learning") / "half"
    with webgen.serve(web) as server:
        flags = [f"@{web / 'seeds.txt'}", "--scope", "all", "--delay", "0", "--resolve-all", server.address]
        flags += ["--hosts", str(web / "hosts"), "--connections-per-address", "8", "--max-pages", "150"]
        assert run(["crawl", *flags, "--out", str(folder)]) == 0
        yield folder


@pytest.mark.parametrize("seed", range(8))
def test_any_damage_to_any_file_of_a_learning_crawl_is_mended(learning: Path, tmp_path: Path, seed: int, capsys) -> None:
    draw = random.Random(seed)
    folder = tmp_path / "c"
    shutil.copytree(learning, folder)
    there = [path for path in sorted(folder.rglob("*")) if path.is_file() and path.stat().st_size]
    kinds = sorted(
        {path.relative_to(folder).parts[:2] for path in there}
    )  # so that tables of many files are not all that is drawn
    kind = draw.choice(kinds)
    chosen = draw.choice([path for path in there if path.relative_to(folder).parts[:2] == kind])
    whole = [row for path in (folder / "pages").iterdir() if path != chosen for row in contents_of(path)]
    damage(chosen, draw.choice(KINDS), draw)
    for reads in (["status"], ["export", "--to", "jsonl", "--out", tmp_path / "a"], ["report", "--out", tmp_path / "a.html"]):
        assert run([reads[0], str(folder), *map(str, reads[1:])]) in (0, 1)
    assert run(["crawl", "--resume", str(folder), "--max-pages", "160"]) == 0
    assert not set(whole) - set(contents(folder))
    capsys.readouterr()
    assert run(["status", str(folder)]) == 0
    assert run(["export", str(folder), "--to", "cdxj", "--out", str(tmp_path / "b")]) == 0, capsys.readouterr().err


def contents_of(path: Path) -> list[tuple[str, int, int]]:
    rows = pq.read_table(path, columns=["url", "status", "digest"]).to_pylist()
    return [(row["url"], row["status"], row["digest"] or 0) for row in rows]


@pytest.mark.parametrize("how", ["flipped", "zeros", "noise", "cut", "removed"])
def test_lost_records_are_named_and_fetched_again(made, tmp_path: Path, how: str, capsys) -> None:
    half, _, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    path = next((folder / "warc").iterdir())
    with Store.open(folder, write=False) as store:
        good = [url for url, status, _ in contents(folder) if status == 200]
        before = {url: store.record(url).body for url in good}
    damage(path, how, random.Random(3))
    if how != "removed":
        assert run(["export", str(folder), "--to", "cdxj", "--out", str(tmp_path / "a")]) == 1
        assert path.name in capsys.readouterr().err
    assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
    told = capsys.readouterr().err
    assert f"warc/{path.name} is {'damaged' if how in ('flipped', 'zeros', 'cut') else 'lost'}" in told
    assert "are queued again" in told
    with Store.open(folder, write=False) as store:
        records = {url: store.record(url) for url in good}
    assert {url: record and record.body for url, record in records.items()} == before


def test_a_file_that_was_only_copied_is_whole(made, tmp_path: Path) -> None:
    half, _, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder, copy_function=shutil.copyfile)  # with the time of the copy
    with Store.open(folder) as store:
        assert not store.lost and not store.rebuilt and not store.messages


def test_the_exit_code_does_not_depend_on_what_python_filters(made, tmp_path: Path) -> None:
    half, _, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    min((folder / "pages").iterdir()).write_bytes(b"")
    quiet = {**os.environ, "PYTHONWARNINGS": "ignore"}
    told = subprocess.run(command("status", folder), env=quiet, capture_output=True, text=True)
    assert told.returncode == 1 and "damaged, left out" in told.stderr


def test_settings_with_a_flipped_bit_are_those_before(made, tmp_path: Path, capsys) -> None:
    half, whole, _ = made
    folder = tmp_path / "c"
    shutil.copytree(half, folder)
    file = folder / "crawl.toml"
    file.write_text(file.read_text().replace('"bfs"', '"bfr"'))
    assert run(["crawl", "--resume", str(folder), "--max-pages", "0"]) == 0
    assert "one byte of it was changed" in capsys.readouterr().err and '"bfs"' in file.read_text()
    assert urls(folder) == urls(whole)
    file.write_text(file.read_text().replace('"bfs"', '"upwards"'))
    assert run(["crawl", "--resume", str(folder)]) == 2  # that was a hand


def test_damaged_rules_give_way_to_those_before(learning: Path, tmp_path: Path, capsys) -> None:
    folder = tmp_path / "c"
    shutil.copytree(learning, folder)
    with Store.open(folder) as store:
        before = store.learned.publish("rules", "json", lambda path: RuleSet().save(path), {})
        store.learned.publish("rules", "json", lambda path: path.write_bytes(b'{"format'), {})
    assert run(["report", str(folder), "--out", str(tmp_path / "a.html")]) == 1
    assert run(["crawl", "--resume", str(folder), "--no-learn"]) == 0
    assert f"going on with version {before}" in capsys.readouterr().err
    assert run(["report", str(folder), "--out", str(tmp_path / "a.html")]) == 0
