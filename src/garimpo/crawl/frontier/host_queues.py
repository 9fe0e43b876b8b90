"""Where queued URLs lie: the best of each host at hand, in a heap; the rest beyond, on disk.

A host's heads hold its part of all that may be at hand, at most `TRIM_AT` entries, and are cut back to a quarter when they
grow past it; just before the first that goes lies the host's *floor*. An entry ordered after the floor goes beyond: it is
written with the next commit and lies in `later` until then. When the heads run out they are filled from disk and from
`later`, from the floor on. Where so many hosts have something that the part of each is next to nothing, all of a host lies
beyond, and its floor says how good its best URL is until its turn comes.

Invariants: an entry that is not done is on disk or among the dirty ones that the next commit writes; while a host has anything
beyond, whatever is at hand is ordered before all of it; an entry is in the heap under its present order at most once.
"""

import heapq
import sqlite3
from collections.abc import Callable

from garimpo.crawl.state import queued
from garimpo.crawl.state.entry import AT_HAND, BEYOND, DONE, LATER, TAKEN, Entry, from_row
from garimpo.crawl.state.host import NOTHING, Host

TRIM_AT = 8_192
FEW = 4
MOST_AT_HAND = 100_000
"""Entries at hand over all hosts, 600 bytes each. The hosts share half of that: some hold more from when there were fewer."""


class HostQueues:
    """The entries of all hosts, in memory and in the queue's table."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.queued = queued.count(db)
        """How many URLs are queued or in flight."""
        self._at_hand: dict[int, Entry] = {}
        self._taken: dict[int, Entry] = {}
        self._dirty: dict[int, Entry] = {}
        self._gone: dict[int, int] = {}
        self._with_later: list[Host] = []
        self.hosts = 0
        """How many hosts, awake or asleep, have something queued."""

    def put(self, entry: Entry) -> bool:
        """Lay an entry down, new or back from being taken; True when it is the host's best now."""
        if self._taken.pop(entry.key, None) is None:
            self.queued += 1
        self._dirty[entry.key] = entry
        return self._place(entry)

    def open(self, host: Host) -> None:
        """Take up a host that may have something on disk."""
        host.beyond = True
        self._count(host)
        self._settle(host)

    def lay_down(self, host: Host, wanted: bool) -> tuple[float, float] | None:
        """A host sleeps, right after a commit: the order of its best entry; None when it has none or is not `wanted`."""
        if host.heads:
            self._cut(host, 0)
        best = host.best if wanted else None
        if best is None:
            self._uncount(host)
        return best

    def take_up(self, host: Host, best: tuple[float, float]) -> None:
        """A host wakes that was laid down with this order."""
        host.counted = host.beyond = True
        host.floor = best

    def hosts_taken(self) -> set[Host]:
        """The hosts of which entries are being fetched or read."""
        return {entry.host for entry in self._taken.values()}

    def take(self, host: Host) -> Entry | None:
        """The host's best entry."""
        while True:
            if not host.heads and not self._fill(host):
                return None
            score, seq, entry = heapq.heappop(host.heads)
            if entry.state == AT_HAND and seq == entry.seq and -score == entry.score:
                entry.state = TAKEN
                self._taken[entry.key] = entry
                del self._at_hand[entry.key]
                self._settle(host)
                return entry

    def take_oldest(self, host: Host, wanted: Callable[[Entry], bool] | None = None) -> Entry | None:
        """The sure entry at hand that was met first, of those that are `wanted`; else the best."""
        live = [entry for _, _, entry in host.heads if entry.state == AT_HAND and not entry.postponed]
        live.sort(key=lambda entry: entry.seq)
        entry = next((entry for entry in live if wanted is None or wanted(entry)), None)
        if entry is None:
            return self.take(host)
        host.heads = [item for item in host.heads if item[2] is not entry]
        heapq.heapify(host.heads)
        entry.state = TAKEN
        self._taken[entry.key] = entry
        del self._at_hand[entry.key]
        self._settle(host)
        return entry

    def revalue(self, host: Host, value: Callable[[Entry], None]) -> None:
        """Let `value` set the scores of all entries at hand anew."""
        live = {entry.key: entry for _, _, entry in host.heads if entry.state == AT_HAND}
        for entry in live.values():
            value(entry)
            entry.laid = entry.order
        host.heads = [(*entry.order, entry) for entry in live.values()]
        heapq.heapify(host.heads)

    def done(self, entry: Entry) -> None:
        """Answered for good: off the queue with the next commit."""
        entry = self._held(entry)
        self.queued -= 1
        entry.state = DONE
        self._taken.pop(entry.key, None)
        self._at_hand.pop(entry.key, None)
        self._dirty.pop(entry.key, None)
        if entry.stored:
            self._gone[entry.key] = entry.host.id

    def move(self, entry: Entry) -> bool:
        """A queued entry changed, its score too: lay it where it belongs now; True when it is the host's best."""
        held = self._held(entry)
        held.kind, held.score = entry.kind, entry.score
        if held.state >= TAKEN:
            return False
        self._dirty[held.key] = held
        return self._place(held)

    def raise_score(self, host: Host, key: int, score: float, weighed: bool = False) -> bool:
        """A queued URL is worth at least this, `weighed` by its expected gain or not; True when it is the host's best now."""
        if key in self._taken:  # in flight: its row on disk is not to become a second entry
            return False
        entry = self._at_hand.get(key) or self._dirty.get(key)
        if entry is None:
            row = queued.find(self._db, host.id, key) if host.beyond and key not in self._gone else None
            entry = from_row(row, host) if row is not None else None
        if entry is None or entry.state >= TAKEN:
            return False
        if weighed:
            score *= entry.expected
        if entry.postponed:
            score -= LATER
        if entry.score >= score:
            return False
        entry.score = score
        self._dirty[key] = entry
        return self._place(entry)

    def entries_of(self, host: Host) -> list[Entry]:
        """All entries of a host that are not taken, best first."""
        known = {entry.key: entry for entry in self._dirty.values() if entry.host is host}
        known |= {entry.key: entry for _, _, entry in host.heads}
        for row in queued.best(self._db, host.id, -1):
            if row[0] not in known and not self._elsewhere(row[0]):
                known[row[0]] = from_row(row, host)
        return sorted((entry for entry in known.values() if entry.state < TAKEN), key=lambda entry: entry.order)

    def reorder(self, host: Host) -> None:
        """Take a host's heads from disk again, where the scores were changed; only right after a commit."""
        for _, _, entry in host.heads:
            if entry.state == AT_HAND:
                self._at_hand.pop(entry.key, None)
                entry.state = BEYOND
        host.heads, host.floor, host.beyond = [], NOTHING, True
        self._settle(host)

    def commit(self, db: sqlite3.Connection) -> None:
        """Bring the queue's table up to date; called inside the commit's transaction, followed by `committed`."""
        queued.delete(db, ((host, key) for key, host in self._gone.items()))
        queued.insert(db, (entry.row() for entry in self._dirty.values()))

    def committed(self) -> None:
        """The transaction stands: what was dirty is on disk."""
        for entry in self._dirty.values():
            entry.stored, entry.unsaved = True, False
        for host in self._with_later:
            host.later = []
        self._dirty.clear()
        self._gone.clear()
        self._with_later.clear()
        if self._room() < FEW:
            for entry in list(self._at_hand.values()):
                self._rest(entry.host)

    def _held(self, entry: Entry) -> Entry:
        """What stands for this URL here: an entry made of its row on disk may have been overtaken by another one."""
        key = entry.key
        return self._taken.get(key) or self._at_hand.get(key) or self._dirty.get(key) or entry

    def _elsewhere(self, key: int) -> bool:
        """Whether a row on disk is not the truth about its URL."""
        return key in self._dirty or key in self._gone or key in self._taken or key in self._at_hand

    def _place(self, entry: Entry) -> bool:
        host = entry.host
        self._count(host)
        if host.beyond and entry.order > host.floor:
            self._at_hand.pop(entry.key, None)
            entry.state = BEYOND
            self._put_later(entry)
            return False
        self._push(entry)
        best = host.heads[0][2] is entry
        if len(host.heads) > (room := max(self._room(), FEW)):
            self._cut(host, room // 4)
        return best

    def _push(self, entry: Entry) -> None:
        order = entry.order
        if entry.state == AT_HAND and entry.laid == order:
            return
        entry.state, entry.laid = AT_HAND, order
        heapq.heappush(entry.host.heads, (*order, entry))
        self._at_hand[entry.key] = entry

    def _fill(self, host: Host) -> bool:
        """Bring the next entries from beyond to hand; False when there are none."""
        while host.beyond and not host.heads:
            room = max(self._room(), FEW)
            rows = queued.best_after(self._db, host.id, *host.floor, room)
            found = {row[0]: from_row(row, host) for row in rows if not self._elsewhere(row[0])}
            found |= {entry.key: entry for entry in host.later if entry.state == BEYOND}
            entries = heapq.nsmallest(room + 1, found.values(), key=lambda entry: entry.order)
            if len(rows) == room:
                host.floor = (-rows[-1][1], rows[-1][2])
                entries = [entry for entry in entries if entry.order <= host.floor]
            else:
                host.beyond = False
            if len(entries) > room:
                host.floor, host.beyond = entries[room - 1].order, True
            for entry in entries[:room]:
                self._push(entry)
            host.later = [entry for entry in host.later if entry.state == BEYOND]
        if not host.heads:
            self._uncount(host)
        return bool(host.heads)

    def _settle(self, host: Host) -> None:
        """See to it that the order of a host's best entry is known, and no more is at hand than may be."""
        if host.heads or self._fill(host):
            self._rest(host)

    def _rest(self, host: Host) -> None:
        """Let all of a host lie beyond where too many have something at hand; not while a part of it is not committed."""
        if host.heads and not host.later and self._room() < FEW:
            self._cut(host, 0)

    def _count(self, host: Host) -> None:
        if not host.counted:
            host.counted = True
            self.hosts += 1

    def _uncount(self, host: Host) -> None:
        if host.counted:
            host.counted = False
            self.hosts -= 1

    def _room(self) -> int:
        """How many entries of one host may be at hand."""
        if len(self._at_hand) >= MOST_AT_HAND:
            return 0
        return min(TRIM_AT, MOST_AT_HAND // (2 * max(self.hosts, 1)))

    def _cut(self, host: Host, keep: int) -> None:
        """Keep so many heads; the rest goes beyond."""
        live = [item for item in host.heads if item[2].state == AT_HAND and item[:2] == item[2].order]
        live.sort(key=lambda item: item[:2])
        host.heads = live[:keep]
        if len(live) <= keep:
            return
        order, sequence, _ = live[keep]
        host.floor, host.beyond = (order, sequence - 0.5), True  # equal to the place of no entry of any host
        for _, _, entry in live[keep:]:
            del self._at_hand[entry.key]
            entry.state = BEYOND
            if entry.unsaved:
                self._dirty[entry.key] = entry
            if entry.key in self._dirty:
                self._put_later(entry)

    def _put_later(self, entry: Entry) -> None:
        if not entry.host.later:
            self._with_later.append(entry.host)
        entry.host.later.append(entry)
