"""The learned rules in force: what they decide about URLs, and the checks that keep them honest.

A URL on a host with rules gets its key. The first URL with a key *owns* it and is fetched. The next ones are skipped, with a
row that names rule, version and owner, or fetched as a check when the rule's record wants one. While a rule is not
proven on a host, what it would skip there is postponed: the first checks are made when nothing better is left to fetch. A check
and the owner of its key are fetched before all else of their hosts. After each commit the checks whose page and owner were both
read are compared; a rule withdrawn on a host gives back what it skipped there. If the owner of a key cannot be fetched, or
redirects to a URL skipped because of it, one of the skipped URLs takes its place.

Nothing here changes the queue: decisions and rows to give back are returned, and the frontier carries them out. All
changes to the database wait for the next commit, so that a kill leaves nothing half done.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable
from typing import NamedTuple

from garimpo.crawl.components import Identity, KeyMap
from garimpo.crawl.gate.checks import Check, compare
from garimpo.crawl.gate.decision import Decision
from garimpo.crawl.gate.folds import Folds, rule_of_fold
from garimpo.crawl.gate.owners import Owners
from garimpo.crawl.gate.rule_record import Estimate, RuleRecord
from garimpo.crawl.gate.traps import REPEATED
from garimpo.crawl.state import fetched, host_rows, meta, schema, skipped
from garimpo.crawl.state.entry import PAGE, Entry
from garimpo.crawl.state.host import Host
from garimpo.crawl.state.seen import SeenSet
from garimpo.crawl.state.skipped import SkippedRow


class Withdrawal(NamedTuple):
    """A rule that failed its checks on a host."""

    rule: str
    host: str
    host_id: int
    estimate: Estimate


class RulesInForce:
    """Keys and folds in force, and the checks that are out."""

    def __init__(self, db: sqlite3.Connection, seen: SeenSet) -> None:
        self._db = db
        self._keys: KeyMap = Identity()
        self._folds = Folds()
        self._owners = Owners(db, seen)
        self._record = RuleRecord()
        self._record.load(db)
        self.withdrawn = 0
        """How many times a rule was withdrawn on a host in this run."""
        self._versions = {kind: int(meta.get(db, f"{kind} version", 0)) for kind in ("rules", "folds")}
        """The versions that all that is queued and skipped was keyed by."""
        self._checks = [Check(*row) for row in skipped.open_checks(db)]
        self._results: list[tuple[int | None, int, int]] = []
        self._returned: set[tuple[int, int]] = set()
        """(host, key) of skipped URLs that came back since the last commit."""
        self._failed: list[str] = []
        self.standing: Counter[str] = Counter(skipped.count_by_reason(db))
        """How many URLs are skipped for which reason, those that came back not counted."""

    def decide_folds(self, entries: list[Entry]) -> list[Decision]:
        """What the folds say of entries; one without a decision is kept."""
        if not self._folds.hosts:
            return []
        decisions = (self._decide_fold(entry) for entry in entries)
        return [decision for decision in decisions if decision is not None]

    def decide_keys(self, entries: list[Entry], is_last: bool = False) -> list[Decision]:
        """What the URL rules say of entries; one without a decision is kept.

        Args:
            entries: Entries that are new, or get new keys, in the order of their claims.
            is_last: Whether nothing better is left: then what an unproven rule would skip becomes its check.
        """
        keyed = [entry for entry in entries if entry.kind == PAGE and self._keys.applies(entry.host.name)]
        return self._decide_keyed(keyed, is_last) if keyed else []

    def take_up_keys(self, keys: KeyMap, version: int) -> list[str] | None:
        """Put new URL rules in force: the hosts to look at again; None where a resumed crawl goes on with what it had."""
        before, self._keys = self._keys, keys
        if self._versions["rules"] == version:
            return None
        self._versions["rules"] = version
        if not before.version:
            return self._hosts_with_any()
        return [name for _, name in host_rows.names(self._db) if before.rules_on(name) != keys.rules_on(name)]

    def take_up_folds(self, folds: Folds, version: int) -> list[str] | None:
        """Put new folds in force; as `take_up_keys`."""
        before, self._folds = self._folds, folds
        if self._versions["folds"] == version:
            return None
        self._versions["folds"] = version
        return before.differing(folds) if before.version else self._hosts_with_any()

    def failed(self, url: str) -> None:
        """A page could not be fetched: if it owns a key, another URL of that key takes its place."""
        if self._keys.version or self._folds.hosts:
            self._failed.append(url)

    def redirected(self, url: str, target: str) -> None:
        """A page redirects: if its target was skipped because this one stood for it, one of those skipped comes back."""
        if (self._keys.version or self._folds.hosts) and self._owners.would_loop(url, target):
            self._failed.append(url)

    def replacements(self) -> list[SkippedRow]:
        """Right after a commit: one skipped URL for each that stood for others and could not be fetched."""
        found = [skipped.best_replaced_by(self._db, owner) for owner in self._failed]
        self._failed.clear()
        return self._give_back([row for row in found if row is not None])

    def compare_checks(self) -> list[Withdrawal]:
        """Right after a commit: compare the checks that can be compared; the rules withdrawn by it."""
        still_open, failed = [], []
        for check in self._checks:
            found = compare(self._db, check.url, check.owner, must_exist=check.rule == rule_of_fold(check.host))
            if found == "not yet":
                still_open.append(check)
                continue
            equal = None if found == "unknown" else found == "equal"
            self._results.append((None if equal is None else int(equal), check.host_id, check.url_key))
            if equal is not None and self._record.result(check.rule, check.host, equal):
                failed.append(check)
        self._checks = still_open
        self.withdrawn += len(failed)
        return [Withdrawal(one.rule, one.host, one.host_id, self._record.estimate(one.rule, one.host)) for one in failed]

    def set_withdrawn(self, rule: str, host: str, value: bool) -> list[str]:
        """Withdraw a rule on a host, or on all where it was met, or put it in force again; the hosts where that changed."""
        return self._record.set_withdrawn(rule, host, value)

    def skipped_by(self, withdrawal: Withdrawal) -> list[SkippedRow]:
        """What a withdrawn rule skipped on its host: it comes back."""
        return self._give_back(skipped.by_rule(self._db, withdrawal.host_id, withdrawal.rule))

    def skipped_by_trap(self, host: int | None, is_one: Callable[[str], bool]) -> list[SkippedRow]:
        """What a trap kept out (on a host: by its contents) and comes back.

        Args:
            host: the host's id; None for all, and all traps.
            is_one: whether a URL comes back.
        """
        rows = skipped.by_reason(self._db, "trap", host, None if host is None else REPEATED)
        return self._give_back([row for row in rows if is_one(row.url)])

    def skipped_by_shape(self, host: int | None, is_one: Callable[[str], bool]) -> list[SkippedRow]:
        """What was left aside by its shape and comes back.

        Args:
            host: the host's id; None for all.
            is_one: whether a URL comes back.
        """
        return self._give_back([row for row in skipped.by_reason(self._db, "shape", host) if is_one(row.url)])

    def not_skipped_now(self, host: Host) -> list[SkippedRow]:
        """Skipped URLs of a host that no fold and no rule skips now: they come back."""
        rows = skipped.by_rule(self._db, host.id, None)
        unfolded = [row for row in rows if not self._is_folded(row.url, host)]
        stay = self._owned_by_others([row.url for row in unfolded], host)
        return self._give_back([row for row in unfolded if row.url not in stay])

    def key_fetched(self, host: Host) -> None:
        """Keys for the URLs fetched on a host; pairs of them that a rule new here would have made one are its first checks."""
        urls = fetched.urls_of(self._db, host.id)
        if not urls or not self._keys.applies(host.name):
            return
        ruled = [
            (url, key, rule)
            for url, key, rule in zip(urls, *self._keys.keys(urls))
            if rule is not None and not self._record.withdrawn(rule, host.name)
        ]
        owners = self._owners.claim([key for _, key, _ in ruled], [url for url, _, _ in ruled])
        pairs = [(rule, url, owner) for (url, _, rule), owner in zip(ruled, owners) if owner is not None]
        for rule, url, owner in [pair for pair in pairs if not self._record.knows(pair[0], host.name)]:
            found = compare(self._db, url, owner)
            if found in ("equal", "different"):
                self._record.result(rule, host.name, found == "equal")

    def commit(self, db: sqlite3.Connection) -> None:
        """Write owners, results of checks and what came back; called inside the commit's transaction."""
        self._owners.commit(db)
        skipped.set_check_results(db, self._results)
        skipped.delete(db, self._returned)
        for kind, version in self._versions.items():
            meta.put(db, f"{kind} version", version)
        self._record.commit(db)

    def committed(self) -> None:
        """The transaction stands."""
        self._owners.committed()
        self._results.clear()
        self._returned.clear()
        self._record.committed()

    def _hosts_with_any(self) -> list[str]:
        """Hosts of any rule or fold, and those where something was skipped before (a rollback may have taken its rule)."""
        touched = skipped.hosts_of_rules(self._db)
        return [
            name
            for id, name in host_rows.names(self._db)
            if id in touched or name in self._folds.hosts or self._keys.applies(name)
        ]

    def _decide_fold(self, entry: Entry) -> Decision | None:
        name, rule = entry.host.name, rule_of_fold(entry.host.name)
        target = self._folds.fold(entry.url, name)
        if target is None or self._record.withdrawn(rule, name) or self._owners.would_loop(entry.url, target):
            return None
        decision = Decision(entry, "skip", "mirror", rule, None, self._folds.version, owner=target, instead=target)
        return self._skip_or_check(decision, rule, target)

    def _decide_keyed(self, entries: list[Entry], is_last: bool) -> list[Decision]:
        """Decisions about the entries that some other URL owns the key of."""
        keys, rules = self._keys.keys([entry.url for entry in entries])
        ruled = [
            (entry, key, rule)
            for entry, key, rule in zip(entries, keys, rules)
            if rule is not None and not self._record.withdrawn(rule, entry.host.name)
        ]
        owners = self._owners.claim([key for _, key, _ in ruled], [entry.url for entry, _, _ in ruled])
        decisions = []
        for (entry, key, rule), owner in zip(ruled, owners):
            if owner is None or self._owners.would_loop(entry.url, owner):
                continue
            if not is_last and not self._record.proven(rule, entry.host.name):
                decisions.append(Decision(entry, "postpone"))
            else:
                decision = Decision(entry, "skip", "dust", rule, key, self._keys.version, owner=owner)
                decisions.append(self._skip_or_check(decision, rule, owner))
        return decisions

    def _skip_or_check(self, decision: Decision, rule: str, owner: str) -> Decision:
        """The skip itself, or the check that the rule's record wants instead."""
        entry = decision.entry
        if not self._record.skip(rule, entry.host.name, schema.unsigned(entry.key)):
            self._owners.replace(entry.url, owner)
            return decision
        self._checks.append(Check(entry.url, entry.key, entry.host.id, entry.host.name, rule, owner))
        return decision._replace(action="check")

    def _is_folded(self, url: str, host: Host) -> bool:
        fold = self._folds.fold(url, host.name)
        return fold is not None and not self._record.withdrawn(rule_of_fold(host.name), host.name)

    def _owned_by_others(self, urls: list[str], host: Host) -> set[str]:
        """The URLs of a host whose keys others own; keys that nobody owns are claimed."""
        if not urls or not self._keys.applies(host.name):
            return set()
        ruled = [
            (url, key)
            for url, key, rule in zip(urls, *self._keys.keys(urls))
            if rule is not None and not self._record.withdrawn(rule, host.name)
        ]
        owners = self._owners.claim([key for _, key in ruled], [url for url, _ in ruled])
        return {url for (url, _), owner in zip(ruled, owners) if owner is not None}

    def _give_back(self, rows: list[SkippedRow]) -> list[SkippedRow]:
        """The rows that did not come back since the last commit; theirs are deleted with the next one."""
        new = {(row.host_id, row.url_key): row for row in rows if (row.host_id, row.url_key) not in self._returned}
        self._returned |= new.keys()
        self.standing.subtract(row.reason for row in new.values())
        return list(new.values())
