"""The URLs of each host in the order of what they are expected to bring (`shape_records`).

The expected gain is a factor of a URL's score. It is brought up to date for the URLs at hand of a host from time to time, and for
the best one when its turn has come. Now and then the turn goes to the URL that waits longest instead, mostly of those of which it
is not known what they bring: what is believed to bring nothing is tried again, and a host that was hardly looked at is looked at
as it comes.

When the best of a host is of a shape that is spent, the host has nothing better: the URL is left aside, as a possible trap is,
and the crawl ends without it. Of many that are left one is fetched now and then, ever more seldom; if it pays, all of its shape
come back.
"""

import math
import random
import sqlite3
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.crawl.frontier.host_queues import HostQueues
from garimpo.crawl.frontier.names import Names
from garimpo.crawl.frontier.records import Answered, Record
from garimpo.crawl.frontier.shape_records import HostWorth
from garimpo.crawl.gate.gate import Found
from garimpo.crawl.state import fetched, queued, skipped
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.engine.columns import strings_at
from garimpo.url.shapes import Shape

HOSTS = 500
"""Hosts whose records are kept; those looked at longest ago go first."""
ENOUGH, SOME = 20, 200
"""Records are made again from the crawl folder for a host with so many pages, from so many URLs of each kind."""
OFTEN, A_PART = 20, 50
"""URLs at hand are valued again after so many pages of their host, or a part of them where there are many."""
STALE = 0.9
"""A URL whose expected gain fell below this part of what it was valued by is put back with its new score."""
TRIES = 16
LEAST_EXPLORATION, EARLY = 0.08, 30
"""How often the oldest URL is taken, at least; and after how many pages of a host that is a third of the times."""
POOR = 0.5
"""URLs that are expected to bring less than this part of what the best brings are known to be poor."""
SEQUEL = 1.6
"""How much more is expected of a URL found on a page of its own shape: the next page of a list."""
SOMETHING = 0.3
"""Beside a topic, what is expected to bring less is put behind."""
RAISED = 1.01
"""A score above so many times the expected gain was given for another reason."""
FIRST_LEFT = 32
"""One more of a shape that is spent is fetched when so many were left, and whenever their number has doubled."""


class Worth:
    """Orders the URLs of each host by what they are expected to bring."""

    def __init__(self, queues: HostQueues, db: sqlite3.Connection, seed: int, leaves: bool = True, beside: bool = False) -> None:
        """Begin, or go on.

        Args:
            queues: where the URLs lie.
            db: the state file.
            seed: from which all that is drawn at random follows.
            leaves: whether what is spent is left aside.
            beside: whether a topic decides what is wanted, and only what surely brings nothing is put behind.
        """
        self._queues, self._db, self._leaves, self._beside = queues, db, leaves and not beside, beside
        self._hosts: OrderedDict[int, HostWorth] = OrderedDict()
        self._since: dict[int, int] = {}
        """Pages of a host since its URLs at hand were valued."""
        self._chance = random.Random(seed)
        self._tried: Entry | None = None
        """What was taken because it waited longest."""
        self._revived: list[tuple[Host, Shape]] = []
        self._names = Names()

    def names(self, links: pa.Table, keys: NDArray[np.uint64], entries: Sequence[Entry]) -> dict[int, float]:
        """How far the texts of their links name URLs alone, by the URL's key.

        Args:
            links: the links of some pages, with `key`, `row`, and perhaps `anchor`.
            keys: of the URLs that are new.
            entries: the pages.
        """
        if "anchor" not in links.column_names or not keys.size:
            return {}
        all_keys = links.column("key").to_numpy()
        places = np.flatnonzero(np.isin(all_keys, keys))
        rows, anchors = links.column("row").to_numpy()[places].tolist(), strings_at(links.column("anchor"), places)
        return self._names.give(zip(all_keys[places].tolist(), (entries[row].host.id for row in rows), anchors))

    def enter_all(self, entries: Sequence[Entry], found: Sequence[Found]) -> None:
        """Value URLs that were met for the first time, and let the pages they stand on gain by the best of them.

        Args:
            entries: they, not queued yet.
            found: what they and others were when they were met.
        """
        above = {one.key: one.parent for one in found if one.parent is not None and one.parent.brought is not None}
        named = {one.key: one.named for one in found}
        led: dict[int, tuple[Entry, list[float]]] = {}
        for entry in entries:
            if entry.kind != PAGE:
                continue
            worth = self._of(entry.host)
            entry.record, entry.version = worth.meet(entry.url, named.get(entry.key)), worth.version
            self._value(entry)
            parent = above.get(entry.key)
            if parent is not None:
                led.setdefault(parent.key, (parent, []))[1].append(entry.expected)
        for parent, expected in led.values():
            self._lead(parent, expected)

    def take(self, host: Host) -> Entry | None:
        """The URL of a host whose turn it is.

        Args:
            host: a host that may be asked now.
        """
        worth = self._of(host)
        chance, self._tried = self._chance.random(), None
        if self._beside:
            entry = self._best(host)
        elif chance < max(LEAST_EXPLORATION, math.exp(-host.fetched / EARLY)) and not self._has_only_spent(host):
            entry = self._tried = self._queues.take_oldest(
                host, self._is_unknown(host) if chance >= LEAST_EXPLORATION / 2 else None
            )
        else:
            entry = self._best(host)
        if entry is not None and entry.kind == PAGE:
            worth.ask(entry.url)
        return entry

    def leaves_aside(self, entry: Entry) -> str | None:
        """The shape by which a URL is not to be fetched now that its turn has come; None when it is.

        Args:
            entry: what `take` gave.
        """
        if (
            not self._leaves
            or entry.kind != PAGE
            or entry.postponed
            or entry is self._tried
            or entry.score > RAISED * entry.expected
        ):
            return None
        worth = self._of(entry.host)
        if not worth.is_spent(entry.url):
            return None
        shape = worth.shape(entry.url)
        left = worth.left[shape] = worth.left.get(shape, 0) + 1
        if left >= FIRST_LEFT and left & (left - 1) == 0:
            return None
        worth.drop(entry.url)
        return str(shape)

    def put_back(self, entry: Entry) -> None:
        """A URL whose turn it was goes back to the queue.

        Args:
            entry: the URL.
        """
        if entry.kind == PAGE and (worth := self._hosts.get(entry.host.id)) is not None:
            worth.drop(entry.url)

    def observe(self, entry: Entry, gain: float, kind: Answered = Answered.PAGE) -> None:
        """A URL was answered.

        Args:
            entry: the URL.
            gain: the share of its text that is new, 0 for what is no page.
            kind: what came.
        """
        worth, id = self._of(entry.host), entry.host.id
        version, was_spent = worth.version, bool(worth.left) and worth.is_spent(entry.url)
        entry.brought = worth.observe(entry.url, gain, kind, entry.parent)
        self._look_for_revived(worth, entry, was_spent)
        self._since[id] = self._since.get(id, 0) + 1
        if worth.version != version or self._since[id] >= max(OFTEN, len(entry.host.heads) // A_PART):
            self._since[id] = 0
            self._queues.revalue(entry.host, self._value)

    def revived(self) -> list[tuple[Host, Callable[[str], bool]]]:
        """Hosts, and what tells which of their URLs that were left aside come back; since this was asked last."""
        found, self._revived = self._revived, []
        return [(host, partial(_has_shape, self._of(host), shape)) for host, shape in found]

    def _lead(self, entry: Entry, expected: list[float]) -> None:
        """A page that was answered has new links, which are expected to bring so much each."""
        worth = self._of(entry.host)
        was_spent = bool(worth.left) and worth.is_spent(entry.url)
        worth.lead(entry.brought, len(expected), max(expected))
        self._look_for_revived(worth, entry, was_spent)

    def _look_for_revived(self, worth: HostWorth, entry: Entry, was_spent: bool) -> None:
        if was_spent and not worth.is_spent(entry.url):
            worth.left.pop(worth.shape(entry.url), None)
            self._revived.append((entry.host, worth.shape(entry.url)))

    def _has_only_spent(self, host: Host) -> bool:
        """Whether the best URL at hand is of a shape that is spent."""
        best = host.heads[0][2] if host.heads else None
        return self._leaves and best is not None and best.kind == PAGE and self._record(best).is_spent

    def _is_unknown(self, host: Host) -> Callable[[Entry], bool]:
        """What tells whether an entry is worth a try: it is not known to be poor, and not known for what it brings."""
        least = host.heads[0][2].expected * POOR if host.heads else 0.0
        return lambda entry: entry.expected >= least and not self._record(entry).is_told

    def _best(self, host: Host) -> Entry | None:
        for _ in range(TRIES):
            entry = self._queues.take(host)
            if entry is None or entry.kind != PAGE or entry.postponed:
                return entry
            if self._expect(entry) >= STALE * entry.expected:
                return entry
            self._value(entry)
            self._queues.put(entry)
        return self._queues.take(host)

    def _value(self, entry: Entry) -> None:
        """Set an entry's score by what is expected of it now."""
        if entry.kind != PAGE or entry.postponed or entry.score > 1.0:
            return
        expected = self._expect(entry)
        if expected != entry.expected:
            entry.score = min(1.0, entry.score * expected / entry.expected)
            entry.expected, entry.unsaved = expected, True

    def _expect(self, entry: Entry) -> float:
        """The gain expected of an entry now; more of one that goes on where a page of its shape ended: lists are read to their
        end before they are read in another order or in parts."""
        return self._weighed(self._record(entry).mean() * (SEQUEL if entry.run and not self._beside else 1.0))

    def _weighed(self, expected: float) -> float:
        """What an expected gain counts: beside a topic what brings something is as good as any."""
        return min(1.0, expected / SOMETHING if self._beside else expected)

    def _record(self, entry: Entry) -> Record:
        """The record of an entry's shape, which is looked up once for each time that shapes are learned."""
        worth = self._of(entry.host)
        if entry.version != worth.version:
            entry.record, entry.version = worth.record(entry.url), worth.version
        found: Record = entry.record
        return found

    def _of(self, host: Host) -> HostWorth:
        found = self._hosts.get(host.id)
        if found is None:
            found = self._hosts[host.id] = self._remembered(host) if host.fetched >= ENOUGH else HostWorth()
            if len(self._hosts) > HOSTS:
                old, _ = self._hosts.popitem(last=False)
                self._since.pop(old, None)
        else:
            self._hosts.move_to_end(host.id)
        return found

    def _remembered(self, host: Host) -> HostWorth:
        """The records of a host that the crawl has pages of, from an earlier run or from long ago."""
        read = fetched.some_gains(self._db, host.id, SOME)
        known = [url for url, _ in read] + queued.some_of(self._db, host.id, SOME) + skipped.some_of(self._db, host.id, SOME)
        return HostWorth.remembered(known, read)


def _has_shape(worth: HostWorth, shape: Shape, url: str) -> bool:
    return worth.shape(url) == shape
