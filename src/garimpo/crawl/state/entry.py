"""One queued URL, as the frontier holds it in memory."""

from typing import Any

from garimpo.crawl.state.host import Host

PAGE, SITEMAP, CHECK, ROBOTS = 0, 1, 2, 3
"""Kinds of entries: a page; a sitemap (a source of URLs, not stored); a page fetched only to check a learned rule;
a robots.txt (never queued: it takes the turn of the URL that needs it)."""

BEYOND, AT_HAND, TAKEN, DONE = 0, 1, 2, 3
"""Where an entry is: on disk or on its way there; in its host's heap; being fetched or read; answered for good."""

CHECK_SCORE = 2.0
"""Above all scores: what a check shows decides about everything else that its rule skips."""

LATER = 10.0
"""What a URL left for the end loses of its score: scores lie between 0 and 1, those of checks above."""


class Entry:
    """A URL with its place in the order (score, then sequence), how it was found, and how often it was tried."""

    __slots__ = (
        "asked",
        "brought",
        "depth",
        "expected",
        "hops",
        "host",
        "key",
        "kind",
        "laid",
        "parent",
        "record",
        "run",
        "score",
        "seq",
        "shape",
        "started",
        "state",
        "stored",
        "tries",
        "unsaved",
        "url",
        "version",
    )

    def __init__(
        self,
        url: str,
        key: int,
        host: Host,
        score: float,
        seq: int,
        depth: int = 0,
        parent: str | None = None,
        tries: int = 0,
        hops: int = 0,
        kind: int = PAGE,
        run: int = 0,
        stored: bool = False,
    ) -> None:
        self.url, self.key, self.host, self.score, self.seq = url, key, host, score, seq
        self.depth, self.parent, self.tries, self.hops, self.kind, self.run = depth, parent, tries, hops, kind, run
        self.stored = stored
        """Whether the queue on disk has a row for it."""
        self.state = BEYOND
        self.laid: tuple[float, int] | None = None
        """The order under which it lies in its host's heap."""
        self.started = 0.0
        self.asked = False
        """Whether its turn has come once and the guesses were asked."""
        self.expected = 1.0
        """The gain it was expected to bring when its score was set: a factor of the score."""
        self.unsaved = False
        """Whether its score on disk is an older one."""
        self.brought: Any = None
        """What its fetch brought, once it was answered (`frontier.shape_records`)."""
        self.record: Any = None
        """The record of its shape, as of `version` of its host's shapes (`frontier.shape_records`)."""
        self.version = 0
        self.shape: int | None = None
        """What `traps.shape` says of the URL, once it was asked."""

    @property
    def postponed(self) -> bool:
        """Whether it comes after all sure URLs: those that no rule and no guess speaks against."""
        return self.score < 0

    def postpone(self) -> None:
        """Put it behind all sure URLs."""
        self.score = self.worth - LATER

    def make_check(self) -> None:
        """Fetch it before all else of its host, to check the rule that would skip it."""
        self.kind, self.score = CHECK, CHECK_SCORE

    @property
    def worth(self) -> float:
        """Its score, whether it is postponed or not."""
        return self.score + LATER if self.score < 0 else self.score

    @property
    def base(self) -> float:
        """Its score without the gain that was expected of it."""
        return self.worth if self.score > 1.0 else min(1.0, self.worth / self.expected)

    @property
    def order(self) -> tuple[float, int]:
        """Smaller is fetched sooner."""
        return -self.score, self.seq

    def row(self) -> tuple[Any, ...]:
        """The queue's row: host, the columns of `queue.ENTRY`, `expected`. `key` is signed, as SQLite holds it."""
        return (
            self.host.id,
            self.key,
            self.score,
            self.seq,
            self.url,
            self.depth,
            self.parent,
            self.tries,
            self.hops,
            self.kind,
            self.run,
            self.expected,
        )


def from_row(row: tuple[Any, ...], host: Host) -> Entry:
    """The entry of a queue row (columns of `queue.ENTRY`, then `expected`)."""
    key, score, seq, url, depth, parent, tries, hops, kind, run, expected = row
    entry = Entry(url, key, host, score, seq, depth, parent, tries, hops, kind, run, stored=True)
    entry.expected = expected
    return entry
