"""Operations tried on the URLs of one host: each alone, and together."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from garimpo.dust.method.operation import Operation
from garimpo.dust.rules.program import Program
from garimpo.dust.rules.ruleset import RuleSet

HERE = "h"


class HostRows(NamedTuple):
    """The URLs of one host: their numbers in the column, sorted by cluster; the cluster of each."""

    rows: NDArray[np.int64]
    clusters: NDArray[np.int64]


class Count(NamedTuple):
    """What the pages say about some operations: one count, on the same pages, for and against."""

    saved: int
    """URLs that get the key of another URL of their page: so often a change changed nothing."""
    denied: int
    """Pages too many that share a key: so often it did."""


class Trial:
    """The URLs of a host, made ready to be tried on. `data` and `offsets` are the column's buffers."""

    def __init__(self, host: HostRows, data: NDArray[np.uint8], offsets: NDArray[np.int64]) -> None:
        from garimpo.dust.method._kernels_measure import split_rows

        size = len(host.rows)
        parts, self.base = np.empty((size, 4), np.int64), np.empty(size, np.uint64)
        slots = np.empty(1 << max(4, (2 * size).bit_length()), np.int64)
        split_rows(data, offsets, host.rows, parts, self.base, slots)
        self.clusters = host.clusters
        self._data, self._offsets, self._numbers, self._parts = data, offsets, host.rows, parts
        self._rows = (data, offsets, host.rows, host.clusters, parts, self.base, slots)

    def each(self, operations: Sequence[Operation]) -> dict[Operation, Count]:
        """What each operation does when it is used alone."""
        if not operations:
            return {}
        from garimpo.dust.method._kernels_measure import measure_each

        denied, saved = np.empty(len(operations), np.int64), np.empty(len(operations), np.int64)
        program = Program([operation.rule([HERE]) for operation in operations])
        scratch, marks = program.scratch()
        measure_each(*self._rows, program.tables, scratch, marks, denied, saved)
        return {operation: Count(*pair) for operation, pair in zip(operations, zip(saved.tolist(), denied.tolist()))}

    def together(self, operations: Sequence[Operation]) -> tuple[Count, NDArray[np.uint64]]:
        """What they do together, and the key each row gets."""
        from garimpo.dust.method._kernels_measure import mark_touched, measure_list

        keys = self.base.copy()
        if not operations:
            return Count(0, 0), keys
        rules = RuleSet(operation.rule([HERE]) for operation in operations).rules
        program = Program(rules)
        scratch, marks = program.scratch()
        touched = np.zeros(len(keys), np.uint8)
        first, last = program.list_of(HERE)
        for op in program.tables[1][first:last].tolist():
            mark_touched(self._data, self._offsets, self._numbers, self._parts, program.tables, op, touched)
        denied, saved = measure_list(*self._rows, program.tables, scratch, marks, first, last, touched, keys)
        return Count(saved, denied), keys
