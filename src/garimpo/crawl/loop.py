"""The loop: pop, fetch, read, keep, commit, until the budget is spent or nothing is left that can be fetched soon.

One process runs it. It never waits for a reader or a name server: while anything is in flight it sleeps in `Fetch.poll` and wakes
for whichever comes first, an answer, a reader, a host whose delay has passed, the next commit. A stop that is asked
for (Ctrl-C, SIGTERM) ends the starting of requests; what is in flight stays queued; what was read is committed.
"""

import sqlite3
import time
from collections import deque
from collections.abc import Callable

from garimpo.archive import Store
from garimpo.contract.records import Fetched
from garimpo.crawl.budget import Budget
from garimpo.crawl.clock import Clock
from garimpo.crawl.components import Components
from garimpo.crawl.dispatch import Dispatcher
from garimpo.crawl.fetch.answering import FetcherClient
from garimpo.crawl.fetch.client import Answer, Fetch
from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.fetch.robots import Robots
from garimpo.crawl.fetch.signing import make_signer
from garimpo.crawl.fetch.waiting import BUSY, LONG_WAIT, asked_to_wait, backoff, can_retry
from garimpo.crawl.frontier.frontier import TURNS, Frontier
from garimpo.crawl.frontier.rescoring import Rescoring
from garimpo.crawl.frontier.revision import Revision
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.guesses import Guesses
from garimpo.crawl.gate.removed import Removed, forget
from garimpo.crawl.gate.rules import RulesInForce
from garimpo.crawl.keeping.full_disk import RetryOnFullDisk
from garimpo.crawl.keeping.keeper import Keeper
from garimpo.crawl.keeping.revisits import KnownPages, removed_from
from garimpo.crawl.learning.uptake import Uptake
from garimpo.crawl.reading.inline import make_readers
from garimpo.crawl.reading.sitemaps import read_list
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import meta
from garimpo.crawl.state.entry import DONE, ROBOTS, SITEMAP, Entry
from garimpo.crawl.state.host import NEVER
from garimpo.crawl.state.seen import SeenSet
from garimpo.crawl.state.soundness import known_keys
from garimpo.crawl.steering.steering import Steering

COMMIT_SECONDS, COMMIT_PAGES = 2.0, 2_000
BATCH = 32
HELD_SECONDS = 0.02
"""How long the loop sleeps at a time while it waits for the learner, in real time."""
STOP_SECONDS = 1.0
"""So long a stop waits for what is being read; what is not read by then is fetched again."""
BACKLOG = 512
"""Answers fetched and not yet kept, at most: beyond that no request starts."""
STEERED_BACKLOG = 3 * BATCH
"""The same where a scorer steers: what is asked for before the last pages were read is chosen without knowing them."""


class Loop:
    """One crawl, from opening its state to its end. `run` may be left by `stop`; `step` is one turn of it."""

    def __init__(
        self, store: Store, settings: Settings, components: Components, frontier: Callable[..., Frontier] = Frontier
    ) -> None:
        self.store, self.settings = store, settings
        self.clock = components.clock or Clock()
        db = store.database
        self.resolver = Resolver(settings, looks_up=components.fetcher is None)
        removed = Removed([*store.removed(), *removed_from(settings.known)])
        forget(db, removed)
        seen = open_seen(store, db)
        entrance = Entrance(settings, settings.seeds, removed)
        gate = Gate(entrance, RulesInForce(db, seen), Guesses(db), self.clock)
        self.frontier = frontier(settings, db, seen, gate, self.resolver, self.clock)
        self.robots = Robots(db, settings.agent, self.clock)
        asked = (settings.visits_per_day, settings.seed)
        self.known = KnownPages(db, settings.known, self.clock, *asked) if settings.known else None
        self.full_disk = RetryOnFullDisk(store.path)
        self.keeper = Keeper(store, settings, self.frontier, self.robots, components, self.known, self.full_disk)
        self.rescoring = Rescoring(db, self.frontier, self.keeper.scorer)
        self.readers = make_readers(settings, components, store.learned.folder)
        self.fetch = _client(settings, components, self.clock)
        self.dispatcher = Dispatcher(
            settings, self.frontier, self.robots, self.fetch, self.resolver, self.known, make_signer(settings)
        )
        self.revision = Revision(self.frontier, gate)
        self.steering = Steering(store, settings, self.revision)
        self.uptake = Uptake(store, settings, components, self.revision, self.readers, self.clock, store.count())
        self.budget = Budget(
            settings,
            self.clock,
            stored=lambda: self.keeper.counts["stored"],
            received=lambda: self.fetch.received,
            requested=lambda: self.dispatcher.requests,
            new=self.keeper.saturation.share,
        )
        self.started = self._committed_at = self.clock()
        self.ended = ""
        self._unread: deque[Answer] = deque()
        self._backlog = BACKLOG if components.scorer is None else STEERED_BACKLOG
        self._stopping = False
        self._held = False
        self._goes_on = False
        """Whether more turns could have been used at once."""

    def stop(self) -> None:
        """Ask the loop to end soon."""
        self._stopping = True
        self.full_disk.give_up = True

    def run(self, each: "Callable[[Loop], None]") -> None:
        """Crawl to the end; `each` is called once a turn, to show how it goes."""
        while not self._stopping:
            if self._over():
                self._commit()  # which may give URLs back: checks are compared after it
                if self._over():
                    break
            self.step()
            each(self)
        self._finish()

    def step(self) -> None:
        """One turn: start what may start, wait for what comes, read it, keep it."""
        self.frontier.hosts.take_addresses()
        if self.readers.changed:
            self.fetch.watch(self.readers.descriptors())
        self._start()
        for answer in self.fetch.poll(self._poll_timeout()):
            self._take_answer(answer)
        self._read()
        self._keep()
        rows = len(self.keeper.rows)
        late = self.clock() - self._committed_at >= COMMIT_SECONDS or rows >= COMMIT_PAGES
        if late or self.uptake.wants_commit(rows) or self.rescoring.wants_commit():
            self._commit()

    def close(self) -> None:
        """Let go of everything; what was not committed is as if it had not happened."""
        self.uptake.close()
        self.readers.close()
        self.fetch.close()
        self.resolver.close()
        self.keeper.close()
        self.frontier.close()

    @property
    def is_held(self) -> bool:
        """Whether no request starts until the learner has caught up."""
        return self._held

    @property
    def paused(self) -> bool:
        """Whether no request starts because someone asked for a pause."""
        return self.steering.paused

    @property
    def unkept(self) -> int:
        """Answers fetched and not yet kept."""
        return len(self._unread) + self.readers.busy

    def _start(self) -> None:
        if self.paused:
            return
        if self.uptake.must_wait():
            self._held = True
            if not self.fetch.in_flight:
                time.sleep(HELD_SECONDS)
            return
        if self._held:
            self._held = False
            self._commit()  # what the learner published meanwhile is taken up
        unkept = self.unkept
        most = self.budget.most_in_flight(unkept, self.fetch.in_flight) if unkept < self._backlog else 0
        turns = TURNS
        while turns and self.fetch.in_flight < most and (entry := self.frontier.pop()) is not None:
            self.dispatcher.take(entry)
            turns -= 1
        self._goes_on = not turns or self.frontier.goes_on

    def _take_answer(self, answer: Answer) -> None:
        """Take in one answer, behind the fence: whatever is in it, the crawl goes on."""
        entry, fence = answer.entry, self.keeper.fence
        self.frontier.release(entry, answer.asked)
        with fence.around("answer", answer.fetched.url):
            self._answered(answer)
        if not fence.failed:
            return
        entry.host.held = False
        if entry.kind in (SITEMAP, ROBOTS):
            if entry.state != DONE:  # a sitemap is done with before what is in it is read
                self.frontier.done(entry)
                self.frontier.uncount(entry)
        else:
            failed = Fetched(entry.url, 0, error="fault")
            self._unread.append(Answer(entry, failed, (), answer.at, answer.asked, entry.kind))
        self.frontier.leave(entry)

    def _answered(self, answer: Answer) -> None:
        entry, fetched = answer.entry, answer.fetched
        if answer.purpose == ROBOTS and self.dispatcher.robots_answered(answer):
            return
        if self._must_wait(answer):
            return
        if entry.kind == SITEMAP:
            self._sitemap(entry, answer)
        else:
            if fetched.status:
                self.frontier.hosts.recover(entry.host)
            self._unread.append(answer)

    def _must_wait(self, answer: Answer) -> bool:
        """Whether the URL goes back into the queue, and its host is left alone for a while."""
        entry, fetched = answer.entry, answer.fetched
        if not can_retry(fetched):
            return False
        now = self.clock()
        wait = asked_to_wait(fetched, now)
        if wait is None and (fetched.status == 0 or fetched.status in BUSY):
            entry.host.count_failure(entry.started, now)
            wait = backoff(entry.host.errors, entry.host.delay)
        long_wait = wait is not None and wait > LONG_WAIT
        if wait is not None:
            self.frontier.hosts.hold(entry.host, now + wait)
        if entry.tries + 1 >= self.settings.tries and not long_wait:
            return False
        self.frontier.retry(entry, count=not long_wait)
        return True

    def _sitemap(self, entry: Entry, answer: Answer) -> None:
        self.frontier.done(entry)
        self.frontier.uncount(entry)
        if answer.fetched.status != 200:
            return
        index, urls = read_list(answer.fetched.body, entry.url)
        if not index:
            self.keeper.add_listed(entry, urls)
        elif entry.depth < 3:
            self.frontier.add_urls(urls, depth=entry.depth + 1, kind=SITEMAP)

    def _read(self) -> None:
        """Hand over full batches, and a part of one when nothing else is to be done."""
        idle = self.fetch.in_flight < BATCH
        while self._unread and self.readers.wants() and (len(self._unread) >= BATCH or idle):
            count = min(len(self._unread), BATCH)
            self.readers.take([self._unread.popleft() for _ in range(count)])

    def _keep(self) -> None:
        for done in self.readers.give():
            self.keeper.take(done.answers, done.batch)

    def _commit(self) -> None:
        now, rows = self.clock(), len(self.keeper.rows)
        self.full_disk.run(lambda: self.keeper.commit(now - self._committed_at))
        self._committed_at = now
        self.store.merge()
        self.frontier.rest()
        self.rescoring.after_commit()
        self.uptake.after_commit(rows)
        self.steering.after_commit()

    def _poll_timeout(self) -> float:
        """How long the loop may sleep."""
        now = self.clock()
        if self.paused:
            return 0.1
        if self._goes_on:
            return 0.0
        if self.readers.busy == 0 and self._unread and self.fetch.in_flight < BATCH:
            return 0.0
        until = min(self.frontier.bench.next_time(), self._committed_at + COMMIT_SECONDS, now + 0.5)
        if self.resolver.pending:
            until = min(until, now + 0.01)
        return max(until - now, 0.0)

    def _over(self) -> bool:
        """Whether the crawl is at its end: `ended` then says why."""
        self.ended = ""
        if self.fetch.in_flight or self.unkept or self.resolver.pending:
            return False
        spent = self.budget.spent()
        if spent is not None:
            self.ended = spent
        elif not self.frontier.queued:
            self.ended = "nothing left"
        elif self.frontier.bench.next_time() > self.clock() + LONG_WAIT and not self.frontier.has_ready():
            self.ended = "what is left must wait"
        return bool(self.ended)

    def _finish(self) -> None:
        """Keep and commit what was read; requests in flight stay queued."""
        patient_until = self.clock() + STOP_SECONDS if self._stopping else NEVER
        while (self._unread or self.readers.busy) and self.clock() < patient_until:
            self._read_all()
            self._keep()
        self._commit()
        self._commit()  # what the first one gave back is queued
        self.ended = self.ended or "stopped"

    def _read_all(self) -> None:
        if self._unread and self.readers.wants():
            count = min(len(self._unread), BATCH)
            self.readers.take([self._unread.popleft() for _ in range(count)])
        elif self.readers.busy:
            self.fetch.poll(0.05)


def open_seen(store: Store, db: sqlite3.Connection) -> SeenSet:
    """The seen set as it was committed; rebuilt from the tables where its log is damaged.

    Args:
        store: The crawl folder, open to write.
        db: Its state file.
    """
    committed, digest = meta.get(db, "seen", 0), meta.get(db, "seen digest", "")
    seen = SeenSet(store.path / "state", committed, digest, lambda: known_keys(db))
    if seen.mended:
        store.messages.append(f"state/seen.log was damaged: made anew, {len(seen):,} of {committed:,} keys")
        store.log("repair", message=store.messages[-1])
        meta.put(db, "seen", seen.flush())
        meta.put(db, "seen digest", seen.digest)
    return seen


def _client(settings: Settings, components: Components, clock: Clock) -> Fetch | FetcherClient:
    """Who fetches: the network, or the fetcher that was given."""
    return Fetch(settings, clock) if components.fetcher is None else FetcherClient(components.fetcher, settings, clock)
