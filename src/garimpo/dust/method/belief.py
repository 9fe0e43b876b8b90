"""How far an operation can be trusted: what a host's pages say, what other hosts say, and how much it has to say itself.

There is one count: so often a change of the URL changed nothing (saved), so often it did (denied). The error to be expected of an
operation is (denied + a) / (denied + saved + a + 1). The a is doubt in advance, in wrong pairs: it grows with what an
operation names and ignores, as of many things that could be said some look right by chance; it shrinks with every other host on
which the operation, or its kind, was right, and grows where it was not. So what many hosts do is taken from one pair, and two
words that stand in each other's place need some ten.
"""

import contextlib
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from garimpo.dust.method.operation import ANY_SEGMENT, LANGUAGE_FOLDER, Operation, habit, length
from garimpo.dust.method.trial import Count

DEFAULT_ERROR = 0.01
"""The error a rule may be expected to make where nobody says otherwise: one wrong label among hundreds does not kill a rule, and
nine clean pairs are enough for a parameter. A bound that held with 95 % confidence would need three hundred."""
PRIOR = {
    "prefix": 0.5, "segment": 0.5, "rewrite": 0.5, "template": 0.5, "host": 0.5, "parameter": 0.6, "bundle": 0.5,
    LANGUAGE_FOLDER: 0.3, ANY_SEGMENT: -1.0,
}  # fmt: skip
"""The chance that an operation holds where it was seen, before anything is counted, by habit; others 0.8. What takes any text for
any other is doubted more than what never holds: under some condition it always looks right."""
WEIGHT = 4.0
"""Hosts the prior counts for."""
DOUBT = 0.03
"""Wrong pairs in advance, for each thing an operation says and one more, where it holds as often as not."""
NAMES = {"www": 0.03, "host": 0.06}
"""The same of two names of one site, whatever they are: few equal pages say that they are one host."""
TRIED = 0.01
"""And for each doubling of the conditions that were tried."""
STEPS_A_DOUBLING = 5
"""Doubt goes in steps: what moves less than a seventh is not worth learning a site again."""
WIDELY = 3
"""What more hosts than so many show is widely known."""
Z = 1.0
"""How far below the mean the chance is taken, in standard errors."""


class Evidence(NamedTuple):
    """An operation on one host (of two names: on both), with what its pages say."""

    host: str
    operation: Operation
    counted: Count
    example: tuple[str, str] = ("", "")
    tried: int = 0
    """Conditions that were tried until one held."""


class Trust:
    """What all hosts together say about operations."""

    def __init__(self, fpr_max: float = DEFAULT_ERROR, allowed_error: float = DEFAULT_ERROR, min_support: int = 1) -> None:
        self.fpr_max, self.allowed_error, self.min_support = fpr_max, allowed_error, min_support
        self._holds: dict[object, int] = defaultdict(int)
        self._fails: dict[object, int] = defaultdict(int)
        self.asked: dict[tuple[Operation, int], tuple[float, bool]] = {}
        """What was answered about each operation, so that one can tell whether it would be answered so again."""

    @contextlib.contextmanager
    def without(self, own: Iterable[Evidence]) -> Iterator[None]:
        """What the others say: for a while without the evidence of those that ask, who will count it themselves."""
        self.count(own, -1)
        self.asked = {}
        yield
        self.count(own, 1)

    def answers_still(self, asked: dict[tuple[Operation, int], tuple[float, bool]]) -> bool:
        """Whether all that was asked is answered as before."""
        return all(self._answer(*question) == answer for question, answer in asked.items())

    def count(self, evidence: Iterable[Evidence], hosts: int = 1) -> None:
        """Add what hosts show."""
        for found in evidence:
            if found.counted.saved:
                self.add(found.operation, hosts, self.denies(found.counted))

    def add(self, operation: Operation, hosts: int, fails: bool) -> None:
        """Add what some hosts show of one operation, all of which deny it or none."""
        for level in (operation, habit(operation)):
            (self._fails if fails else self._holds)[level] += hosts

    def denies(self, count: Count, level: float | None = None) -> bool:
        """Whether pages speak against an operation: the one definition, for what hosts show and for what is chosen."""
        share = max(self.fpr_max, DEFAULT_ERROR) if level is None else level
        return count.denied > share * (count.denied + count.saved)

    def chance(self, operation: Operation) -> float:
        """The chance that the operation holds on a host that shows it, cautiously."""
        name = habit(operation)
        if name == ANY_SEGMENT:  # only a form, which hosts share by chance: what others say is worth nothing
            return PRIOR[name]
        plain = operation._replace(condition=None)
        holds, fails = self._holds[name], self._fails[name]
        scale = min(1.0, 20.0 / max(holds + fails, 1))  # one habit has many forms: it says where to begin, not how sure to be
        start = _mean(PRIOR.get(name, 0.8), holds * scale, fails * scale)
        return _lower(start, self._holds[plain], self._fails[plain])

    def shown_widely(self, operation: Operation) -> bool:
        """Whether some other hosts showed the operation, under no condition, to be right."""
        return self._ask(operation, 0)[1]

    def doubt(self, operation: Operation, tried: int = 0) -> float:
        """The wrong pairs that are taken for seen before any was."""
        return self._ask(operation, tried)[0]

    def _ask(self, operation: Operation, tried: int) -> tuple[float, bool]:
        if (operation, tried) not in self.asked:
            self.asked[operation, tried] = self._answer(operation, tried)
        return self.asked[operation, tried]

    def _answer(self, operation: Operation, tried: int) -> tuple[float, bool]:
        kinds = {part.kind for part in operation.parts()}
        said = NAMES[operation.kind] if operation.kind in NAMES else DOUBT * (1 + length(operation))
        if operation.kind == "bundle" and kinds & NAMES.keys():
            others = [part for part in operation.parts() if part.kind not in NAMES]
            said = NAMES["host"] + DOUBT * sum(length(part) for part in others)
        doubt = said * (1 - self.chance(operation)) / 0.4 + TRIED * math.log2(1 + tried)
        steps = round(STEPS_A_DOUBLING * math.log2(doubt))
        return 2 ** (steps / STEPS_A_DOUBLING), self._holds[operation._replace(condition=None)] > WIDELY

    def accepts(self, operation: Operation, count: Count, level: float, tried: int = 0) -> bool:
        """Whether to use an operation that saves and confuses so much, where the share `level` may be wrong."""
        if count.saved < self.min_support or count.saved <= 0 or self.denies(count, level):
            return False
        wrong = count.denied + self.doubt(operation, tried)
        return wrong <= max(level, self.allowed_error) * (wrong + count.saved + 1)


def _mean(prior: float, holds: float, fails: float) -> float:
    return (holds + WEIGHT * prior) / (holds + fails + WEIGHT)


def _lower(prior: float, holds: float, fails: float) -> float:
    total = holds + fails + WEIGHT
    mean = _mean(prior, holds, fails)
    return max(mean - Z * math.sqrt(mean * (1 - mean) / (total + 1)), 0.01)
