"""Whether the crawl's tables hold what they must: a file that was written over can be a sound database of wrong values."""

import sqlite3

import numpy as np
from numpy.typing import NDArray

_WRONG = {
    "meta": "typeof(name) != 'text' OR (name LIKE 'count %' AND typeof(value) != 'integer')"
    " OR (name = 'seen' AND typeof(value) != 'integer') OR (name = 'seconds' AND typeof(value) NOT IN ('real', 'integer'))",
    "hosts": "typeof(name) != 'text' OR typeof(delay) NOT IN ('real', 'integer') OR typeof(next_at) NOT IN ('real', 'integer')"
    " OR typeof(fetched) != 'integer' OR typeof(errors) != 'integer'",
    "queue": "typeof(url) != 'text' OR typeof(score) NOT IN ('real', 'integer') OR typeof(seq) != 'integer'"
    " OR typeof(depth) != 'integer' OR typeof(tries) != 'integer' OR typeof(kind) != 'integer' OR typeof(host) != 'integer'"
    " OR typeof(key) != 'integer'",
    "fetched": "typeof(url) != 'text' OR typeof(at) NOT IN ('real', 'integer') OR typeof(status) != 'integer'",
    "skipped": "typeof(url) != 'text' OR typeof(reason) != 'text' OR typeof(at) NOT IN ('real', 'integer')",
    "robots": "typeof(origin) != 'text' OR typeof(at) NOT IN ('real', 'integer') OR typeof(status) != 'integer'",
}
_KEYS = (("queue", "key"), ("fetched", "key"), ("skipped", "url_key"), ("keyed", "key"))
_PIECE = 100_000


def find_fault(db: sqlite3.Connection) -> str | None:
    """What is wrong with the crawl's tables, or None; one that is not there is not wrong.

    Args:
        db: the state file, open.

    >>> db = sqlite3.connect(":memory:")
    >>> _ = db.execute("CREATE TABLE robots(origin TEXT, at REAL, status INTEGER, body BLOB)")
    >>> find_fault(db)
    >>> _ = db.execute("INSERT INTO robots VALUES ('http://a.com', 'yesterday', 200, '')")
    >>> find_fault(db)
    'damaged (wrong values in its table robots)'
    """
    there = {name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    for table, wrong in _WRONG.items():
        if table in there and db.execute(f"SELECT 1 FROM {table} WHERE {wrong} LIMIT 1").fetchone():
            return f"damaged (wrong values in its table {table})"
    return None


def known_keys(db: sqlite3.Connection) -> NDArray[np.uint64]:
    """The key of every URL that was queued, fetched or skipped, and every learned key: what the seen-set held.

    Args:
        db: the state file, open.
    """
    parts = [np.zeros(0, np.uint64)]
    for table, column in _KEYS:
        rows = db.execute(f"SELECT {column} FROM {table}")
        while several := rows.fetchmany(_PIECE):
            parts.append(np.array([row[0] for row in several], np.int64).view(np.uint64))
    return np.concatenate(parts)
