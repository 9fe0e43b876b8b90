"""Crawling again what another crawl folder holds: conditional requests, and visits as often as pages change.

Every URL that folder fetched well becomes known here, with its ETag, its digest and a schedule: the interval to its next
visit halves when the page had changed and grows by half when it had not, between an hour and ninety days. The first visit
is due at once. A known URL that is not due is not fetched; one that is due is asked for conditionally, and an answer 304
is stored as a revisit.
"""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from garimpo.archive import Earlier, Store
from garimpo.crawl.reading.reader import PageRow
from garimpo.crawl.state import known_rows, schema
from garimpo.url import key64

FIRST, SHORTEST, LONGEST = 7 * 86_400.0, 3_600.0, 90 * 86_400.0
COLUMNS = (
    "url",
    "fetched_at",
    "content_type",
    "length",
    "digest",
    "text_digest",
    "title",
    "text",
    "language",
    "canonical",
    "etag",
    "last_modified",
    "depth",
)


def next_interval(every: float, changed: bool) -> float:
    """The time to the next visit, from the last one and whether the page had changed.

    >>> next_interval(FIRST, True) < FIRST < next_interval(FIRST, False)
    True
    """
    return min(max(every * (0.5 if changed else 1.5), SHORTEST), LONGEST)


class KnownPages:
    """The pages another crawl holds, in this crawl's database."""

    def __init__(self, db: sqlite3.Connection, folder: str, clock: Callable[[], float]) -> None:
        self._db, self._clock = db, clock
        self._visits: list[tuple[float, float, int | None, str | None, str | None, int]] = []
        if known_rows.create(db):
            _copy(db, folder)

    def due(self) -> Iterator[tuple[str, int]]:
        """(url, depth) of what is to be visited again, longest overdue first."""
        yield from known_rows.due(self._db, self._clock())

    def not_due(self) -> list[int]:
        """The keys of what need not be fetched yet."""
        return known_rows.not_due(self._db, self._clock())

    def conditions(self, url: str) -> list[tuple[str, str]]:
        """The headers that ask only for a changed page."""
        row = self._row(url, "etag, last_modified")
        names = ("If-None-Match", "If-Modified-Since")
        pairs = zip(names, row or ())
        return [(name, value) for name, value in pairs if value and value.isascii() and value.isprintable()]

    def unchanged(self, url: str, page: PageRow) -> PageRow:
        """The row of a page that had not changed: what we knew of it."""
        row = self._row(url, "digest, text_digest, content_type, title, language, canonical, etag, last_modified")
        if row is None:
            return page
        digest, text_digest, *rest = row
        kind, title, language, canonical, etag, last_modified = rest
        return page._replace(
            digest=_unsigned(digest),
            text_digest=_unsigned(text_digest),
            content_type=kind,
            title=title,
            language=language,
            canonical=canonical,
            etag=page.etag or etag,
            last_modified=page.last_modified or last_modified,
        )

    def earlier(self, url: str) -> Earlier | None:
        """The visit a 304 refers to."""
        row = self._row(url, "at")
        return None if row is None else Earlier(url, row[0])

    def visited(self, url: str, status: int, page: PageRow) -> bool:
        """A URL was answered: if it is known, set when it is due next. Whether it was known and had not changed."""
        row = self._row(url, "every, digest, key")
        if row is None or status not in (200, 304):
            return False
        every, digest, key = row
        changed = status == 200 and (page.digest is None or schema.signed(page.digest) != digest)
        every = next_interval(every, changed)
        new = digest if page.digest is None else schema.signed(page.digest)
        self._visits.append((every, self._clock() + every, new, page.etag, page.last_modified, key))
        return not changed

    def commit(self, db: sqlite3.Connection) -> None:
        known_rows.set_visits(db, self._visits)

    def committed(self) -> None:
        self._visits.clear()

    def _row(self, url: str, columns: str) -> Any:
        return known_rows.find(self._db, url, columns)


def removed_from(folder: str | None) -> list[str]:
    """What was taken out of the known folder for good (nothing, without one)."""
    if folder is None:
        return []
    with Store.open(Path(folder), write=False) as other:
        return other.removed()


def _copy(db: sqlite3.Connection, folder: str) -> None:
    """Take over what the other folder fetched well, and its schedule where it has one."""
    with Store.open(Path(folder), write=False) as other:
        schedule = known_rows.schedule(other.database)
        db.execute("BEGIN")
        for batch in other.latest([name for name in COLUMNS if name not in ("text", "length")]):
            rows = []
            for page in batch.to_pylist():
                at = page["fetched_at"].timestamp()
                key = schema.signed(key64(page["url"]))
                every, due = schedule.get(key, (FIRST, at))
                rows.append(
                    (
                        key,
                        page["url"],
                        at,
                        page["etag"],
                        page["last_modified"],
                        _signed(page["digest"]),
                        _signed(page["text_digest"]),
                        page["content_type"],
                        page["title"],
                        page["language"],
                        page["canonical"],
                        page["depth"],
                        every,
                        due,
                    )
                )
            known_rows.insert(db, rows)
        db.execute("COMMIT")


def _signed(value: int | None) -> int | None:
    return None if value is None else schema.signed(value)


def _unsigned(value: int | None) -> int | None:
    return None if value is None else schema.unsigned(value)
