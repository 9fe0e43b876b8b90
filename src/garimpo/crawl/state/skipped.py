"""The URLs that were skipped, why, and in whose place."""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from garimpo.crawl.state.schema import signed
from garimpo.url import host as host_of
from garimpo.url import key64

SHOWN = "url, key, reason, rule, version, at, checked, equal"
_SKIPPED = "url, url_key, host, depth, parent, score, reason"


class SkippedRow(NamedTuple):
    """What is needed to queue a skipped URL again."""

    url: str
    url_key: int
    host_id: int
    depth: int
    parent: str | None
    score: float
    reason: str


def insert(db: sqlite3.Connection, rows: Iterable[Sequence[Any]]) -> None:
    db.executemany("INSERT OR REPLACE INTO skipped VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?)", rows)


def by_rule(db: sqlite3.Connection, host: int, rule: str | None) -> list[SkippedRow]:
    """What a learned rule (None: any) skipped on a host and was not fetched as a check."""
    query = f"SELECT {_SKIPPED} FROM skipped WHERE host=? AND checked=0 AND reason IN ('dust', 'mirror')"
    if rule is None:
        return [SkippedRow(*row) for row in db.execute(f"{query} AND rule IS NOT NULL", (host,))]
    return [SkippedRow(*row) for row in db.execute(f"{query} AND rule=?", (host, rule))]


def by_reason(db: sqlite3.Connection, reason: str, host: int | None = None, rule: str | None = None) -> list[SkippedRow]:
    """What a trap kept out, or was left aside by its shape.

    Args:
        db: the state file.
        reason: `trap` or `shape`.
        host: on this host only.
        rule: by this trap, or of this shape, only.
    """
    query = f"SELECT {_SKIPPED} FROM skipped WHERE reason=?1 AND (?2 IS NULL OR host=?2) AND (?3 IS NULL OR rule=?3)"
    return [SkippedRow(*row) for row in db.execute(query, (reason, host, rule))]


def first_out_of_scope(db: sqlite3.Connection, urls: Iterable[str]) -> tuple[str, str] | None:
    """(URL, why) of the first of these URLs that is out of scope, if there is one."""
    query = "SELECT url, rule FROM skipped WHERE url=? AND reason='scope'"
    return next((row for url in urls if (row := db.execute(query, (url,)).fetchone()) is not None), None)


def left_by(db: sqlite3.Connection, reason: str) -> list[tuple[str, int, str]]:
    """(trap or shape, how many URLs were left aside by it, one of them), most first.

    Args:
        db: the state file.
        reason: `trap` or `shape`.
    """
    query = "SELECT rule, count(*), min(url) FROM skipped WHERE reason=? GROUP BY rule ORDER BY 2 DESC, rule"
    return db.execute(query, (reason,)).fetchall()


def set_check_results(db: sqlite3.Connection, rows: Iterable[tuple[int | None, int, int]]) -> None:
    """Rows of (equal, host, key)."""
    db.executemany("UPDATE skipped SET equal=?, checked=2 WHERE host=? AND url_key=?", rows)


def delete(db: sqlite3.Connection, rows: Iterable[tuple[int, int]]) -> None:
    """Rows of (host, key)."""
    db.executemany("DELETE FROM skipped WHERE host=? AND url_key=?", rows)


def hosts_of_rules(db: sqlite3.Connection) -> set[int]:
    """The hosts where a learned rule skipped something."""
    return {row[0] for row in db.execute("SELECT DISTINCT host FROM skipped WHERE rule IS NOT NULL AND owner IS NOT NULL")}


def replacement_of(db: sqlite3.Connection, url: str) -> str | None:
    """The URL that is to be fetched in place of a skipped one; None for one that was not skipped, or is a check."""
    query = "SELECT s.owner FROM hosts h JOIN skipped s ON s.host = h.id WHERE h.name=? AND s.url_key=? AND s.checked=0"
    row = db.execute(query, (host_of(url), signed(key64(url)))).fetchone()
    return None if row is None else row[0]


def find(db: sqlite3.Connection, host: int, key: int) -> dict[str, Any] | None:
    """All that is written down of one URL that was skipped, or checked, by the names of the columns."""
    rows = db.execute("SELECT * FROM skipped WHERE host=? AND url_key=?", (host, key))
    names = [column[0] for column in rows.description]
    row = rows.fetchone()
    return None if row is None else dict(zip(names, row))


def best_replaced_by(db: sqlite3.Connection, owner: str) -> SkippedRow | None:
    """The best URL skipped because `owner` stood for it."""
    query = f"SELECT {_SKIPPED} FROM skipped WHERE owner=? AND checked=0 ORDER BY score DESC, at LIMIT 1"
    row = db.execute(query, (owner,)).fetchone()
    return None if row is None else SkippedRow(*row)


def open_checks(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """(url, url_key, host id, host, rule, owner) of the checks without an answer."""
    return db.execute(
        """SELECT s.url, s.url_key, s.host, h.name, s.rule, s.owner FROM skipped s JOIN hosts h ON h.id = s.host
           WHERE s.checked=1"""
    ).fetchall()


def some_of(db: sqlite3.Connection, host: int, limit: int) -> list[str]:
    """Some URLs of a host that were skipped: a sample, as rows lie in the order of their hashes."""
    return [url for (url,) in db.execute("SELECT url FROM skipped WHERE host=? LIMIT ?", (host, limit))]


def left_out(db: sqlite3.Connection, host: int, limit: int) -> list[str]:
    """URLs of a host that are not fetched."""
    return [url for (url,) in db.execute("SELECT url FROM skipped WHERE host=? AND checked=0 LIMIT ?", (host, limit))]


def count_by_reason(db: sqlite3.Connection) -> dict[str, int]:
    """How many URLs were skipped for which reason; checks are fetched, and not counted."""
    return dict(db.execute("SELECT reason, count(*) FROM skipped WHERE checked=0 GROUP BY reason"))


def count_checks(db: sqlite3.Connection) -> int:
    """How many URLs were fetched to check a rule."""
    return int(db.execute("SELECT count(*) FROM skipped WHERE checked>0").fetchone()[0])


def check_results(db: sqlite3.Connection) -> dict[bool, int]:
    """How many checks found an equal page, and how many a different one."""
    query = "SELECT equal, count(*) FROM skipped WHERE checked=2 AND equal IS NOT NULL GROUP BY equal"
    return {bool(equal): count for equal, count in db.execute(query)}


def shown_rows(db: sqlite3.Connection, size: int) -> Iterator[list[tuple[Any, ...]]]:
    """The columns of `SHOWN` of all rows, oldest first, so many at a time."""
    rows = db.execute(f"SELECT {SHOWN} FROM skipped ORDER BY at, url")
    while several := rows.fetchmany(size):
        yield several


def with_host_names(db: sqlite3.Connection) -> Iterable[tuple[Any, ...]]:
    """(host name, then the columns after the host) of all that was skipped on a host."""
    columns = "url_key, url, key, reason, rule, version, at, checked, equal, owner, depth, parent, score"
    named = ", ".join(f"s.{column}" for column in columns.split(", "))
    return db.execute(f"SELECT h.name, {named} FROM skipped s JOIN hosts h ON h.id=s.host")


def saved_by_rule(db: sqlite3.Connection) -> list[tuple[Any, ...]]:
    """(rule, fetches saved, a URL, the URL that stands for it) of every URL rule, best first."""
    # SQLite takes a bare column from the row that has the minimum: the two URLs belong together
    query = """SELECT rule, count(*), min(url), owner FROM skipped WHERE reason = 'dust' AND checked = 0
               GROUP BY rule ORDER BY 2 DESC"""
    return db.execute(query).fetchall()


def saved_by_mirror(db: sqlite3.Connection) -> dict[str, tuple[int, str, str | None]]:
    """Of every fold by its name: fetches saved, a URL, and the URL that stands for it."""
    query = "SELECT rule, count(*), min(url), owner FROM skipped WHERE reason = 'mirror' AND checked = 0 GROUP BY rule"
    return {rule: (count, url, owner) for rule, count, url, owner in db.execute(query)}


def newest(
    db: sqlite3.Connection, reason: str = "", rule: str = "", search: str = "", limit: int = 100, offset: int = 0
) -> list[dict[str, Any]]:
    """Skipped URLs, those skipped last first, with the names of their columns.

    Args:
        db: the state file.
        reason: only these.
        rule: only what this rule skipped.
        search: only URLs with this in them.
        limit: so many at most.
        offset: leave out so many first.
    """
    names = ("url", "reason", "rule", "version", "at", "owner", "parent", "depth")
    query = f"""SELECT {", ".join(names)} FROM skipped WHERE checked=0 AND (?1='' OR reason=?1) AND (?2='' OR rule=?2)
                AND (?3='' OR instr(url, ?3)) ORDER BY at DESC, url LIMIT ?4 OFFSET ?5"""
    return [dict(zip(names, row)) for row in db.execute(query, (reason, rule, search, limit, offset))]


def count_by_part(db: sqlite3.Connection) -> list[tuple[str, str | None, int]]:
    """(reason, which part of it, how many) of scope and traps; of rules and folds all together."""
    query = """SELECT reason, CASE WHEN reason IN ('scope', 'trap') THEN rule END AS part, count(*) FROM skipped WHERE checked=0
               GROUP BY reason, part ORDER BY 3 DESC"""
    return db.execute(query).fetchall()
