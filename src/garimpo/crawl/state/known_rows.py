"""The pages that another crawl holds, with the time of their next visit."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from garimpo.crawl.state.schema import has_table, signed
from garimpo.url import key64

TABLE = """CREATE TABLE IF NOT EXISTS known(
    key INTEGER PRIMARY KEY, url TEXT, at REAL, etag TEXT, last_modified TEXT, digest INTEGER, text_digest INTEGER,
    content_type TEXT, title TEXT, language TEXT, canonical TEXT, depth INTEGER, every REAL, due REAL)"""


def create(db: sqlite3.Connection) -> bool:
    """Make the table where it is not there yet; whether it is empty."""
    db.execute(TABLE)
    return db.execute("SELECT 1 FROM known LIMIT 1").fetchone() is None


def find(db: sqlite3.Connection, url: str, columns: str) -> Any:
    """Some columns of a known URL."""
    return db.execute(f"SELECT {columns} FROM known WHERE key=?", (signed(key64(url)),)).fetchone()


def due(db: sqlite3.Connection, now: float) -> list[tuple[str, int]]:
    """(url, depth) of what is to be visited, longest overdue first."""
    return db.execute("SELECT url, depth FROM known WHERE due<=? ORDER BY due, key", (now,)).fetchall()


def not_due(db: sqlite3.Connection, now: float) -> list[int]:
    """The keys of what need not be visited yet."""
    return [row[0] for row in db.execute("SELECT key FROM known WHERE due>?", (now,))]


def schedule(db: sqlite3.Connection) -> dict[int, tuple[float, float]]:
    """Interval and next visit by key; empty where the crawl knew no other."""
    if not has_table(db, "known"):
        return {}
    return {key: (every, due) for key, every, due in db.execute("SELECT key, every, due FROM known")}


def insert(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows with all columns of `TABLE`."""
    db.executemany("INSERT OR REPLACE INTO known VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def set_visits(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows of (every, due, digest, etag, last_modified, key)."""
    db.executemany("UPDATE known SET every=?, due=?, digest=?, etag=?, last_modified=? WHERE key=?", rows)
