"""Operations tried on the URLs of one host: each alone, and together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.dust.operation import Operation
from garimpo.dust.program import Program
from garimpo.dust.rules import Rule, RuleSet


class HostRows(NamedTuple):
    """The URLs of one host: their numbers in the column, sorted by cluster; the cluster of each."""

    rows: NDArray[np.int64]
    clusters: NDArray[np.int64]


class Trial:
    """The URLs of a host, made ready to be tried on. `data` and `offsets` are the column's buffers."""

    def __init__(self, host: HostRows, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        from garimpo.dust._kernels_measure import split_rows

        size = len(host.rows)
        parts, base = np.empty((size, 4), np.int64), np.empty(size, np.uint64)
        slots = np.empty(1 << max(4, (2 * size).bit_length()), np.int64)
        split_rows(data, offsets, host.rows, parts, base, slots)
        self._rows = (data, offsets, host.rows, host.clusters, parts, base, slots)

    def each(self, operations: Sequence[Operation]) -> dict[Operation, tuple[int, int]]:
        """For each operation, used alone: how often it confuses two pages, and how many fetches it saves."""
        if not operations:
            return {}
        from garimpo.dust._kernels_measure import measure_each

        denied, saved = np.empty(len(operations), np.int64), np.empty(len(operations), np.int64)
        program = Program([_rule(operation) for operation in operations])
        scratch, marks = program.scratch()
        measure_each(*self._rows, program.tables, scratch, marks, denied, saved)
        return dict(zip(operations, zip(denied.tolist(), saved.tolist())))

    def together(self, operations: Sequence[Operation], fpr_max: float) -> list[Operation]:
        """Of operations in the order given, those that save more with the ones before them and confuse few enough pages."""
        if not operations:
            return []
        from garimpo.dust._kernels_measure import choose

        rules = RuleSet(_rule(operation) for operation in operations).rules
        place = {(rule.kind, rule.context, rule.template): number for number, rule in enumerate(rules)}
        turns = np.array([place[operation] for operation in operations], np.int64)
        active = np.zeros(len(rules), np.uint8)
        program = Program(rules)
        scratch, marks = program.scratch()
        choose(*self._rows, program.tables, scratch, marks, turns, fpr_max, active)
        return [operation for operation, turn in zip(operations, turns) if active[turn]]


def _rule(operation: Operation) -> Rule:
    return Rule.make(operation.kind, ["h"], operation.context, operation.template)
