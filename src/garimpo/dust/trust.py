"""How far an operation can be trusted on a host that has shown little of it: what other hosts say, and what this one says.

An operation holds on a host or it does not. Where it does not, some share q of the pairs it joins are different pages. Over all
hosts that show an operation we count those that confirm it without a denial and those that deny it: the chance that it
holds on the next host is taken at the lower end of its confidence interval. n confirmations without a denial on the
host itself then leave the chance (1 - q)^n that we were only lucky. The rule is taken where the error to be expected is small
enough. Hosts that share a software share its habits, so on most of them a few confirmations will do; a habit that fails on
some hosts (translations that fall back for some pages only) needs many.
"""

import math
from collections import defaultdict
from collections.abc import Iterable

from garimpo.dust.evidence import Evidence
from garimpo.dust.operation import Operation

PRIOR = {"prefix": 0.5, "segment": 0.5, "rewrite": 0.5, "host": 0.5, "parameter": 0.7}
"""The chance that an operation holds where it was seen, before anything is counted, by kind; others 0.8."""
WEIGHT = 4.0
"""Hosts the prior counts for."""
SHARE_WRONG = 0.25
"""The share of wrong pairs where an operation does not hold, before anything is counted."""
Z = 1.0
"""How far below the mean the chance is taken, in standard errors."""


class Trust:
    """What all hosts together say about operations."""

    def __init__(self, allowed_error: float = 0.002, fpr_max: float = 0.0) -> None:
        self.allowed_error, self.fpr_max = allowed_error, fpr_max
        self._holds: dict[object, int] = defaultdict(int)
        self._fails: dict[object, int] = defaultdict(int)
        self._wrong: dict[str, list[int]] = defaultdict(lambda: [0, 0])

    def count(self, evidence: Iterable[Evidence]) -> None:
        """Add what one host shows."""
        for found in evidence:
            if found.confirmed == 0:
                continue
            kind = found.operation.kind
            fails = found.denied > self.fpr_max * (found.confirmed + found.denied)
            for level in (found.operation, kind):
                (self._fails if fails else self._holds)[level] += 1
            if fails:
                self._wrong[kind][0] += found.denied
                self._wrong[kind][1] += found.denied + found.confirmed

    def chance(self, operation: Operation) -> float:
        """The chance that the operation holds on a host that shows it, cautiously."""
        start = PRIOR.get(operation.kind, 0.8)
        for level in (operation.kind, operation):
            holds, fails = self._holds[level], self._fails[level]
            if level == operation.kind:  # one kind holds many habits: it says where to begin, not how sure to be
                scale = min(1.0, 20.0 / max(holds + fails, 1))
                start = _mean(start, holds * scale, fails * scale)
            else:
                start = _lower(start, holds, fails)
        return start

    def share_wrong(self, kind: str) -> float:
        """Of the pairs an operation of this kind joins where it does not hold, the share that is wrong."""
        wrong, total = self._wrong[kind]
        return (wrong + 4 * SHARE_WRONG) / (total + 4) if total else SHARE_WRONG

    def expected_error(self, found: Evidence) -> float:
        """The share of wrong skips to be expected of the operation on the host of this evidence."""
        chance, wrong = self.chance(found.operation), min(max(self.share_wrong(found.operation.kind), 0.1), 0.6)
        lucky = (1 - chance) * math.pow(1 - wrong, found.confirmed)
        return wrong * lucky / (chance + lucky) if chance + lucky else wrong

    def accepts(self, found: Evidence, min_support: int) -> bool:
        """Whether to use the operation on that host."""
        if found.confirmed < min_support or found.denied > self.fpr_max * (found.confirmed + found.denied):
            return False
        return self.expected_error(found) <= self.allowed_error + self.fpr_max / 4


def _mean(prior: float, holds: float, fails: float) -> float:
    return (holds + WEIGHT * prior) / (holds + fails + WEIGHT)


def _lower(prior: float, holds: float, fails: float) -> float:
    total = holds + fails + WEIGHT
    mean = _mean(prior, holds, fails)
    return max(mean - Z * math.sqrt(mean * (1 - mean) / (total + 1)), 0.01)
