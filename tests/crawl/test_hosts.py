import random
import sqlite3
from pathlib import Path

import pytest

from garimpo.crawl import hosts, queue
from garimpo.crawl.admission import Admission
from garimpo.crawl.entries import Entry
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.rules import Rules
from garimpo.crawl.scope import Scope
from garimpo.crawl.seen import SeenSet
from garimpo.crawl.settings import Settings
from garimpo.crawl.traps import Traps

NAMES = [f"h{number}.example" for number in range(24)]


def make(folder: Path, now: float = 0.0, addresses: int = 7, **settings: float) -> Frontier:
    folder.mkdir(exist_ok=True)
    db = sqlite3.connect(folder / "q", isolation_level=None)
    queue.create(db)
    wished = Settings(seeds=["http://h0.example/"], scope="all", trap_run=0, **{"delay": 1.0, **settings})
    gate = Admission(Scope(wished, wished.seeds), Traps(wished), Rules(db))
    seen = SeenSet(folder, queue.get_meta(db, "seen", 0))
    known = (lambda name: f"10.0.0.{int(name[1:-8]) % addresses}") if addresses else lambda _: None
    made = Frontier(wished, db, seen, gate, known, now)
    made.kept, made.slept = db, 0
    return made


def commit(frontier: Frontier, now: float) -> None:
    frontier.kept.execute("BEGIN")
    frontier.commit(frontier.kept)
    frontier.kept.execute("COMMIT")
    frontier.committed()
    awake = len(frontier.hosts.awake)
    frontier.rest(now)
    frontier.slept += awake - len(frontier.hosts.awake)


def history(frontier: Frontier, seed: int, held: bool, steps: int = 400) -> list[str]:
    """URLs met, asked for, answered, held and committed by chance; what was asked for and when."""
    draw = random.Random(seed)
    running: list[Entry] = []
    told, now = [], 0.0
    for _ in range(steps):
        now = round(now + draw.choice([0.0, 0.0, 0.3, 2.0]), 1)
        what = draw.random()
        if what < 0.4:
            for _ in range(draw.randint(1, 6)):
                url = f"http://{draw.choice(NAMES)}/{draw.randint(0, 400)}"
                frontier.add_urls([url], score=draw.choice([1.0, 1.0, 0.5, draw.random()]), now=now)
        elif what < 0.65:
            entry = frontier.pop(now)
            told.append(f"{now} {entry and entry.url}")
            if entry is not None:
                frontier.begin(entry, now)
                running.append(entry)
        elif what < 0.85 and running:
            entry = running.pop(draw.randrange(len(running)))
            frontier.release(entry, now, now)
            if draw.random() < 0.2:
                frontier.hold(entry.host, now + held * draw.choice([0.5, 9.0]), now)
                frontier.retry(entry, now)
            else:
                frontier.done(entry)
        elif what < 0.9:
            frontier.raise_score(f"http://{draw.choice(NAMES)}/{draw.randint(0, 400)}", draw.random(), now)
        elif what >= 0.93:
            commit(frontier, now)
    return told


@pytest.mark.parametrize(
    "settings",
    [{"addresses": 24}, {"addresses": 24, "max_pages_per_host": 3}, {"delay": 0.0, "connections_per_address": 3}],
)
def test_hosts_that_sleep_are_asked_as_if_they_were_awake(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, float]
) -> None:
    """Where hosts share an address, one that waits is not looked at while another is ready: there no host waits here."""
    slept, held = 0, "addresses" in settings
    for seed in range(25):
        expected = history(make(tmp_path / f"awake{seed}", **settings), seed, held)
        with monkeypatch.context() as patched:
            patched.setattr(hosts, "AWAKE", 4)
            patched.setattr(hosts, "TOGETHER", 2)
            sleepy = make(tmp_path / f"asleep{seed}", **settings)
            assert history(sleepy, seed, held) == expected
        slept += sleepy.slept
    assert slept > 500


def test_all_that_is_queued_comes_after_a_new_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "AWAKE", 4)
    monkeypatch.setattr(hosts, "TOGETHER", 2)
    urls = {f"http://{name}/{page}" for name in NAMES for page in range(5)}
    before = make(tmp_path / "one")
    for url in sorted(urls):
        before.add_urls([url])
    before.hold(before.host("h5.example", 0.0), 500.0, 0.0)
    commit(before, 0.0)
    after, found, now = make(tmp_path / "one", now=10.0), set(), 10.0
    assert len(after.hosts) == len(NAMES) and [*after.hosts.awake] == ["h5.example"]
    assert after.pop(10.9) is None and after.has_ready()
    while (now < 1_000 and after.has_ready()) or after.bench.next_time() < 1_000:
        now += 1.0
        while (entry := after.pop(now)) is not None:
            assert entry.host.name != "h5.example" or now >= 500
            found.add(entry.url)
            after.begin(entry, now)
            after.release(entry, now, now)
            after.done(entry)
        commit(after, now)
    assert found == urls and after.queued == 0


def test_few_names_are_looked_up_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "TOGETHER", 3)
    before = make(tmp_path / "one")
    for name in NAMES:
        before.add_urls([f"http://{name}/"])
    commit(before, 0.0)
    after, looked_up = make(tmp_path / "one", now=10.0, addresses=0), []
    for turn in range(100):
        entry = after.pop(20.0 + turn)
        if entry is not None:
            after.begin(entry, 20.0 + turn)
            after.release(entry, 20.0 + turn)
            after.done(entry)
        names = [host.name for host in after.hosts.unresolved]
        assert len(names) <= 3
        after.hosts.unresolved.clear()
        looked_up += names
        for name in names:
            after.hosts.found(name, None, 20.0 + turn)
    assert sorted(looked_up) == sorted(NAMES) and after.queued == 0


def test_what_is_known_of_a_host_outlives_its_sleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "AWAKE", 0)
    frontier = make(tmp_path / "one", delay=0.0)
    frontier.add_urls(["http://h1.example/a", "http://h1.example/b"])
    entry = frontier.pop(0.0)
    assert entry is not None
    frontier.begin(entry, 0.0)
    frontier.release(entry, 0.0)
    commit(frontier, 0.0)
    assert [*frontier.hosts.awake] == ["h1.example"]  # an answer of it is being read
    frontier.slow_down(entry.host, 7.0)
    entry.host.errors = 2
    frontier.hold(entry.host, 5.0, 1.0)
    frontier.done(entry)
    commit(frontier, 4.0)
    assert frontier.hosts.awake
    commit(frontier, 5.0)
    assert not frontier.hosts.awake and len(frontier.hosts) == 1 and frontier.has_ready()
    host = frontier.host("h1.example", 9.0)
    assert (host.delay, host.errors, host.fetched) == (7.0, 2, 1) and host is frontier.host("h1.example", 9.0)
    frontier.recover(host)
    frontier.host("h99.example", 9.0)  # nothing of it is queued
    commit(frontier, 10.0)
    assert not frontier.hosts.awake and frontier.host("h1.example", 11.0).errors == 0
    assert len(frontier.hosts) == 2 and frontier.host("h99.example", 11.0).id == 2
