"""What was read becomes rows, records and links: judged, kept, its links scored and handed to the frontier; then committed."""

from collections import Counter
from collections.abc import Sequence
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.archive import Store
from garimpo.contract.records import Link
from garimpo.crawl import queue
from garimpo.crawl.disk import Patience
from garimpo.crawl.doors import Doors
from garimpo.crawl.entries import CHECK, Entry
from garimpo.crawl.fetch import Answer
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.pagerows import PageRows
from garimpo.crawl.reader import PageRow, ReadBatch
from garimpo.crawl.recrawl import Known
from garimpo.crawl.robots import Robots
from garimpo.crawl.seen import KNOWN, KeyTable
from garimpo.crawl.settings import Settings
from garimpo.crawl.strategy import default_scorer
from garimpo.engine.columns import numbers
from garimpo.url import key_column

NEAR_DUPLICATE = 0.1
"""What the links of a page count whose content we have already."""
LISTED = 0.5
"""What a URL that only a sitemap shows counts where no scorer steers."""


class Keeper:
    """Takes read batches in, and commits what they made."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        frontier: Frontier,
        robots: Robots,
        doors: Doors,
        known: Known | None,
        patience: Patience,
    ) -> None:
        self._store, self._settings, self._frontier, self._robots, self._known = store, settings, frontier, robots, known
        self._patience = patience
        self.rows = PageRows()
        self.scorer = doors.scorer(store.learned.folder) if doors.scorer else default_scorer(settings.strategy)
        self._steered = doors.scorer is not None
        self._index = doors.index(store.path) if doors.index else None
        self._digests: dict[int, str] = {}
        self._bodies = KeyTable(scratch=store.path / "state" / "bodies.table")
        """The digests met so far: only for one of these the database is asked which page had it first."""
        for digests in queue.digests(store.database):
            self._bodies.add(digests)
        self._seconds = queue.get_meta(store.database, "seconds", 0.0)
        self.counts: Counter[str] = Counter(queue.counts(store.database))
        """Of the whole crawl: stored, pages (200), redirects, errors, duplicates, unchanged, bytes."""

    def take(self, answers: Sequence[Answer], batch: ReadBatch, now: float) -> None:
        """Keep a batch: rows and records, then its links."""
        self._patience.run(partial(self._make_room, len(answers), batch.links.num_rows))
        met = self._met(batch)
        duplicates = self._duplicates(answers, batch, met)
        scores = np.zeros(len(answers), np.float32)
        for row, (answer, page, made, duplicate) in enumerate(zip(answers, batch.pages, batch.exchanges, duplicates)):
            entry, status = answer.entry, answer.fetched.status
            place: tuple[str | None, int | None] = (None, None)
            if status == 304 and self._known is not None:
                page = self._known.unchanged(entry.url, page)
            if made is not None:
                earlier = self._known.earlier(entry.url) if status == 304 and self._known is not None else None
                place = self._patience.run(partial(self._store.warc.write, made, earlier, fresh=not met[row]))
            self.rows.add(answer, page, duplicate, place)
            if self._known is not None:
                self.counts["unchanged"] += self._known.visited(entry.url, status, page, now)
            self._count(answer, page, duplicate)
            scores[row] = self._link_score(answer, page, duplicate)
            self._follow_redirect(answer, page, now)
            self._frontier.done(entry)
        self.rows.add_batch(batch.texts, batch.links)
        self._add_links(answers, batch.links, scores, now)

    def add_listed(self, sitemap: Entry, urls: Sequence[str], now: float) -> None:
        """Queue what a sitemap lists; a scorer sees links without words, on a page of which nothing is known."""
        if not urls:
            return
        targets, size = pa.array(urls, pa.string()), len(urls)
        columns = {"source": pa.array([sitemap.url] * size), "target": targets, "anchor": pa.array([""] * size)}
        columns |= {"context": pa.nulls(size, pa.string()), "row": pa.array(np.zeros(size, np.int32))}
        columns |= {"source_score": pa.array(np.zeros(size, np.float32)), "depth": pa.array(np.ones(size, np.int32))}
        links = pa.table({**columns, "key": pa.array(key_column(targets))})
        scores = np.clip(self.scorer.score(links), 0.0, 1.0) if self._steered else np.full(size, LISTED, np.float32)
        self._frontier.add(links, scores, [sitemap], now)

    def commit(self, seconds: float) -> None:
        """One commit of everything since the last, `seconds` ago."""
        pages, links = self.rows.tables()
        if self._index is not None:  # before the rows that name its answers; a page it knows too early is fetched again
            self._index.commit()
        with self._store.commit(pages, links) as db:
            queue.insert_fetched(db, self.rows.fetched)
            self._frontier.commit(db)
            self._robots.commit(db)
            if self._known is not None:
                self._known.commit(db)
            queue.set_counts(db, self.counts)
            queue.set_meta(db, "seconds", self._seconds + seconds)
            queue.set_meta(db, "begun", 1)
        self._seconds += seconds
        self._frontier.committed()
        self._robots.committed()
        if self._known is not None:
            self._known.committed()
        self.rows.clear()
        self._digests.clear()

    def close(self) -> None:
        """Let go of the scratch file."""
        self._bodies.close()

    def _make_room(self, pages: int, links: int) -> None:
        """For the keys of a batch: tables that lie in files grow here, where a full disk is waited for."""
        self._bodies.reserve(pages)
        self._frontier.seen.reserve(pages + links)  # a page may be a redirect

    def _met(self, batch: ReadBatch) -> list[bool]:
        """Which pages have bytes that were met before, or that nothing is known of."""
        digests = [page.digest or 0 for page in batch.pages]
        known = (self._bodies.add(np.array(digests, np.uint64)) == KNOWN).tolist()
        return [met or not digest for met, digest in zip(known, digests)]

    def _duplicates(self, answers: Sequence[Answer], batch: ReadBatch, met: Sequence[bool]) -> list[str | None]:
        """For each page the one it repeats: by the near-duplicate index where there is one, else by equal bytes."""
        exact = [self._exact(*several) for several in zip(answers, batch.pages, met)]
        if self._index is None:
            return exact
        urls = [answer.entry.url for answer in answers]
        near = self._index.ask(urls, [page.has_text for page in batch.pages], batch.sketches)
        return [same or close for same, close in zip(exact, near)]

    def _exact(self, answer: Answer, page: PageRow, known: bool) -> str | None:
        """The page stored first with the same bytes, if another was."""
        if page.digest is None or not page.has_text or self._known is not None:
            return None
        first = self._digests.setdefault(page.digest, answer.entry.url)
        if first != answer.entry.url or not known:
            return first if first != answer.entry.url else None
        stored = queue.first_with_digest(self._store.database, page.digest)
        return stored[0] if stored is not None and stored[0] != answer.entry.url else None

    def _count(self, answer: Answer, page: PageRow, duplicate: str | None) -> None:
        entry, status = answer.entry, answer.fetched.status
        hop = 300 <= status < 400 and status != 304
        counts = self.counts
        counts["bytes"] += len(answer.fetched.body)
        counts["redirects" if hop else "pages" if status in (200, 304) else "errors"] += 1
        counts["stored"] += status > 0 and not hop
        counts["duplicates"] += duplicate is not None
        counts["checks"] += entry.kind == CHECK
        if hop or status == 0:
            self._frontier.uncount(entry)
        if status != 200 and not hop:
            self._frontier.gate.rules.failed(entry.url)
        if page.verdict is not None:
            self._frontier.gate.traps.met(entry.url, entry.host, duplicate is not None)
            if self._steered:
                self.scorer.learn(Link(entry.url), page.verdict)

    def _link_score(self, answer: Answer, page: PageRow, duplicate: str | None) -> float:
        """What the links of a page count; below zero: they are not followed."""
        if page.verdict is None or not page.verdict.follow:
            return -1.0
        return page.verdict.score * (NEAR_DUPLICATE if duplicate is not None else 1.0)

    def _follow_redirect(self, answer: Answer, page: PageRow, now: float) -> None:
        entry = answer.entry
        if page.redirect is None or page.redirect == entry.url:
            return
        if entry.hops >= self._settings.hops:
            self.counts["too many hops"] += 1
            return
        self._frontier.gate.rules.moved(entry.url, page.redirect)
        self._frontier.add_urls([page.redirect], depth=entry.depth, score=entry.worth, parent=entry, hops=entry.hops + 1, now=now)

    def _add_links(self, answers: Sequence[Answer], links: pa.Table, scores: NDArray[np.float32], now: float) -> None:
        if not links.num_rows:
            return
        rows = links.column("row").to_numpy()
        source_scores = scores[rows]
        wanted = links.column("followed").to_numpy() & (source_scores >= 0)
        if not wanted.all():
            links, source_scores, rows = links.filter(pa.array(wanted)), source_scores[wanted], rows[wanted]
        entries = [answer.entry for answer in answers]
        shown = pa.table([numbers(source_scores)], ["source_score"])
        if self._steered:
            depths = np.array([entry.depth + 1 for entry in entries], np.int32)
            shown = links.append_column("source_score", shown.column(0)).append_column("depth", numbers(depths[rows]))
        self._frontier.add(links, np.clip(self.scorer.score(shown), 0.0, 1.0), entries, now)
