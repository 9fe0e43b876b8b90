"""How far an operation can be trusted on a host that has shown little of it: what other hosts say, and what this one says.

An operation holds on a host or it does not. Where it does not, some share q of the pairs it joins are different pages. Over all
hosts that show an operation we count those that confirm it without a denial and those that deny it: the chance that it
holds on the next host is taken at the lower end of its confidence interval. n confirmations without a denial on the
host itself then leave the chance (1 - q)^n that we were only lucky. The rule is taken where the error to be expected is small
enough. Hosts that share a software share its habits, so on most of them a few confirmations will do; a habit that fails on
some hosts (translations that fall back for some pages only) needs many. So does one that is only left because its
wider form was denied on this very host: of many folders one may look right by chance.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from garimpo.dust.evidence import Evidence
from garimpo.dust.operation import ANY_SEGMENT, LANGUAGE_FOLDER, Operation, broader, habit

PRIOR = {
    "prefix": 0.5, "segment": 0.5, "rewrite": 0.5, "host": 0.5, "parameter": 0.7, LANGUAGE_FOLDER: 0.3, ANY_SEGMENT: 0.1,
}  # fmt: skip
"""The chance that an operation holds where it was seen, before anything is counted, by habit; others 0.8."""
LEFT_OVER = 0.15
"""The same of an operation whose wider form is denied on its host."""
WEIGHT = 4.0
"""Hosts the prior counts for."""
SHARE_WRONG = 0.25
"""The share of wrong pairs where an operation does not hold, before anything is counted."""
NOTHING: Mapping[Operation, Evidence] = MappingProxyType({})
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
            if found.confirmed:
                self.add(found.operation, 1, found.denied, found.confirmed, self.denies(found))

    def add(self, operation: Operation, hosts: int, denied: int, confirmed: int, fails: bool) -> None:
        """Add what some hosts show of one operation, all of which deny it or none."""
        name = habit(operation)
        for level in (operation, name):
            (self._fails if fails else self._holds)[level] += hosts
        if fails:
            self._wrong[name][0] += denied
            self._wrong[name][1] += denied + confirmed

    def denies(self, found: Evidence) -> bool:
        """Whether the host's own pages speak against the operation."""
        return found.denied > self.fpr_max * (found.confirmed + found.denied)

    def chance(self, operation: Operation, most: float = 1.0) -> float:
        """The chance that the operation holds on a host that shows it, cautiously; `most` caps what its habit says."""
        name = habit(operation)
        if name == ANY_SEGMENT:  # only a form, which hosts share by chance: what others say is worth nothing
            return PRIOR[name]
        holds, fails = self._holds[name], self._fails[name]
        scale = min(1.0, 20.0 / max(holds + fails, 1))  # one habit has many forms: it says where to begin, not how sure to be
        start = min(_mean(PRIOR.get(name, 0.8), holds * scale, fails * scale), most)
        return _lower(start, self._holds[operation], self._fails[operation])

    def share_wrong(self, operation: Operation) -> float:
        """Of the pairs an operation with this habit joins where it does not hold, the share that is wrong."""
        wrong, total = self._wrong[habit(operation)]
        return (wrong + 4 * SHARE_WRONG) / (total + 4) if total else SHARE_WRONG

    def expected_error(self, found: Evidence, wider: Evidence | None = None) -> float:
        """The share of wrong skips to be expected of the operation on the host of this evidence.

        `wider` is what denied a wider form of the operation there.
        """
        if wider:
            chance, wrong = self.chance(found.operation, LEFT_OVER), wider.denied / (wider.denied + wider.confirmed)
        else:
            chance, wrong = self.chance(found.operation), self.share_wrong(found.operation)
        wrong = min(max(wrong, 0.1), 0.6)
        lucky = (1 - chance) * math.pow(1 - wrong, found.confirmed)
        return wrong * lucky / (chance + lucky) if chance + lucky else wrong

    def accepts(self, found: Evidence, min_support: int, denied: Mapping[Operation, Evidence] = NOTHING) -> bool:
        """Whether to use the operation on that host, where these were `denied`."""
        if found.confirmed < min_support or self.denies(found):
            return False
        allowed = self.allowed_error + self.fpr_max / 4
        if self.expected_error(found) > allowed:
            return False
        wider = [denied[operation] for operation in broader(found.operation) if operation in denied] if denied else []
        return all(self.expected_error(found, other) <= allowed for other in wider)


def _mean(prior: float, holds: float, fails: float) -> float:
    return (holds + WEIGHT * prior) / (holds + fails + WEIGHT)


def _lower(prior: float, holds: float, fails: float) -> float:
    total = holds + fails + WEIGHT
    mean = _mean(prior, holds, fails)
    return max(mean - Z * math.sqrt(mean * (1 - mean) / (total + 1)), 0.01)
