"""How far a learned rule is trusted on a host: a share of what it skips is fetched as a check and compared.

The `FIRST` skips of a rule on a host (`FIRST_OF_FOLDERS` of one about folders) are all checked, then `OFTEN` of them, and once
`PROVEN` checks are in, `RARELY`. Pairs that were fetched before the rule was known are its first checks. Until its first checks
are begun a rule is not *proven* on a host: it only postpones.

A check compares the page with the one fetched under the same key: equal bytes, equal text, or near-duplicates. From the checks
comes an estimate of the rule's error on that host with an exact (Clopper-Pearson) bound. When even the lower bound is over
the allowed error the rule is withdrawn there (a fold at its first unequal check): it makes no more keys on that host, and what it
skipped comes back.
"""

import sqlite3
from typing import NamedTuple

from garimpo.crawl.state import rule_rows

FIRST, OFTEN, PROVEN, RARELY = 5, 0.05, 50, 0.01
OFTEN_OF_FOLDS, FOLD = 0.1, "fold:"
"""A fold loses a whole host: of what it skips a tenth is drawn by the hash of the URL, so deep pages too, until it is proven; and
the first page that is not the same withdraws it."""
FIRST_OF_FOLDERS, FOLDERS = 15, ("prefix-", "segment-", "rewrite-")
"""Rules about folders (by how their names begin) may hold for most pages of a folder and not for all, as where some
translations are missing."""
ALLOWED_ERROR = 0.02
CONFIDENCE = 0.8


def first_checks(rule: str) -> int:
    """How many skips of a rule are checked first on each host.

    >>> first_checks("parameter-1f"), first_checks("prefix-2e")
    (5, 15)
    """
    return FIRST_OF_FOLDERS if rule.startswith(FOLDERS) else FIRST


class Estimate(NamedTuple):
    """A rule's error on a host: the share of unequal checks, and its bounds."""

    error: float
    low: float
    high: float


class Tally:
    """What is known about one rule on one host."""

    __slots__ = ("checks", "skips", "started", "unequal", "withdrawn")

    def __init__(self, skips: int = 0, checks: int = 0, unequal: int = 0, withdrawn: bool = False) -> None:
        self.skips, self.checks, self.unequal, self.withdrawn = skips, checks, unequal, withdrawn
        self.started = checks
        """Checks begun, answered or not."""


class RuleRecord:
    """The ledger of all rules on all hosts.

    >>> record = RuleRecord()
    >>> [record.skip("r1", "a.com", key) for key in (5001, 5002, 5003, 5004, 5005, 5006)]
    [True, True, True, True, True, False]
    >>> record.result("r1", "a.com", equal=False)
    True
    """

    def __init__(self) -> None:
        self._records: dict[tuple[str, str], Tally] = {}
        self._changed: set[tuple[str, str]] = set()

    def knows(self, rule: str, host: str) -> bool:
        """Whether the rule was met on this host before."""
        return (rule, host) in self._records

    def proven(self, rule: str, host: str) -> bool:
        """Whether the first checks of a rule on a host were all begun."""
        record = self._records.get((rule, host))
        return record is not None and record.started >= first_checks(rule)

    def skip(self, rule: str, host: str, key: int) -> bool:
        """A URL would be skipped by a rule: count it, and answer whether it is to be fetched as a check."""
        record = self._record(rule, host)
        record.skips += 1
        often = OFTEN_OF_FOLDS if rule.startswith(FOLD) else OFTEN
        share = RARELY if record.checks >= PROVEN and not record.unequal else often
        check = record.started < first_checks(rule) or key % 10_000 < share * 10_000
        record.started += check
        return check

    def result(self, rule: str, host: str, equal: bool) -> bool:
        """A check was answered; True when the rule is withdrawn on this host by it."""
        record = self._record(rule, host)
        record.checks += 1
        record.started = max(record.started, record.checks)
        record.unequal += not equal
        if record.withdrawn or not record.unequal:
            return False
        if not rule.startswith(FOLD) and self.estimate(rule, host).low <= ALLOWED_ERROR:
            return False
        record.withdrawn = True
        return True

    def withdrawn(self, rule: str, host: str) -> bool:
        record = self._records.get((rule, host))
        return record is not None and record.withdrawn

    def set_withdrawn(self, rule: str, host: str, value: bool) -> list[str]:
        """Withdraw a rule on a host, or on all where it was met, or put it in force again; the hosts where that changed."""
        known = [(name, one) for name, one in self._records if name == rule and host in ("", one)]
        changed = [one for one in known if self._records[one].withdrawn != value]
        for one in changed:
            self._record(*one).withdrawn = value
        return [one for _, one in changed]

    def estimate(self, rule: str, host: str) -> Estimate:
        """The rule's error on the host with exact bounds; with no check it may be anything.

        >>> RuleRecord().estimate("r", "h")
        Estimate(error=0.0, low=0.0, high=1.0)
        """
        from scipy.special import betaincinv

        record = self._records.get((rule, host))
        if record is None or not record.checks:
            return Estimate(0.0, 0.0, 1.0)
        n, k = record.checks, record.unequal
        low = float(betaincinv(k, n - k + 1, 1 - CONFIDENCE)) if k else 0.0
        high = float(betaincinv(k + 1, n - k, CONFIDENCE)) if k < n else 1.0
        return Estimate(k / n, low, high)

    def rows(self) -> list[tuple[str, str, int, int, int, int]]:
        """(rule, host, skips, checks, unequal, withdrawn) of everything known."""
        return [(rule, host, r.skips, r.checks, r.unequal, int(r.withdrawn)) for (rule, host), r in sorted(self._records.items())]

    def load(self, db: sqlite3.Connection) -> None:
        """Take up what an earlier run committed."""
        for rule, host, skips, checks, unequal, withdrawn in rule_rows.records(db):
            self._records[rule, host] = Tally(skips, checks, unequal, bool(withdrawn))

    def commit(self, db: sqlite3.Connection) -> None:
        """Write what changed; called inside the commit's transaction, followed by `committed`."""
        records = ((name, self._records[name]) for name in self._changed)
        rule_rows.insert_records(db, [(*name, r.skips, r.checks, r.unequal, int(r.withdrawn)) for name, r in records])

    def committed(self) -> None:
        self._changed.clear()

    def _record(self, rule: str, host: str) -> Tally:
        self._changed.add((rule, host))
        return self._records.setdefault((rule, host), Tally())
