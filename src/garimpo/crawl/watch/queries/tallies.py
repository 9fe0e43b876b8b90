"""Sums over the pages of a crawl, kept up to date segment by segment: a segment never changes, so each is read once."""

from pathlib import Path
from typing import Any

from garimpo.archive import Store
from garimpo.crawl.watch.queries.segment_queries import connect, view

_TALLY = """CREATE TABLE tally(file VARCHAR, host VARCHAR, status SMALLINT, type VARCHAR, depth INTEGER, language VARCHAR,
    n BIGINT, repeated BIGINT, bytes HUGEINT, wanted BIGINT)"""
_ADD = """INSERT INTO tally SELECT filename, host, status, lower(trim(split_part(content_type, ';', 1))), depth, language,
    count(*), count(duplicate_of), coalesce(sum(length), 0),
    count(*) FILTER (score > 0.5 AND status = 200 AND duplicate_of IS NULL) FROM pages GROUP BY ALL"""
HOST_ORDERS = ("fetched", "repeated", "errors", "bytes", "host")


class Tallies:
    """The sums of one crawl folder.

    Args:
        store: the folder, open.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._database = connect()
        self._database.execute(_TALLY)
        self._known: set[str] = set()

    def update(self) -> "Tallies":
        """Read the segments that are new, and forget those that were merged into others."""
        files = {str(file): file for file in self._store.page_files()}
        gone, new = self._known - files.keys(), [files[name] for name in sorted(files.keys() - self._known)]
        if gone:
            self._database.execute("DELETE FROM tally WHERE list_contains($gone, file)", {"gone": sorted(gone)})
        if new:
            self._add(new)
        self._known = set(files)
        return self

    def by(self, column: str, limit: int = 20) -> dict[Any, int]:
        """How many answers there are of each status, type, depth or language, most first.

        Args:
            column: its name.
            limit: so many at most.
        """
        assert column in ("status", "type", "depth", "language")
        where = "" if column in ("status", "depth") else f"WHERE {column} IS NOT NULL AND status = 200"
        query = f"SELECT {column}, sum(n)::BIGINT FROM tally {where} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {int(limit)}"
        return dict(self._database.execute(query).fetchall())

    def hosts(self, order: str = "fetched", limit: int = 200, search: str = "") -> list[dict[str, Any]]:
        """Of each host: answers fetched, repeated pages, errors, bytes, and pages judged to be on topic.

        Args:
            order: by which of these the first come first; or `host`.
            limit: so many at most.
            search: only hosts with this in their names.
        """
        column = order if order in HOST_ORDERS else "fetched"
        query = f"""SELECT host, sum(n)::BIGINT AS fetched, sum(repeated)::BIGINT AS repeated,
                   coalesce(sum(n) FILTER (status = 0 OR status >= 400), 0)::BIGINT AS errors, sum(bytes)::BIGINT AS bytes,
                   sum(wanted)::BIGINT AS wanted
                   FROM tally WHERE contains(host, $search) GROUP BY host
                   ORDER BY {column} {"" if column == "host" else "DESC"}, host LIMIT $limit"""
        found = self._database.execute(query, {"search": search, "limit": limit})
        names = [one[0] for one in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]

    def close(self) -> None:
        self._database.close()

    def _add(self, files: list[Path]) -> None:
        view(self._database, "pages", files)
        self._database.execute(_ADD)
