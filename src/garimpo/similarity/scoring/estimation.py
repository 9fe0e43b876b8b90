"""Estimates from two sketches, and the exact figures they stand for."""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.scoring.measures import SET_MEASURES, SetMeasure, from_common, from_jaccard, require_measure
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import Sketches
from garimpo.similarity.sketches.slot_sets import SlotCompare, nothing, parts, slot_sets

Floats = NDArray[np.float64]
Compare = Literal["positional", "bottom_k", "permutations", "elements"]


def estimate(a: Sketches, b: Sketches, measure: SetMeasure = "jaccard", compare: Compare = "positional") -> Floats:
    """The similarity of row i of `a` and row i of `b`, estimated from the sketches and the sizes of the sets.

    Args:
        a: sketches of the first sets (for containment: the queries).
        b: as many sketches, made the same way.
        measure: any measure of sets. All follow from the Jaccard (of SimHash: from the cosine) and the two sizes.
        compare: "positional" (the share of equal slots) or, for sketches of the k smallest (or largest) values of
            each permutation, "bottom_k" (the share of the k smallest of the union that both have), which is
            unbiased where the positional share is not. Readings of the source for study: "permutations" (the share of
            permutations all of whose values are equal: both limits of minmax must match; about J to the power of their
            number) and "elements" (the sets of the elements that were selected, whatever slot they are in).

    >>> from garimpo.similarity import Sets, Sketcher
    >>> one, other = Sets.of([range(100)]), Sets.of([range(300)])
    >>> sketcher = Sketcher("min", slots=1024)
    >>> bool(abs(estimate(sketcher.sketch(one), sketcher.sketch(other), "cosine")[0] - 3**-0.5) < 0.05)
    True
    """
    a.config.require_same(b.config)
    require_measure(measure, SET_MEASURES)
    if len(a) != len(b):
        raise BadInput(f"{len(a)} and {len(b)} sketches are not pairs")
    if compare not in get_args(Compare):
        raise BadInput(f"no comparison is called {compare}: one of {', '.join(get_args(Compare))}")
    if compare in ("permutations", "elements"):
        return _as_sets(a, b, measure, compare)
    if a.config.method != "simhash":
        jaccard = _bottom_k(a, b) if compare == "bottom_k" else _positional(a, b)
        return jaccard if measure == "jaccard" else from_jaccard(measure, jaccard, *_sizes(a, b))
    cosine = _cosine(a, b)
    if measure == "cosine":
        return cosine
    left, right = _sizes(a, b)
    return from_common(measure, np.minimum(cosine * np.sqrt(left * right), np.minimum(left, right)), left, right)


def _as_sets(a: Sketches, b: Sketches, measure: SetMeasure, compare: SlotCompare) -> Floats:
    left, right = slot_sets(a, compare), slot_sets(b, compare)
    if compare == "elements":
        return exact(left, right, measure)
    jaccard = common_of(left, right) / parts(a.config, compare)
    return jaccard if measure == "jaccard" else from_jaccard(measure, jaccard, *_sizes(a, b))


def _sizes(a: Sketches, b: Sketches) -> tuple[Floats, Floats]:
    if a.sizes is None or b.sizes is None:
        raise BadInput("these sketches were stored without the sizes of their sets, which this measure needs")
    return a.sizes.astype(np.float64), b.sizes.astype(np.float64)


def _positional(a: Sketches, b: Sketches) -> Floats:
    bits = a.config.bits
    if bits:
        chance = 0.5**bits
        empty = (a.values == (1 << bits) - 1).all(axis=1) | (b.values == (1 << bits) - 1).all(axis=1)
        matches = (a.values == b.values).mean(axis=1)
        return np.where(empty, 0.0, np.clip((matches - chance) / (1 - chance), 0.0, 1.0))
    return ((a.values == b.values) & (a.values != nothing(a.values))).mean(axis=1)


def _bottom_k(a: Sketches, b: Sketches) -> Floats:
    names = a.config.operators
    k = len(names)
    ends = {name[:3] for name in names}
    if len(ends) != 1 or sorted(int(name[3:]) for name in names) != list(range(1, k + 1)):
        raise BadInput(f"bottom_k wants the k smallest or the k largest values of a permutation, not {a.config.method}")
    shape = (len(a), -1, k)
    left, right = a.values.reshape(shape), b.values.reshape(shape)
    if ends == {"max"}:
        left, right = _reversed(left), _reversed(right)
    both = np.sort(np.concatenate([left, right], axis=2), axis=2)
    real = both != nothing(both)
    repeat = np.zeros(both.shape, bool)
    repeat[:, :, 1:] = (both[:, :, 1:] == both[:, :, :-1]) & real[:, :, 1:]
    rank = np.cumsum(real & ~repeat, axis=2)
    in_both = (repeat & (rank <= k)).sum(axis=2)
    considered = np.minimum(rank[:, :, -1], k)
    return np.divide(in_both, considered, out=np.zeros(in_both.shape), where=considered > 0).mean(axis=1)


def _reversed(values: NDArray[Any]) -> NDArray[Any]:
    return np.where(values == nothing(values), values, nothing(values) - 1 - values)


def _cosine(a: Sketches, b: Sketches) -> Floats:
    empty = (a.values[:, 0] == 255) | (b.values[:, 0] == 255)
    angle = np.pi * (a.values != b.values).mean(axis=1)
    return np.where(empty, 0.0, np.clip(np.cos(angle), 0.0, 1.0))


def exact(a: Sets, b: Sets, measure: SetMeasure = "jaccard") -> Floats:
    """The true similarity of set i of `a` and set i of `b`; 0 where one is empty.

    Args:
        a: the first sets (for containment: the queries).
        b: as many other sets.
        measure: any measure of sets.

    >>> from garimpo.similarity import Sets
    >>> exact(Sets.of([[1, 2, 3], []]), Sets.of([[2, 3, 4, 5], []])).tolist()
    [0.4, 0.0]
    >>> exact(Sets.of([[2, 3]]), Sets.of([[2, 3, 4, 5]]), "containment").tolist()
    [1.0]
    """
    if len(a) != len(b):
        raise BadInput(f"{len(a)} and {len(b)} sets are not pairs")
    return from_common(measure, common_of(a, b), a.sizes, b.sizes)


def common_of(a: Sets, b: Sets) -> Floats:
    """How many elements set i of `a` and set i of `b` share."""
    return np.array([np.intersect1d(a[i], b[i], assume_unique=True).size for i in range(len(a))], np.float64)
