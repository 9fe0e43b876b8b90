import random
import sqlite3
from pathlib import Path

import pytest

from garimpo.crawl.frontier import host_queues as host_queues
from garimpo.crawl.frontier.host_queues import TRIM_AT, HostQueues
from garimpo.crawl.state import queued, schema
from garimpo.crawl.state.entry import Entry
from garimpo.crawl.state.host import Host


def opened(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    schema.create(db)
    return db


def commit(queues: HostQueues, db: sqlite3.Connection) -> None:
    db.execute("BEGIN")
    queues.commit(db)
    db.execute("COMMIT")
    queues.committed()


@pytest.mark.parametrize("most", [host_queues.MOST_AT_HAND, 20, 2])
def test_everything_comes_once_and_best_first_among_what_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    monkeypatch.setattr(host_queues, "MOST_AT_HAND", most)
    draw, db = random.Random(2), opened(tmp_path / "q")
    queues, host = HostQueues(db), Host(1, "a", 0.0)
    waiting: dict[int, Entry] = {}
    done: set[int] = set()
    sequence = 0
    for step in range(6_000):
        if step < 3_000 or draw.random() < 0.2:
            sequence += 1
            entry = Entry(f"http://a/{sequence}", sequence, host, round(draw.random(), 2), sequence)
            waiting[entry.key] = entry
            queues.put(entry)
        if draw.random() < 0.3 and waiting:
            key = draw.choice(list(waiting))
            score = round(draw.random(), 2)
            if queues.raise_score(host, key, score) or score > waiting[key].score:
                waiting[key].score = max(score, waiting[key].score)
        if draw.random() < 0.6 and (taken := queues.take(host)) is not None:
            assert (-taken.score, taken.seq) == min((-entry.score, entry.seq) for entry in waiting.values())
            if draw.random() < 0.1:
                sequence += 1
                taken.seq = sequence
                queues.put(taken)
                waiting[taken.key] = taken
            else:
                del waiting[taken.key]
                done.add(taken.key)
                queues.done(taken)
        if draw.random() < 0.01:
            commit(queues, db)
        assert queues.queued == len(waiting)
    commit(queues, db)
    assert queued.count(db) == len(waiting)
    while (taken := queues.take(host)) is not None:
        assert taken.key not in done
        done.add(taken.key)
        queues.done(taken)
    assert len(done) == sequence - (sequence - len(done)) and not queues.queued


def test_memory_holds_only_the_heads(tmp_path: Path) -> None:
    db = opened(tmp_path / "q")
    queues, host = HostQueues(db), Host(1, "a", 0.0)
    for number in range(1, 10_001):
        queues.put(Entry(f"http://a/{number}", number, host, 0.5, number))
        if number % 1000 == 0:
            commit(queues, db)
    assert len(host.heads) <= TRIM_AT and not host.later
    assert [queues.take(host).seq for _ in range(3)] == [1, 2, 3]


def test_what_was_in_flight_is_still_queued_after_a_kill(tmp_path: Path) -> None:
    db = opened(tmp_path / "q")
    queues, host = HostQueues(db), Host(1, "a", 0.0)
    for number in range(1, 4):
        queues.put(Entry(f"http://a/{number}", number, host, 0.5, number))
    first = queues.take(host)
    assert first is not None
    commit(queues, db)
    again, host = HostQueues(db), Host(1, "a", 0.0)
    again.open(host)
    assert [again.take(host).url for _ in range(3)] == ["http://a/1", "http://a/2", "http://a/3"]


def test_a_url_in_flight_is_not_queued_again_by_a_better_link(tmp_path: Path) -> None:
    db = opened(tmp_path / "q")
    queues, host = HostQueues(db), Host(1, "a", 0.0)
    for key in range(1, 2 * TRIM_AT):
        queues.put(Entry(f"http://a/{key}", key, host, 0.5, key))
    commit(queues, db)
    flying = queues.take(host)
    assert flying is not None and host.beyond
    assert not queues.raise_score(host, flying.key, 0.9)
    queues.put(flying)  # it is to be tried again
    seen = []
    while (entry := queues.take(host)) is not None:
        seen.append(entry.key)
        queues.done(entry)
    assert len(seen) == len(set(seen)) == 2 * TRIM_AT - 1


def test_an_entry_read_from_disk_and_raised_meanwhile_is_still_one(tmp_path: Path) -> None:
    db = opened(tmp_path / "q")
    queues, host = HostQueues(db), Host(1, "a", 0.0)
    for number in range(2 * TRIM_AT):
        queues.put(Entry(f"http://a/{number}", number, host, 0.5, number))
    commit(queues, db)
    moved, gone = queues.entries_of(host)[-2:]
    queues.raise_score(host, moved.key, 0.9)
    queues.raise_score(host, gone.key, 0.9)
    moved.score = 2.0
    assert queues.move(moved) and queues.move(moved)
    queues.done(gone)
    taken = []
    while (entry := queues.take(host)) is not None:
        taken.append(entry.key)
        queues.done(entry)
    assert taken[0] == moved.key and len(taken) == len(set(taken)) == 2 * TRIM_AT - 1 and gone.key not in taken
    assert queues.queued == 0


def test_hosts_sleep_when_there_are_too_many_and_keep_their_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_queues, "MOST_AT_HAND", 100)
    db = opened(tmp_path / "q")
    queues, hosts = HostQueues(db), [Host(number, f"h{number}", 0.0) for number in range(100)]
    for number in range(300):
        host = hosts[number % 100]
        queues.put(Entry(f"http://{host.name}/{number}", number, host, 1.0 - number / 300, number))
    commit(queues, db)
    assert not any(host.heads or host.later for host in hosts)
    better = Entry("http://h7/better", 1_000, hosts[7], 1.0, 1_000)
    assert queues.put(better)
    places = {(-(1.0 - number / 300), number) for number in range(300)}
    for number, host in enumerate(hosts):
        taken = queues.take(host)
        assert taken is better if number == 7 else taken.key == number
        order, _ = host.best
        assert host.best not in places  # or two hosts could not be told apart in a heap
        places.add(host.best)
        assert order == pytest.approx(-(1.0 - (number if number == 7 else number + 100) / 300))
