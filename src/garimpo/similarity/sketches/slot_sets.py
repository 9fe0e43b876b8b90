"""Sketches as sets, so that whatever compares sets compares sketches: slots, permutations or elements."""

from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.sketches.operators import Hashes, mix, unmix
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import SketchConfig, Sketches, seeds_of

SlotCompare = Literal["positional", "permutations", "elements"]


def slot_sets(sketches: Sketches, compare: SlotCompare = "positional") -> Sets:
    """One set a sketch. What two of them share is how often their sketches agree.

    Args:
        sketches: of any method but simhash, not packed.
        compare: an element of a set is a slot with its value ("positional"), a permutation with all its values ("permutations":
            both limits of minmax must match), or the element of the set that was selected, whatever slot it is in ("elements").

    >>> from garimpo.similarity import Sketcher
    >>> slot_sets(Sketcher("min", slots=64).sketch(Sets.of([[5, 6, 7], []])), "elements").sizes.tolist()
    [3, 0]
    """
    require_compare(sketches.config, compare)
    values = sketches.values.astype(np.uint64)
    real = sketches.values != nothing(sketches.values)
    if compare == "elements":
        names = sketches.config.operators
        values = unmix(values) ^ np.repeat(seeds_of(sketches.config)[: sketches.config.slots // len(names)], len(names))
    else:
        if compare == "permutations":
            values, real = _joined(values, real, max(1, len(sketches.config.operators)))
        values = mix(mix(values) ^ mix(np.arange(1, values.shape[1] + 1, dtype=np.uint64)))
    offsets = np.zeros(len(sketches) + 1, np.int64)
    np.cumsum(real.sum(axis=1), out=offsets[1:])
    return Sets.from_hashes(values[real], offsets)


def require_compare(config: SketchConfig, compare: str) -> None:
    """Raise where sketches cannot be compared so."""
    if compare not in get_args(SlotCompare):
        raise BadInput(f"no comparison is called {compare}: one of {', '.join(get_args(SlotCompare))}")
    if config.method == "simhash" or config.bits:
        raise BadInput("the slots of simhash and of packed sketches are single bits: nothing to look up")
    if compare == "elements" and (not config.operators or {"mean", "median"} & set(config.operators)):
        raise BadInput(
            f"{config.method} does not tell which elements it selected: take min, max, minmax or another list of those"
        )
    if compare == "elements" and config.hash != SketchConfig().hash:
        raise BadInput(f"under {config.hash} it is not known which elements were selected")


def parts(config: SketchConfig, compare: SlotCompare) -> int:
    """How many elements the set of a whole sketch has; their share that two sketches have in common estimates the Jaccard."""
    return config.slots // (max(1, len(config.operators)) if compare == "permutations" else 1)


def _joined(values: Hashes, real: NDArray[np.bool_], each: int) -> tuple[Hashes, NDArray[np.bool_]]:
    """One value a permutation, there if all its slots hold something."""
    shape = (values.shape[0], -1, each)
    out = np.zeros((values.shape[0], values.shape[1] // each), np.uint64)
    for place in range(each):
        out = mix(out ^ values.reshape(shape)[:, :, place]) + np.uint64(place)
    return out, np.asarray(real.reshape(shape).all(axis=2))


def nothing(values: NDArray[Any]) -> Any:
    """The value of a slot that holds nothing."""
    return np.iinfo(values.dtype).max
