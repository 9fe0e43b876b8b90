"""What is queued, looked at again: because rules and folds are new, because their checks were answered, or because a shape pays.

New rules give the URLs fetched and queued on their hosts new keys, and what older rules skipped may come back. A check that
fails withdraws its rule on that host, and all that it skipped there comes back. So does what was left aside by its shape, when a
page of that shape pays after all.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from garimpo.crawl.components import KeyMap
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.gate.folds import Folds
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.rule_record import Estimate
from garimpo.crawl.gate.rules import Withdrawal
from garimpo.crawl.state.entry import PAGE, SITEMAP, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.skipped import SkippedRow
from garimpo.url import host as host_of


class Rewritten(NamedTuple):
    """What new rules or folds changed: how many hosts were looked at, and how many URLs left the queue."""

    hosts: int
    left_the_queue: int


class Revision:
    """Applies what is learned to a frontier; called only right after a commit."""

    def __init__(self, frontier: Frontier, gate: Gate) -> None:
        self._frontier, self._gate = frontier, gate

    def take_up_rules(self, keys: KeyMap, version: int) -> Rewritten | None:
        """Put URL rules in force for all that is queued, fetched and skipped; None where they were in force before."""
        return self._rewrite(self._gate.take_up_rules(keys, version))

    def take_up_folds(self, folds: Folds, version: int) -> Rewritten | None:
        """Put folds in force; as `take_up_rules`."""
        return self._rewrite(self._gate.take_up_folds(folds, version))

    def take_up_guesses(self, keys: KeyMap) -> None:
        """Put guesses in force. They are asked in a URL's turn, so nothing is rewritten."""
        self._gate.take_up_guesses(keys)

    def settle_checks(self) -> list[Withdrawal]:
        """Compare what was checked, and queue again what comes back; the rules withdrawn by it."""
        self._put(self._entry_of(row) for row in self._gate.replacements())
        self._put(self._entry_of(row) for row in self._gate.acquitted(lambda name: self._frontier.host(name).id))
        for host, is_one in self._frontier.revived():
            self._put(self._entry_of(row) for row in self._gate.left_aside(host.id, is_one))
        withdrawn = self._gate.compare_checks()
        for one in withdrawn:
            for row in self._gate.skipped_by(one):
                self._put(self._frontier.carry_out_decisions([self._entry_of(row)]))
            self._unpostpone(self._frontier.host(one.host))
        return withdrawn

    def take_up_left(self) -> int:
        """Queue again all that traps kept out or that was left aside by its shape; how many URLs."""
        rows = self._gate.all_left()
        self._put(self._entry_of(row) for row in rows)
        return len(rows)

    def exclude(self, pattern: str) -> int:
        """Refuse from now on what matches a regular expression, and take what is queued of it out; how many URLs."""
        matches = re.compile(pattern).search
        self._gate.exclude(pattern)
        queues, removed = self._frontier.queues, 0
        for name in self._frontier.hosts.with_queued(matches):
            for entry in queues.entries_of(self._frontier.host(name)):
                if entry.kind != SITEMAP and matches(entry.url):
                    self._gate.skip_entry(entry, "scope", "exclude")
                    queues.done(entry)
                    removed += 1
        return removed

    def set_withdrawn(self, rule: str, host: str, value: bool) -> list[str]:
        """Withdraw a rule on a host (or on all hosts where it was met), or put it in force again; the hosts."""
        changed = self._gate.set_withdrawn(rule, host, value)
        for name in changed:
            found = self._frontier.host(name)
            if value:
                for row in self._gate.skipped_by(Withdrawal(rule, name, found.id, Estimate(0.0, 0.0, 1.0))):
                    self._put(self._frontier.carry_out_decisions([self._entry_of(row)]))
                self._unpostpone(found)
            else:
                self._rewrite_host(found)
        return changed

    def _rewrite(self, hosts: list[str] | None) -> Rewritten | None:
        if hosts is None:
            return None
        met = (self._frontier.hosts.get(name) for name in hosts)
        return Rewritten(len(hosts), sum(self._rewrite_host(host) for host in met if host is not None))

    def _rewrite_host(self, host: Host) -> int:
        """Let the rules in force decide about all that is known of a host; returns how many URLs left the queue."""
        self._put(self._entry_of(row) for row in self._gate.review(host))
        queues = self._frontier.queues
        entries = [entry for entry in queues.entries_of(host) if entry.kind == PAGE]
        scores = {entry.key: entry.score for entry in entries}
        staying = {entry.key for entry in self._frontier.carry_out_decisions(entries)}
        for entry in entries:
            if entry.key not in staying:
                queues.done(entry)
            elif entry.score != scores[entry.key]:
                self._frontier.move(entry)
        return len(entries) - len(staying)

    def _unpostpone(self, host: Host) -> None:
        for entry in self._frontier.queues.entries_of(host):
            if entry.postponed:
                entry.score = entry.worth
                self._frontier.move(entry)

    def _put(self, entries: Iterable[Entry]) -> None:
        for entry in entries:
            self._frontier.put(entry)

    def _entry_of(self, row: SkippedRow) -> Entry:
        """The entry of a skipped URL that comes back."""
        host = self._frontier.host(host_of(row.url) or "")
        return Entry(row.url, row.url_key, host, row.score, self._frontier.next_seq(), row.depth, row.parent)
