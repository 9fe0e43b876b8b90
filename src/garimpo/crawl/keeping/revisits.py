"""Crawling again what another crawl folder holds: conditional requests, and visits where they keep most pages fresh.

Every URL that folder fetched well, or knew from one before it, becomes known here, with its ETag, its digest and what earlier
visits found. Which of them are due is decided once, when the crawl begins (`freshness`): as many as the time since the last
visit allows at so many a day. A known URL that is not due is not fetched; one that is due is asked for conditionally, and an
answer 304 is stored as a revisit.
"""

import math
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from garimpo.archive import Earlier, Store
from garimpo.crawl.keeping.freshness import DAY, Visits, chances_of_rates, choose, worth
from garimpo.crawl.reading.reader import PageRow
from garimpo.crawl.state import known_rows, schema
from garimpo.url import key64

USUAL_DAYS = 7
"""Between two visits of a page, in the mean, where no number of visits is given."""
_KEPT = 24
"""Visits of a page that are remembered."""
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


class KnownPages:
    """The pages another crawl holds, in this crawl's database."""

    def __init__(self, db: sqlite3.Connection, folder: str, clock: Callable[[], float], a_day: int = 0, seed: int = 0) -> None:
        self._db, self._clock = db, clock
        self._visits: list[tuple[Any, ...]] = []
        if known_rows.create(db):
            db.execute("BEGIN")
            _copy(db, folder)
            _plan(db, clock(), a_day, np.random.default_rng(seed))
            db.execute("COMMIT")

    def due(self) -> Iterator[tuple[str, int]]:
        """(url, depth) of what is to be visited again, what is worth most first."""
        yield from known_rows.due(self._db)

    def not_due(self) -> list[int]:
        """The keys of what need not be fetched yet."""
        return known_rows.not_due(self._db)

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
        """A URL was answered: if it is known, remember what the visit found. Whether it was known and had not changed."""
        row = self._row(url, "at, history, digest, text_digest, key")
        if row is None or status not in (200, 304):
            return False
        at, history, digest, text_digest, key = row
        new, new_text = _signed(page.digest), _signed(page.text_digest)
        changed = status == 200 and (new is None or new != digest)
        other_text = changed and (new_text is None or new_text != text_digest)
        now = self._clock()
        history = _with_visit(history or b"", now - at, other_text)
        kept = (digest if new is None else new, text_digest if new_text is None else new_text)
        self._visits.append((now, history, *kept, page.etag, page.last_modified, key))
        return not changed

    def commit(self, db: sqlite3.Connection) -> None:
        known_rows.set_visits(db, self._visits)

    def committed(self) -> None:
        self._visits.clear()

    def _row(self, url: str, columns: str) -> Any:
        return known_rows.find(self._db, url, columns)


def seeds_of(folder: str | None) -> list[str]:
    """Where the known crawl began, so that its pages are in scope; of imported pages the start pages of their hosts."""
    if folder is None:
        return []
    with Store.open(Path(folder), write=False) as other:
        seeds: list[str] = other.settings.get("seeds", [])
        if not seeds:
            roots = {_root(url) for batch in other.latest(["url"]) for url in batch.column("url").to_pylist()}
            seeds = sorted(roots)
        return seeds


def _root(url: str) -> str:
    """The start page of a URL's host.

    >>> _root("http://a.com/b?c")
    'http://a.com/'
    """
    return "/".join([*url.split("/", 3)[:3], ""])


def removed_from(folder: str | None) -> list[str]:
    """What was taken out of the known folder for good (nothing, without one)."""
    if folder is None:
        return []
    with Store.open(Path(folder), write=False) as other:
        return other.removed()


def _copy(db: sqlite3.Connection, folder: str) -> None:
    """Take over what the other folder knew and what it fetched well."""
    histories: dict[int, bytes] = {}
    with Store.open(Path(folder), write=False) as other:
        for *row, history, _ in known_rows.earlier(other.database):
            known_rows.insert(db, [(*row, history, None)])
            if history:
                histories[row[0]] = history
        for batch in other.latest([name for name in COLUMNS if name not in ("text", "length")]):
            known_rows.insert(db, (_as_known(page, histories) for page in batch.to_pylist()))


def _as_known(page: dict[str, Any], histories: dict[int, bytes]) -> tuple[Any, ...]:
    key = schema.signed(key64(page["url"]))
    return (
        key,
        page["url"],
        page["fetched_at"].timestamp(),
        page["etag"],
        page["last_modified"],
        _signed(page["digest"]),
        _signed(page["text_digest"]),
        page["content_type"],
        page["title"],
        page["language"],
        page["canonical"],
        page["depth"],
        histories.get(key),
        None,
    )


def _plan(db: sqlite3.Connection, now: float, a_day: int, dice: np.random.Generator) -> None:
    """Say which pages are due. Without a number of visits, pages that were never visited again all are."""
    rows = known_rows.histories(db)
    if not rows:
        return
    keys, times, histories = zip(*rows)
    lengths = [len(history) // 4 for history in histories]
    found = np.frombuffer(b"".join(histories), np.float32).astype(np.float64)
    visits = Visits(np.repeat(np.arange(len(keys)), lengths), np.abs(found).clip(1.0), found > 0)
    since = (now - np.array(times, np.float64)).clip(1.0)
    values = worth(chances_of_rates(visits, len(keys)), since)
    count = min(len(keys), math.ceil((a_day or len(keys) / USUAL_DAYS) * since.min() / DAY))
    due = set(choose(values, count, dice).tolist())
    if not a_day:
        due.update(page for page, length in enumerate(lengths) if not length)
    known_rows.set_worth(db, ((float(values[page]), keys[page]) for page in sorted(due)))


def _with_visit(history: bytes, interval: float, changed: bool) -> bytes:
    """One visit more; the oldest are forgotten.

    >>> np.frombuffer(_with_visit(_with_visit(b"", 60.0, True), 30.0, False), np.float32).tolist()
    [60.0, -30.0]
    """
    seconds = max(interval, 1.0)
    return (history + np.float32(seconds if changed else -seconds).tobytes())[-4 * _KEPT :]


def _signed(value: int | None) -> int | None:
    return None if value is None else schema.signed(value)


def _unsigned(value: int | None) -> int | None:
    return None if value is None else schema.unsigned(value)
