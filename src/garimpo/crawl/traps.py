"""Endless places: bounded per host, and said in the log.

Four signs, each cheap to see: a URL that is too long or too deep; a path that repeats its own segments; an endless run
(a page found on a page of the same shape, found on a page of the same shape, ... as in a calendar's "next month"); and a
shape whose pages keep repeating contents the crawl already has (session numbers, error pages that answer 200).
A shape is the path with its digits taken out and the names of its parameters.
"""

import re
from collections import Counter

from garimpo.crawl.askable import Host
from garimpo.crawl.settings import Settings

LONGEST = 2_000
DEEPEST = 30
REPEATS = 4
SHAPES = 1_000
PAGE = 1 << 32
_DIGITS = re.compile(r"\d+")
_VALUES = re.compile(r"=[^&]*")


def shape(url: str) -> int:
    """A number that is the same for URLs of one shape on one host.

    >>> shape("http://a/cal/2026/1?d=3") == shape("http://a/cal/2031/12?d=x"), shape("http://a/b") == shape("http://a/c")
    (True, False)
    """
    path, _, query = url.partition("?")
    return hash((_DIGITS.sub("0", path), _VALUES.sub("=", query) if query else ""))


class Traps:
    """Says which trap a URL would lead into, and keeps count of contents repeated under one shape."""

    def __init__(self, settings: Settings) -> None:
        self._run = settings.trap_run
        self.counts: Counter[str] = Counter()
        self._news: list[tuple[str, str]] = []
        self._told: set[tuple[str, str]] = set()
        self._shapes: Counter[int] = Counter()
        """How many shapes of a host's URLs have shown a content again."""
        self._met: dict[int, int] = {}
        """Host and shape -> pages met, in units of `PAGE`, and how many repeated a content: one number, as there may be many."""

    def news(self) -> list[tuple[str, str]]:
        """(trap, host) met for the first time since this was asked last."""
        news, self._news = self._news, []
        return news

    def caught(self, url: str, host: Host, run: int) -> str | None:
        """The name of the trap, or None."""
        name = self._caught(url, host, run)
        if name is not None:
            self.counts[name] += 1
            if (name, host.name) not in self._told:
                self._told.add((name, host.name))
                self._news.append((name, host.name))
        return name

    def _caught(self, url: str, host: Host, run: int) -> str | None:
        if len(url) > LONGEST:
            return "long"
        if self._run and run >= self._run:
            return "endless"
        if url.count("/") > 6 and (trap := _path_trap(url)):
            return trap
        if self._run and host.id in self._shapes:
            seen, repeated = divmod(self._met.get(hash((host.id, shape(url))), 0), PAGE)
            if repeated >= self._run and repeated >= 0.95 * seen:
                return "repeated content"
        return None

    def met(self, url: str, host: Host, repeated: bool) -> None:
        """A page was read: did its content repeat one we had?"""
        if not repeated and host.id not in self._shapes:
            return
        kind = hash((host.id, shape(url)))
        if kind not in self._met:
            if not repeated or self._shapes[host.id] >= SHAPES:
                return
            self._shapes[host.id] += 1
        self._met[kind] = self._met.get(kind, 0) + PAGE + repeated


def _path_trap(url: str) -> str | None:
    segments = url.partition("?")[0].split("/")[3:]
    if len(segments) > DEEPEST:
        return "deep"
    words = [segment for segment in segments if segment and not segment.isdigit()]
    if words and Counter(words).most_common(1)[0][1] >= REPEATS:
        return "repeated segments"
    return None
