"""Skipped requests, kept until their rule is withdrawn: in the crawl's state file, those that cannot be stored in memory."""

import sqlite3
from collections.abc import Iterable
from typing import Any

from garimpo.crawl.state.entry import Entry
from garimpo.crawl.state.skipped import SkippedRow

TABLE = "CREATE TABLE IF NOT EXISTS requests(host INTEGER, key INTEGER, request BLOB, PRIMARY KEY(host, key)) WITHOUT ROWID"

Place = tuple[int, int]


class HeldRequests:
    """The requests of skipped entries. What changes is written with the next commit."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        db.execute(TABLE)
        self._new: dict[Place, Any] = {}
        self._kept: dict[Place, Any] = {}
        """Requests that cannot be stored."""
        self._gone: list[Place] = []

    def hold(self, entry: Entry, request: Any) -> None:
        """Keep the request of a skipped entry: bytes, or an object that only memory can hold."""
        kind = self._new if isinstance(request, bytes) else self._kept
        kind[entry.host.id, entry.key] = request

    def give_back(self, rows: Iterable[SkippedRow]) -> list[Any]:
        """The requests of entries that come back; those of an earlier run that could not be stored are gone."""
        found = [self._take((row.host_id, row.url_key)) for row in rows]
        return [request for request in found if request is not None]

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what changed; called inside the commit's transaction."""
        db.executemany("DELETE FROM requests WHERE host=? AND key=?", self._gone)
        rows = [(*place, request) for place, request in self._new.items()]
        db.executemany("INSERT OR REPLACE INTO requests VALUES(?,?,?)", rows)

    def committed(self) -> None:
        """The transaction stands."""
        self._gone.clear()
        self._new.clear()

    def _take(self, place: Place) -> Any:
        if (request := self._new.pop(place, None) or self._kept.pop(place, None)) is not None:
            return request
        self._gone.append(place)
        row = self._db.execute("SELECT request FROM requests WHERE host=? AND key=?", place).fetchone()
        return None if row is None else row[0]
