"""What a crawl has kept so far, as the learner sees it: it grows by the segments committed since the last look."""

import time
from pathlib import Path
from typing import Self

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Learned, Store
from garimpo.crawl.settings import Settings, from_dict
from garimpo.focus import page_text
from garimpo.url import host_column

COLUMNS = ("url", "host", "ip", "status", "digest", "text_digest", "title", "canonical", "redirect", "duplicate_of")
LOOK_SECONDS = 0.5
SEGMENTS = 32
"""Texts are taken from at most so many segments."""
ENOUGH_PAGES = 200
"""A round begins after a while even with fewer new pages than asked for, but not with fewer than this."""
GROWTH = 0.15
"""A round begins when there are so many more pages than in the last one: each looks at all pages, and must not look for ever."""


class Kept:
    """The pages of a crawl folder, without their texts, and what was published about them."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self.settings = settings
        self.learned = Learned(store.learned.folder)
        self._read: set[Path] = set()
        self._parts: list[pa.Table] = []
        self._links: pa.Table = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())})
        self._last = time.monotonic()

    @classmethod
    def open(cls, folder: Path) -> Self:
        store = Store.open(folder, write=False)
        return cls(store, from_dict(store.settings, f"{folder}/crawl.toml"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._store.close()

    def wait(self) -> None:
        """Until enough pages are new, or some are and enough time has passed."""
        new, before = 0, self.pages.num_rows
        while True:
            new += self.grow()
            rested = time.monotonic() - self._last
            wanted = max(self.settings.learn_pages, int(GROWTH * before))
            if new >= wanted or (new >= max(ENOUGH_PAGES, wanted // 4) and rested >= self.settings.learn_seconds):
                self._last = time.monotonic()
                return
            time.sleep(LOOK_SECONDS)

    def grow(self) -> int:
        """Take up the segments that are new; the number of their rows."""
        new = 0
        for file in self._store.page_files():
            if file in self._read or not file.exists():  # a commit is visible just before its files are
                continue
            part = _columns(file)
            self._read.add(file)
            self._parts.append(part)
            new += part.num_rows
        return new

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
            if file not in self._read and file.exists():
                self._read.add(file)
                parts.append(_between_hosts(file))
        if len(parts) > 1:
            self._links = pa.concat_tables(parts).group_by(["source", "target"]).aggregate([])
        return self._links

    def withdrawn(self) -> list[tuple[str, str]]:
        """(rule, host) of every rule that failed its checks on a host."""
        return self._store.database.execute("select rule, host from trust where withdrawn = 1").fetchall()


def _texts(file: Path) -> list[str]:
    """Title and text of the pages of a segment that were answered well, were not met before, and have any text."""
    import pyarrow.parquet as pq

    names = ["title", "text", "status", "duplicate_of"]
    rows = zip(*(column.to_pylist() for column in pq.read_table(file, columns=names).columns))
    return [page_text(title, text) for title, text, status, duplicate in rows if status == 200 and text and not duplicate]


def _between_hosts(file: Path) -> pa.Table:
    import pyarrow.parquet as pq

    table = pq.read_table(file, columns=["source", "target"])
    hosts = [host_column(table[name]) for name in ("source", "target")]
    other = pc.fill_null(pc.not_equal(*hosts), False)
    roots = [pc.binary_join_element_wise("http://", column.filter(other), "/", "") for column in hosts]
    return pa.table(roots, ["source", "target"]).group_by(["source", "target"]).aggregate([])


def _columns(file: Path) -> pa.Table:
    import pyarrow.parquet as pq

    return pq.read_table(file, columns=list(COLUMNS))
