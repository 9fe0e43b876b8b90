"""The steps from sketches to clusters, over arrays. The batch job, the engine's jobs and the index all call these.

Documents are numbered in the order in which they are preferred; of a pair (a, b) always a < b.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.candidates.bands import as_fraction
from garimpo.similarity.sketches.sketch import Sketches

Hashes = NDArray[np.uint64]
Numbers = NDArray[np.int64]

CAP = 64
MOST_PAIRS = 1 << 26
"""Candidates (a pair counts in each bucket it meets in) up to which a larger cap is chosen, so that nothing is left out."""
LOW = np.uint64(0xFFFFFFFF)


@dataclass(frozen=True)
class Rule:
    """When two documents count as similar, and how many of one bucket are compared."""

    threshold: Fraction = Fraction(4, 5)
    measure: str = "jaccard"
    cap: int = CAP
    copies: int = CAP
    """Of more equal documents than this, those past it are paired with the first only."""
    planned: bool = False
    """Whether the cap may be raised where the candidates stay few (`with_cap`)."""

    @classmethod
    def of(cls, threshold: float | str | Fraction, measure: str = "jaccard", cap: int | None = CAP) -> "Rule":
        if measure not in ("jaccard", "containment"):
            raise BadInput(f"the measure is jaccard or containment, not {measure}")
        if cap is not None and cap < 1:
            raise BadInput(f"the bucket cap is at least 1, not {cap}")
        number = CAP if cap is None else cap
        return cls(as_fraction(threshold), measure, number, number, cap is None and measure == "jaccard")

    def with_cap(self, sizes: Numbers, buckets: Numbers) -> "Rule":
        """The rule with the largest cap that leaves the candidates few: `buckets[i]` buckets hold `sizes[i]` documents.

        >>> rule = Rule.of(0.5, cap=None)
        >>> rule.with_cap(np.array([2, 5000]), np.array([90, 1])).cap, rule.with_cap(np.array([10**6]), np.array([2])).cap
        (5000, 64)
        """
        if not self.planned or not sizes.size:
            return self
        low, high = self.cap, max(self.cap, int(sizes.max()))
        while low < high:
            middle = (low + high + 1) // 2
            leaders = np.minimum(sizes, middle).astype(np.float64)
            pairs = float(buckets @ (leaders * (sizes - 1) - leaders * (leaders - 1) / 2))
            low, high = (middle, high) if pairs <= MOST_PAIRS else (low, middle - 1)
        return replace(self, cap=low)

    @property
    def part(self) -> int:
        return self.threshold.numerator

    @property
    def whole(self) -> int:
        return self.threshold.denominator

    @property
    def containment(self) -> int:
        return int(self.measure == "containment")

    def similarity(self, common: Numbers, left: Numbers, right: Numbers) -> NDArray[np.float64]:
        """The measure from what two sets share and their sizes."""
        bottom = np.minimum(left, right) if self.containment else left + right - common
        return common / np.maximum(bottom, 1)


@dataclass
class Capped:
    """What the cap on buckets left out."""

    buckets: int = 0
    pairs: int = 0
    counts: Numbers = field(default_factory=lambda: np.zeros(2, np.int64), repr=False)

    def add(self) -> None:
        self.buckets, self.pairs = int(self.counts[0]), int(self.counts[1])


@dataclass(frozen=True)
class Pairs:
    """Verified pairs: documents first < second, and how many hashes their sets share."""

    first: Numbers
    second: Numbers
    common: Numbers

    def __len__(self) -> int:
        return int(self.first.size)


def keys_of(sketches: Sketches, bands: int, rows: int) -> Hashes:
    """The band keys of each sketch, one row a document.

    >>> from garimpo.similarity import Sets, Sketcher
    >>> keys_of(Sketcher().sketch(Sets.of([[1, 2], [1, 2]])), 12, 7).shape
    (2, 12)
    """
    from garimpo.similarity._kernels_pairs import band_keys

    values = sketches.values.astype(np.uint32) if sketches.values.dtype == np.uint8 else sketches.values
    out = np.empty((len(sketches), bands), np.uint64)
    band_keys(np.ascontiguousarray(values).view(np.uint32), bands, rows * values.dtype.itemsize // 4, out)
    return out


def firsts(marks: Hashes, documents: Numbers) -> Numbers:
    """For each document the smallest document with the same mark (for sets: the same digest).

    >>> firsts(np.array([7, 8, 7], np.uint64), np.array([2, 0, 1])).tolist()
    [1, 0, 1]
    """
    if not marks.size:
        return documents.copy()
    order = np.lexsort((documents, marks))
    sorted_marks = marks[order]
    begins = np.flatnonzero(np.concatenate([[True], sorted_marks[1:] != sorted_marks[:-1]]))
    lengths = np.diff(np.append(begins, marks.size))
    out = np.empty_like(documents)
    out[order] = np.repeat(documents[order[begins]], lengths)
    return out


def sorted_bucket_entries(keys: Hashes, documents: Numbers) -> tuple[Hashes, Numbers]:
    """Entries sorted by key, and by document inside a key."""
    from garimpo.similarity._kernels_pairs import settle

    order = np.argsort(keys)
    keys, documents = keys[order], documents[order]
    settle(keys, documents)
    return keys, documents


def candidates(
    keys: Hashes, documents: Numbers, sizes: Numbers, rule: Rule, capped: Capped, before: Numbers | None = None
) -> Hashes:
    """Candidate pairs of sorted bucket entries, packed as first << 32 | second. `sizes` goes with the entries."""
    from garimpo.similarity._kernels_pairs import bucket_pairs

    before = np.zeros(keys.size, np.int64) if before is None else before
    arguments = (keys, documents, sizes, before, rule.cap, rule.part, rule.whole, rule.containment)
    count = bucket_pairs(*arguments, np.empty(0, np.uint64), np.zeros(2, np.int64))
    out = np.empty(count, np.uint64)
    bucket_pairs(*arguments, out, capped.counts)
    capped.add()
    return out


def unpack(packed: Hashes) -> tuple[Numbers, Numbers]:
    """First and second documents of packed pairs."""
    return (packed >> np.uint64(32)).astype(np.int64), (packed & LOW).astype(np.int64)


def pack(first: Numbers, second: Numbers) -> Hashes:
    """The reverse of `unpack`."""
    return (first.astype(np.uint64) << np.uint64(32)) | second.astype(np.uint64)


def verify(
    left: Hashes, left_start: Numbers, left_size: Numbers, right: Hashes, right_start: Numbers, right_size: Numbers, rule: Rule
) -> Numbers:
    """What each pair of sets shares, or -1 where that is not enough."""
    from garimpo.similarity._kernels_pairs import shared

    out = np.empty(left_start.size, np.int64)
    shared(left, left_start, left_size, right, right_start, right_size, rule.part, rule.whole, rule.containment, out)
    return out


def merged(parts: Iterator[Pairs] | list[Pairs]) -> Pairs:
    """All pairs once, sorted by second, then first: the order in which stars are made."""
    every = [pairs for pairs in parts if len(pairs)]
    if not every:
        none = np.empty(0, np.int64)
        return Pairs(none, none, none)
    first, second, common = (np.concatenate([getattr(p, name) for p in every]) for name in ("first", "second", "common"))
    _, index = np.unique(pack(second, first), return_index=True)
    return Pairs(first[index], second[index], common[index])


def stars(pairs: Pairs, documents: int) -> Numbers:
    """For each document the one that stands for it: itself, or the earliest kept one it is directly similar to.

    >>> a, b = np.array([0, 1]), np.array([1, 2])
    >>> stars(Pairs(a, b, a), 3).tolist()
    [0, 0, 2]
    """
    from garimpo.similarity import _kernels_pairs

    kept = np.arange(documents)
    _kernels_pairs.stars(pairs.first, pairs.second, kept)
    return kept
