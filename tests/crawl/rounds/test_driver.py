"""A crawl in rounds, on the engine of this machine: the same pages as the loop finds, stored once, politely."""

from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest

from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.crawl import Settings, crawl, read_seeds, resume, status
from garimpo.crawl.rounds.driver import crawl_rounds, resume_rounds
from garimpo.crawl.rounds.lease import Lease
from garimpo.crawl.rounds.worker import Task
from garimpo.engine import local
from garimpo.webgen import Serving


@pytest.fixture
def settings(web: Path, server: Serving) -> Settings:
    return Settings(
        seeds=read_seeds([f"@{web / 'seeds.txt'}"]), scope="all", strategy="bfs", learn=False, delay=0.0, trap_run=0,
        resolve_all=server.address, hosts=str(web / "hosts"), connections_per_address=8,
    )  # fmt: skip


def pages(folder: Path) -> dict[str, tuple]:
    """What is known of each URL; a URL stored twice fails, and one whose record cannot be read."""
    with Store.open(folder, write=False) as store:
        rows = [row for batch in store.pages(["url", "status", "text_digest"]) for row in batch.to_pylist()]
        for row in rows[::25]:
            assert row["status"] == 0 or store.record(row["url"]) is not None
    found = {row["url"]: (row["status"], row["text_digest"]) for row in rows}
    assert len(found) == len(rows)
    return found


def test_rounds_find_what_the_loop_finds(settings: Settings, tmp_path: Path) -> None:
    crawl(tmp_path / "loop", settings)
    said: list[str] = []
    with local(threads=2) as engine:
        crawl_rounds(tmp_path / "rounds", settings, 2, engine, said.append)
        assert len(said) == 2
        result = resume_rounds(tmp_path / "rounds", 60, engine)
    assert result["ended"] == "nothing left"
    found = pages(tmp_path / "rounds")
    assert len(found) > 300
    assert found == pages(tmp_path / "loop")
    told, expected = status(tmp_path / "rounds"), status(tmp_path / "loop")
    assert {name: told[name] for name in ("stored", "pages", "redirects", "errors", "queued", "skipped")} == {
        name: expected[name] for name in ("stored", "pages", "redirects", "errors", "queued", "skipped")
    }
    with pytest.raises(BadInput, match="a crawl in rounds"):
        resume(tmp_path / "rounds")
    with local() as engine, pytest.raises(BadInput, match="not a crawl in rounds"):
        resume_rounds(tmp_path / "loop", 1, engine)


def test_a_round_that_dies_is_done_again_politely(
    settings: Settings, web: Path, server: Serving, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    polite = msgspec.structs.replace(settings, delay=0.2, connections_per_address=1, max_pages=60)
    monkeypatch.setattr("garimpo.crawl.rounds.lease.FENCE", 0.5)
    with local(threads=1) as engine:
        crawl_rounds(tmp_path / "out", polite, 1, engine, seconds=1.0)
        before = status(tmp_path / "out")
        fetch = Task.__call__

        def dies(self: Task, given: object) -> object:
            fetch(self, given)  # all was fetched and delivered, but nobody hears of it
            raise GarimpoError("lost")

        with monkeypatch.context() as patched:
            patched.setattr(Task, "__call__", dies)
            with pytest.raises(GarimpoError, match="lost"):
                resume_rounds(tmp_path / "out", 1, engine, seconds=1.0)
        assert status(tmp_path / "out")["stored"] == before["stored"]
        resume_rounds(tmp_path / "out", 3, engine, seconds=1.0)
    assert len(pages(tmp_path / "out")) > before["stored"]
    assert status(tmp_path / "out")["stored"] <= 60
    with Store.open(tmp_path / "out") as store:
        assert not store.messages
        listed = {name for (name,) in store.database.execute("SELECT name FROM warcs")}
        assert {path.name for path in (tmp_path / "out" / "warc").iterdir()} == listed
    addresses = dict(reversed(line.split()[:2]) for line in (web / "hosts").read_text().splitlines() if line.strip())
    times: dict[str, list[float]] = defaultdict(list)
    for at, host, _, _ in server.log():
        times[host].append(at)
        times[addresses.get(host, host)].append(at)
    gaps = [later - sooner for several in times.values() for sooner, later in pairwise(several)]
    assert len(gaps) > 20
    assert min(gaps) >= 0.2 - 0.002


def test_a_lease_that_was_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    monkeypatch.setattr("time.sleep", waits.append)
    first, second = Lease(tmp_path, [3, 4], "first"), Lease(tmp_path, [4], "second")
    first.take()
    first.check(lambda: 7.5, 0.0)
    second.take()
    assert waits == [7.5]
    second.check(lambda: 0.0, 0.0)
    first.check(lambda: 0.0, 0.5)  # it looks once a second
    with pytest.raises(GarimpoError, match="taken over"):
        first.check(lambda: 0.0, 1.5)


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (["--out", "x", "--rounds", "3"], "--engine spark and --rounds N"),
        (["--out", "x", "--engine", "spark"], "--engine spark and --rounds N"),
        (["--out", "x", "--engine", "spark", "--rounds", "0"], "--engine spark and --rounds N"),
        (["--engine", "spark", "--rounds", "1"], "--out or --resume"),
    ],
)
def test_bad_flags_are_one_line(flags: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["crawl", "http://a.example/", *flags]) == 2
    said = capsys.readouterr().err.strip()
    assert told in said
    assert "\n" not in said


def test_settings_that_rounds_do_not_know(settings: Settings, tmp_path: Path) -> None:
    with local() as engine, pytest.raises(BadInput, match="max_bytes: not in a crawl in rounds"):
        crawl_rounds(tmp_path / "out", msgspec.structs.replace(settings, max_bytes=5), 1, engine)
