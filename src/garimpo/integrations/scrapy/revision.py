"""What new rules and answered checks change where another tool holds the queue.

The queue cannot be walked, so hosts whose rules changed are marked, and their requests are looked at when their turn comes. What
was skipped and comes back is collected, and given to the tool as requests of its own.
"""

from collections.abc import Callable, Iterable
from typing import Any

from garimpo.crawl.components import KeyMap
from garimpo.crawl.frontier.revision import Rewritten
from garimpo.crawl.gate.folds import Folds
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.rules import Withdrawal
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.skipped import SkippedRow
from garimpo.integrations.scrapy.held import HeldRequests


class Revision:
    """Follows what is learned for a queue that is elsewhere; called only right after a commit."""

    def __init__(self, gate: Gate, held: HeldRequests, host: Callable[[str], Host]) -> None:
        self._gate, self._held, self._host = gate, held, host
        self.stamp = 1
        """Grows with each change; requests are queued with the stamp of their time."""
        self._changed: dict[str, int] = {}
        self.returned: list[Any] = []
        """Requests that come back."""
        self.withdrawn = 0

    def is_stale(self, host: str, stamp: int | None) -> bool:
        """Whether the rules of a host changed since a request was queued, in an earlier run perhaps."""
        return stamp is None or stamp < self._changed.get(host, 0)

    def take_up_rules(self, keys: KeyMap, version: int) -> Rewritten | None:
        return self._rewrite(self._gate.take_up_rules(keys, version))

    def take_up_folds(self, folds: Folds, version: int) -> Rewritten | None:
        return self._rewrite(self._gate.take_up_folds(folds, version))

    def take_up_guesses(self, keys: KeyMap) -> None:
        self._gate.take_up_guesses(keys)

    def settle_checks(self) -> list[Withdrawal]:
        self._give_back(self._gate.replacements())
        withdrawn = self._gate.compare_checks()
        for one in withdrawn:
            self._give_back(self._gate.skipped_by(one))
        self.withdrawn += len(withdrawn)
        return withdrawn

    def _rewrite(self, hosts: list[str] | None) -> Rewritten | None:
        if hosts is None:
            return None
        self.stamp += 1
        for name in hosts:
            self._give_back(self._gate.review(self._host(name)))
            self._changed[name] = self.stamp
        return Rewritten(len(hosts), 0)

    def _give_back(self, rows: Iterable[SkippedRow]) -> None:
        self.returned += self._held.give_back(rows)
