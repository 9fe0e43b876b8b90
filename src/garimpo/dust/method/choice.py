"""What a host takes of what its pages propose: from the surest to the boldest, each with what it adds to those before.

The steps of tolerance go up to what is allowed. On each, an operation is taken that saves more with those already taken, if the
errors it adds are within the step; those that pages deny are narrowed to where they hold. What was taken on a lower step stays:
so more tolerance never saves less. In the end what the others do without it goes.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.dust.method.belief import Evidence, Trust
from garimpo.dust.method.narrowing import Text, narrowed, outcome, tightened
from garimpo.dust.method.operation import Operation, breadth
from garimpo.dust.method.trial import Count, Trial

STEPS = (0.0, 0.003, 0.01, 0.03, 0.1, 0.3)
MOST_NARROWED = 24
"""Operations of a host that are narrowed."""
FEW = 20
"""An operation that is widely known is held to what this host shows of it only if it shows so much."""


class Taken(NamedTuple):
    """An operation that is used, and what it added to those before it."""

    operation: Operation
    counted: Count
    example: tuple[str, str]
    provisional: bool = False


class Choice:
    """The operations taken on one host so far."""

    def __init__(self, trial: Trial, text: Text, trust: Trust) -> None:
        self._trial, self._text, self._trust = trial, text, trust
        self._count = Count(0, 0)
        self._left = _left(trial.base, trial.clusters)
        self.taken: list[Taken] = []
        self._idle: set[Operation] = set()
        """What would have saved nothing more when it was tried: what is taken later makes that no better."""

    @property
    def operations(self) -> list[Operation]:
        """What was taken, in the order it was."""
        return [taken.operation for taken in self.taken]

    @property
    def done(self) -> bool:
        """Whether nothing is left that could be saved."""
        return self._left == 0

    def choose(self, candidates: Sequence[Evidence]) -> bool:
        """Take what can be taken of these; whether anything was."""
        before = len(self.taken)
        steps = [step for step in STEPS if step < self._trust.fpr_max] + [self._trust.fpr_max]
        known = list(candidates)
        for step in steps:
            known += self._narrowed(known, step)
            self._step(known, step)
        return len(self.taken) > before

    def _step(self, candidates: Sequence[Evidence], step: float) -> None:
        taken = set(self.operations)
        likely = [
            found
            for found in candidates
            if found.operation not in taken
            and found.operation not in self._idle
            and self._trust.accepts(found.operation, found.counted, step, found.tried)
        ]
        for found in sorted(likely, key=_rank):
            if self._trust.accepts(found.operation, Count(self._left, 0), step, found.tried):
                self._try(found, step)

    def _try(self, found: Evidence, step: float) -> None:
        """Take it if what it adds is right often enough; where it is wider than some that were taken, in their place."""
        rest = [taken for taken in self.taken if not _is_within(taken.operation, found.operation)]
        others = [taken.operation for taken in rest]
        before = self._count if len(rest) == len(self.taken) else self._trial.together(others)[0]
        count, keys = self._trial.together([*others, found.operation])
        gain = Count(count.saved - before.saved, count.denied - before.denied)
        if count.saved <= self._count.saved:
            self._idle.add(found.operation)
            return
        if not self._trust.accepts(found.operation, gain, step, found.tried):
            return
        operation, provisional = self._bounds(found, others, keys)
        if operation != found.operation:
            again, held = self._trial.together([*others, operation])
            if again.saved < count.saved or again.denied > count.denied:
                operation = found.operation
            else:
                count, keys = again, held
        self.taken = [*rest, Taken(operation, Count(gain.saved, max(gain.denied, 0)), found.example, provisional)]
        self._count, self._left = count, _left(keys, self._trial.clusters)

    def _bounds(self, found: Evidence, others: Sequence[Operation], keys: NDArray[np.uint64]) -> tuple[Operation, bool]:
        before = self._trial.together(others)[1]
        bounds = tightened(found.operation, outcome(keys, before, self._trial.clusters), self._text)
        if self._trust.shown_widely(found.operation) and found.counted.saved < FEW:
            return found.operation, bounds.provisional
        return bounds

    def _narrowed(self, candidates: Sequence[Evidence], step: float) -> list[Evidence]:
        """Conditions for the operations that save most of those that are denied on this step."""
        denied = [
            found
            for found in candidates
            if found.counted.denied and not found.tried and self._trust.denies(found.counted, step) and found.counted.saved >= 3
        ]
        made: dict[Operation, tuple[Evidence, int]] = {}
        for found in sorted(denied, key=_rank)[:MOST_NARROWED]:
            _, keys = self._trial.together([found.operation])
            seen = outcome(keys, self._trial.base, self._trial.clusters)
            operations, tried = narrowed(found.operation, seen, self._text, step)
            for operation in operations:
                made.setdefault(operation, (found, tried))
        counts = self._trial.each(list(made))
        return [
            Evidence(found.host, operation, counts[operation], found.example, tried)
            for operation, (found, tried) in made.items()
            if counts[operation].saved
        ]

    def prune(self) -> None:
        """Let go of what the others do without it, the narrowest first."""
        for taken in sorted(self.taken, key=lambda one: (one.counted.saved, breadth(one.operation))):
            if len(self.taken) == 1:
                break
            rest = [other for other in self.taken if other is not taken]
            count, _ = self._trial.together([other.operation for other in rest])
            if count.saved >= self._count.saved and count.denied <= self._count.denied:
                self.taken, self._count = rest, count


def _left(keys: NDArray[np.uint64], clusters: NDArray[np.int64]) -> int:
    """The URLs that could still be saved: the keys too many of all clusters."""
    order = np.lexsort((keys, clusters))
    same_page = clusters[order][1:] == clusters[order][:-1]
    return int((same_page & (keys[order][1:] != keys[order][:-1])).sum())


def _is_within(narrow: Operation, wide: Operation) -> bool:
    """Whether an operation is another one under more conditions."""
    return narrow[:3] == wide[:3] and narrow != wide and not wide.condition


def _rank(found: Evidence) -> tuple[int, int, int, tuple[str, ...]]:
    """What saves most first; of equals the one that confuses less, then the narrower."""
    return -found.counted.saved, found.counted.denied, breadth(found.operation), found.operation.sorting
