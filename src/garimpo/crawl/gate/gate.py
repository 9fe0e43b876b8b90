"""The gate of the frontier: what keeps a URL out, and the rows that say so."""

import sqlite3
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from garimpo.crawl.components import KeyMap
from garimpo.crawl.gate.decision import Decision, Refusal
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.folds import Folds
from garimpo.crawl.gate.guesses import Guesses
from garimpo.crawl.gate.rules import RulesInForce, Withdrawal
from garimpo.crawl.gate.traps import run_length, shape
from garimpo.crawl.state import skipped
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.skipped import SkippedRow
from garimpo.url import host as host_of


def _has_shape(kind: int, url: str) -> bool:
    return shape(url) == kind


class Found(NamedTuple):
    """A URL met for the first time: its (signed) key, the score its link got, the entry it stands on, and how far the texts of
    its links there name it alone (None: not known)."""

    url: str
    key: int
    score: float
    depth: int
    parent: Entry | None
    named: float | None = None

    @property
    def host(self) -> str:
        return host_of(self.url) or ""

    @property
    def above(self) -> str | None:
        """The URL of the page it stands on."""
        return self.parent.url if self.parent is not None else None

    @property
    def run(self) -> int:
        """How many pages of the same shape led here, one from the other."""
        return run_length(self.url, self.host, self.parent)


class Gate:
    """Entrance, learned rules and guesses, with the rows of all that was skipped since the last commit.

    It decides and keeps the record of what it decided; the frontier carries decisions out.
    """

    def __init__(self, entrance: Entrance, rules: RulesInForce, guesses: Guesses, clock: Callable[[], float]) -> None:
        self._entrance, self._rules, self._guesses, self._clock = entrance, rules, guesses, clock
        self._rows: list[tuple[Any, ...]] = []

    def refusal(self, found: Found, run: int, is_seed: bool) -> Refusal | None:
        """Why a URL met for the first time may not enter; None when it may."""
        return self._entrance.refusal(found.url, found.host, found.depth, run, is_seed)

    def skip_found(self, found: Found, host_id: int, refusal: Refusal) -> None:
        """Record that a URL stays outside."""
        self._write(found.url, found.key, host_id, *refusal, depth=found.depth, parent=found.above, score=found.score)

    def exclude(self, pattern: str) -> None:
        """From now on refuse what matches a regular expression."""
        self._entrance.exclude(pattern)

    def skip_entry(self, entry: Entry, reason: str, rule: str | None = None) -> None:
        """Record that a queued URL is not fetched after all."""
        row = (entry.url, entry.key, entry.host.id, reason, rule)
        self._write(*row, depth=entry.depth, parent=entry.parent, score=entry.base)

    def decide_folds(self, entries: list[Entry]) -> list[Decision]:
        """What the folds say of entries; one without a decision is kept."""
        return [self._recorded(decision) for decision in self._rules.decide_folds(entries)]

    def decide_keys(self, entries: list[Entry]) -> list[Decision]:
        """What the URL rules say of entries; one without a decision is kept."""
        return [self._recorded(decision) for decision in self._rules.decide_keys(entries)]

    def meet(self, entries: list[Entry]) -> None:
        """Entries come into the queue: what is asked of them in their turn is made ready for all together."""
        self._guesses.meet(entries)

    def decide_turn(self, entry: Entry) -> Decision:
        """The turn of an entry has come: keep, check or skip one that was postponed; postpone what guesses speak against."""
        if entry.kind == PAGE and entry.postponed:
            for decision in self._rules.decide_keys([entry], is_last=True):
                return self._recorded(decision)
        return Decision(entry, "postpone" if self._guesses.doubts(entry) else "keep")

    def met(self, entry: Entry, repeated: bool) -> None:
        """A page was read; `repeated` says whether the crawl had its content."""
        self._entrance.traps.met(entry.url, entry.host.name, repeated)

    def trap_news(self) -> list[tuple[str, str]]:
        """(trap, host) met for the first time since this was asked last."""
        return self._entrance.traps.news()

    def acquitted(self, id_of: Callable[[str], int]) -> list[SkippedRow]:
        """What was kept out because its contents seemed to repeat, and comes back as a check found a new page.

        Args:
            id_of: the id of a host by its name.
        """
        found = []
        for host, kind in self._entrance.traps.acquitted():
            found += self._rules.skipped_by_trap(id_of(host), partial(_has_shape, kind))
        return found

    def left_aside(self, host_id: int, is_one: Callable[[str], bool]) -> list[SkippedRow]:
        """What was left aside by its shape on a host, and comes back.

        Args:
            host_id: the host's id.
            is_one: says of a URL whether it is one of them.
        """
        return self._rules.skipped_by_shape(host_id, is_one)

    def all_left(self) -> list[SkippedRow]:
        """Everything that traps kept out or that was left aside by its shape, to be fetched after all."""
        everything = (None, lambda url: True)
        return self._rules.skipped_by_trap(*everything) + self._rules.skipped_by_shape(*everything)

    def failed(self, url: str) -> None:
        """A page could not be fetched."""
        self._rules.failed(url)

    def redirected(self, url: str, target: str) -> None:
        """A page redirects."""
        self._rules.redirected(url, target)

    def take_up_rules(self, keys: KeyMap, version: int) -> list[str] | None:
        """Put new URL rules in force: the hosts to look at again."""
        return self._rules.take_up_keys(keys, version)

    def take_up_folds(self, folds: Folds, version: int) -> list[str] | None:
        """Put new folds in force: the hosts to look at again."""
        return self._rules.take_up_folds(folds, version)

    def take_up_guesses(self, keys: KeyMap) -> None:
        """Put new guesses in force."""
        self._guesses.take_up(keys)

    def review(self, host: Host) -> list[SkippedRow]:
        """Key what was fetched on a host by the rules in force; the skipped URLs that nothing skips now."""
        self._rules.key_fetched(host)
        return self._rules.not_skipped_now(host)

    def replacements(self) -> list[SkippedRow]:
        """Skipped URLs that take the place of those that stood for them and failed."""
        return self._rules.replacements()

    def compare_checks(self) -> list[Withdrawal]:
        """The rules withdrawn by the checks answered since the last commit."""
        return self._rules.compare_checks()

    def set_withdrawn(self, rule: str, host: str, value: bool) -> list[str]:
        """Withdraw a rule on a host, or on all where it was met, or put it in force again; the hosts where that changed."""
        return self._rules.set_withdrawn(rule, host, value)

    def skipped_by(self, withdrawal: Withdrawal) -> list[SkippedRow]:
        """What a withdrawn rule skipped."""
        return self._rules.skipped_by(withdrawal)

    def facts(self) -> dict[str, int]:
        """The gate in numbers: rules withdrawn in this run, and URLs skipped by reason, as the skipped table has them."""
        stand = {f"skipped_{reason}": count for reason, count in sorted(self._rules.standing.items()) if count}
        return {"rules_withdrawn": self._rules.withdrawn, **stand}

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what was skipped; called inside the commit's transaction, followed by `committed`."""
        self._rules.commit(db)  # first: what came back may have been skipped again
        skipped.insert(db, self._rows)

    def committed(self) -> None:
        """The transaction stands."""
        self._rows.clear()
        self._rules.committed()

    def _recorded(self, decision: Decision) -> Decision:
        """The decision, with its row if it is a skip or a check."""
        if decision.action in ("skip", "check"):
            entry = decision.entry
            self._write(
                entry.url,
                entry.key,
                entry.host.id,
                decision.reason,
                decision.rule,
                key=decision.key,
                version=decision.version,
                checked=decision.action == "check",
                owner=decision.owner,
                depth=entry.depth,
                parent=entry.parent,
                score=entry.base,
            )
        return decision

    def _write(
        self,
        url: str,
        url_key: int,
        host_id: int,
        reason: str,
        rule: str | None,
        *,
        key: str | None = None,
        version: int | None = None,
        checked: bool = False,
        owner: str | None = None,
        depth: int = 0,
        parent: str | None = None,
        score: float = 0.0,
    ) -> None:
        """One skipped row; one that is `checked` is fetched."""
        self._rules.standing[reason] += not checked
        head = (host_id, url_key, url, key, reason, rule, version, self._clock(), int(checked), None)
        self._rows.append((*head, owner, depth, parent, score))
