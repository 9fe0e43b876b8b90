"""The gate decides and keeps the record; rules and guesses are fakes here."""

import sqlite3
from collections import Counter
from typing import Any

from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.gate.decision import Decision, Refusal
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.gate import Found, Gate
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema
from garimpo.crawl.state.entry import Entry
from garimpo.crawl.state.host import Host


class FakeRules:
    """Decides what it is told to."""

    withdrawn = 0

    def __init__(self, **decisions: Any) -> None:
        self._decision = decisions
        self.standing: Counter[str] = Counter()

    def decide_keys(self, entries: list[Entry], is_last: bool = False) -> list[Decision]:
        return [Decision(entry, **self._decision) for entry in entries] if self._decision else []

    def commit(self, db: sqlite3.Connection) -> None: ...

    def committed(self) -> None: ...


class FakeGuesses:
    def __init__(self, doubt: bool = False) -> None:
        self._doubt = doubt

    def doubts(self, entry: Entry) -> bool:
        return self._doubt


def gate(rules: FakeRules, guesses: FakeGuesses | None = None) -> Gate:
    settings = Settings(seeds=["http://a.example/"], max_depth=2)
    return Gate(Entrance(settings, settings.seeds), rules, guesses or FakeGuesses(), SimulatedClock(7.0))


def entry(score: float = 1.0) -> Entry:
    return Entry("http://a.example/x", 9, Host(4, "a.example", 0.0), score, 1, depth=1, parent="http://a.example/")


def rows(made: Gate) -> list[tuple[Any, ...]]:
    db = sqlite3.connect(":memory:")
    schema.create(db)
    made.commit(db)
    return db.execute("SELECT host, url, reason, rule, at, checked, owner, depth, score FROM skipped").fetchall()


def test_a_skip_and_a_check_have_a_row_and_only_a_skip_counts() -> None:
    about = {"reason": "dust", "rule": "r", "owner": "http://a.example/y"}
    skipping, checking = gate(FakeRules(action="skip", **about)), gate(FakeRules(action="check", **about))
    for made in (skipping, checking):
        made.decide_keys([entry()])
    row = (4, "http://a.example/x", "dust", "r", 7.0, 0, "http://a.example/y", 1, 1.0)
    assert rows(skipping) == [row] and rows(checking) == [(*row[:5], 1, *row[6:])]
    assert skipping.facts()["skipped_dust"] == 1 and "skipped_dust" not in checking.facts()


def test_rules_are_asked_again_only_about_what_was_postponed() -> None:
    made = gate(FakeRules(action="check", rule="r", owner="http://a.example/y"), FakeGuesses(doubt=True))
    assert made.decide_turn(entry()).action == "postpone"
    assert made.decide_turn(entry(score=-9.0)).action == "check"
    assert gate(FakeRules()).decide_turn(entry()).action == "keep"


def test_what_is_refused_is_recorded_with_its_reason() -> None:
    made = gate(FakeRules())
    deep = Found("http://a.example/deep", 5, 0.5, 3, None)
    refusal = made.refusal(deep, deep.run, is_seed=False)
    assert refusal == Refusal("scope", "depth")
    made.skip_found(deep, 0, refusal)
    assert rows(made) == [(0, "http://a.example/deep", "scope", "depth", 7.0, 0, None, 3, 0.5)]
    assert made.facts() == {"rules_withdrawn": 0, "skipped_scope": 1}
