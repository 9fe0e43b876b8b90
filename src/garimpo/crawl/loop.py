"""The loop: pop, fetch, read, keep, commit, until the budget is spent or nothing is left that can be fetched soon.

One process runs it. It never waits for a reader or a name server: while anything is in flight it sleeps in `Fetch.poll` and wakes
for whichever comes first, an answer, a reader, a host whose delay has passed, the next commit. A stop that is asked
for (Ctrl-C, SIGTERM) ends the starting of requests; what is in flight stays queued; what was read is committed.
"""

import time
from collections import deque
from collections.abc import Callable

from garimpo.archive import Store
from garimpo.crawl import queue
from garimpo.crawl.addresses import Addresses
from garimpo.crawl.admission import Admission
from garimpo.crawl.backoff import BUSY, asked_to_wait, backoff, can_retry
from garimpo.crawl.budget import Budget
from garimpo.crawl.disk import Patience
from garimpo.crawl.doors import Doors
from garimpo.crawl.entries import ROBOTS, SITEMAP, Entry
from garimpo.crawl.fetch import Answer, Fetch
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.keep import Keeper
from garimpo.crawl.learned import Learning
from garimpo.crawl.readers import make_readers
from garimpo.crawl.recrawl import Known, removed_from
from garimpo.crawl.rescoring import Rescoring
from garimpo.crawl.robots import Robots
from garimpo.crawl.rules import Rules
from garimpo.crawl.scope import Scope
from garimpo.crawl.seen import SeenSet
from garimpo.crawl.settings import Settings
from garimpo.crawl.signing import make_signer
from garimpo.crawl.sitemaps import read_list
from garimpo.crawl.takedown import Removed, forget
from garimpo.crawl.traps import Traps
from garimpo.crawl.turns import Turns
from garimpo.crawl.workbench import LONG_WAIT

COMMIT_SECONDS, COMMIT_PAGES = 2.0, 2_000
BATCH = 32
BACKLOG = 512
"""Answers fetched and not yet kept, at most: beyond that no request starts."""
STEERED_BACKLOG = 3 * BATCH
"""The same where a scorer steers: what is asked for before the last pages were read is chosen without knowing them."""


class Clock:
    """Seconds since the epoch that never run backwards."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def __call__(self) -> float:
        return self._offset + time.monotonic()


class Loop:
    """One crawl, from opening its state to its end. `run` may be left by `stop`; `step` is one turn of it."""

    def __init__(self, store: Store, settings: Settings, doors: Doors, frontier: type[Frontier] = Frontier) -> None:
        self.store, self.settings = store, settings
        self.clock = Clock()
        now = self.clock()
        db = store.database
        self.addresses = Addresses(settings)
        removed = Removed([*store.removed(), *removed_from(settings.known)])
        forget(db, removed)
        gate = Admission(Scope(settings, settings.seeds, removed), Traps(settings), Rules(db))
        seen = SeenSet(store.path / "state", queue.get_meta(db, "seen", 0))
        self.frontier = frontier(settings, db, seen, gate, self.addresses.known, now)
        self.robots = Robots(db, settings.agent)
        self.known = Known(db, settings.known) if settings.known else None
        self.patience = Patience(store.path)
        self.keeper = Keeper(store, settings, self.frontier, self.robots, doors, self.known, self.patience)
        self.rescoring = Rescoring(db, self.frontier, self.keeper.scorer)
        self.readers = make_readers(settings, doors, store.learned.folder)
        self.fetch = Fetch(settings, self.clock)
        self.turns = Turns(settings, self.frontier, self.robots, self.fetch, self.addresses, self.known, make_signer(settings))
        self.learning = Learning(store, settings, doors, self.frontier, self.readers)
        self.budget = Budget(settings, self.keeper, self.fetch, now)
        self.started = self._committed_at = now
        self.ended = ""
        self._unread: deque[Answer] = deque()
        self._backlog = BACKLOG if doors.scorer is None else STEERED_BACKLOG
        self._stopping = False

    def stop(self) -> None:
        """Ask the loop to end soon."""
        self._stopping = True
        self.patience.give_up = True

    def run(self, each: "Callable[[Loop, float], None]") -> None:
        """Crawl to the end; `each` is called once a turn, to show how it goes."""
        while not self._stopping:
            if self._over(self.clock()):
                self._commit(self.clock())  # which may give URLs back: checks are compared after it
                if self._over(self.clock()):
                    break
            self.step()
            each(self, self.clock())
        self._finish()

    def step(self) -> None:
        """One turn: start what may start, wait for what comes, read it, keep it."""
        now = self.clock()
        self._resolve(now)
        if self.readers.changed:
            self.fetch.watch(self.readers.descriptors())
        self._start(now)
        answers = self.fetch.poll(self._patience_for(now))
        now = self.clock()
        for answer in answers:
            self._answered(answer, now)
        self._read()
        now = self.clock()
        self._keep(now)
        if now - self._committed_at >= COMMIT_SECONDS or len(self.keeper.rows) >= COMMIT_PAGES:
            self._commit(now)

    def close(self) -> None:
        """Let go of everything; what was not committed is as if it had not happened."""
        self.learning.close()
        self.readers.close()
        self.fetch.close()
        self.addresses.close()
        self.keeper.close()
        self.frontier.close()

    @property
    def unkept(self) -> int:
        """Answers fetched and not yet kept."""
        return len(self._unread) + self.readers.busy

    def _start(self, now: float) -> None:
        unkept = self.unkept
        most = self.budget.most_in_flight(unkept, now) if unkept < self._backlog else 0
        while self.fetch.in_flight < most and (entry := self.frontier.pop(now)) is not None:
            self.turns.take(entry, now)

    def _answered(self, answer: Answer, now: float) -> None:
        entry, fetched = answer.entry, answer.fetched
        self.frontier.release(entry, now, answer.asked)
        if answer.purpose == ROBOTS and self.turns.robots_answered(answer, now):
            return
        if self._must_wait(answer, now):
            return
        if entry.kind == SITEMAP:
            self._sitemap(entry, answer, now)
        else:
            if fetched.status:
                self.frontier.recover(entry.host)
            self._unread.append(answer)

    def _must_wait(self, answer: Answer, now: float) -> bool:
        """Whether the URL goes back into the queue, and its host is left alone for a while."""
        entry, fetched = answer.entry, answer.fetched
        if not can_retry(fetched):
            return False
        wait = asked_to_wait(fetched, now)
        if wait is None and (fetched.status == 0 or fetched.status in BUSY):
            entry.host.count_failure(entry.started, now)
            wait = backoff(entry.host.errors, entry.host.delay)
        long_wait = wait is not None and wait > LONG_WAIT
        if wait is not None:
            self.frontier.hold(entry.host, now + wait, now)
        if entry.tries + 1 >= self.settings.tries and not long_wait:
            return False
        self.frontier.retry(entry, now, count=not long_wait)
        return True

    def _sitemap(self, entry: Entry, answer: Answer, now: float) -> None:
        self.frontier.done(entry)
        self.frontier.uncount(entry)
        if answer.fetched.status != 200:
            return
        index, urls = read_list(answer.fetched.body, entry.url)
        if not index:
            self.keeper.add_listed(entry, urls, now)
        elif entry.depth < 3:
            self.frontier.add_urls(urls, depth=entry.depth + 1, kind=SITEMAP, now=now)

    def _read(self) -> None:
        """Hand over full batches, and a part of one when nothing else is to be done."""
        idle = self.fetch.in_flight < BATCH
        while self._unread and self.readers.wants() and (len(self._unread) >= BATCH or idle):
            count = min(len(self._unread), BATCH)
            self.readers.take([self._unread.popleft() for _ in range(count)])

    def _keep(self, now: float) -> None:
        for done in self.readers.give():
            self.keeper.take(done.answers, done.batch, now)

    def _commit(self, now: float) -> None:
        self.patience.run(lambda: self.keeper.commit(now - self._committed_at))
        self._committed_at = now
        self.frontier.rest(now)
        self.rescoring.after_commit(now)
        self.learning.after_commit(now)

    def _resolve(self, now: float) -> None:
        hosts = self.frontier.hosts
        for host in hosts.unresolved:
            self.addresses.ask(host.name)
        hosts.unresolved.clear()
        for name, address in self.addresses.answers():
            hosts.found(name, address, now)

    def _patience_for(self, now: float) -> float:
        """How long the loop may sleep."""
        if self.readers.busy == 0 and self._unread and self.fetch.in_flight < BATCH:
            return 0.0
        until = min(self.frontier.bench.next_time(), self._committed_at + COMMIT_SECONDS, now + 0.5)
        if self.addresses.pending:
            until = min(until, now + 0.01)
        return max(until - now, 0.0)

    def _over(self, now: float) -> bool:
        """Whether the crawl is at its end: `ended` then says why."""
        self.ended = ""
        if self.fetch.in_flight or self.unkept or self.addresses.pending or self.frontier.hosts.unresolved:
            return False
        spent = self.budget.spent(now)
        if spent is not None:
            self.ended = spent
        elif not self.frontier.queued:
            self.ended = "nothing left"
        elif self.frontier.bench.next_time() > now + LONG_WAIT and not self.frontier.has_ready():
            self.ended = "what is left must wait"
        return bool(self.ended)

    def _finish(self) -> None:
        """Keep and commit what was read; requests in flight stay queued."""
        now = self.clock()
        while self._unread or self.readers.busy:
            self._read_all()
            self._keep(now)
        self._commit(now)
        self._commit(now)  # what the first one gave back is queued
        self.ended = self.ended or "stopped"

    def _read_all(self) -> None:
        while self._unread and self.readers.wants():
            count = min(len(self._unread), BATCH)
            self.readers.take([self._unread.popleft() for _ in range(count)])
        if self.readers.busy:
            self.fetch.poll(0.05)
