"""Who owns a learned key, and the record of each rule on each host."""

import sqlite3
from collections.abc import Iterable
from typing import Any


def owner(db: sqlite3.Connection, key: int) -> str | None:
    """The URL that owns a learned key."""
    row = db.execute("SELECT url FROM keyed WHERE key=?", (key,)).fetchone()
    return None if row is None else row[0]


def insert_owners(db: sqlite3.Connection, rows: Iterable[tuple[int, str]]) -> None:
    """Rows of (learned key, URL that owns it)."""
    db.executemany("INSERT OR IGNORE INTO keyed VALUES(?,?)", rows)


def records(db: sqlite3.Connection) -> Iterable[tuple[str, str, int, int, int, int]]:
    """(rule, host, skips, checks, unequal, withdrawn) of every rule on every host."""
    return db.execute("SELECT rule, host, skips, checks, unequal, withdrawn FROM trust")


def record_of(db: sqlite3.Connection, rule: str, host: str) -> tuple[int, int, int, int] | None:
    """(skips, checks, unequal, withdrawn) of a rule on a host."""
    query = "SELECT skips, checks, unequal, withdrawn FROM trust WHERE rule=? AND host=?"
    return db.execute(query, (rule, host)).fetchone()


def insert_records(db: sqlite3.Connection, rows: Iterable[tuple[Any, ...]]) -> None:
    """Rows as `records` gives them."""
    db.executemany("INSERT OR REPLACE INTO trust VALUES(?,?,?,?,?,?)", rows)


def withdrawn(db: sqlite3.Connection) -> list[tuple[str, str, int, int]]:
    """(rule, host, checks, unequal) of every rule that failed its checks on a host, worst first."""
    return db.execute("SELECT rule, host, checks, unequal FROM trust WHERE withdrawn = 1 ORDER BY unequal DESC").fetchall()
