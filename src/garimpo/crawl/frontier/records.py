"""What the fetches of one shape have brought, and what that says of the shapes it is a part of.

The *gain* of a fetched page is the share of its text that the crawl had not seen, 0 for what is no page. The links of a page are
a gain, too: at first a part of what the best new one is expected to bring, then, as they are read, by how many pages with new
text were first met on it. So a list that says nothing new itself is read on, and the list that leads to more pages is read first.

A shape with few pages is believed to be like the worst of its parents (`url.shapes`), the more so the fewer it has; the whole
host is believed to be good at first. With several parameters it has a parent for each, so what a parameter does is learned once.
A child counts as at most `MOST_OF_A_CHILD` pages in the record of its parent, so that one crowded shape does not speak for all.

A shape is *spent* when many pages in a row, of it or of one of its parents, brought nothing and led nowhere. Errors and what
is not to be kept count in full; a page that says nothing new, or repeats another, only for the URLs that were first met on it:
what has an end is read to its end.
"""

from collections.abc import Sequence
from enum import IntEnum

PRIOR, PER_PARAMETER, LEAST = 0.6, 0.85, 0.02
"""What a host is believed to bring before anything is known, the part of it with each parameter, and the least."""
STRENGTH = 3.0
"""The pages that what a parent says counts as."""
DECAY = 0.5 ** (1 / 40)
MOST_OF_A_CHILD = 8.0
PAYS = 0.1
"""A page pays that brings more than this; what is not to be indexed never does."""
OF_LINKS = 0.2
"""The part of what its best new link is expected to bring that is a gain of a page."""
FEW = 4.0
"""So many pages found on a page are half of what its links can be worth."""
BARREN = 60
"""Pages in a row that bring nothing, after which a shape is spent; of its parents so many more for each step up."""
NAMELESS = 0.2
"""What the gain of a page counts whose shape has no names of its own."""
FEW_NAMES = 2.0
"""The URLs that what a parent says of names counts as; of a whole host names of their own are believed."""
OWN_NAMES = 0.9
"""A shape whose URLs are named so far has names of its own."""
MOST_MET = 6
"""A page that brings nothing and on which URLs were first met counts as so many, at most."""
TRIED = 2
"""Pages that tell what a shape brings, at least."""


class Answered(IntEnum):
    """What came, and as how many pages it counts among those that bring nothing."""

    PAGE = 0
    """A page that is kept, even if others say all that it says: it counts only for the URLs that were first met on it."""
    NOTHING = 1
    """An error, or a page that is not to be indexed."""
    UNREAD = 6
    """Bytes of an unwanted content type."""


class Brought:
    """What one fetch brought: what is new of its text, what its links were worth, and as how many barren pages it counts."""

    __slots__ = ("barren", "found", "gain", "led", "named", "number", "url")

    def __init__(self, url: str, gain: float, barren: int) -> None:
        self.url, self.gain, self.barren = url, gain, barren
        self.led = 0.0
        """What the best of its links is expected to bring, once that is enough to read on."""
        self.found = 0.0
        """The gains of the pages first met on it that were read since."""
        self.named = 1.0
        """How far URLs of its shape are called by names of their own."""
        self.number = 0
        """How many pages of its shape were read before it."""

    @property
    def pays(self) -> bool:
        """Whether it is worth to read on, for its text or its links."""
        return self.led > 0.0 or self.found > 0.0 or self.gain > PAYS

    @property
    def has_own_name(self) -> bool:
        """Whether URLs of its shape are called by names of their own: unless it repeats another it is a page of its own, even if
        others quote all that it says."""
        return self.named >= OWN_NAMES

    @property
    def wanted(self) -> float:
        """Its gain, less where it is called what many are called: an action, or another view of a page."""
        return self.gain * (NAMELESS + (1.0 - NAMELESS) * self.named)

    @property
    def worth(self) -> float:
        """What is wanted of its gain, with what its links gave."""
        links = max(OF_LINKS * self.led, self.found / (self.found + FEW))
        return self.wanted + (1.0 - self.wanted) * links


class Record:
    """The pages of one shape: how many, their gains, and what of both counts in the parents."""

    __slots__ = (
        "barren", "count", "gains", "has_values", "less", "line", "met", "names", "pages", "parents", "pending", "several",
        "told_gains", "told_pages",
    )  # fmt: skip

    def __init__(self, parents: "Sequence[Record]" = (), less: float = 1.0, has_values: bool = False) -> None:
        """Begin without a page.

        Args:
            parents: the records of what the shape is a part of.
            less: the part of what the worst of them brings that a page of this shape is believed to bring.
            has_values: whether it differs by constant values from its parent.
        """
        self.parents, self.less, self.has_values = parents, less, has_values
        above = sorted(((one, steps + 1) for parent in parents for one, steps in parent.line), key=lambda pair: -pair[1])
        self.line: list[tuple[Record, int]] = [(self, 0), *dict(above).items()]
        """The record itself and all above it, each with its distance."""
        self.several = next((one.parents for one, _ in self.line if len(one.parents) > 1), None)
        """The records of each parameter, where there are several."""
        self.pages = self.gains = self.pending = 0.0
        self.told_pages = self.told_gains = 0.0
        self.count = 0
        """All pages of the shape."""
        self.met = self.names = 0.0
        """URLs of it and what is part of it, and the sum of how far each is named alone."""
        self.barren = 0
        """Pages in a row, of it or what is part of it, that brought nothing and led nowhere."""

    def mean(self) -> float:
        """The gain that the next page of this shape is expected to bring."""
        believed = max(LEAST, self.less * min([parent.mean() for parent in self.parents])) if self.parents else PRIOR
        return (self.gains + STRENGTH * believed) / (self.pages + self.pending + STRENGTH)

    @property
    def is_known(self) -> bool:
        """Whether enough pages of it were read, or of those that differ from it by values only."""
        return self.pages >= TRIED or (self.has_values and self.parents[0].is_known)

    @property
    def is_told(self) -> bool:
        """Whether pages tell what it brings: its own, many of a parent, or elsewhere those of each parameter."""
        if self.is_known or any(parent.pages >= MOST_OF_A_CHILD for parent in self.parents if parent.parents):
            return True
        return self.several is not None and all(parent.pages >= TRIED for parent in self.several)

    @property
    def is_spent(self) -> bool:
        """Whether nothing is to be expected of it any more."""
        return self.is_known and any(record.barren >= BARREN * (1 + steps) for record, steps in self.line)

    @property
    def named(self) -> float:
        """How far its URLs are called by names of their own."""
        believed = min([parent.named for parent in self.parents]) if self.parents else 1.0
        return (self.names + FEW_NAMES * believed) / (self.met + FEW_NAMES)

    def name(self, named: float) -> None:
        """A URL of the shape was met.

        Args:
            named: how far it is named alone.
        """
        for record, _ in self.line:
            record.met += 1.0
            record.names += named

    def observe(self, gain: float, pays: bool | None = None, barren: int = 1) -> None:
        """Count a page.

        Args:
            gain: what it brought.
            pays: whether that is enough; as the gain says, if not given.
            barren: as how many it counts if it is not.
        """
        self.count += 1
        self.pages, self.gains = self.pages * DECAY + 1.0, self.gains * DECAY + gain
        if gain > PAYS if pays is None else pays:
            self.end_row()
        else:
            self.lengthen_row(barren)
        self._tell()

    def add(self, gain: float, number: int) -> None:
        """A page observed earlier brought more than it seemed: its links pay.

        Args:
            gain: how much more.
            number: how many pages of this shape were observed before it.
        """
        self.gains += gain * DECAY ** (self.count - number - 1)
        self.end_row()
        self._tell()

    def lengthen_row(self, barren: int) -> None:
        """Pages brought nothing.

        Args:
            barren: how many, or as how many one counts.
        """
        for record, _ in self.line:
            record.barren += barren

    def end_row(self) -> None:
        """A page paid."""
        for record, _ in self.line:
            record.barren = 0

    def _tell(self) -> None:
        """Bring the records of the parents up to date with this one."""
        share = min(1.0, MOST_OF_A_CHILD / max(1.0, self.pages))
        pages, gains = self.pages * share, self.gains * share
        for parent in self.parents:
            parent.pages += pages - self.told_pages
            parent.gains += gains - self.told_gains
        self.told_pages, self.told_gains = pages, gains
        for parent in self.parents:
            parent._tell()
