"""What a crawl has kept so far, as the learner sees it: it grows by the segments committed since the last look."""

import math
import time
from collections.abc import Callable
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Learned, Store
from garimpo.archive.folder import segments
from garimpo.crawl.settings import Settings, from_dict
from garimpo.crawl.state import rule_rows
from garimpo.focus import page_text
from garimpo.url import host_column

COLUMNS = ("url", "host", "ip", "status", "digest", "text_digest", "title", "canonical", "redirect", "duplicate_of")
LOOK_SECONDS = 0.1
SEGMENTS = 32
"""Texts are taken from at most so many segments."""


class Corpus:
    """The pages of a crawl folder, without their texts, and what was published about them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self.settings = settings
        self.learned = Learned(store.learned.folder)
        self._read: set[Path] = set()
        self._commits: set[tuple[str, int]] = set()
        """(table, number) of every commit whose rows were read."""
        self._parts: list[pa.Table] = []
        self._links: pa.Table = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())})

    @classmethod
    def open(cls, folder: Path) -> Self:
        store = Store.open(folder, write=False)
        return cls(store, from_dict(store.settings, f"{folder}/crawl.toml"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._store.close()

    def wait(self, rows: int, seconds: float = math.inf) -> None:
        """Until there are so many rows, or so many seconds have passed."""
        until = time.monotonic() + seconds
        self.grow()
        while self.rows < rows and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            self.grow()

    @property
    def rows(self) -> int:
        """How many rows were read."""
        return sum(part.num_rows for part in self._parts)

    def grow(self) -> int:
        """Take up the segments that are new; the number of their rows."""
        new = 0
        for file in self._store.page_files():
            part = self._unread(file, _columns)
            if part is not None:
                self._parts.append(part)
                new += part.num_rows
        return new

    def _unread(self, file: Path, read: Callable[[Path], pa.Table]) -> pa.Table | None:
        """The rows of a segment that were not read before: of a merged one perhaps none, or those of its last commits."""
        if file in self._read:
            return None
        try:
            commits, table = segments.commits_of(file), read(file)
        except FileNotFoundError:  # a commit is visible just before its files are, and a merged one goes
            return None
        self._read.add(file)
        kind, merged, place, parts = file.parent.name, len(commits) > 1, 0, []
        for number, rows in commits:
            if not merged or (kind, number) not in self._commits:
                parts.append(table.slice(place, rows))
            self._commits.add((kind, number))
            place += rows
        return pa.concat_tables(parts) if parts else None

    @property
    def pages(self) -> pa.Table:
        """All pages so far, in the order of arrival."""
        if len(self._parts) > 1:
            self._parts = [pa.concat_tables(self._parts)]
        return self._parts[0] if self._parts else pa.table({name: pa.array([], pa.string()) for name in COLUMNS})

    def texts(self, most: int) -> list[str]:
        """Title and text of at most so many pages, from segments spread evenly over the crawl."""
        files = [file for file in self._store.page_files() if file.exists()]
        chosen = [files[number * len(files) // min(len(files), SEGMENTS)] for number in range(min(len(files), SEGMENTS))]
        found: list[str] = []
        for file in chosen:
            found += _texts(file)
        step = max(1, len(found) // most)
        return found[::step][:most]

    @property
    def near(self) -> pa.Table:
        """The near-duplicates that the crawl's index found: `id` and the `cluster` around the page that was kept."""
        from garimpo.mirrors.inputs import near_duplicates

        return near_duplicates(self.pages)

    @property
    def links(self) -> pa.Table:
        """Which host links to which: one row for each pair of hosts, named by their roots."""
        parts = [self._links]
        for file in self._store.link_files():
            rows = self._unread(file, _link_ends)
            if rows is not None:
                parts.append(_between_hosts(rows))
        if len(parts) > 1:
            self._links = pa.concat_tables(parts).group_by(["source", "target"]).aggregate([])
        return self._links

    def withdrawn(self) -> list[tuple[str, str]]:
        """(rule, host) of every rule that failed its checks on a host."""
        return [(rule, host) for rule, host, _, _ in rule_rows.withdrawn(self._store.database)]


def _texts(file: Path) -> list[str]:
    """Title and text of the pages of a segment that were answered well, were not met before, and have any text."""
    names = ["title", "text", "status", "duplicate_of"]
    rows = zip(*(column.to_pylist() for column in segments.open_segment(file).read(names).columns))
    return [page_text(title, text) for title, text, status, duplicate in rows if status == 200 and text and not duplicate]


def _link_ends(file: Path) -> pa.Table:
    return segments.open_segment(file).read(["source", "target"])


def _between_hosts(table: pa.Table) -> pa.Table:
    hosts = [host_column(table[name]) for name in ("source", "target")]
    other = pc.fill_null(pc.not_equal(*hosts), False)
    roots = [pc.binary_join_element_wise("http://", column.filter(other), "/", "") for column in hosts]
    return pa.table(roots, ["source", "target"]).group_by(["source", "target"]).aggregate([])


def _columns(file: Path) -> pa.Table:
    return segments.open_segment(file).read(list(COLUMNS))
