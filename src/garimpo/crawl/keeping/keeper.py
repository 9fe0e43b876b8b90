"""What was read becomes rows, records and links: judged, kept, its links scored and handed to the frontier; then committed."""

from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.archive import Exchange, Store
from garimpo.contract.records import Link
from garimpo.crawl.components import Components
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.fetch.robots import Robots
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.frontier.records import Answered
from garimpo.crawl.keeping.counting import PageCounts, is_hop, is_stored
from garimpo.crawl.keeping.full_disk import RetryOnFullDisk
from garimpo.crawl.keeping.gains import Saturation, answered_as, gain_of, is_new, outcome_of
from garimpo.crawl.keeping.repeats import Repeat, Repeats, open_index
from garimpo.crawl.keeping.revisits import KnownPages
from garimpo.crawl.keeping.rows import PageRows
from garimpo.crawl.keeping.strategy import default_scorer
from garimpo.crawl.reading.reader import PageRow, ReadBatch
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import fetched, meta
from garimpo.crawl.state.entry import CHECK, Entry
from garimpo.crawl.state.fence import Fence
from garimpo.engine.columns import numbers
from garimpo.page.pdf import says_pdf
from garimpo.url import key_column

NEAR_DUPLICATE = 0.1
"""What the links of a page count whose content we have already."""
LISTED = 0.5
"""What a URL that only a sitemap shows counts where no scorer steers."""
ON_TOPIC = ("on topic", "listing")
"""What judges say of the pages that the crawl is for."""
FIRST_CHARACTERS = 600
"""So much of a page tells a scorer what the page is about."""


class Keeper:
    """Takes read batches in, and commits what they made."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        frontier: Frontier,
        robots: Robots,
        components: Components,
        known: KnownPages | None,
        full_disk: RetryOnFullDisk,
    ) -> None:
        self._store, self._settings, self._frontier, self._robots, self._known = store, settings, frontier, robots, known
        self._full_disk = full_disk
        self.rows = PageRows()
        self.repeats = Repeats(store, open_index(store, components.index), by_bytes=known is None)
        self.scorer = components.scorer(store.learned.folder) if components.scorer else default_scorer(settings.strategy)
        self._steered = components.scorer is not None
        self._seconds = meta.get(store.database, "seconds", 0.0)
        self.counts = PageCounts(meta.counts(store.database))
        self.fence = Fence(store.log, self.counts)
        self.saturation = Saturation()
        self._html = self._plain = 0

    @property
    def plain_share(self) -> float:
        """The share of this run's HTML pages that the fast reader of plain pages could read."""
        return round(self._plain / self._html, 3) if self._html else 0.0

    def take(self, answers: Sequence[Answer], batch: ReadBatch) -> None:
        """Keep a batch: rows and records, then its links."""
        self._full_disk.run(partial(self._make_room, len(answers), batch.links.num_rows))
        self._html += batch.html
        self._plain += batch.plain
        repeats = self.repeats.look_up([answer.entry.url for answer in answers], batch)
        scores = np.zeros(len(answers), np.float32)
        for row, (answer, page, made, repeat) in enumerate(zip(answers, batch.pages, batch.exchanges, repeats)):
            before = len(self.rows)
            with self.fence.around("page", answer.entry.url):
                scores[row] = self._keep_one(answer, page, made, repeat)
            if self.fence.failed:
                scores[row] = -1.0
                if len(self.rows) == before:
                    self.rows.add(answer, PageRow(error="fault", length=len(answer.fetched.body)), None, (None, None))
            self._frontier.done(answer.entry)
        self.rows.add_batch(batch.texts, batch.links)
        with self.fence.around("links", answers[0].entry.url if answers else ""):
            self._add_links(answers, batch, scores)

    def _keep_one(self, answer: Answer, page: PageRow, made: Exchange | None, repeat: Repeat) -> float:
        """Keep one page, and follow it where it redirects; what its links count."""
        entry, status = answer.entry, answer.fetched.status
        place: tuple[str | None, int | None] = (None, None)
        if status == 304 and self._known is not None:
            page = self._known.unchanged(entry.url, page)
        if made is not None:
            earlier = self._known.earlier(entry.url) if status == 304 and self._known is not None else None
            place = self._full_disk.run(partial(self._store.warc.write, made, earlier, fresh=repeat.fresh))
        gain, outcome = gain_of(entry.url, page, repeat.gain, status), outcome_of(page, status)
        self.rows.add(answer, page, repeat.of, place, gain, outcome)
        if self._known is not None:
            self.counts["unchanged"] += self._known.visited(entry.url, status, page)
        self._count(answer, page, repeat.of is not None)
        if outcome is not None:
            self.counts[outcome] += 1
        kind = answered_as(entry.url, page, status)
        self._frontier.answered(entry, gain, kind)
        is_another = kind is Answered.PAGE and repeat.of is None and entry.brought is not None and entry.brought.has_own_name
        self.saturation.count(is_another or is_new(page, status, gain))
        self._follow_redirect(entry, page)
        return link_score(page, repeat.of is not None)

    def add_listed(self, sitemap: Entry, urls: Sequence[str]) -> None:
        """Queue what a sitemap lists; a scorer sees links without words, on a page of which nothing is known."""
        if not urls:
            return
        targets, size = pa.array(urls, pa.string()), len(urls)
        columns = {"source": pa.array([sitemap.url] * size), "target": targets, "anchor": pa.array([""] * size)}
        columns |= {"context": pa.nulls(size, pa.string()), "row": pa.array(np.zeros(size, np.int32))}
        columns |= {"source_score": pa.array(np.zeros(size, np.float32)), "depth": pa.array(np.ones(size, np.int32))}
        links = pa.table({**columns, "key": pa.array(key_column(targets))})
        scores = np.clip(self.scorer.score(links), 0.0, 1.0) if self._steered else np.full(size, LISTED, np.float32)
        self._frontier.add(links, scores, [sitemap])

    def commit(self, seconds: float) -> None:
        """One commit of everything since the last, `seconds` ago."""
        pages, links = self.rows.tables()
        self.repeats.commit()
        with self._store.commit(pages, links) as db:
            fetched.insert(db, self.rows.fetched)
            self._frontier.commit(db)
            self._robots.commit(db)
            if self._known is not None:
                self._known.commit(db)
            meta.put_counts(db, self.counts)
            meta.put(db, "seconds", self._seconds + seconds)
            meta.put(db, "begun", 1)
        self._seconds += seconds
        self._frontier.committed()
        self._robots.committed()
        if self._known is not None:
            self._known.committed()
        self.rows.clear()
        self.repeats.committed()

    def close(self) -> None:
        """Let go of the scratch file."""
        self.repeats.close()

    def _make_room(self, pages: int, links: int) -> None:
        """Make room for the keys of a batch: tables in files grow here, where a full disk is waited for."""
        self.repeats.reserve(pages)
        self._frontier.reserve(pages + links)  # a page may be a redirect

    def _count(self, answer: Answer, page: PageRow, is_repeat: bool) -> None:
        entry, status = answer.entry, answer.fetched.status
        self.counts.add_answer(status, len(answer.fetched.body))
        self.counts["duplicates"] += is_repeat
        self.counts["checks"] += entry.kind == CHECK
        if not is_stored(status):
            self._frontier.uncount(entry)
        if status != 200 and not is_hop(status):
            self._frontier.failed(entry)
        self.counts["unread_pdf"] += status == 200 and not page.has_text and says_pdf(page.content_type)
        if page.verdict is not None:
            self._frontier.met(entry, is_repeat)
            self.counts["on_topic"] += page.verdict.reason in ON_TOPIC and not is_repeat
            if self._steered:
                self.scorer.learn(Link(entry.url), page.verdict)

    def _follow_redirect(self, entry: Entry, page: PageRow) -> None:
        if page.redirect is None or page.redirect == entry.url:
            return
        if entry.hops >= self._settings.hops:
            self.counts["too many hops"] += 1
            return
        self._frontier.redirected(entry, page.redirect)

    def _add_links(self, answers: Sequence[Answer], batch: ReadBatch, scores: NDArray[np.float32]) -> None:
        links = batch.links
        if not links.num_rows:
            return
        rows = links.column("row").to_numpy()
        source_scores = scores[rows]
        wanted = links.column("followed").to_numpy() & (source_scores >= 0)
        if not wanted.all():
            links, source_scores, rows = links.filter(pa.array(wanted)), source_scores[wanted], rows[wanted]
        entries = [answer.entry for answer in answers]
        if self._steered:
            shown = shown_links(links, source_scores, rows, entries, batch.texts)
        else:
            shown = pa.table([numbers(source_scores)], ["source_score"])
        self._frontier.add(links, np.clip(self.scorer.score(shown), 0.0, 1.0), entries)


def shown_links(
    links: pa.Table, source_scores: NDArray[np.float32], rows: NDArray[np.int32], entries: Sequence[Entry], texts: pa.Array
) -> pa.Table:
    """Links as a scorer that steers sees them: with what their pages count, their depth, and what their pages are about.

    Args:
        links: the links of a batch.
        source_scores: what the links of its page count, for each link.
        rows: the page of each link.
        entries: the entry of each page.
        texts: the text of each page.
    """
    depths = np.array([entry.depth + 1 for entry in entries], np.int32)
    shown = links.append_column("source_score", numbers(source_scores)).append_column("depth", numbers(depths[rows]))
    begun = pc.utf8_slice_codeunits(texts, 0, FIRST_CHARACTERS)
    return shown.append_column("about", pa.DictionaryArray.from_arrays(numbers(rows), begun))


def link_score(page: PageRow, is_repeat: bool) -> float:
    """What the links of a page count; below zero: they are not followed."""
    if page.verdict is None or not page.verdict.follow:
        return -1.0
    return page.verdict.score * (NEAR_DUPLICATE if is_repeat else 1.0)
