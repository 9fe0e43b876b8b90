"""Single values of a crawl by name, and its counters."""

import sqlite3
from collections.abc import Mapping
from typing import Any

COUNTS = (
    "stored", "pages", "redirects", "errors", "duplicates", "unchanged", "checks", "bytes", "on_topic", "too many hops", "faults",
    "unread_pdf", "noindex", "unread", "empty",
)  # fmt: skip


def get(db: sqlite3.Connection, name: str, default: Any = None) -> Any:
    row = db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
    return default if row is None else row[0]


def put(db: sqlite3.Connection, name: str, value: Any) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (name, value))


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """The counters of the whole crawl, as committed last."""
    rows = dict(db.execute("SELECT name, value FROM meta WHERE name LIKE 'count %'"))
    return {name: int(rows.get(f"count {name}", 0)) for name in COUNTS}


def put_counts(db: sqlite3.Connection, counted: Mapping[str, int]) -> None:
    db.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", [(f"count {name}", counted.get(name, 0)) for name in COUNTS])
