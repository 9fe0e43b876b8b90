"""robots.txt by RFC 9309: cached, limited in size; an answer 5xx (or none) means wait, 4xx means all is allowed."""

import sqlite3
from typing import Any

from protego import Protego

from garimpo.contract.records import Fetched
from garimpo.url import resolve

MAX_BYTES = 500 * 1024
KEPT_SECONDS = 24 * 3600.0
WAIT_SECONDS = 300.0
LONGEST_DELAY = 120.0
CACHED, CACHED_BYTES = 2_000, 4 << 20
"""Files kept parsed, at most: the rules of one take ten times the room of its text."""


def origin(url: str) -> str:
    """The scheme and authority a robots.txt speaks for.

    >>> origin("http://a.com:8080/x?y")
    'http://a.com:8080'
    """
    end = url.find("/", url.find("://") + 3)
    return url if end < 0 else url[:end]


class Rules:
    """The robots.txt of one origin."""

    __slots__ = ("at", "body", "delay", "parser", "sitemaps", "status")

    def __init__(self, at: float, status: int, body: bytes, agent: str, url: str) -> None:
        self.at, self.status, self.body = at, status, body
        text = body[:MAX_BYTES].decode("utf-8", "replace") if 200 <= status < 300 else ""
        self.parser = Protego.parse(text) if text.strip() else None
        delay = self.parser.crawl_delay(agent) if self.parser is not None else None
        self.delay = min(float(delay), LONGEST_DELAY) if delay else 0.0
        listed = [resolve(url, line) for line in self.parser.sitemaps] if self.parser is not None else []
        self.sitemaps = [found for found in listed if found is not None]

    def allows(self, url: str, agent: str) -> bool:
        return self.parser is None or bool(self.parser.can_fetch(url, agent))

    def drop(self) -> None:
        """Let go of the parsed rules at once: they point back at their parser, and would wait for the garbage collector."""
        if self.parser is not None:
            vars(self.parser).clear()


class Robots:
    """The robots.txt files known; `get` answers None for an origin that has to be asked first.

    What it gives is good until the next `get` or `learn`: then its parsed rules may be dropped.
    """

    def __init__(self, db: sqlite3.Connection, agent: str) -> None:
        self._db, self.agent = db, agent.split("/")[0].split(" ")[0] or agent
        self._known: dict[str, Rules] = {}
        self._new: dict[str, Rules] = {}
        self._bytes = 0

    def get(self, where: str, now: float) -> Rules | None:
        rules = self._known.get(where) or self._new.get(where) or self._stored(where)
        return rules if rules is not None and now - rules.at < KEPT_SECONDS else None

    def allows(self, rules: Rules, url: str) -> bool:
        return rules.allows(url, self.agent)

    def learn(self, where: str, fetched: Fetched, now: float) -> Rules | None:
        """Take in the answer for a robots.txt; None when the host must wait (no answer, 429, or 5xx)."""
        if fetched.status == 0 or fetched.status == 429 or fetched.status >= 500:
            return None
        rules = Rules(now, fetched.status, fetched.body[:MAX_BYTES], self.agent, fetched.url)
        self._keep(where, rules)
        self._new[where] = rules
        return rules

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what is new; called inside the commit's transaction, followed by `committed`."""
        rows: list[tuple[Any, ...]] = [(where, rules.at, rules.status, rules.body) for where, rules in self._new.items()]
        db.executemany("INSERT OR REPLACE INTO robots VALUES(?,?,?,?)", rows)

    def committed(self) -> None:
        for where, rules in self._new.items():
            if self._known.get(where) is not rules:
                rules.drop()
        self._new.clear()

    def _stored(self, where: str) -> Rules | None:
        row = self._db.execute("SELECT at, status, body FROM robots WHERE origin=?", (where,)).fetchone()
        if row is None:
            return None
        at, status, body = row
        rules = Rules(at, status, body, self.agent, f"{where}/robots.txt")
        self._keep(where, rules)
        return rules

    def _keep(self, where: str, rules: Rules) -> None:
        self._forget(where)
        self._known[where] = rules
        self._bytes += len(rules.body)
        while len(self._known) > 1 and (len(self._known) > CACHED or self._bytes > CACHED_BYTES):
            self._forget(next(iter(self._known)))

    def _forget(self, where: str) -> None:
        rules = self._known.pop(where, None)
        if rules is not None:
            self._bytes -= len(rules.body)
            if self._new.get(where) is not rules:
                rules.drop()
