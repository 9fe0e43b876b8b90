"""All rules that a set of examples can make, collapsed: equal examples are one cell, equal antecedents one counter.

A rule's antecedent is a set of feature values. After binning, many examples are equal; they share one *cell*, and each cell
names, for each subset of the features, the counter of its antecedent. What a lazy classifier would mine from the examples
projected on an instance is then read from the counters of one cell: the same numbers, by 2^m - 1 look-ups.
"""

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

MAX_SUBSETS = 4096


def subsets(features: int, longest: int) -> list[tuple[int, ...]]:
    """The non-empty sets of up to `longest` features.

    >>> subsets(2, 5)
    [(0,), (1,), (0, 1)]
    """
    chosen = [c for size in range(1, min(longest, features) + 1) for c in combinations(range(features), size)]
    if len(chosen) > MAX_SUBSETS:
        raise ValueError(f"{features} features make {len(chosen):,} antecedents; set max_rule_len lower")
    return chosen


@dataclass(slots=True)
class RuleIndex:
    """Antecedents by number: `cells` are the distinct examples, `rules[cell]` the antecedents that hold in it."""

    subsets: list[tuple[int, ...]]
    cells: NDArray[np.int32]
    rules: NDArray[np.int32]
    codes: list[NDArray[np.int64]]
    radix: NDArray[np.int64]
    starts: NDArray[np.int64]

    @classmethod
    def build(cls, values: NDArray[np.int32], longest: int = 5) -> tuple["RuleIndex", NDArray[np.int32]]:
        """The index of binned examples, and the cell of each of them."""
        cells, inverse = np.unique(values, axis=0, return_inverse=True)
        chosen = subsets(values.shape[1], longest)
        radix = cells.max(axis=0).astype(np.int64) + 1
        rules = np.empty((len(cells), len(chosen)), np.int32)
        codes, starts, total = [], np.zeros(len(chosen), np.int64), 0
        for s, subset in enumerate(chosen):
            distinct, numbers = np.unique(_code(cells, subset, radix), return_inverse=True)
            starts[s] = total
            rules[:, s] = numbers.ravel() + total
            codes.append(distinct)
            total += len(distinct)
        return cls(chosen, np.ascontiguousarray(cells), rules, codes, radix, starts), inverse.ravel().astype(np.int32)

    @property
    def size(self) -> int:
        """How many antecedents there are."""
        return int(self.starts[-1]) + len(self.codes[-1])

    def find(self, cells: NDArray[np.int32]) -> NDArray[np.int32]:
        """The antecedents that hold in other cells; -1 where no example has it."""
        rules = np.full((len(cells), len(self.subsets)), -1, np.int32)
        known = (cells < self.radix) & (cells >= 0)
        for s, subset in enumerate(self.subsets):
            code = _code(cells, subset, self.radix)
            at = np.minimum(np.searchsorted(self.codes[s], code), len(self.codes[s]) - 1)
            hit = (self.codes[s][at] == code) & known[:, subset].all(axis=1)
            rules[hit, s] = (at[hit] + self.starts[s]).astype(np.int32)
        return rules

    def count(self, cells: NDArray[np.int32]) -> NDArray[np.float64]:
        """The support of each antecedent among examples given by their cells."""
        per_cell = np.bincount(cells, minlength=len(self.cells)).astype(np.float64)
        out = np.zeros(self.size, np.float64)
        for s in range(len(self.subsets)):
            out += np.bincount(self.rules[:, s], per_cell, minlength=self.size)
        return out


def _code(cells: NDArray[np.int32], subset: tuple[int, ...], radix: NDArray[np.int64]) -> NDArray[np.int64]:
    code = np.zeros(len(cells), np.int64)
    for feature in subset:
        code = code * radix[feature] + cells[:, feature]
    return code
