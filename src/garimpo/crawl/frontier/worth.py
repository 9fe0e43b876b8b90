"""What the next fetch of a host will bring, by what URLs of its shape have brought so far.

The *gain* of a fetched page is the share of its text that the crawl had not seen, 0 for what is no page. Each shape of a host
has a record: how many pages of it were read, and their gains, older ones counting less. A shape with few pages is believed to be
like its parents (`url.shapes`), the more so the fewer it has; the whole host is believed to be good at first. A child counts as
at most `MOST_OF_A_CHILD` pages in the record of its parent, so that one crowded shape does not speak for all others.

A URL that is asked for counts as a page without gain until its answer is read. So of an unknown shape a few are tried, not all.

The expected gain is a factor of a URL's score. It is brought up to date for the URLs at hand of a host from time to time, and for
the best one when its turn has come. Now and then the turn goes to the URL that waits longest instead: what is believed to bring
nothing is tried again, and a host that was hardly looked at is looked at as it comes.

Observing a page costs its shape and the parents of it. Shapes are learned again when the known URLs of the host have grown
by a third, from a sample of them, and the records are made again from the last pages.
"""

import math
import random
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator

from garimpo.crawl.frontier.host_queues import HostQueues
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.url.shapes import Shape, Shapes

PRIOR, PER_PARAMETER, LEAST = 0.6, 0.08, 0.02
"""What a host is believed to bring before anything is known, how much less with each parameter, and at least."""
STRENGTH = 3.0
"""The pages that what a parent says counts as."""
DECAY = 0.5 ** (1 / 40)
MOST_OF_A_CHILD = 8.0
FIRST, GROWTH = 20, 1.3
"""Shapes are learned at so many known URLs, and again when they have grown by this factor."""
SAMPLE, REMEMBERED = 2_000, 1_000
"""Known URLs that shapes are learned from, and pages that records are made from again."""


class Record:
    """The pages of one shape: how many, their gains, and what of both counts in the parent."""

    __slots__ = ("gains", "less", "pages", "parent", "pending", "told_gains", "told_pages")

    def __init__(self, parent: "Record | None", less: float) -> None:
        self.parent, self.less = parent, less
        self.pages = self.gains = self.pending = 0.0
        self.told_pages = self.told_gains = 0.0

    def mean(self) -> float:
        """The gain that the next page of this shape is expected to bring."""
        believed = PRIOR if self.parent is None else max(LEAST, self.parent.mean() - self.less)
        return (self.gains + STRENGTH * believed) / (self.pages + self.pending + STRENGTH)

    def observe(self, gain: float) -> None:
        """Count a page."""
        self.pages, self.gains = self.pages * DECAY + 1.0, self.gains * DECAY + gain
        self._tell()

    def _tell(self) -> None:
        """Bring the parent's record up to date with this one."""
        if self.parent is None:
            return
        share = min(1.0, MOST_OF_A_CHILD / self.pages)
        pages, gains = self.pages * share, self.gains * share
        self.parent.pages += pages - self.told_pages
        self.parent.gains += gains - self.told_gains
        self.told_pages, self.told_gains = pages, gains
        self.parent._tell()


class HostWorth:
    """The records of one host.

    >>> worth = HostWorth()
    >>> urls = [f"http://a.org/page/{n}" for n in range(30)] + [f"http://a.org/login?back={n}" for n in range(30)]
    >>> for url in urls:
    ...     worth.meet(url)
    >>> for n in range(5):
    ...     worth.observe(f"http://a.org/page/{n}", 1.0)
    ...     worth.observe(f"http://a.org/login?back={n}", 0.0)
    >>> worth.expect("http://a.org/page/9") > 0.8 > 0.3 > worth.expect("http://a.org/login?back=9")
    True
    """

    def __init__(self) -> None:
        self._shapes = Shapes()
        self._records: dict[Shape, Record] = {}
        self._known: deque[str] = deque(maxlen=SAMPLE)
        self._met = 0
        self._learn_at = FIRST
        self._read: deque[tuple[str, float]] = deque(maxlen=REMEMBERED)
        self._asked: dict[str, Record] = {}
        self.version = 0
        """Rises when the shapes were learned again."""

    @classmethod
    def remembered(cls, known: Iterable[str], read: Iterable[tuple[str, float]]) -> "HostWorth":
        """The records of a host as a crawl folder tells them.

        Args:
            known: URLs of the host, a sample of them at most.
            read: URLs that were read, each with its gain, oldest first.
        """
        worth = cls()
        worth._known.extend(known)
        worth._read.extend(read)
        worth._learn()
        return worth

    def meet(self, url: str) -> None:
        """A URL of the host was met for the first time.

        Args:
            url: the URL, in normal form.
        """
        self._met += 1
        self._known.append(url)
        if self._met >= self._learn_at:
            self._learn_at = int(self._met * GROWTH) + 1
            self._learn()

    def expect(self, url: str) -> float:
        """The gain that a URL is expected to bring now.

        Args:
            url: a queued URL of the host.
        """
        return self._record(self._shapes.of(url)).mean()

    def ask(self, url: str) -> None:
        """A URL is asked for.

        Args:
            url: the URL whose turn has come.
        """
        record = self._asked[url] = self._record(self._shapes.of(url))
        record.pending += 1

    def observe(self, url: str, gain: float) -> None:
        """A URL was answered.

        Args:
            url: the URL.
            gain: the share of its text that was new, 0 for what is no page.
        """
        self.drop(url)
        self._read.append((url, gain))
        self._record(self._shapes.of(url)).observe(gain)

    def drop(self, url: str) -> None:
        """A URL that was asked for goes back to the queue.

        Args:
            url: the URL.
        """
        record = self._asked.pop(url, None)
        if record is not None:
            record.pending -= 1

    def shape(self, url: str) -> Shape:
        """The shape that a URL falls into now.

        Args:
            url: a URL of the host.
        """
        return self._shapes.of(url)

    def records(self) -> Iterator[tuple[Shape, Record]]:
        """All shapes met, with their records."""
        return iter(self._records.items())

    def _record(self, shape: Shape) -> Record:
        found = self._records.get(shape)
        if found is None:
            parent: Record | None = None
            for step in shape.chain():
                found = self._records.get(step)
                if found is None:
                    names = len(step.names) if parent is not None and parent.parent is None else 0
                    found = self._records[step] = Record(parent, PER_PARAMETER * names)
                parent = found
            assert found is not None  # a chain ends with the shape itself
        return found

    def _learn(self) -> None:
        self._shapes = Shapes(self._known)
        self._records = {}
        self.version += 1
        for url, gain in self._read:
            self._record(self._shapes.of(url)).observe(gain)
        for url in list(self._asked):
            del self._asked[url]
            self.ask(url)


HOSTS = 500
"""Hosts whose records are kept; those looked at longest ago go first."""
OFTEN, A_PART = 20, 50
"""URLs at hand are valued again after so many pages of their host, or a part of them where there are many."""
STALE = 0.9
"""A URL whose expected gain fell below this part of what it was valued by is put back with its new score."""
TRIES = 16
LEAST_EXPLORATION, EARLY = 0.08, 30
"""How often the oldest URL is taken, at least; and after how many pages of a host that is a third of the times."""


class Worth:
    """Orders the URLs of each host by what they are expected to bring."""

    def __init__(self, queues: HostQueues, seed: int) -> None:
        self._queues = queues
        self._hosts: OrderedDict[int, HostWorth] = OrderedDict()
        self._since: dict[int, int] = {}
        """Pages of a host since its URLs at hand were valued."""
        self._chance = random.Random(seed)

    def enter(self, entry: Entry) -> None:
        """Value a URL that was met for the first time.

        Args:
            entry: it, not queued yet.
        """
        if entry.kind == PAGE:
            self._of(entry.host).meet(entry.url)
            self._value(entry)

    def factor(self, host: Host, url: str) -> float:
        """The expected gain of a queued URL.

        Args:
            host: its host.
            url: the URL.
        """
        return self._of(host).expect(url)

    def take(self, host: Host) -> Entry | None:
        """The URL of a host whose turn it is.

        Args:
            host: a host that may be asked now.
        """
        worth = self._of(host)
        if self._chance.random() < max(LEAST_EXPLORATION, math.exp(-host.fetched / EARLY)):
            entry = self._queues.take_oldest(host)
        else:
            entry = self._best(host)
        if entry is not None and entry.kind == PAGE:
            worth.ask(entry.url)
        return entry

    def put_back(self, entry: Entry) -> None:
        """A URL whose turn it was goes back to the queue.

        Args:
            entry: the URL.
        """
        if entry.kind == PAGE and (worth := self._hosts.get(entry.host.id)) is not None:
            worth.drop(entry.url)

    def observe(self, entry: Entry, gain: float) -> None:
        """A URL was answered.

        Args:
            entry: the URL.
            gain: the share of its text that is new, 0 for what is no page.
        """
        worth, id = self._of(entry.host), entry.host.id
        version = worth.version
        worth.observe(entry.url, gain)
        self._since[id] = self._since.get(id, 0) + 1
        if worth.version != version or self._since[id] >= max(OFTEN, len(entry.host.heads) // A_PART):
            self._since[id] = 0
            self._queues.revalue(entry.host, self._value)

    def _best(self, host: Host) -> Entry | None:
        for _ in range(TRIES):
            entry = self._queues.take(host)
            if entry is None or entry.kind != PAGE or entry.postponed:
                return entry
            if self._of(host).expect(entry.url) >= STALE * entry.expected:
                return entry
            self._value(entry)
            self._queues.put(entry)
        return self._queues.take(host)

    def _value(self, entry: Entry) -> None:
        """Set an entry's score by what is expected of it now."""
        if entry.kind != PAGE or entry.postponed or entry.score > 1.0:
            return
        expected = self._of(entry.host).expect(entry.url)
        if expected != entry.expected:
            entry.score *= expected / entry.expected
            entry.expected, entry.unsaved = expected, True

    def _of(self, host: Host) -> HostWorth:
        found = self._hosts.get(host.id)
        if found is None:
            found = self._hosts[host.id] = HostWorth()
            if len(self._hosts) > HOSTS:
                old, _ = self._hosts.popitem(last=False)
                self._since.pop(old, None)
        else:
            self._hosts.move_to_end(host.id)
        return found
