"""Do we have these bytes, or nearly this text? Asked once for each page, in order of arrival.

A table of all digests tells what is new; only for bytes met before the database is asked which page had them first. Texts that
say the same are found by the index of pages, where the crawl has one; it also tells how much of a text is new.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from garimpo.archive import Store
from garimpo.archive.folder.dropped import drop
from garimpo.contract.errors import BadInput
from garimpo.crawl.components import Content, PageIndex
from garimpo.crawl.reading.reader import PageRow, ReadBatch
from garimpo.crawl.state import fetched
from garimpo.crawl.state.seen import KNOWN, KeyTable


class Repeat(NamedTuple):
    """What is known of a page's content: whether its bytes are new for sure, the page that it repeats, what is new of it."""

    fresh: bool
    of: str | None
    gain: float


PLACE = "state/pages"
NOTHING_KNOWN = Content(None, 1.0)


def open_index(store: Store, make: Callable[[Path], PageIndex] | None) -> PageIndex | None:
    """The crawl's index of pages; one that is damaged is dropped, and a new one knows the pages from now on.

    Args:
        store: the crawl folder, open to write.
        make: opens the index of a folder; None: the crawl has none.
    """
    if make is None:
        return None
    try:
        return make(store.path)
    except BadInput as error:
        for path in sorted((store.path / PLACE).rglob("*")):
            if path.is_file():
                drop(store.path, path)
        store.messages.append(f"{error}: begun anew, earlier pages are not compared with later ones")
        store.log("repair", message=store.messages[-1])
        return make(store.path)


class Repeats:
    """The contents a crawl has. With `by_bytes` False equal bytes do not make a page a duplicate (it was visited before)."""

    def __init__(self, store: Store, index: PageIndex | None, by_bytes: bool = True) -> None:
        self._db, self._index, self._by_bytes = store.database, index, by_bytes
        self._bodies = KeyTable(scratch=store.path / "state" / "bodies.table")
        for digests in fetched.digests(store.database):
            self._bodies.add(digests)
        self._first: dict[int, str] = {}
        """The first URL of each digest since the last commit."""

    def reserve(self, pages: int) -> None:
        """Make room for so many more pages. On a full disk this fails, and can be called again."""
        self._bodies.reserve(pages)

    def look_up(self, urls: Sequence[str], batch: ReadBatch) -> list[Repeat]:
        """For each page of a batch what it repeats; all are remembered."""
        digests = [page.digest or 0 for page in batch.pages]
        known = (self._bodies.add(np.array(digests, np.uint64)) == KNOWN).tolist()
        met = [was_known or not digest for was_known, digest in zip(known, digests)]
        originals = [self._same_bytes(*several) for several in zip(urls, batch.pages, met)]
        asked = [NOTHING_KNOWN] * len(urls)
        if self._index is not None and batch.sketches is not None:  # no sketches: these pages ended their readers
            asked = self._index.ask(urls, batch.sketches)
        return [
            Repeat(not was_met, original or content.repeats, 0.0 if original else content.gain)
            for was_met, original, content in zip(met, originals, asked)
        ]

    def commit(self) -> None:
        """Keep what the index remembers: before the rows that name its answers, as a page it knows too early is fetched again."""
        if self._index is not None:
            self._index.commit()

    def committed(self) -> None:
        """The transaction stands: the database knows the first URL of each digest."""
        self._first.clear()

    def close(self) -> None:
        """Let go of the scratch file."""
        self._bodies.close()

    def _same_bytes(self, url: str, page: PageRow, was_met: bool) -> str | None:
        """The page stored first with the same bytes, if another was."""
        if page.digest is None or not self._by_bytes:
            return None
        first = self._first.setdefault(page.digest, url)
        if first != url or not was_met:
            return first if first != url else None
        stored = fetched.first_with_digest(self._db, page.digest)
        return stored[0] if stored is not None and stored[0] != url else None
