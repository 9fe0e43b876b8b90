"""Merging of small segments: a polite crawl commits a few rows every two seconds, and would leave a file for each commit.

Segments of about the same size that follow each other are written as one. That is a commit like any other: the new segment is
written aside, one transaction lists it in the place of the old ones, then it is renamed. The old ones lie in
`state/replaced/` for a while, for readers that listed them just before.
"""

import sqlite3
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa

from garimpo.archive.folder import segments, state

FAN = 16
"""So many segments become one."""
SMALL = 4 << 20
"""A segment of more bytes is left as it is."""
KEPT_SECONDS = 60.0
PART_BYTES = 32 << 20
"""Rows of so many bytes, unpacked, are written at a time."""


class Merger:
    """Merges the segments of a crawl folder that is open to write."""

    def __init__(self, folder: Path, database: sqlite3.Connection) -> None:
        """A merger.

        Args:
            folder: the crawl folder.
            database: its state file, open to write.
        """
        self._folder, self._database = folder, database
        self._old: list[tuple[float, list[str]]] = []
        self._gone: list[str] = []
        self._levels: dict[str, int] = {}

    def merge(self) -> int:
        """Merge what is small, in both tables; how many segments became fewer."""
        merged = 0
        for kind in segments.SCHEMAS:
            while (group := self._group(kind)) is not None:
                self._merge(kind, group)
                merged += len(group) - 1
        self._forget_old()
        return merged

    def _group(self, kind: str) -> list[str] | None:
        """The last segments of a table that were merged as often as each other, if they are enough.

        Each level holds FAN times the commits of the one before, so that a row is written again but a few times.
        """
        query = "SELECT name FROM segments WHERE kind = ? ORDER BY name DESC LIMIT ?"
        names = [name for (name,) in self._database.execute(query, (kind, 8 * FAN))]
        run: list[str] = []
        level = -1
        for name in names:
            size = self._size(name)
            if size is None or size > SMALL:
                break
            here = self._level(name)
            if here < level:
                break
            if here > level:
                run, level = [], here
            run.append(name)
            if len(run) == FAN:
                return run[::-1]
        return None

    def _merge(self, kind: str, names: Sequence[str]) -> None:
        paths = [segments.location(self._folder, name) for name in names]
        commits = [commit for path in paths for commit in segments.commits_of(path)]
        spans = [span for name in names if (span := segments.span_of(name)) is not None]
        new = f"{kind}/{spans[0].first:08d}-{spans[-1].last:08d}.parquet"
        rows = segments.write_aside(self._folder, new, parts_of(paths), commits)
        with state.transaction(self._database) as database:
            database.executemany("DELETE FROM replaced WHERE name = ?", [(name,) for name in self._gone])
            state.unlist_segments(database, names)
            state.list_segments(database, self._folder, {new: rows})
            database.executemany("INSERT OR REPLACE INTO replaced VALUES (?)", [(name,) for name in names])
        self._gone.clear()
        for name in names:
            self._levels.pop(name, None)
            segments.put_away(self._folder, name)
        segments.finish(self._folder, [new])
        self._old.append((time.monotonic(), list(names)))

    def _forget_old(self) -> None:
        """Delete what nobody reads any more."""
        while self._old and time.monotonic() - self._old[0][0] > KEPT_SECONDS:
            _, names = self._old.pop(0)
            for name in names:
                (self._folder / segments.REPLACED / name).unlink(missing_ok=True)
            self._gone += names

    def _size(self, name: str) -> int | None:
        """The bytes of a segment; None for one of another making."""
        span = segments.span_of(name)
        if span is None or span.generation:
            return None
        try:
            return segments.location(self._folder, name).stat().st_size
        except FileNotFoundError:
            return None

    def _level(self, name: str) -> int:
        """How often the rows of a segment were merged, by how many commits it holds."""
        if name not in self._levels:
            held, level = len(segments.commits_of(segments.location(self._folder, name))), 0
            while held >= FAN:
                held, level = held // FAN, level + 1
            self._levels[name] = level
        return self._levels[name]


def parts_of(paths: Sequence[Path]) -> Iterator[pa.Table]:
    """The rows of segments, in order, some at a time, all with the columns that any of them has.

    Args:
        paths: the segments.
    """
    columns = pa.unify_schemas([segments.columns_of(path) for path in paths]).empty_table()
    tables = [columns]
    for path in paths:
        tables.append(segments.read_whole(path))
        if sum(table.nbytes for table in tables) >= PART_BYTES:
            yield pa.concat_tables(tables, promote_options="default")
            tables = [columns]
    if len(tables) > 1:
        yield pa.concat_tables(tables, promote_options="default")
