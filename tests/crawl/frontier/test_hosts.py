import random
from pathlib import Path
from typing import Any

import pytest

from crawl.made import FakeResolver, MadeFrontier
from garimpo.crawl.frontier import hosts
from garimpo.crawl.state.entry import Entry

NAMES = [f"h{number}.example" for number in range(24)]


def make(folder: Path, now: float = 0.0, addresses: int = 7, **settings: Any) -> MadeFrontier:
    known = (lambda name: f"10.0.0.{int(name[1:-8]) % addresses}") if addresses else lambda _: None
    return MadeFrontier(folder, now, FakeResolver(known), learn=False, **settings)


def commit(made: MadeFrontier) -> int:
    """Commit, and let hosts sleep; how many went to sleep."""
    made.commit()
    awake = len(made.frontier.hosts.awake)
    made.frontier.rest()
    return awake - len(made.frontier.hosts.awake)


def history(made: MadeFrontier, seed: int, held: bool, steps: int = 400) -> tuple[list[str], int]:
    """URLs met, asked for, answered, held and committed by chance; what was asked for and when, and how many hosts slept."""
    draw, frontier, clock = random.Random(seed), made.frontier, made.clock
    running: list[Entry] = []
    popped, slept = [], 0
    for _ in range(steps):
        clock.now = round(clock.now + draw.choice([0.0, 0.0, 0.3, 2.0]), 1)
        what = draw.random()
        if what < 0.4:
            for _ in range(draw.randint(1, 6)):
                url = f"http://{draw.choice(NAMES)}/{draw.randint(0, 400)}"
                frontier.add_urls([url], score=draw.choice([1.0, 1.0, 0.5, draw.random()]))
        elif what < 0.65:
            entry = frontier.pop()
            popped.append(f"{clock.now} {entry and entry.url}")
            if entry is not None:
                frontier.begin(entry)
                running.append(entry)
        elif what < 0.85 and running:
            entry = running.pop(draw.randrange(len(running)))
            frontier.release(entry, clock.now)
            if draw.random() < 0.2:
                frontier.hosts.hold(entry.host, clock.now + held * draw.choice([0.5, 9.0]))
                frontier.retry(entry)
            else:
                frontier.done(entry)
        elif what < 0.9:
            frontier.raise_score(f"http://{draw.choice(NAMES)}/{draw.randint(0, 400)}", draw.random())
        elif what >= 0.93:
            slept += commit(made)
    return popped, slept


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
        expected, _ = history(make(tmp_path / f"awake{seed}", **settings), seed, held)
        with monkeypatch.context() as patched:
            patched.setattr(hosts, "AWAKE", 4)
            patched.setattr(hosts, "TOGETHER", 2)
            popped, went_to_sleep = history(make(tmp_path / f"asleep{seed}", **settings), seed, held)
        assert popped == expected
        slept += went_to_sleep
    assert slept > 500


def test_all_that_is_queued_comes_after_a_new_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "AWAKE", 4)
    monkeypatch.setattr(hosts, "TOGETHER", 2)
    urls = {f"http://{name}/{page}" for name in NAMES for page in range(5)}
    before = make(tmp_path / "one")
    for url in sorted(urls):
        before.frontier.add_urls([url])
    before.frontier.hosts.hold(before.frontier.host("h5.example"), 500.0)
    commit(before)
    made, found = make(tmp_path / "one", now=10.0), set()
    after, clock = made.frontier, made.clock
    assert len(after.hosts) == len(NAMES) and [*after.hosts.awake] == ["h5.example"]
    clock.now = 10.9
    assert after.pop() is None and after.has_ready()
    clock.now = 10.0
    while (clock.now < 1_000 and after.has_ready()) or after.bench.next_time() < 1_000:
        clock.now += 1.0
        while (entry := after.pop()) is not None:
            assert entry.host.name != "h5.example" or clock.now >= 500
            found.add(entry.url)
            after.begin(entry)
            after.release(entry, clock.now)
            after.done(entry)
        commit(made)
    assert found == urls and after.queued == 0


def test_few_names_are_looked_up_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "TOGETHER", 3)
    before = make(tmp_path / "one")
    for name in NAMES:
        before.frontier.add_urls([f"http://{name}/"])
    commit(before)
    made, looked_up = make(tmp_path / "one", now=10.0, addresses=0), []
    after, resolver = made.frontier, made.resolver
    for turn in range(100):
        made.clock.now = 20.0 + turn
        entry = after.pop()
        if entry is not None:
            after.begin(entry)
            after.release(entry)
            after.done(entry)
        assert len(resolver.asked) <= 3
        looked_up += resolver.asked
        resolver.found, resolver.asked = [(name, None) for name in resolver.asked], []
        after.hosts.take_addresses()
    assert sorted(looked_up) == sorted(NAMES) and after.queued == 0


def test_what_is_known_of_a_host_outlives_its_sleep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hosts, "AWAKE", 0)
    made = make(tmp_path / "one", delay=0.0)
    frontier, clock = made.frontier, made.clock
    frontier.add_urls(["http://h1.example/a", "http://h1.example/b"])
    entry = frontier.pop()
    assert entry is not None
    frontier.begin(entry)
    frontier.release(entry)
    commit(made)
    assert [*frontier.hosts.awake] == ["h1.example"]  # an answer of it is being read
    clock.now = 1.0
    frontier.hosts.slow_down(entry.host, 7.0)
    entry.host.errors = 2
    frontier.hosts.hold(entry.host, 5.0)
    frontier.done(entry)
    clock.now = 4.0
    commit(made)
    assert frontier.hosts.awake
    clock.now = 5.0
    commit(made)
    assert not frontier.hosts.awake and len(frontier.hosts) == 1 and frontier.has_ready()
    host = frontier.host("h1.example")
    assert (host.delay, host.errors, host.fetched) == (7.0, 2, 1) and host is frontier.host("h1.example")
    frontier.hosts.recover(host)
    frontier.host("h99.example")  # nothing of it is queued
    clock.now = 10.0
    commit(made)
    assert not frontier.hosts.awake and frontier.host("h1.example").errors == 0
    assert len(frontier.hosts) == 2 and frontier.host("h99.example").id == 2
