"""What a crawl has kept so far, as the learner sees it: the segments committed since the last look, one after the other."""

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, Self

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Learned, Store
from garimpo.archive.folder import segments
from garimpo.archive.folder.seen_commits import SeenCommits
from garimpo.contract.tables import PAGES
from garimpo.crawl.learning.study import Segment
from garimpo.crawl.settings import Settings, from_dict
from garimpo.crawl.state import rule_rows
from garimpo.url import host_column

COLUMNS = ("url", "ip", "status", "digest", "text_digest", "title", "canonical", "redirect", "duplicate_of")
SEGMENTS = 32
"""Texts are taken from at most so many segments."""


class Corpus:
    """A crawl folder as a learner reads it; no page is held in memory."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self.settings = settings
        self.folder = store.path
        self.learned = Learned(store.learned.folder)
        self._links: pa.Table = pa.table({"source": pa.array([], pa.string()), "target": pa.array([], pa.string())})
        self._seen_links = SeenCommits()
        self.rewind()

    @classmethod
    def open(cls, folder: Path) -> Self:
        store = Store.open(folder, write=False)
        return cls(store, from_dict(store.settings, f"{folder}/crawl.toml"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._store.close()

    def rewind(self, taken: int = 0) -> None:
        """Give the segments again from the one after this commit on; those before are counted only."""
        self._taken = taken
        self._seen = SeenCommits()
        self.rows = 0
        """How many rows of pages were met."""

    def segments(self) -> Iterator[Segment]:
        """The commits that are new, in their order."""
        for file, commits in self._seen.unseen(self._store.page_files()):
            wanted = [one for one in commits if one.number < 0 or one.number > self._taken]
            table = segments.open_segment(file).read(list(COLUMNS)) if wanted else None
            for one in commits:
                self.rows += one.rows
                if table is not None and one in wanted:
                    yield Segment(one.number, table.slice(one.begin, one.rows))

    @property
    def pages(self) -> Any:
        """All pages so far, in the order of arrival: a stream, as engines read it."""
        names = [name for name in COLUMNS if name != "duplicate_of"]

        def stream() -> Iterator[pa.RecordBatch]:
            return (batch.select(names) for batch in self._store.pages(names))

        return pa.schema([PAGES.field(name) for name in names]), stream

    def texts(self, most: int) -> list[str]:
        """Title and text of at most so many pages, from segments spread evenly over the crawl."""
        files = [file for file in self._store.page_files() if file.exists()]
        chosen = [files[number * len(files) // min(len(files), SEGMENTS)] for number in range(min(len(files), SEGMENTS))]
        found: list[str] = []
        for file in chosen:
            found += _texts(file)
        step = max(1, len(found) // most)
        return found[::step][:most]

    def texts_of(self, urls: Collection[str]) -> dict[str, str]:
        """Title and text of these pages, as far as they were kept; of one fetched again the newest.

        Args:
            urls: of the pages.
        """
        from garimpo.focus import page_text  # as above

        wanted = pa.array(sorted(urls), pa.string())
        found: dict[str, str] = {}
        for batch in self._store.pages(["url", "title", "text", "status"]):
            rows = pa.table(batch).filter(pc.is_in(batch.column("url"), wanted)).to_pylist()
            found |= {row["url"]: page_text(row["title"], row["text"]) for row in rows if row["status"] == 200 and row["text"]}
        return found

    @property
    def near(self) -> pa.Table:
        """The near-duplicates that the crawl's index found: `id` and the `cluster` around the page that was kept."""
        from garimpo.mirrors.inputs import near_duplicates

        names = ["url", "duplicate_of"]
        met = [batch.select(names).filter(batch.column("duplicate_of").is_valid()) for batch in self._store.pages(names)]
        return near_duplicates(pa.Table.from_batches(met, pa.schema([PAGES.field(name) for name in names])))

    @property
    def links(self) -> pa.Table:
        """Which host links to which: one row for each pair of hosts, named by their roots."""
        parts = [self._links]
        for file, commits in self._seen_links.unseen(self._store.link_files()):
            rows = segments.open_segment(file).read(["source", "target"])
            parts += [_between_hosts(rows.slice(one.begin, one.rows)) for one in commits]
        if len(parts) > 1:
            self._links = pa.concat_tables(parts).group_by(["source", "target"]).aggregate([])
        return self._links

    def withdrawn(self) -> list[tuple[str, str]]:
        """(rule, host) of every rule that failed its checks on a host."""
        return [(rule, host) for rule, host, _, _ in rule_rows.withdrawn(self._store.database)]

    def removed(self) -> list[str]:
        """The URLs and hosts that were taken out of the folder for good."""
        return self._store.removed()


def _texts(file: Path) -> list[str]:
    """Title and text of the pages of a segment that were answered well, were not met before, and have any text."""
    from garimpo.focus import page_text  # takes a second to load, and few crawls need it

    names = ["title", "text", "status", "duplicate_of"]
    rows = zip(*(column.to_pylist() for column in segments.open_segment(file).read(names).columns))
    return [page_text(title, text) for title, text, status, duplicate in rows if status == 200 and text and not duplicate]


def _between_hosts(table: pa.Table) -> pa.Table:
    hosts = [host_column(table[name]) for name in ("source", "target")]
    other = pc.fill_null(pc.not_equal(*hosts), False)
    roots = [pc.binary_join_element_wise("http://", column.filter(other), "/", "") for column in hosts]
    return pa.table(roots, ["source", "target"]).group_by(["source", "target"]).aggregate([])
