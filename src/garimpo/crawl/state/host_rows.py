"""What the database knows of hosts, and their robots.txt files."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from garimpo.crawl.state.queued import FIRST, before


class HostRow(NamedTuple):
    """What the database knows of a host."""

    id: int
    name: str
    delay: float
    next_at: float
    fetched: int
    errors: int


HOST = ", ".join(HostRow._fields)


def last_id(db: sqlite3.Connection) -> int:
    """The largest id of a host; they are numbered from 1 without gaps."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM hosts").fetchone()[0])


def count(db: sqlite3.Connection) -> int:
    """How many hosts the crawl has met."""
    return int(db.execute("SELECT count(*) FROM hosts").fetchone()[0])


def named(db: sqlite3.Connection, name: str) -> HostRow | None:
    row = db.execute(f"SELECT {HOST} FROM hosts WHERE name=?", (name,)).fetchone()
    return None if row is None else HostRow(*row)


def numbered(db: sqlite3.Connection, id: int) -> HostRow:
    return HostRow(*db.execute(f"SELECT {HOST} FROM hosts WHERE id=?", (id,)).fetchone())


def names(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """(id, name) of all hosts."""
    return db.execute("SELECT id, name FROM hosts")


def with_queue(db: sqlite3.Connection) -> Iterator[tuple[HostRow, tuple[float, float]]]:
    """The hosts that have something queued, each with the order just before its best URL."""
    first = FIRST.format("hosts.id")
    for *row, score, seq in db.execute(f"SELECT {HOST}, (SELECT score {first}) AS best, (SELECT seq {first}) FROM hosts"):
        if score is not None:
            yield HostRow(*row), before(score, seq)


def fetched_by_site(db: sqlite3.Connection) -> dict[str, int]:
    """How many pages were fetched of each site."""
    return dict(db.execute("SELECT site, sum(fetched) FROM hosts GROUP BY site"))


def all_rows(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """(name, site, delay, next_at, fetched, errors) of all hosts."""
    return db.execute("SELECT name, site, delay, next_at, fetched, errors FROM hosts").fetchall()


def insert(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO hosts(id, name, site, delay, next_at, fetched, errors) VALUES(?,?,?,?,?,?,?)", rows)


def find_robots(db: sqlite3.Connection, origin: str) -> tuple[float, int, bytes] | None:
    """(time, status, body) of the robots.txt of an origin."""
    return db.execute("SELECT at, status, body FROM robots WHERE origin=?", (origin,)).fetchone()


def all_robots(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """(origin, time, status, body) of all."""
    return db.execute("SELECT origin, at, status, body FROM robots").fetchall()


def insert_robots(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows as `all_robots` gives them."""
    db.executemany("INSERT OR REPLACE INTO robots VALUES(?,?,?,?)", rows)
