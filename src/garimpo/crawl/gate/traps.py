"""Traps: endless places, bounded per host, and named in the log.

Four signs, each cheap to see: a URL that is too long or too deep; a path that repeats its own segments; an endless run
(a page found on a page of the same shape, found on a page of the same shape, ... as in a calendar's "next month"); and a
shape whose pages keep repeating contents the crawl already has (session numbers, error pages that answer 200).
What is caught is not fetched while anything else waits: it is listed as skipped, and `--postponed` fetches it. Of what seems
to repeat contents one in twenty is fetched all the same; when such a page is new, its shape is free for good, and all of it
comes back. A shape is the path with its digits taken out and the names of its parameters.
"""

import re
from collections import Counter

from garimpo.crawl.settings import Settings
from garimpo.crawl.state.entry import Entry

LONGEST = 2_000
DEEPEST = 30
REPEATS = 4
SHAPES = 1_000
PAGE = 1 << 32
CHECKED = 20
"""One in so many of what seems to repeat contents is fetched to see whether it does."""
PAYING = 20
"""A run may be so many times as long where the crawl judges what fetches bring: one that brings nothing is left aside early,
and a list of hundreds of pages is followed to its end."""
REPEATED = "repeated content"
_DIGITS = re.compile(r"\d+")
_VALUES = re.compile(r"=[^&]*")


def shape(url: str) -> int:
    """A number that is the same for URLs of one shape on one host.

    >>> shape("http://a/cal/2026/1?d=3") == shape("http://a/cal/2031/12?d=x"), shape("http://a/b") == shape("http://a/c")
    (True, False)
    """
    path, _, query = url.partition("?")
    return hash((_DIGITS.sub("0", path), _VALUES.sub("=", query) if query else ""))


def run_length(url: str, host: str, parent: Entry | None) -> int:
    """How many pages of the same shape on this host led here, one from the other."""
    if parent is None or parent.host.name != host:
        return 0
    if parent.shape is None:
        parent.shape = shape(parent.url)
    return parent.run + 1 if shape(url) == parent.shape else 0


class Traps:
    """Says which trap a URL would lead into, and keeps count of contents repeated under one shape."""

    def __init__(self, settings: Settings) -> None:
        self._run = settings.trap_run
        self._longest_run = settings.trap_run * (PAYING if settings.orders_by_worth else 1)
        self.counts: Counter[str] = Counter()
        self._news: list[tuple[str, str]] = []
        self._reported: set[tuple[str, str]] = set()
        self._shapes: Counter[str] = Counter()
        """How many shapes of a host's URLs have shown a content again."""
        self._kept_out: Counter[int] = Counter()
        """Host and shape -> URLs that were caught because their contents repeat."""
        self._free: set[int] = set()
        """Hosts and shapes of which a page was new after all."""
        self._acquitted: list[tuple[str, int]] = []
        self._met: dict[int, int] = {}
        """Host and shape -> pages met, in units of `PAGE`, and how many repeated a content: one number, as there may be many."""

    def news(self) -> list[tuple[str, str]]:
        """(trap, host) met for the first time since this was asked last."""
        news, self._news = self._news, []
        return news

    def caught(self, url: str, host: str, run: int) -> str | None:
        """The name of the trap, or None."""
        name = self._caught(url, host, run)
        if name is not None:
            self.counts[name] += 1
            if (name, host) not in self._reported:
                self._reported.add((name, host))
                self._news.append((name, host))
        return name

    def _caught(self, url: str, host: str, run: int) -> str | None:
        if len(url) > LONGEST:
            return "long"
        if self._longest_run and run >= self._longest_run:
            return "endless"
        if url.count("/") > 6 and (trap := _path_trap(url)):
            return trap
        if self._run and host in self._shapes:
            seen, repeated = divmod(self._met.get(hash((host, shape(url))), 0), PAGE)
            if repeated >= self._run and repeated >= 0.95 * seen and not self._is_let_in(hash((host, shape(url)))):
                return REPEATED
        return None

    def met(self, url: str, host: str, repeated: bool) -> None:
        """A page was read: did its content repeat one we had?"""
        if not repeated and host not in self._shapes:
            return
        kind = hash((host, shape(url)))
        if not repeated and kind in self._kept_out and kind not in self._free:
            self._free.add(kind)
            self._acquitted.append((host, shape(url)))
        if kind not in self._met:
            if not repeated or self._shapes[host] >= SHAPES:
                return
            self._shapes[host] += 1
        self._met[kind] = self._met.get(kind, 0) + PAGE + repeated

    def acquitted(self) -> list[tuple[str, int]]:
        """(host, shape) of what was kept out wrongly, since this was asked last."""
        acquitted, self._acquitted = self._acquitted, []
        return acquitted

    def _is_let_in(self, kind: int) -> bool:
        """Whether a URL of a shape that repeats contents is fetched: as a check, or because a check found a new page."""
        self._kept_out[kind] += 1
        return kind in self._free or self._kept_out[kind] % CHECKED == 1


def _path_trap(url: str) -> str | None:
    segments = url.partition("?")[0].split("/")[3:]
    if len(segments) > DEEPEST:
        return "deep"
    words = [segment for segment in segments if segment and not segment.isdigit()]
    if words and Counter(words).most_common(1)[0][1] >= REPEATS:
        return "repeated segments"
    return None
