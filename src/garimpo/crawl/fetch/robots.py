"""robots.txt by RFC 9309: cached, limited in size. An answer 5xx (or none) means wait, 4xx means all is allowed.

All who fetch one go by `redirected` and `read_answer`.
"""

import re
import sqlite3
from collections.abc import Callable
from typing import Any

from garimpo.contract.records import Fetched
from garimpo.crawl.fetch.robots_rules import RobotsRules
from garimpo.crawl.state import host_rows
from garimpo.url import host as host_of
from garimpo.url import resolve
from garimpo.url.addresses import has_refused_port, is_private_name

MAX_BYTES = 500 * 1024
KEPT_SECONDS = 24 * 3600.0
WAIT_SECONDS = 300.0
LONGEST_DELAY = 120.0
MOST_HOPS = 5
CACHED, CACHED_BYTES = 2_000, 4 << 20
"""Files kept parsed, at most: the rules of one take ten times the room of its text."""


def origin(url: str) -> str:
    """The scheme and authority a robots.txt speaks for.

    >>> origin("http://a.com:8080/x?y")
    'http://a.com:8080'
    """
    end = url.find("/", url.find("://") + 3)
    return url if end < 0 else url[:end]


class RobotsFile:
    """The robots.txt of one origin."""

    __slots__ = ("at", "body", "delay", "rules", "sitemaps", "status")

    def __init__(self, at: float, status: int, body: bytes, agent: str, url: str) -> None:
        self.at, self.status, self.body = at, status, body
        text = body[:MAX_BYTES].decode("utf-8-sig", "replace") if 200 <= status < 300 else ""
        self.rules = RobotsRules(text, agent) if text.strip() else None
        self.delay = min(self.rules.delay, LONGEST_DELAY) if self.rules is not None else 0.0
        listed = [resolve(url, line) for line in self.rules.sitemaps] if self.rules is not None else []
        self.sitemaps = [found for found in listed if found is not None]

    def allows(self, url: str) -> bool:
        return self.rules is None or self.rules.allows(url)


def product_token(agent: str) -> str:
    """What robots.txt files call a crawler: the name in its user agent, without version.

    Args:
        agent: the user agent as sent.

    >>> product_token("garimpo/0.1 (+https://example.org)")
    'garimpo'
    """
    found = re.match(r"[A-Za-z_-]+", agent)
    return found[0] if found else agent


def redirected(fetched: Fetched, hops: int, guarded: bool = True) -> str | None:
    """Where to ask next for a robots.txt that was redirected; None when the answer stands as it is.

    It is followed to whatever authority, up to five hops, but never to a port that no web server has.

    Args:
        fetched: The answer to the last request.
        hops: How many redirects led to it.
        guarded: Whether private addresses are refused.

    >>> moved = Fetched("http://a.org/robots.txt", 301, headers=[("Location", "http://www.a.org/robots.txt")])
    >>> redirected(moved, 0), redirected(moved, 5)
    ('http://www.a.org/robots.txt', None)
    """
    location = fetched.header("location") if 300 <= fetched.status < 400 else None
    target = resolve(fetched.url, location) if location else None
    if target is None or hops >= MOST_HOPS or has_refused_port(target):
        return None
    return None if guarded and is_private_name(host_of(target) or "") else target


def read_answer(fetched: Fetched, at: float, agent: str) -> RobotsFile | None:
    """The robots.txt of an answer; None when the host must be left alone: no answer, 429, or 5xx."""
    if fetched.status == 0 or fetched.status == 429 or fetched.status >= 500:
        return None
    return RobotsFile(at, fetched.status, fetched.body[:MAX_BYTES], agent, fetched.url)


class Robots:
    """The robots.txt files known; `get` answers None for an origin that has to be asked first."""

    def __init__(self, db: sqlite3.Connection, agent: str, clock: Callable[[], float]) -> None:
        self._db, self.agent, self._clock = db, product_token(agent), clock
        self._known: dict[str, RobotsFile] = {}
        self._new: dict[str, RobotsFile] = {}
        self._bytes = 0

    def get(self, where: str) -> RobotsFile | None:
        rules = self._known.get(where) or self._new.get(where) or self._stored(where)
        return rules if rules is not None and self._clock() - rules.at < KEPT_SECONDS else None

    def allows(self, rules: RobotsFile, url: str) -> bool:
        return rules.allows(url)

    def learn(self, where: str, fetched: Fetched) -> RobotsFile | None:
        """Take in the answer for a robots.txt; None when the host must wait (no answer, 429, or 5xx)."""
        rules = read_answer(fetched, self._clock(), self.agent)
        if rules is not None:
            self._keep(where, rules)
            self._new[where] = rules
        return rules

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what is new; called inside the commit's transaction, followed by `committed`."""
        rows: list[tuple[Any, ...]] = [(where, rules.at, rules.status, rules.body) for where, rules in self._new.items()]
        host_rows.insert_robots(db, rows)

    def committed(self) -> None:
        self._new.clear()

    def _stored(self, where: str) -> RobotsFile | None:
        row = host_rows.find_robots(self._db, where)
        if row is None:
            return None
        at, status, body = row
        rules = RobotsFile(at, status, body, self.agent, f"{where}/robots.txt")
        self._keep(where, rules)
        return rules

    def _keep(self, where: str, rules: RobotsFile) -> None:
        self._forget(where)
        self._known[where] = rules
        self._bytes += len(rules.body)
        while len(self._known) > 1 and (len(self._known) > CACHED or self._bytes > CACHED_BYTES):
            self._forget(next(iter(self._known)))

    def _forget(self, where: str) -> None:
        rules = self._known.pop(where, None)
        if rules is not None:
            self._bytes -= len(rules.body)
