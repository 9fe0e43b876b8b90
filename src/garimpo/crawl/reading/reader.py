"""What costs: bytes -> Page -> verdict, sketch, links with keys, packed WARC records. Runs in the loop or in a reader process.

`Reader.read` is pure but for the judges' models: the same jobs give the same batch, so a batch that died with its reader
is simply read again.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from garimpo.archive import Exchange, exchange
from garimpo.contract.protocols import Judge
from garimpo.contract.records import Fetched, Page, Verdict, combine
from garimpo.crawl.components import Components, Sketcher
from garimpo.crawl.reading.sitemaps import is_list, listed_urls
from garimpo.engine.columns import numbers
from garimpo.page import link_columns, read_one
from garimpo.url import key_column, resolve

LINKS = pa.schema(
    [
        ("row", pa.int32()),
        ("source", pa.string()),
        ("target", pa.string()),
        ("anchor", pa.string()),
        ("rel", pa.string()),
        ("context", pa.string()),
        ("place", pa.uint64()),
        ("followed", pa.bool_()),
        ("key", pa.uint64()),
    ]
)


NO_OPINION = Verdict()
ABOUT_PAGE = {"x-robots-tag", "content-language"}
"""Headers that say something of the page itself, beside its content type."""


SHORT, FEW_WORDS = 200, 15
"""Characters and words of a page that says next to nothing."""


class Job(NamedTuple):
    """One answer to read: when it came, and the request headers that were sent for it."""

    fetched: Fetched
    at: float
    sent: Sequence[tuple[str, str]]


class PageRow(NamedTuple):
    """What the loop needs to know of a page that was read; None where there was nothing to read."""

    content_type: str | None = None
    length: int | None = None
    digest: int | None = None
    text_digest: int | None = None
    title: str | None = None
    has_text: bool = False
    language: str | None = None
    canonical: str | None = None
    redirect: str | None = None
    etag: str | None = None
    last_modified: str | None = None
    error: str | None = None
    verdict: Verdict | None = None
    scripted: bool = False
    """Whether it is HTML that says next to nothing until its scripts have run."""


class ReadBatch(NamedTuple):
    """The pages of one batch in the order of its jobs, their texts, all their links, the WARC records, and the sketches."""

    pages: list[PageRow]
    texts: pa.Array
    links: pa.Table
    exchanges: list[Exchange | None]
    sketches: Any
    html: int = 0
    """How many of the pages are HTML."""
    plain: int = 0
    """How many of those the fast reader of plain pages read, without the parser."""


class Reader:
    """Reads answers, with the judges that what is learned asks for."""

    def __init__(
        self,
        components: Components,
        learned: Path,
        packing: str | None = "gzip",
        allow: Callable[[int], None] = lambda pages: None,
    ) -> None:
        """A reader.

        Args:
            components: what judges and sketches.
            learned: the folder of what is learned.
            packing: of the WARC records; None: none are made.
            allow: called before each step with the number of pages it is about, where reading has a limit.
        """
        self._components, self._learned, self._packing, self._allow = components, learned, packing, allow
        self._judges: list[Judge] = []
        self._sketcher: Sketcher | None = components.sketcher() if components.sketcher is not None else None
        self.reload()

    def reload(self) -> None:
        """Make the judges again, from what is learned by now."""
        self._judges = list(self._components.judges(self._learned)) if self._components.judges is not None else []

    def read(self, jobs: Sequence[Job]) -> ReadBatch:
        """Read a batch: one kind of work after another, as code and tables that are used again at once are still at hand."""
        self._allow(len(jobs))
        headers = [job.fetched.named() for job in jobs]
        pages = []
        for job, named in zip(jobs, headers):
            self._allow(1)
            pages.append(self._page(job.fetched, named))
        self._allow(len(jobs))
        rows = [self._row(job.fetched, named, page) for job, named, page in zip(jobs, headers, pages)]
        links = _links(pages)
        exchanges = [self._exchange(job, page) for job, page in zip(jobs, pages)]
        texts = pa.array([None if page is None or page.noindex else page.text for page in pages], pa.large_string())
        sketches = self._sketcher.sketch(pages) if self._sketcher is not None else None
        html = [page.plain for page in pages if page is not None and page.html]
        return ReadBatch(rows, texts, links, exchanges, sketches, len(html), sum(html))

    def _exchange(self, job: Job, page: Page | None) -> Exchange | None:
        if self._packing is None or job.fetched.status <= 0 or (page is not None and page.noindex):
            return None
        return exchange(job.fetched, job.sent, job.at, self._packing)

    def _page(self, fetched: Fetched, headers: dict[str, str]) -> Page | None:
        if fetched.status != 200 or fetched.error is not None or not fetched.body:
            return None
        kind = headers.get("content-type")
        about_page = fetched.headers if not headers.keys().isdisjoint(ABOUT_PAGE) else ()
        page = read_one(fetched.body, fetched.url, kind, about_page)
        if is_list(kind, fetched.body):
            page.links = listed_urls(fetched.body, fetched.url)
        return self._components.typed(page, fetched.body) if self._components.typed is not None else page

    def _row(self, fetched: Fetched, headers: dict[str, str], page: Page | None) -> PageRow:
        if page is None:
            location = headers.get("location") if 300 <= fetched.status < 400 else None
            return PageRow(
                content_type=headers.get("content-type"),
                length=len(fetched.body) if fetched.status else None,
                redirect=resolve(fetched.url, location) if location else None,
                etag=headers.get("etag"),
                last_modified=headers.get("last-modified"),
                error=fetched.error,
            )
        kept = not page.noindex
        return PageRow(
            content_type=headers.get("content-type"),
            length=len(fetched.body),
            digest=page.digest,
            text_digest=page.text_digest,
            title=page.title if kept else None,
            has_text=kept and bool(page.text),
            language=page.language,
            canonical=page.canonical,
            redirect=None if page.nofollow else page.refresh,
            etag=headers.get("etag"),
            last_modified=headers.get("last-modified"),
            error=None if kept else "noindex",
            verdict=combine(judge.read(page) for judge in self._judges) if self._judges else NO_OPINION,
            scripted=_needs_scripts(page, fetched.body),
        )


def _needs_scripts(page: Page, body: bytes) -> bool:
    """Whether a page is HTML with scripts and next to no text and links."""
    if not page.html or len(page.text) > SHORT or len(page.links) > 1 or len(page.text.split()) > FEW_WORDS:
        return False
    return b"<script" in body.lower()


def read_nothing(jobs: Sequence[Job], reason: str) -> ReadBatch:
    """What is kept of pages that cannot be read: their rows with the reason, and their records.

    Args:
        jobs: the answers.
        reason: what the rows say.
    """
    rows = [PageRow(error=reason, length=len(job.fetched.body)) for job in jobs]
    records = [exchange(job.fetched, job.sent, job.at) if job.fetched.status > 0 else None for job in jobs]
    return ReadBatch(rows, pa.nulls(len(jobs), pa.large_string()), LINKS.empty_table(), records, None)


def _links(pages: Sequence[Page | None]) -> pa.Table:
    """The links of a batch."""
    found = link_columns([page.links if page is not None else () for page in pages])
    rows, targets, rels = found.column("row").to_numpy(), found.column("target"), found.column("rel")
    urls = [page.url if page is not None else None for page in pages]
    sources = pa.array([urls[row] for row in rows.tolist()], pa.string())
    nofollow = np.array([page is not None and page.nofollow for page in pages], np.bool_)[rows]
    if rels.null_count < len(rels):
        nofollow |= np.array([rel is not None and "nofollow" in rel for rel in rels.to_pylist()], np.bool_)
    followed, keys = numbers(~nofollow), numbers(key_column(targets))
    columns = [found.column("row"), sources, targets, found.column("anchor"), rels]
    columns += [found.column("context"), found.column("place"), followed, keys]
    return pa.table(columns, schema=LINKS)
