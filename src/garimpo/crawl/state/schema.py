"""The tables of `state/crawl.sqlite`, and what concerns several of them.

The queue is clustered by host, so that a commit touches few pages of the file, and its second index gives each host's
URLs best first. Keys are stored as signed 64-bit integers.
"""

import sqlite3
from typing import Any

from garimpo.url import host as host_of
from garimpo.url import key64

TABLES = """
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value);
CREATE TABLE IF NOT EXISTS hosts(
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, site TEXT, delay REAL, next_at REAL, fetched INTEGER, errors INTEGER);
CREATE TABLE IF NOT EXISTS queue(
    host INTEGER, key INTEGER, score REAL, seq INTEGER, url TEXT, depth INTEGER, parent TEXT,
    tries INTEGER, hops INTEGER, kind INTEGER, run INTEGER, expected REAL DEFAULT 1, PRIMARY KEY(host, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS queue_best ON queue(host, score DESC, seq);
CREATE TABLE IF NOT EXISTS fetched(
    host INTEGER, key INTEGER, url TEXT, at REAL, status INTEGER, digest INTEGER, text_digest INTEGER, score REAL,
    duplicate_of TEXT, redirect TEXT, gain REAL, outcome TEXT, PRIMARY KEY(host, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS fetched_digest ON fetched(digest) WHERE digest IS NOT NULL;
CREATE TABLE IF NOT EXISTS skipped(
    host INTEGER, url_key INTEGER, url TEXT, key TEXT, reason TEXT, rule TEXT, version INTEGER, at REAL,
    checked INTEGER, equal INTEGER, owner TEXT, depth INTEGER, parent TEXT, score REAL,
    PRIMARY KEY(host, url_key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS skipped_rule ON skipped(host, rule) WHERE rule IS NOT NULL;
CREATE INDEX IF NOT EXISTS skipped_owner ON skipped(owner) WHERE owner IS NOT NULL;
CREATE TABLE IF NOT EXISTS keyed(key INTEGER PRIMARY KEY, url TEXT);
CREATE TABLE IF NOT EXISTS robots(origin TEXT PRIMARY KEY, at REAL, status INTEGER, body BLOB);
CREATE TABLE IF NOT EXISTS trust(
    rule TEXT, host TEXT, skips INTEGER, checks INTEGER, unequal INTEGER, withdrawn INTEGER,
    PRIMARY KEY(rule, host)) WITHOUT ROWID;
"""

_ADDED = (("queue", "expected", "REAL DEFAULT 1"), ("fetched", "gain", "REAL"), ("fetched", "outcome", "TEXT"))
"""Columns that the folders of earlier crawls may not have."""
_URL_KEYS = {"queue": "key", "fetched": "key", "skipped": "url_key"}
"""The tables about URLs, and the columns of their keys."""


def create(db: sqlite3.Connection) -> None:
    """Make the crawl's tables where they are not there yet, all at once: `status` may be looking."""
    db.executescript(f"BEGIN;{TABLES}COMMIT;")
    for table, column, kind in _ADDED:
        if not has_column(db, table, column):
            db.execute(f"ALTER TABLE {table} ADD COLUMN {column} {kind}")


def signed(key: int) -> int:
    """A 64-bit key as SQLite stores it.

    >>> signed(2**64 - 1)
    -1
    """
    return key - (1 << 64) if key >= 1 << 63 else key


def unsigned(key: int) -> int:
    """The inverse of `signed`."""
    return key + (1 << 64) if key < 0 else key


def has_table(db: sqlite3.Connection, name: str) -> bool:
    """Whether a database has a table of that name."""
    return db.execute("SELECT 1 FROM sqlite_master WHERE name=?", (name,)).fetchone() is not None


def has_column(db: sqlite3.Connection, table: str, name: str) -> bool:
    """Whether a table has a column of that name."""
    return any(row[1] == name for row in db.execute(f"PRAGMA table_info({table})"))


def delete_host(db: sqlite3.Connection, name: str) -> None:
    """Delete all rows about the URLs of a host; the host itself stays, with its delay."""
    for table in _URL_KEYS:
        db.execute(f"DELETE FROM {table} WHERE host=(SELECT id FROM hosts WHERE name=?)", (name,))


def delete_url(db: sqlite3.Connection, url: str) -> None:
    """Delete all rows about a URL."""
    for table, key in _URL_KEYS.items():
        where: tuple[Any, ...] = (host_of(url), signed(key64(url)))
        db.execute(f"DELETE FROM {table} WHERE host=(SELECT id FROM hosts WHERE name=?) AND {key}=?", where)
