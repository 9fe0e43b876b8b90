"""What fetching URLs of each shape of a host has brought.

The *gain* of a fetched page is the share of its text that the crawl had not seen, 0 for what is no page. Each shape of a host
has a record: how many pages of it were read, and their gains, older ones counting less. A page whose links are new, and lead to
shapes that pay, has a part of what they are expected to bring for its gain: a list that says nothing new itself is still read on.

A shape with few pages is believed to be like its parents (`url.shapes`), the more so the fewer it has; the whole host is believed
to be good at first. A child counts as at most `MOST_OF_A_CHILD` pages in the record of its parent, so that one crowded shape does
not speak for all others. A URL that is asked for counts as a page without gain until its answer is read. So of an unknown shape a
few are tried, not all.

A shape is *spent* when many pages in a row, of it or of one of its parents, brought nothing and led nowhere.

Observing a page costs its shape and the parents of it. Shapes are learned again when the known URLs of the host have grown
by a third, from a sample of them, and the records are made again from the last pages.
"""

from collections import deque
from collections.abc import Iterable, Iterator

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
PAYS = 0.1
"""A page pays that brings more than this; what is not to be indexed never does."""
LEADS, OF_LINKS = 0.2, 0.2
"""A page leads on by a new link that is expected to bring so much; this part of that is a gain of its own."""
BARREN = 60
"""Pages in a row that bring nothing, after which a shape is spent; of its parents so many more for each step up."""
TRIED = 2
"""Pages of a shape itself, at least, before its parents speak for it."""
UNREAD = 6
"""Pages that one answer of an unwanted content type counts as among those that bring nothing."""


class Brought:
    """What one fetch brought: its gain, links included, and as how many barren pages it counts if it does not pay."""

    __slots__ = ("gain", "led", "url", "weight")

    def __init__(self, url: str, gain: float, weight: int = 1) -> None:
        self.url, self.gain, self.weight, self.led = url, gain, weight, False

    @property
    def pays(self) -> bool:
        return self.led or self.gain > PAYS


class Record:
    """The pages of one shape: how many, their gains, and what of both counts in the parent."""

    __slots__ = ("barren", "gains", "has_values", "less", "pages", "parent", "pending", "told_gains", "told_pages")

    def __init__(self, parent: "Record | None", less: float, has_values: bool = False) -> None:
        self.parent, self.less, self.has_values = parent, less, has_values
        self.pages = self.gains = self.pending = 0.0
        self.told_pages = self.told_gains = 0.0
        self.barren = 0
        """Pages in a row that brought nothing and led nowhere."""

    def mean(self) -> float:
        """The gain that the next page of this shape is expected to bring."""
        believed = PRIOR if self.parent is None else max(LEAST, self.parent.mean() - self.less)
        return (self.gains + STRENGTH * believed) / (self.pages + self.pending + STRENGTH)

    @property
    def is_tried(self) -> bool:
        """Whether enough pages of it were read, or of those that differ from it by values only."""
        return self.pages >= TRIED or (self.has_values and self.parent is not None and self.parent.pages >= TRIED)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is to be expected of it any more."""
        record: Record | None = self
        most = BARREN
        while record is not None:
            if record.barren >= most and self.is_tried:
                return True
            record, most = record.parent, most + BARREN
        return False

    def observe(self, gain: float, pays: bool | None = None, weight: int = 1) -> None:
        """Count a page.

        Args:
            gain: what it brought.
            pays: whether that is enough; as the gain says, if not given.
            weight: as how many it counts if it is not.
        """
        self.pages, self.gains = self.pages * DECAY + 1.0, self.gains * DECAY + gain
        pays = gain > PAYS if pays is None else pays
        record: Record | None = self
        while record is not None:
            record.barren = 0 if pays else record.barren + weight
            record = record.parent
        self._tell()

    def add(self, gain: float) -> None:
        """The page observed last brought more than it seemed: it leads on.

        Args:
            gain: how much more.
        """
        self.gains += gain
        record: Record | None = self
        while record is not None:
            record.barren = 0
            record = record.parent
        self._tell()

    def _tell(self) -> None:
        """Bring the parent's record up to date with this one."""
        if self.parent is None:
            return
        share = min(1.0, MOST_OF_A_CHILD / max(1.0, self.pages))
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
    ...     _ = worth.observe(f"http://a.org/page/{n}", 1.0)
    ...     _ = worth.observe(f"http://a.org/login?back={n}", 0.0)
    >>> worth.expect("http://a.org/page/9") > 0.8 > 0.3 > worth.expect("http://a.org/login?back=9")
    True
    """

    def __init__(self) -> None:
        self._shapes = Shapes()
        self._records: dict[Shape, Record] = {}
        self._known: deque[str] = deque(maxlen=SAMPLE)
        self._met = 0
        self._learn_at = FIRST
        self._read: deque[Brought] = deque(maxlen=REMEMBERED)
        self._asked: dict[str, Record] = {}
        self.version = 0
        """Rises when the shapes were learned again."""
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
        worth._known.extend(known)
        worth._met = len(worth._known)
        worth._learn_at = max(FIRST, int(worth._met * GROWTH) + 1)
        worth._read.extend(Brought(url, gain, 0) for url, gain in read)
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

    def is_spent(self, url: str) -> bool:
        """Whether nothing is to be expected of a URL.

        Args:
            url: a queued URL of the host.
        """
        return self._record(self._shapes.of(url)).is_spent

    def ask(self, url: str) -> None:
        """A URL is asked for.

        Args:
            url: the URL whose turn has come.
        """
        record = self._asked[url] = self._record(self._shapes.of(url))
        record.pending += 1

    def observe(self, url: str, gain: float, weight: int = 1) -> Brought:
        """A URL was answered; what is remembered of it, to which `lead` may add.

        Args:
            url: the URL.
            gain: the share of its text that was new, 0 for what is no page.
            weight: as how many pages it counts if it brings nothing.
        """
        self.drop(url)
        brought = Brought(url, gain, weight)
        self._read.append(brought)
        self._record(self._shapes.of(url)).observe(gain, brought.pays, weight)
        return brought

    def lead(self, brought: Brought, expected: float) -> None:
        """The new links of a page lead on.

        Args:
            brought: what was remembered of the page.
            expected: the gain expected of the best of them.
        """
        if expected < LEADS:
            return
        more = max(0.0, OF_LINKS * expected - brought.gain)
        brought.gain, brought.led = brought.gain + more, True
        self._record(self._shapes.of(brought.url)).add(more)

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
                    found = self._records[step] = Record(parent, PER_PARAMETER * names, bool(step.values))
                parent = found
            assert found is not None  # a chain ends with the shape itself
        return found

    def _learn(self) -> None:
        self._shapes = Shapes(self._known)
        self._records = {}
        self.left = {}
        self.version += 1
        for brought in self._read:
            self._record(self._shapes.of(brought.url)).observe(brought.gain, brought.pays, brought.weight)
        for url in list(self._asked):
            del self._asked[url]
            self.ask(url)
