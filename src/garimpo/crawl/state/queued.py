"""The URLs that are queued."""

import sqlite3
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

ENTRY = "key, score, seq, url, depth, parent, tries, hops, kind, run"
"""The columns of an entry; the host comes before them."""
_ROW = f"{ENTRY}, expected"
"""The same with the gain that the score was made with."""
FIRST = "FROM queue WHERE host={} ORDER BY score DESC, seq LIMIT 1"
SCORED = np.dtype([("host", np.int64), ("key", np.int64), ("score", np.float32), ("expected", np.float32)])


def best(db: sqlite3.Connection, host: int, limit: int) -> list[tuple[Any, ...]]:
    """The best queued rows of a host, best first."""
    query = f"SELECT {_ROW} FROM queue WHERE host=? ORDER BY score DESC, seq LIMIT ?"
    return db.execute(query, (host, limit)).fetchall()


def best_after(db: sqlite3.Connection, host: int, order: float, seq: float, limit: int) -> list[tuple[Any, ...]]:
    """The best queued rows of a host that come after (-score, sequence), best first."""
    if order == float("-inf"):
        return best(db, host, limit)
    query = f"""SELECT {_ROW} FROM queue WHERE host=? AND score<=? AND (score<? OR seq>?)
                ORDER BY score DESC, seq LIMIT ?"""
    return db.execute(query, (host, -order, -order, seq, limit)).fetchall()


def find(db: sqlite3.Connection, host: int, key: int) -> tuple[Any, ...] | None:
    """The queued row of one URL."""
    return db.execute(f"SELECT {_ROW} FROM queue WHERE host=? AND key=?", (host, key)).fetchone()


def find_shown(db: sqlite3.Connection, host: int, key: int) -> tuple[Any, ...] | None:
    """The columns of `ENTRY` of one queued URL: those that every stored crawl has."""
    return db.execute(f"SELECT {ENTRY} FROM queue WHERE host=? AND key=?", (host, key)).fetchone()


def some_of(db: sqlite3.Connection, host: int, limit: int) -> list[str]:
    """Some queued pages of a host: a sample, as rows lie in the order of their hashes."""
    return [url for (url,) in db.execute("SELECT url FROM queue WHERE host=? AND kind=0 LIMIT ?", (host, limit))]


def count(db: sqlite3.Connection) -> int:
    """How many URLs are queued on disk."""
    return int(db.execute("SELECT count(*) FROM queue").fetchone()[0])


def count_of(db: sqlite3.Connection, host: int) -> tuple[int, int]:
    """How many URLs of a host are queued, and how many of them postponed."""
    total, late = db.execute("SELECT count(*), coalesce(sum(score<0), 0) FROM queue WHERE host=?", (host,)).fetchone()
    return int(total), int(late)


def count_postponed(db: sqlite3.Connection) -> int:
    """How many of them are postponed."""
    return int(db.execute("SELECT count(*) FROM queue WHERE score<0").fetchone()[0])


def insert(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    """Rows of (host, then the columns of `ENTRY`, then the gain that the score was made with)."""
    db.executemany(f"INSERT OR REPLACE INTO queue(host, {_ROW}) VALUES(?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def delete(db: sqlite3.Connection, rows: Iterable[tuple[int, int]]) -> None:
    """Rows of (host, key)."""
    db.executemany("DELETE FROM queue WHERE host=? AND key=?", rows)


def scores_after(db: sqlite3.Connection, host: int, limit: int) -> tuple[NDArray[np.void], bool]:
    """Host, key, score and expected gain of the queued pages of hosts after `host`, whole hosts as far as they fit; and whether
    all fitted."""
    query = "SELECT host, key, score, expected FROM queue WHERE host>? AND kind=0 AND score>=0 ORDER BY host LIMIT ?"
    found = np.array(db.execute(query, (host, limit)).fetchall(), SCORED)
    if len(found) < limit:
        return found, True
    whole = found[found["host"] != found["host"][-1]]
    return whole if len(whole) else found, False


def set_scores(db: sqlite3.Connection, rows: Iterable[tuple[float, int, int]]) -> None:
    """Rows of (score, host, key)."""
    db.executemany("UPDATE queue SET score=? WHERE host=? AND key=?", rows)


def last_sequence(db: sqlite3.Connection) -> int:
    """The largest sequence number queued."""
    return int(db.execute("SELECT coalesce(max(seq), 0) FROM queue").fetchone()[0])


def best_order(db: sqlite3.Connection, host: int) -> tuple[float, float] | None:
    """Just before the best queued URL of a host, as (-score, sequence number)."""
    row = db.execute(f"SELECT score, seq {FIRST.format('?')}", (host,)).fetchone()
    return None if row is None else before(*row)


def before(score: float, seq: int) -> tuple[float, float]:
    """An order just before a URL: the place of no URL, so that no two hosts have the same."""
    return -score, seq - 0.5


def urls_with_host_names(db: sqlite3.Connection) -> Iterable[tuple[str, str]]:
    """(host name, URL) of all that is queued."""
    return db.execute("SELECT h.name, q.url FROM queue q JOIN hosts h ON h.id=q.host")


def with_host_names(db: sqlite3.Connection) -> Iterable[tuple[Any, ...]]:
    """(host name, then the columns of `ENTRY`) of all that is queued."""
    columns = ", ".join(f"q.{column}" for column in ENTRY.split(", "))
    return db.execute(f"SELECT h.name, {columns} FROM queue q JOIN hosts h ON h.id=q.host")
