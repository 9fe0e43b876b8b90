"""The URLs that were fetched, and what they showed."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.crawl.state.schema import has_column, signed
from garimpo.url import host as host_of
from garimpo.url import key64


class FetchedRow(NamedTuple):
    """What the database knows of a fetched URL."""

    url: str
    status: int
    digest: int | None
    text_digest: int | None
    duplicate_of: str | None
    redirect: str | None


def insert(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO fetched VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def count(db: sqlite3.Connection) -> int:
    """How many URLs were fetched."""
    return int(db.execute("SELECT count(*) FROM fetched").fetchone()[0])


def find(db: sqlite3.Connection, host: int, key: int) -> dict[str, Any] | None:
    """All that is written down of one fetched URL, by the names of the columns."""
    rows = db.execute("SELECT * FROM fetched WHERE host=? AND key=?", (host, key))
    names = [column[0] for column in rows.description]
    row = rows.fetchone()
    return None if row is None else dict(zip(names, row))


def some_gains(db: sqlite3.Connection, host: int, limit: int) -> list[tuple[str, float]]:
    """Some URLs fetched on a host (a sample, as rows lie in the order of their hashes), oldest first.

    Each comes with its gain; where that was not written, with 1 if it showed a page that repeats no other, else with 0.
    """
    return [(url, gain) for url, _, gain, _ in read_some(db, host, limit)]


def read_some(db: sqlite3.Connection, host: int, limit: int) -> list[tuple[str, int, float, str | None]]:
    """(URL, status, gain, outcome) of some URLs fetched on a host, oldest first."""
    gain, outcome = ("gain", "outcome") if has_column(db, "fetched", "gain") else ("NULL", "NULL")  # as earlier crawls wrote it
    query = f"""SELECT url, status, coalesce({gain}, 1.0 * (status = 200 AND duplicate_of IS NULL)), {outcome}, at FROM fetched
                WHERE host=? AND redirect IS NULL LIMIT ?"""
    rows = sorted(db.execute(query, (host, limit)), key=lambda row: (row[4], row[0]))
    return [row[:4] for row in rows]


def lately(db: sqlite3.Connection, limit: int) -> list[tuple[int, float, str | None]]:
    """(status, gain, outcome) of what was fetched last; nothing where gains were not written.

    Args:
        db: the state file.
        limit: so many at most.
    """
    if not has_column(db, "fetched", "gain"):
        return []
    query = "SELECT status, gain, outcome FROM fetched WHERE redirect IS NULL AND gain IS NOT NULL ORDER BY at DESC LIMIT ?"
    return db.execute(query, (limit,)).fetchall()


def urls_of(db: sqlite3.Connection, host: int) -> list[str]:
    """All URLs fetched on a host, in their order."""
    return [url for (url,) in db.execute("SELECT url FROM fetched WHERE host=? ORDER BY at", (host,))]


def pages_of(db: sqlite3.Connection, host: int) -> list[str]:
    """The URLs of the pages fetched on a host."""
    query = "SELECT url FROM fetched WHERE host=? AND status=200 AND redirect IS NULL"
    return [url for (url,) in db.execute(query, (host,))]


def outcomes(db: sqlite3.Connection, host: int, limit: int) -> Iterator[tuple[str, int, bool]]:
    """(URL, status, whether it repeats another page) of what was fetched on a host."""
    return db.execute("SELECT url, status, duplicate_of IS NOT NULL FROM fetched WHERE host=? LIMIT ?", (host, limit))


def pages(db: sqlite3.Connection) -> Iterator[list[str]]:
    """The URLs of all fetched pages, a piece at a time."""
    rows = db.execute("SELECT url FROM fetched WHERE status=200 AND redirect IS NULL")
    while several := rows.fetchmany(5_000):
        yield [url for (url,) in several]


def first_with_digest(db: sqlite3.Connection, digest: int) -> tuple[str, float] | None:
    """(url, time) of the page stored first with these bytes."""
    return db.execute("SELECT url, at FROM fetched WHERE digest=? ORDER BY at LIMIT 1", (signed(digest),)).fetchone()


def digests(db: sqlite3.Connection) -> Iterator[NDArray[np.uint64]]:
    """The digests of all fetched pages, a piece at a time."""
    rows = db.execute("SELECT digest FROM fetched WHERE digest IS NOT NULL")
    while several := rows.fetchmany(100_000):
        yield np.array([row[0] for row in several], np.int64).view(np.uint64)


def landed(db: sqlite3.Connection, url: str) -> FetchedRow | None:
    """The row of a fetched URL, or of where it redirects to; None while that was not fetched."""
    columns = ", ".join(f"f.{name}" for name in FetchedRow._fields)
    query = f"SELECT {columns} FROM hosts h JOIN fetched f ON f.host = h.id WHERE h.name=? AND f.key=?"
    for _ in range(10):
        row = db.execute(query, (host_of(url), signed(key64(url)))).fetchone()
        if row is None or row[5] is None:
            return None if row is None else FetchedRow(*row)
        url = row[5]
    return None


def first_unreached(db: sqlite3.Connection) -> str | None:
    """A URL that gave no answer."""
    row = db.execute("SELECT url FROM fetched WHERE status=0 LIMIT 1").fetchone()
    return None if row is None else row[0]


def keys(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """(key, url) of all that was fetched."""
    return db.execute("SELECT key, url FROM fetched")


def with_host_names(db: sqlite3.Connection) -> Iterable[tuple[Any, ...]]:
    """(host name, then the columns after the host) of all that was fetched."""
    columns = "f.key, f.url, f.at, f.status, f.digest, f.text_digest, f.score, f.duplicate_of, f.redirect, f.gain, f.outcome"
    return db.execute(f"SELECT h.name, {columns} FROM fetched f JOIN hosts h ON h.id=f.host")
