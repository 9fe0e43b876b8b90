"""The pages that another crawl holds: what was found on each visit, and what a visit now is worth."""

import sqlite3
from collections.abc import Iterable, Iterator
from typing import Any

from garimpo.crawl.state.schema import has_table, signed
from garimpo.url import key64

COLUMNS = (
    "key INTEGER PRIMARY KEY", "url TEXT", "at REAL", "etag TEXT", "last_modified TEXT", "digest INTEGER", "text_digest INTEGER",
    "content_type TEXT", "title TEXT", "language TEXT", "canonical TEXT", "depth INTEGER", "history BLOB", "worth REAL",
)  # fmt: skip
"""`history`: seconds between visits as float32, negative where nothing had changed; `worth`: null where no visit is due."""


def create(db: sqlite3.Connection) -> bool:
    """Make the table where it is not there yet; whether it is empty."""
    db.execute(f"CREATE TABLE IF NOT EXISTS known({', '.join(COLUMNS)})")
    if not _has_history(db):  # as the first release made it
        db.execute("ALTER TABLE known ADD COLUMN history BLOB")
        db.execute("ALTER TABLE known ADD COLUMN worth REAL")
    return db.execute("SELECT 1 FROM known LIMIT 1").fetchone() is None


def _has_history(db: sqlite3.Connection) -> bool:
    return any(row[1] == "history" for row in db.execute("PRAGMA table_info(known)"))


def find(db: sqlite3.Connection, url: str, columns: str) -> Any:
    """Some columns of a known URL."""
    return db.execute(f"SELECT {columns} FROM known WHERE key=?", (signed(key64(url)),)).fetchone()


def due(db: sqlite3.Connection) -> list[tuple[str, int]]:
    """(url, depth) of what is to be visited, what is worth most first."""
    return db.execute("SELECT url, depth FROM known WHERE worth IS NOT NULL ORDER BY worth DESC, key").fetchall()


def not_due(db: sqlite3.Connection) -> list[int]:
    """The keys of what need not be visited yet."""
    return [row[0] for row in db.execute("SELECT key FROM known WHERE worth IS NULL")]


def earlier(db: sqlite3.Connection) -> Iterator[tuple[Any, ...]]:
    """The rows of another crawl's table; none where it knew no other or was made by the first release."""
    if has_table(db, "known") and _has_history(db):
        yield from db.execute(f"SELECT {', '.join(column.split()[0] for column in COLUMNS)} FROM known")


def histories(db: sqlite3.Connection) -> list[tuple[int, float, bytes]]:
    """Key, time of the last visit and history of every page."""
    return db.execute("SELECT key, at, coalesce(history, x'') FROM known ORDER BY key").fetchall()


def insert(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows with all of `COLUMNS`."""
    db.executemany(f"INSERT OR REPLACE INTO known VALUES({','.join('?' * len(COLUMNS))})", rows)


def set_worth(db: sqlite3.Connection, rows: Iterable[tuple[float, int]]) -> None:
    """Rows of (worth, key)."""
    db.executemany("UPDATE known SET worth=? WHERE key=?", rows)


def set_visits(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows of (at, history, digest, text digest, etag, last_modified, key)."""
    db.executemany("UPDATE known SET at=?, history=?, digest=?, text_digest=?, etag=?, last_modified=? WHERE key=?", rows)
