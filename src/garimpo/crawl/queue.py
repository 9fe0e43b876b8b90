"""What the crawl keeps in the store's database: hosts, the queue, what was fetched, what was skipped, robots files.

All statements stand here; nothing here decides anything. The queue is clustered by host, so that a commit touches few pages
of the file, and its second index gives each host's URLs best first. Keys are stored as signed 64-bit integers.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.url import host as host_of
from garimpo.url import key64

TABLES = """
CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value);
CREATE TABLE IF NOT EXISTS hosts(
    id INTEGER PRIMARY KEY, name TEXT UNIQUE, site TEXT, delay REAL, next_at REAL, fetched INTEGER, errors INTEGER);
CREATE TABLE IF NOT EXISTS queue(
    host INTEGER, key INTEGER, score REAL, seq INTEGER, url TEXT, depth INTEGER, parent TEXT,
    tries INTEGER, hops INTEGER, kind INTEGER, run INTEGER, PRIMARY KEY(host, key)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS queue_best ON queue(host, score DESC, seq);
CREATE TABLE IF NOT EXISTS fetched(
    host INTEGER, key INTEGER, url TEXT, at REAL, status INTEGER, digest INTEGER, text_digest INTEGER, score REAL,
    duplicate_of TEXT, redirect TEXT, PRIMARY KEY(host, key)) WITHOUT ROWID;
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

ENTRY = "key, score, seq, url, depth, parent, tries, hops, kind, run"


def create(db: sqlite3.Connection) -> None:
    """Make the crawl's tables where they are not there yet."""
    db.executescript(TABLES)


def signed(key: int) -> int:
    """A 64-bit key as SQLite stores it.

    >>> signed(2**64 - 1)
    -1
    """
    return key - (1 << 64) if key >= 1 << 63 else key


def unsigned(key: int) -> int:
    """The inverse of `signed`."""
    return key + (1 << 64) if key < 0 else key


def best(db: sqlite3.Connection, host: int, limit: int) -> list[tuple[Any, ...]]:
    """The best queued rows of a host, best first."""
    query = f"SELECT {ENTRY} FROM queue WHERE host=? ORDER BY score DESC, seq LIMIT ?"
    return db.execute(query, (host, limit)).fetchall()


def best_after(db: sqlite3.Connection, host: int, order: float, seq: float, limit: int) -> list[tuple[Any, ...]]:
    """The best queued rows of a host that come after (-score, sequence), best first."""
    if order == float("-inf"):
        return best(db, host, limit)
    query = f"""SELECT {ENTRY} FROM queue WHERE host=? AND score<=? AND (score<? OR seq>?)
                ORDER BY score DESC, seq LIMIT ?"""
    return db.execute(query, (host, -order, -order, seq, limit)).fetchall()


def one(db: sqlite3.Connection, host: int, key: int) -> tuple[Any, ...] | None:
    """The queued row of one URL."""
    return db.execute(f"SELECT {ENTRY} FROM queue WHERE host=? AND key=?", (host, key)).fetchone()


def count(db: sqlite3.Connection) -> int:
    """How many URLs are queued on disk."""
    return int(db.execute("SELECT count(*) FROM queue").fetchone()[0])


def insert_queue(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    """Rows of (host, then the columns of `ENTRY`)."""
    db.executemany(f"INSERT OR REPLACE INTO queue(host, {ENTRY}) VALUES(?,?,?,?,?,?,?,?,?,?,?)", rows)


def delete_queue(db: sqlite3.Connection, rows: Iterable[tuple[int, int]]) -> None:
    """Rows of (host, key)."""
    db.executemany("DELETE FROM queue WHERE host=? AND key=?", rows)


SCORED = np.dtype([("host", np.int64), ("key", np.int64), ("score", np.float32)])


def scores_after(db: sqlite3.Connection, host: int, limit: int) -> tuple[NDArray[np.void], bool]:
    """Host, key and score of the queued pages of hosts after `host`, whole hosts as far as they fit; and whether all fitted."""
    query = "SELECT host, key, score FROM queue WHERE host>? AND kind=0 AND score>=0 ORDER BY host LIMIT ?"
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


class HostRow(NamedTuple):
    """What the database knows of a host."""

    id: int
    name: str
    delay: float
    next_at: float
    fetched: int
    errors: int


HOST = ", ".join(HostRow._fields)
FIRST = "FROM queue WHERE host={} ORDER BY score DESC, seq LIMIT 1"


def last_host(db: sqlite3.Connection) -> int:
    """The largest id of a host; they are numbered from 1 without gaps."""
    return int(db.execute("SELECT coalesce(max(id), 0) FROM hosts").fetchone()[0])


def host_named(db: sqlite3.Connection, name: str) -> HostRow | None:
    row = db.execute(f"SELECT {HOST} FROM hosts WHERE name=?", (name,)).fetchone()
    return None if row is None else HostRow(*row)


def host_numbered(db: sqlite3.Connection, id: int) -> HostRow:
    return HostRow(*db.execute(f"SELECT {HOST} FROM hosts WHERE id=?", (id,)).fetchone())


def host_names(db: sqlite3.Connection) -> Iterator[tuple[int, str]]:
    """(id, name) of all hosts."""
    return db.execute("SELECT id, name FROM hosts")


def best_order(db: sqlite3.Connection, host: int) -> tuple[float, float] | None:
    """Just before the best queued URL of a host, as (-score, sequence number)."""
    row = db.execute(f"SELECT score, seq {FIRST.format('?')}", (host,)).fetchone()
    return None if row is None else _before(*row)


def hosts_with_queue(db: sqlite3.Connection) -> Iterator[tuple[HostRow, tuple[float, float]]]:
    """The hosts that have something queued, each with the order just before its best URL."""
    first = FIRST.format("hosts.id")
    for *row, score, seq in db.execute(f"SELECT {HOST}, (SELECT score {first}) AS best, (SELECT seq {first}) FROM hosts"):
        if score is not None:
            yield HostRow(*row), _before(score, seq)


def _before(score: float, seq: int) -> tuple[float, float]:
    return -score, seq - 0.5  # the place of no URL, so that no two hosts have the same


def fetched_by_site(db: sqlite3.Connection) -> dict[str, int]:
    """How many pages were fetched of each site."""
    return dict(db.execute("SELECT site, sum(fetched) FROM hosts GROUP BY site"))


def insert_hosts(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO hosts(id, name, site, delay, next_at, fetched, errors) VALUES(?,?,?,?,?,?,?)", rows)


def insert_fetched(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO fetched VALUES(?,?,?,?,?,?,?,?,?,?)", rows)


def insert_skipped(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO skipped VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def fetched_of(db: sqlite3.Connection, host: int) -> list[str]:
    """All URLs fetched on a host, in their order."""
    return [url for (url,) in db.execute("SELECT url FROM fetched WHERE host=? ORDER BY at", (host,))]


def fetched_urls(db: sqlite3.Connection) -> Iterator[list[str]]:
    """The URLs of all fetched pages, a piece at a time."""
    rows = db.execute("SELECT url FROM fetched WHERE status=200 AND redirect IS NULL")
    while several := rows.fetchmany(5_000):
        yield [url for (url,) in several]


def first_with_digest(db: sqlite3.Connection, digest: int) -> tuple[str, float] | None:
    """(url, time) of the page stored first with these bytes."""
    return db.execute("SELECT url, at FROM fetched WHERE digest=? ORDER BY at LIMIT 1", (signed(digest),)).fetchone()


def get_meta(db: sqlite3.Connection, name: str, default: Any = None) -> Any:
    row = db.execute("SELECT value FROM meta WHERE name=?", (name,)).fetchone()
    return default if row is None else row[0]


def set_meta(db: sqlite3.Connection, name: str, value: Any) -> None:
    db.execute("INSERT OR REPLACE INTO meta VALUES(?,?)", (name, value))


BACK = "url, url_key, host, depth, parent, score"


def skipped_by(db: sqlite3.Connection, host: int, rule: str | None) -> list[tuple[Any, ...]]:
    """What a learned rule (None: any) skipped on a host and was not fetched as a check: the columns of `BACK`."""
    query = f"SELECT {BACK} FROM skipped WHERE host=? AND checked=0 AND reason IN ('dust', 'mirror')"
    if rule is None:
        return db.execute(f"{query} AND rule IS NOT NULL", (host,)).fetchall()
    return db.execute(f"{query} AND rule=?", (host, rule)).fetchall()


def hosts_with_skips(db: sqlite3.Connection) -> set[int]:
    """The hosts where a learned rule skipped something."""
    return {row[0] for row in db.execute("SELECT DISTINCT host FROM skipped WHERE rule IS NOT NULL AND owner IS NOT NULL")}


def stands_for(db: sqlite3.Connection, url: str) -> str | None:
    """The URL that is to be fetched in place of a skipped one; None for one that was not skipped, or is a check."""
    query = "SELECT s.owner FROM hosts h JOIN skipped s ON s.host = h.id WHERE h.name=? AND s.url_key=? AND s.checked=0"
    row = db.execute(query, (host_of(url), signed(key64(url)))).fetchone()
    return None if row is None else row[0]


def one_skipped_for(db: sqlite3.Connection, owner: str) -> tuple[Any, ...] | None:
    """The best URL skipped because `owner` stood for it."""
    query = f"SELECT {BACK} FROM skipped WHERE owner=? AND checked=0 ORDER BY score DESC, at LIMIT 1"
    return db.execute(query, (owner,)).fetchone()


def open_checks(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """(url, url_key, host id, host, rule, owner) of the checks without an answer."""
    return db.execute(
        """SELECT s.url, s.url_key, s.host, h.name, s.rule, s.owner FROM skipped s JOIN hosts h ON h.id = s.host
           WHERE s.checked=1"""
    ).fetchall()


def owner(db: sqlite3.Connection, key: int) -> str | None:
    """The URL that owns a learned key."""
    row = db.execute("SELECT url FROM keyed WHERE key=?", (key,)).fetchone()
    return None if row is None else row[0]


NOT_YET = object()


def compare(db: sqlite3.Connection, url: str, other: str, must_be_there: bool = False) -> Any:
    """Whether two URLs showed the same page; None when one could not be fetched, NOT_YET while one was not.

    `must_be_there`: if the first is a page and the other does not exist, they are different.
    """
    first, second = _landed(db, url), _landed(db, other)
    if first is None or second is None:
        return NOT_YET
    if must_be_there and first[1] == 200 and second[1] in (404, 410):
        return False
    if first[1] != 200 or second[1] != 200:
        return None
    same_bytes = first[2] is not None and first[2] == second[2]
    same_text = first[3] is not None and first[3] == second[3]
    originals = {first[4] or first[0], second[4] or second[0]}
    return same_bytes or same_text or len(originals) == 1


def _landed(db: sqlite3.Connection, url: str | None) -> tuple[Any, ...] | None:
    """(url, status, digest, text_digest, duplicate_of) of a fetched URL, or of where it redirects to."""
    for _ in range(10):
        query = """SELECT f.url, f.status, f.digest, f.text_digest, f.duplicate_of, f.redirect
                   FROM hosts h JOIN fetched f ON f.host = h.id WHERE h.name=? AND f.key=?"""
        row = db.execute(query, (host_of(url or ""), signed(key64(url or "")))).fetchone()
        if row is None or row[5] is None:
            return row
        url = row[5]
    return None


COUNTS = ("stored", "pages", "redirects", "errors", "duplicates", "unchanged", "checks", "bytes", "too many hops")


def counts(db: sqlite3.Connection) -> dict[str, int]:
    """The counters of the whole crawl, as committed last."""
    rows = dict(db.execute("SELECT name, value FROM meta WHERE name LIKE 'count %'"))
    return {name: int(rows.get(f"count {name}", 0)) for name in COUNTS}


def set_counts(db: sqlite3.Connection, counted: Mapping[str, int]) -> None:
    db.executemany("INSERT OR REPLACE INTO meta VALUES(?,?)", [(f"count {name}", counted.get(name, 0)) for name in COUNTS])


def digests(db: sqlite3.Connection) -> Iterator[NDArray[np.uint64]]:
    """The digests of all fetched pages, a piece at a time."""
    rows = db.execute("SELECT digest FROM fetched WHERE digest IS NOT NULL")
    while several := rows.fetchmany(100_000):
        yield np.array([row[0] for row in several], np.int64).view(np.uint64)
