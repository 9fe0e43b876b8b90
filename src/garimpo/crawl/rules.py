"""Learned rules at work in the frontier: keys, folds, and the checks that keep them honest.

A URL on a host with rules gets its key. The first URL with a key *owns* it and is fetched; the next ones are skipped, with a row
that names rule, version and owner, or, when the trust ledger wants it, fetched all the same as a check. While a rule is not
proven on a host, what it would skip there is postponed: the first checks are made when nothing better is left to fetch. A check
and the owner of its key are fetched before all else of their hosts. After each commit the checks whose page and owner were both
read are compared; a rule withdrawn on a host gives back what it skipped there. If the owner of a key could not be fetched, or
redirects to a URL skipped because of it, one of the skipped URLs takes its place.

When new rules come, `rewrite` gives the URLs fetched and queued on their hosts the new keys, and looks again at what older
rules skipped. All changes to the database wait for the next commit, so that a kill leaves nothing half done.
"""

import sqlite3
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import pyarrow as pa

from garimpo.crawl import queue
from garimpo.crawl.askable import Host
from garimpo.crawl.entries import CHECK, PAGE, Entry
from garimpo.crawl.guesses import Guesses
from garimpo.crawl.keys import Folds, Identity, KeyMap, rule_of_fold
from garimpo.crawl.seen import NEW
from garimpo.crawl.trust import Trust
from garimpo.engine.columns import hash_strings
from garimpo.url import host as host_of

if TYPE_CHECKING:
    from garimpo.crawl.frontier import Frontier


CHECK_SCORE = 2.0
"""Above all scores: what a check says decides about everything else that its rule skips."""


LONGEST_CHAIN = 6
"""A URL that stands for one that stands for one ... : longer chains are not begun."""


class Check(NamedTuple):
    """A skipped URL that is fetched all the same, to be compared with the owner of its key."""

    url: str
    url_key: int
    host_id: int
    host: str
    rule: str
    owner: str


class Rules:
    """The rules in force, who owns which key, and the checks that are out."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self._db = db
        self.keys: KeyMap = Identity()
        self.folds = Folds()
        self.guesses = Guesses(db)
        self.trust = Trust()
        self.trust.load(db)
        self.withdrawn = 0
        """How many times a rule was withdrawn on a host in this run."""
        self.versions = {kind: int(queue.get_meta(db, f"{kind} version", 0)) for kind in ("rules", "folds")}
        """The versions that all that is queued and skipped was keyed by."""
        self._checks = [Check(*row) for row in queue.open_checks(db)]
        self._owners: dict[int, str] = {}
        self._results: list[tuple[int | None, int, int]] = []
        self._back: set[tuple[int, int]] = set()
        """(host, key) of skipped URLs that came back since the last commit."""
        self._stood_for: dict[str, str] = {}
        """The URLs skipped since the last commit, and who stands for them."""
        self._failed: list[str] = []

    def admit(self, entries: list[Entry], frontier: "Frontier", now: float) -> list[Entry]:
        """Which of these new entries are to be queued; the rest is written down as skipped.

        What an unproven rule would skip is postponed.
        """
        if self.folds.hosts:
            entries = [entry for entry in entries if self._keeps_after_fold(entry, frontier, now)]
        keyed = [entry for entry in entries if entry.kind == PAGE and self.keys.applies(entry.host.name)]
        if not keyed:
            return entries
        out = self._repeated(keyed, frontier)
        return [entry for entry in entries if entry.key not in out]

    def at_last(self, entry: Entry, frontier: "Frontier") -> bool:
        """The turn of a postponed entry has come: False when a rule proven since skips it, and it is written down as skipped.

        The first ones of a rule that is not proven yet are its checks.
        """
        if not self.keys.applies(entry.host.name):
            return True
        return entry.key not in self._repeated([entry], frontier, may_check=True)

    def rewrite(self, host: Host, frontier: "Frontier", now: float) -> int:
        """New keys for all that is known of a host; returns how many URLs left the queue."""
        self._key_fetched(host, frontier)
        self._look_again(host, frontier, now)
        entries = [entry for entry in frontier.shelf.entries_of(host) if entry.kind == PAGE]
        before = {entry.key: entry.score for entry in entries}
        kept = self.admit(entries, frontier, now)
        for entry in kept:
            if entry.score != before[entry.key]:
                frontier.move(entry, now)
        staying = {entry.key for entry in kept}
        for entry in entries:
            if entry.key not in staying:
                frontier.shelf.done(entry)
        return len(entries) - len(kept)

    def failed(self, url: str) -> None:
        """A page could not be fetched: if it owns a key, another URL of that key will stand in for it."""
        if self.keys.version or self.folds.hosts:
            self._failed.append(url)

    def moved(self, url: str, target: str) -> None:
        """A page redirects: if its target was skipped because this one stood for it, one of those skipped comes back."""
        if (self.keys.version or self.folds.hosts) and self._leads_back(url, target):
            self._failed.append(url)

    def after_commit(self, frontier: "Frontier", now: float) -> list[tuple[str, str]]:
        """Compare what can be compared; returns the (rule, host) pairs withdrawn by it."""
        for owner in self._failed:
            row = queue.one_skipped_for(self._db, owner)
            if row is not None:
                self._give_back([row], frontier, now, as_owner=True)
        self._failed.clear()
        open_checks, withdrawn = [], []
        for check in self._checks:
            is_fold = check.rule == rule_of_fold(check.host)
            equal = queue.compare(self._db, check.url, check.owner, must_be_there=is_fold)
            if equal is queue.NOT_YET:
                open_checks.append(check)
                continue
            self._results.append((None if equal is None else int(equal), check.host_id, check.url_key))
            if equal is not None and self.trust.result(check.rule, check.host, equal):
                withdrawn.append((check.rule, check.host))
        self._checks = open_checks
        for rule, name in withdrawn:
            self.withdrawn += 1
            self._give_back(queue.skipped_by(self._db, frontier.host(name, now).id, rule), frontier, now)
            frontier.hasten(name, now)
        return withdrawn

    def commit(self, db: sqlite3.Connection) -> None:
        """Write owners, results of checks and what came back; called inside the commit's transaction."""
        db.executemany("INSERT OR IGNORE INTO keyed VALUES(?,?)", self._owners.items())
        db.executemany("UPDATE skipped SET equal=?, checked=2 WHERE host=? AND url_key=?", self._results)
        db.executemany("DELETE FROM skipped WHERE host=? AND url_key=?", self._back)
        for kind, version in self.versions.items():
            queue.set_meta(db, f"{kind} version", version)
        self.trust.commit(db)

    def committed(self) -> None:
        self._owners.clear()
        self._results.clear()
        self._back.clear()
        self._stood_for.clear()
        self.trust.committed()

    def _key_fetched(self, host: Host, frontier: "Frontier") -> None:
        """Keys for the URLs fetched on a host; pairs of them that a rule new here would have made one are its first checks."""
        urls = queue.fetched_of(self._db, host.id)
        if not urls or not self.keys.applies(host.name):
            return
        pairs: dict[str, list[tuple[str, str]]] = {}
        ruled = [
            (url, key, rule)
            for url, key, rule in zip(urls, *self.keys.keys(urls))
            if rule is not None and not self.trust.withdrawn(rule, host.name)
        ]
        owners = self._claim([key for _, key, _ in ruled], [url for url, _, _ in ruled], frontier)
        for (url, _, rule), owner in zip(ruled, owners):
            if owner is not None and not self.trust.knows(rule, host.name):
                pairs.setdefault(rule, []).append((url, owner))
        for rule, several in pairs.items():
            for url, owner in several:
                equal = queue.compare(self._db, url, owner)
                if equal is not None and equal is not queue.NOT_YET:
                    self.trust.result(rule, host.name, equal)

    def _key(self, url: str, host: Host) -> tuple[str, str | None]:
        if not self.keys.applies(host.name):
            return url, None
        keys, rules = self.keys.keys([url])
        rule = rules[0]
        return (url, None) if rule is None or self.trust.withdrawn(rule, host.name) else (keys[0], rule)

    def _repeated(self, entries: list[Entry], frontier: "Frontier", may_check: bool = False) -> set[int]:
        """The keys of the entries to leave out: their key has an owner. One chosen as a check stays, and becomes a CHECK.

        One whose rule is not proven stays, too: postponed, or with `may_check` as a check.
        """
        keys, rules = self.keys.keys([entry.url for entry in entries])
        together = {entry.url: entry for entry in entries}
        out = set()
        ruled = [
            (entry, key, rule)
            for entry, key, rule in zip(entries, keys, rules)
            if rule is not None and not self.trust.withdrawn(rule, entry.host.name)
        ]
        owners = self._claim([key for _, key, _ in ruled], [entry.url for entry, _, _ in ruled], frontier)
        for (entry, key, rule), owner in zip(ruled, owners):
            if owner is None or self._leads_back(entry.url, owner):
                continue
            if not may_check and not self.trust.proven(rule, entry.host.name):
                entry.postpone()
            elif not self._skip(entry, "dust", rule, key, self.keys.version, owner, frontier):
                out.add(entry.key)
            elif owner in together:  # not queued yet: it is to be fetched as early as its check
                together[owner].score = CHECK_SCORE
        return out

    def _claim(self, keys: list[str], urls: list[str], frontier: "Frontier") -> list[str | None]:
        """For each URL the one that owns its key; None when it does itself, from now on or already."""
        if not keys:
            return []
        numbers = hash_strings(pa.array(keys, pa.string()))
        codes = frontier.seen.add(numbers)
        owners: list[str | None] = []
        for url, number, code in zip(urls, numbers.view(np.int64).tolist(), codes.tolist()):
            owner: str | None = url
            if code == NEW:
                self._owners[number] = url
            else:
                owner = self._owners.get(number) or queue.owner(self._db, number)
            owners.append(None if owner == url else owner)
        return owners

    def _skip(
        self, entry: Entry, reason: str, rule: str, key: str | None, version: int, owner: str, frontier: "Frontier"
    ) -> bool:
        """Write the skip down; True when the entry is fetched all the same, to check the rule."""
        check = self.trust.skip(rule, entry.host.name, queue.unsigned(entry.key))
        frontier.gate.write(
            entry.url,
            entry.key,
            entry.host.id,
            reason,
            rule,
            key=key,
            version=version,
            checked=check,
            owner=owner,
            depth=entry.depth,
            parent=entry.parent,
            score=entry.worth,
        )
        if not check:
            self._stood_for[entry.url] = owner
        else:
            entry.kind, entry.score = CHECK, CHECK_SCORE
            frontier.raise_score(owner, CHECK_SCORE)
            self._checks.append(Check(entry.url, entry.key, entry.host.id, entry.host.name, rule, owner))
        return check

    def _keeps_after_fold(self, entry: Entry, frontier: "Frontier", now: float) -> bool:
        name, rule = entry.host.name, rule_of_fold(entry.host.name)
        target = self.folds.fold(entry.url, name)
        if target is None or self.trust.withdrawn(rule, name) or self._leads_back(entry.url, target):
            return True
        frontier.add_urls([target], depth=entry.depth, score=entry.worth, now=now)
        return self._skip(entry, "mirror", rule, None, self.folds.version, target, frontier)

    def _leads_back(self, url: str, owner: str) -> bool:
        """Whether the one that stands for `owner`, if that was skipped too, is in the end `url`: then nobody would be fetched."""
        at: str | None = owner
        for _ in range(LONGEST_CHAIN):
            if at is None:
                return False
            if at == url:
                return True
            at = self._stood_for.get(at) or queue.stands_for(self._db, at)
        return True

    def _look_again(self, host: Host, frontier: "Frontier", now: float) -> None:
        """Skipped URLs of a host that no fold and no rule would skip now come back."""
        rows = queue.skipped_by(self._db, host.id, None)
        self._give_back([row for row in rows if not self._skipped_now(row[0], host, frontier)], frontier, now, as_owner=True)

    def _skipped_now(self, url: str, host: Host, frontier: "Frontier") -> bool:
        folded = self.folds.fold(url, host.name) is not None and not self.trust.withdrawn(rule_of_fold(host.name), host.name)
        if folded:
            return True
        key, rule = self._key(url, host)
        return rule is not None and self._claim([key], [url], frontier) != [None]

    def _give_back(self, rows: list[Any], frontier: "Frontier", now: float, as_owner: bool = False) -> None:
        """Skipped URLs return to the queue; their rows go with the next commit. `as_owner`: without asking the rules again."""
        for url, url_key, host_id, depth, parent, score in rows:
            if (host_id, url_key) in self._back:  # its row is still there, if rules and folds are taken up in one commit
                continue
            host = frontier.host(host_of(url) or "", now)
            entry = Entry(url, url_key, host, score, frontier.next_seq(), depth, parent)
            self._back.add((host_id, url_key))
            for kept in [entry] if as_owner else self.admit([entry], frontier, now):
                frontier.put(kept, now)
