"""Parts of a crawl made for tests: a frontier under a clock that the test sets, what answers for names, and stored pages."""

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from garimpo.contract import Fetched
from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.frontier.revision import Revision
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.guesses import Guesses
from garimpo.crawl.gate.rules import RulesInForce
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import meta, schema
from garimpo.crawl.state.seen import SeenSet

HTML = [("Content-Type", "text/html; charset=utf-8")]


class StoredPages:
    """A `Fetcher` over a few answers, which remembers what it was asked for, and when."""

    def __init__(self, answers: list[Fetched], clock: SimulatedClock | None = None) -> None:
        self._answers = {answer.url: answer for answer in answers}
        self.clock = clock or SimulatedClock(1_000.0)
        self.asked: list[tuple[str, float]] = []

    def get(self, url: str) -> Fetched:
        self.asked.append((url, self.clock()))
        return self._answers.get(url) or Fetched(url, 404)


def html(url: str, body: str) -> Fetched:
    """The answer of a page."""
    return Fetched(url, 200, f"<html>{body}</html>".encode(), HTML)


class FakeResolver:
    """Knows the addresses that it is told; the test answers for the rest."""

    def __init__(self, known: Callable[[str], str | None] = lambda name: name) -> None:
        self.known = known
        self.asked: list[str] = []
        self.found: list[tuple[str, str | None]] = []

    def ask(self, name: str) -> None:
        self.asked.append(name)

    def answers(self) -> list[tuple[str, str | None]]:
        found, self.found = self.found, []
        return found


class MadeFrontier:
    """A frontier in a folder of its own, with all that it rests on."""

    def __init__(self, folder: Path, now: float = 0.0, resolver: FakeResolver | None = None, **settings: Any) -> None:
        folder.mkdir(exist_ok=True)
        self.clock = SimulatedClock(now)
        self.db = sqlite3.connect(folder / "q", isolation_level=None)
        schema.create(self.db)
        self.settings = Settings(seeds=["http://h0.example/"], scope="all", trap_run=0, **{"delay": 1.0, **settings})
        self.seen = SeenSet(folder, meta.get(self.db, "seen", 0))
        entrance = Entrance(self.settings, self.settings.seeds)
        self.gate = Gate(entrance, RulesInForce(self.db, self.seen), Guesses(self.db), self.clock)
        self.resolver = resolver or FakeResolver()
        self.frontier = Frontier(self.settings, self.db, self.seen, self.gate, self.resolver, self.clock)
        self.revision = Revision(self.frontier, self.gate)

    def commit(self) -> None:
        self.db.execute("BEGIN")
        self.frontier.commit(self.db)
        self.db.execute("COMMIT")
        self.frontier.committed()
