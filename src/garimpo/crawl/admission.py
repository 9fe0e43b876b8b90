"""The gate of the frontier: what keeps a URL out, and the rows that say so."""

import sqlite3
import time
from collections import Counter
from typing import Any, NamedTuple

from garimpo.crawl.entries import Entry
from garimpo.crawl.queue import insert_skipped
from garimpo.crawl.rules import Rules
from garimpo.crawl.scope import Scope
from garimpo.crawl.traps import Traps


class Found(NamedTuple):
    """A URL met for the first time: its (signed) key, the score its link got, and the entry it stands on."""

    url: str
    key: int
    score: float
    depth: int
    parent: Entry | None


class Admission:
    """Scope, traps and learned rules behind one door, with the rows of all that was skipped since the last commit."""

    def __init__(self, scope: Scope, traps: Traps, rules: Rules) -> None:
        self.scope, self.traps, self.rules = scope, traps, rules
        self.counts: Counter[str] = Counter()
        """How many URLs were skipped in this run, by reason."""
        self._rows: list[tuple[Any, ...]] = []

    def skip(self, found: Found, host_id: int, reason: str, rule: str) -> None:
        """Write down that a URL stays outside."""
        parent = found.parent.url if found.parent is not None else None
        self.write(found.url, found.key, host_id, reason, rule, depth=found.depth, parent=parent, score=found.score)

    def skip_entry(self, entry: Entry, reason: str, rule: str | None) -> None:
        """Write down that a queued URL is not fetched after all."""
        self.write(entry.url, entry.key, entry.host.id, reason, rule, depth=entry.depth, parent=entry.parent, score=entry.worth)

    def write(
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
        """One skipped row; with `checked` the URL is fetched all the same, to check the rule."""
        self.counts[reason] += not checked
        self._rows.append(
            (
                host_id,
                url_key,
                url,
                key,
                reason,
                rule,
                version,
                time.time(),
                int(checked),
                None,
                owner,
                depth,
                parent,
                score,
            )
        )

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what was skipped; called inside the commit's transaction, followed by `committed`."""
        self.rules.commit(db)  # first: what came back may have been skipped anew
        insert_skipped(db, self._rows)

    def committed(self) -> None:
        self._rows.clear()
        self.rules.committed()
