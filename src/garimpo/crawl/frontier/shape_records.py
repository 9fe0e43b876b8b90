"""What fetching URLs of each shape of a host has brought (`records`).

A URL that is asked for counts as a page without gain until its answer is read. So of an unknown shape a few are tried, not all.

Observing a page costs its shape and the parents of it. Shapes are learned again when the known URLs of the host have grown
by a third, from a sample of them, and the records are made again from the last pages.
"""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count

from garimpo.crawl.frontier.records import MOST_MET, PAYS, PER_PARAMETER, Answered, Brought, Record
from garimpo.url.shapes import EVERYTHING, Shape, Shapes

FIRST, GROWTH = 20, 1.3
"""Shapes are learned at so many known URLs, and again when they have grown by this factor."""
SAMPLE, REMEMBERED = 2_000, 1_000
"""Known URLs that shapes are learned from, and pages that records are made from again."""
LEADS = 0.2
"""A page leads on by a new link that is expected to bring so much."""
_VERSIONS = count(1)


class HostWorth:
    """The records of one host.

    >>> worth = HostWorth()
    >>> urls = [f"http://a.org/page/{n}" for n in range(30)] + [f"http://a.org/login?back={n}" for n in range(30)]
    >>> for url in urls:
    ...     _ = worth.meet(url)
    >>> for n in range(5):
    ...     _ = worth.observe(f"http://a.org/page/{n}", 1.0)
    ...     _ = worth.observe(f"http://a.org/login?back={n}", 0.0)
    >>> worth.expect("http://a.org/page/9") > 0.8 > 0.3 > worth.expect("http://a.org/login?back=9")
    True
    """

    def __init__(self) -> None:
        self._shapes = Shapes()
        self._records: dict[Shape, Record] = {}
        self._known: deque[tuple[str, float | None]] = deque(maxlen=SAMPLE)
        self._met = 0
        self._learn_at = FIRST
        self._read: deque[Brought] = deque(maxlen=REMEMBERED)
        self._last: dict[str, Brought] = {}
        """Those of `_read` by their URLs."""
        self._asked: dict[str, Record] = {}
        self.version = next(_VERSIONS)
        """Rises when the shapes were learned again; that of no other host."""
        self.left: dict[Shape, int] = {}
        """How many URLs of a shape were left aside."""

    @classmethod
    def remembered(cls, known: Iterable[str], read: Iterable[tuple[str, float]]) -> "HostWorth":
        """The records of a host as a crawl folder tells them. Where links led is not written there, so no shape is spent.

        Args:
            known: URLs of the host, a sample of them at most.
            read: URLs that were read, each with its gain, oldest first.
        """
        worth = cls()
        worth._known.extend((url, None) for url in known)
        worth._met = len(worth._known)
        worth._learn_at = max(FIRST, int(worth._met * GROWTH) + 1)
        for url, gain in read:
            worth._remember(Brought(url, gain, Answered.PAGE))
        worth._learn()
        return worth

    def meet(self, url: str, named: float | None = None) -> Record:
        """A URL of the host was met for the first time; the record of its shape.

        Args:
            url: the URL, in normal form.
            named: how far the texts of its links name it alone, if that is known.
        """
        self._met += 1
        self._known.append((url, named))
        if self._met >= self._learn_at:
            self._learn_at = int(self._met * GROWTH) + 1
            self._learn()
            return self.record(url)
        record = self.record(url)
        if named is not None:
            record.name(named)
        return record

    def expect(self, url: str) -> float:
        """The gain that a URL is expected to bring now.

        Args:
            url: a queued URL of the host.
        """
        return self.record(url).mean()

    def is_spent(self, url: str) -> bool:
        """Whether nothing is to be expected of a URL.

        Args:
            url: a queued URL of the host.
        """
        return self.record(url).is_spent

    def record(self, url: str) -> Record:
        """The record of the shape that a URL falls into, as long as `version` stays.

        Args:
            url: a URL of the host.
        """
        return self._record(self._shapes.of(url))

    def ask(self, url: str) -> None:
        """A URL is asked for.

        Args:
            url: the URL whose turn has come.
        """
        record = self._asked[url] = self.record(url)
        record.pending += 1

    def observe(self, url: str, gain: float, kind: Answered = Answered.NOTHING, parent: str | None = None) -> Brought:
        """A URL was answered; what is remembered of it, to which `lead` adds.

        Args:
            url: the URL.
            gain: the share of its text that was new, 0 for what is no page.
            kind: what came.
            parent: the page it was first met on.
        """
        self.drop(url)
        brought = Brought(url, gain, kind)
        self._remember(brought)
        self._count(brought)
        above = self._last.get(parent) if parent is not None and gain > PAYS else None
        if above is not None and above is not brought:
            self._add(above, found=brought.wanted)
        return brought

    def lead(self, brought: Brought, urls: int, expected: float) -> None:
        """URLs were first met on a page.

        Args:
            brought: what was remembered of the page.
            urls: how many.
            expected: the gain expected of the best of them.
        """
        if expected >= LEADS:
            self._add(brought, led=expected)
        elif not brought.pays and brought.barren < MOST_MET:
            more = min(urls, MOST_MET - brought.barren)
            brought.barren += more
            self.record(brought.url).lengthen_row(more)

    def _add(self, brought: Brought, led: float = 0.0, found: float = 0.0) -> None:
        before = brought.worth
        brought.led, brought.found = max(brought.led, led), brought.found + found
        self.record(brought.url).add(brought.worth - before, brought.number)

    def _count(self, brought: Brought) -> None:
        record = self.record(brought.url)
        brought.number, brought.named = record.count, record.named
        record.observe(brought.worth, brought.pays, brought.barren)

    def _remember(self, brought: Brought) -> None:
        if len(self._read) == REMEMBERED:
            old = self._read[0]
            if self._last.get(old.url) is old:
                del self._last[old.url]
        self._read.append(brought)
        self._last[brought.url] = brought

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
            parents = [self._record(above) for above in shape.parents()]
            more = len(shape.names) - 1 if shape.names and shape.path == (EVERYTHING,) else 0
            found = self._records[shape] = Record(parents, PER_PARAMETER**more, bool(shape.values))
        return found

    def _learn(self) -> None:
        self._shapes = Shapes(url for url, _ in self._known)
        self._records = {}
        self.left = {}
        self.version = next(_VERSIONS)
        for url, named in self._known:
            if named is not None:
                self.record(url).name(named)
        for brought in self._read:
            self._count(brought)
        for url in list(self._asked):
            del self._asked[url]
            self.ask(url)
