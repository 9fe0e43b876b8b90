"""What a crawl of another tool knows: its pages in a crawl folder, the rules learned from them, and what they decide.

The tool asks about each URL when it is met (`enter`) and when its turn comes (`turn`), and hands over each answer (`answered`).
Pages are read some at a time, and committed as a crawl of our own commits them; after a commit what the learner published is
taken up and checks are compared. All of it happens where the tool calls; only the learner is a process beside.
"""

import shutil
import tempfile
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.contract.records import Fetched
from garimpo.contract.tables import LINKS
from garimpo.crawl.components import Components
from garimpo.crawl.fetch.client import Answer
from garimpo.crawl.gate.decision import Decision
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.guesses import Guesses
from garimpo.crawl.gate.rules import RulesInForce
from garimpo.crawl.keeping.counting import PageCounts, is_hop
from garimpo.crawl.keeping.repeats import Repeat, Repeats, open_index
from garimpo.crawl.keeping.rows import PageRows
from garimpo.crawl.learning.defaults import BlockSketcher, ContentIndex, components_for
from garimpo.crawl.learning.learner import learn_beside, without_folds
from garimpo.crawl.learning.uptake import Uptake
from garimpo.crawl.loop import open_seen
from garimpo.crawl.reading.inline import jobs
from garimpo.crawl.reading.reader import ReadBatch, Reader, read_nothing
from garimpo.crawl.run import first_topic_of, publish_given
from garimpo.crawl.settings import Settings, comments
from garimpo.crawl.state import fetched, host_rows, meta, schema, skipped
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.soundness import find_fault
from garimpo.integrations.scrapy.held import HeldRequests
from garimpo.integrations.scrapy.prepared import Preparation
from garimpo.integrations.scrapy.revision import Revision
from garimpo.url import host as host_of
from garimpo.url import key64

TOGETHER = 16
"""So many answers are read at once, where nobody waits for what they say: one alone costs three times as much."""
COMMIT_SECONDS, COMMIT_ROWS = 2.0, 2_000
TEMPORARY = "garimpo-scrapy-"

Read = tuple[Sequence[Answer], ReadBatch, list[Repeat]]


class Knowledge:
    """The knowledge of one crawl. With no folder it lives in a temporary one, and is gone with it."""

    def __init__(
        self, folder: Path | None, settings: Settings, archives: bool = False, folds: bool = False, near: bool = False
    ) -> None:
        """Open or begin.

        Args:
            folder: the crawl folder, made where it is not there; None: a temporary one.
            settings: of the crawl; only those of learning and of topics count.
            archives: whether texts, links and WARC records are kept too.
            folds: whether hosts that copy each other are looked for.
            near: whether pages that nearly repeat others are looked for even where nothing is learned.
        """
        self._temporary = None if folder is not None else Path(tempfile.mkdtemp(prefix=TEMPORARY))
        self.folder = folder if folder is not None else self._temporary / "crawl"  # type: ignore[operator]
        self.settings, self._archives = settings, archives
        self.store = _open(self.folder, settings)
        db = self.store.database
        schema.create(db)
        if not meta.get(db, "begun"):
            publish_given(self.store, settings, ("rules", "tracking", "folds"))
            first_topic_of(settings)(self.store)
        self.held = HeldRequests(db)
        self._seen = open_seen(self.store, db)
        self.gate = Gate(Entrance(settings, ()), RulesInForce(db, self._seen), Guesses(db), time.time)
        self._preparation = Preparation()
        self.prepare = self._preparation.prepare
        self.components = _components(settings, folds, near)
        self.components.keys = self._preparation.key_map
        self._reader = Reader(self.components, self.store.learned.folder, "gzip" if archives else None)
        self._repeats = Repeats(self.store, open_index(self.store, self.components.index))
        self._rows, self._unread = PageRows(), list[Answer]()
        self._hosts = {name: Host(id, name, 0.0) for id, name in host_rows.names(db)}
        self._new_hosts: list[Host] = []
        self.revision = Revision(self.gate, self.held, self.host)
        self._uptake = Uptake(self.store, settings, self.components, self.revision, self._reader, time.time, self.store.count())
        self.counts = PageCounts(meta.counts(db))
        self._committed_at = time.monotonic()
        self._waited = False

    def must_wait(self) -> bool:
        """Whether nothing should be asked for until the learner has caught up; what it learned meanwhile is taken up."""
        waited, self._waited = self._waited, self._uptake.must_wait()
        if waited and not self._waited:
            self.commit()
        return self._waited

    def host(self, name: str) -> Host:
        """The host of that name."""
        host = self._hosts.get(name)
        if host is None:
            host = self._hosts[name] = Host(len(self._hosts) + 1, name, 0.0)
            self._new_hosts.append(host)
        return host

    def entry(self, url: str, depth: int = 0, parent: str | None = None) -> Entry | None:
        """The entry of a URL; None for what does not parse."""
        normal = self._preparation.normal(url)
        if normal is None:
            return None
        host = self.host(host_of(normal) or "")
        return Entry(normal, schema.signed(key64(normal)), host, 1.0, 0, depth, parent)

    def enter(self, entry: Entry) -> Decision:
        """What becomes of a URL that is met."""
        decisions = self.gate.decide_folds([entry]) or self.gate.decide_keys([entry])
        return decisions[0] if decisions else Decision(entry, "keep")

    def turn(self, entry: Entry, stamp: int | None, is_last: bool) -> Decision:
        """What becomes of a URL whose turn has come.

        Args:
            entry: the URL.
            stamp: the revision's stamp when it was queued.
            is_last: whether it was postponed, and nothing better is left.
        """
        if is_last:
            entry.postpone()
        if self.revision.is_stale(entry.host.name, stamp):
            decision = self.enter(entry)
            if decision.action in ("skip", "check") or (decision.action == "postpone" and not is_last):
                return decision
        return self.gate.decide_turn(entry)

    def answered(self, entry: Entry, answer: Fetched, sent: Sequence[tuple[str, str]] = (), at_once: bool = False) -> Read | None:
        """An answer came, or a request failed; what was read, if `at_once` or when there are enough to read."""
        now = time.time()
        self._unread.append(Answer(entry, answer, tuple(sent), now, now, PAGE))
        found = self.read() if at_once or len(self._unread) >= TOGETHER else None
        if self._is_due():
            self.commit()
        return found

    def read(self) -> Read | None:
        """Read and keep the answers at hand."""
        answers, self._unread = self._unread, []
        if not answers:
            return None
        try:
            batch = self._reader.read(jobs(answers))
        except Exception as error:  # whatever is in a page, the crawl goes on
            batch = read_nothing(jobs(answers), f"unreadable ({type(error).__name__})")
        repeats = self._repeats.look_up([answer.entry.url for answer in answers], batch)
        for number, answer in enumerate(answers):
            self._keep(answer, batch, number, repeats[number])
        texts = batch.texts if self._archives else pa.nulls(len(answers), pa.large_string())
        self._rows.add_batch(texts, batch.links if self._archives else batch.links.slice(0, 0))
        return answers, batch, repeats

    def commit(self) -> None:
        """Commit what is at hand, take up what is new, compare what was checked."""
        self.read()
        self._committed_at = time.monotonic()
        pages, links = self._rows.tables()
        self._repeats.commit()
        with self.store.commit(pages, links if self._archives else LINKS.empty_table()) as db:
            host_rows.insert(db, [(host.id, host.name, host.site, 0.0, 0.0, host.fetched, 0) for host in self._new_hosts])
            fetched.insert(db, self._rows.fetched)
            self.gate.commit(db)
            self.held.commit(db)
            meta.put(db, "seen", self._seen.flush())
            meta.put(db, "seen digest", self._seen.digest)
            meta.put_counts(db, self.counts)
            meta.put(db, "begun", 1)
        self.gate.committed()
        self.held.committed()
        self._new_hosts.clear()
        self._rows.clear()
        self._repeats.committed()
        self._uptake.after_commit(pages.num_rows)

    def returned(self) -> list[Any]:
        """The requests that come back; each is given once."""
        found, self.revision.returned = self.revision.returned, []
        return found

    def facts(self) -> dict[str, int]:
        """The knowledge in numbers, by the names of the stats."""
        checks = skipped.check_results(self.store.database)
        rules = self.store.learned.evidence("rules").get("rules", 0) if self.store.learned.version("rules") else 0
        return {
            "rules": rules,
            "rules/withdrawn": self.revision.withdrawn,
            "checks/equal": checks.get(True, 0),
            "checks/different": checks.get(False, 0),
            "near": self.counts["duplicates"],
        }

    def close(self) -> None:
        """End the learner, and let go of the folder; what was not committed is gone."""
        self._uptake.close()
        self._repeats.close()
        self._seen.close()
        self.store.close()
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)

    def _is_due(self) -> bool:
        rows = len(self._rows) + len(self._unread)
        late = time.monotonic() - self._committed_at >= COMMIT_SECONDS or rows >= COMMIT_ROWS
        return late or self._uptake.wants_commit(rows)

    def _keep(self, answer: Answer, batch: ReadBatch, number: int, repeat: Repeat) -> None:
        """Keep one answer: its row, its record, and what it means for the rules."""
        entry, status, page, made = answer.entry, answer.fetched.status, batch.pages[number], batch.exchanges[number]
        place = (None, None) if made is None else self.store.warc.write(made, None, fresh=repeat.fresh)
        self._rows.add(answer, page, repeat.of, place)
        self.counts.add_answer(status, len(answer.fetched.body))
        self.counts["duplicates"] += repeat.of is not None
        if status != 200 and not is_hop(status):
            self.gate.failed(entry.url)
        elif page.redirect is not None:
            self.gate.redirected(entry.url, page.redirect)


def _open(folder: Path, settings: Settings) -> Store:
    if (folder / "crawl.toml").exists():
        store = Store.open(folder, fault=find_fault)
        store.settled = True  # whose queue it is decides what is asked for again
        store.save_settings(settings.to_dict(), comments())
        return store
    return Store.create(folder, settings.to_dict(), comments())


def _components(settings: Settings, folds: bool, near: bool) -> Components:
    components = components_for(settings)
    if near:
        components.sketcher, components.index = BlockSketcher, ContentIndex
    if components.learner is not None and not folds:
        components.learner = partial(learn_beside, studies=without_folds)
    return components
