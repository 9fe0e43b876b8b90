"""The rows of the next commit: pages column by column, links as the readers made them."""

from typing import Any

import pyarrow as pa

from garimpo.contract.tables import LINKS, PAGES, PLACE
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.reading.reader import PageRow
from garimpo.crawl.state.entry import Entry
from garimpo.crawl.state.schema import signed

Place = tuple[str | None, int | None]


class PageRows:
    """Rows of pages, links and fetched URLs that wait for a commit."""

    def __init__(self) -> None:
        self._pages: list[tuple[Any, ...]] = []
        self._texts: list[pa.Array] = []
        self._links: list[pa.Table] = []
        self.fetched: list[tuple[Any, ...]] = []

    def __len__(self) -> int:
        return len(self.fetched)

    def add(
        self,
        answer: Answer,
        row: PageRow,
        duplicate_of: str | None,
        place: Place,
        gain: float | None = None,
        outcome: str | None = None,
    ) -> None:
        """One answered request, in the order of the columns of `PAGES`; its text comes with its batch."""
        entry, fetched = answer.entry, answer.fetched
        score = row.verdict.score if row.verdict is not None else None
        self._pages.append(
            (
                entry.url,
                entry.host.name,
                fetched.ip,
                int(answer.at * 1_000_000),
                fetched.status,
                row.error,
                row.content_type,
                row.length,
                row.digest,
                row.text_digest,
                row.title,
                row.language,
                row.canonical,
                row.redirect,
                entry.parent,
                entry.depth,
                score,
                duplicate_of,
                row.etag,
                row.last_modified,
                place[0],
                place[1],
            )
        )
        known = _fetched_row(entry, answer.at, fetched.status, row, score, duplicate_of)
        self.fetched.append((*known, gain, outcome))

    def add_batch(self, texts: pa.Array, links: pa.Table) -> None:
        """The texts of the pages added last, and their links."""
        self._texts.append(texts)
        if links.num_rows:
            self._links.append(links.select([*LINKS.names, PLACE.name]))

    def tables(self) -> tuple[pa.Table, pa.Table]:
        """The pages and links to be written."""
        if not self._pages:
            return PAGES.empty_table(), LINKS.empty_table()
        fields = [field for field in PAGES if field.name != "text"]
        columns = {field.name: pa.array(values, field.type) for values, field in zip(zip(*self._pages), fields)}
        columns["text"] = pa.chunked_array(self._texts)
        links = pa.concat_tables(self._links) if self._links else LINKS.empty_table()
        return pa.table([columns[name] for name in PAGES.names], schema=PAGES), links

    def clear(self) -> None:
        self._pages.clear()
        self._texts.clear()
        self._links.clear()
        self.fetched.clear()


def _fetched_row(
    entry: Entry, at: float, status: int, row: PageRow, score: float | None, duplicate_of: str | None
) -> tuple[Any, ...]:
    digest = None if row.digest is None else signed(row.digest)
    text_digest = None if row.text_digest is None or not row.has_text else signed(row.text_digest)
    landed = row.redirect if 300 <= status < 400 else None
    return entry.host.id, entry.key, entry.url, at, status, digest, text_digest, score, duplicate_of, landed
