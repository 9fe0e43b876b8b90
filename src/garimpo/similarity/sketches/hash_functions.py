"""Hash functions to choose from, and any operator under them: for study, one set at a time, not for speed.

`Sketcher` mixes 64-bit hashes with a strong mixer, in kernels. Here are explicit permutations of a small universe, as the
source's worked examples have them, and the linear functions of universal hashing. Mean and median are here too: they have no
collision property (two sets nine tenths alike almost never have one mean), so no bands are made of them.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.sketches.operators import selected
from garimpo.similarity.sketches.sets import Hashes, Sets
from garimpo.similarity.sketches.sketch import SketchConfig, Sketches, operators_of

PRIME = np.uint64((1 << 31) - 1)


@dataclass(frozen=True)
class HashFunctions:
    """Some functions from elements to numbers; `name` is stored with the sketches, and other names are not compared with."""

    name: str
    count: int
    apply: Callable[[Hashes], NDArray[np.uint64]]
    """The numbers of elements, one row a function."""

    def sketch(self, sets: Sets, method: str = "min") -> Sketches:
        """The sketches of sets under these functions.

        Args:
            sets: sets of elements.
            method: as of `Sketcher`, but for those not made of operators: "minmax", or a list such as "min1,mean".

        >>> functions = explicit(["abcde", "daceb", "eabcd"])
        >>> [chr(value) for value in functions.chosen(Sets.of([map(ord, "ace")]), "min")[0]]
        ['a', 'a', 'e']
        """
        names = operators_of(method)
        config = SketchConfig(method, len(names) * self.count, hash=self.name)
        rows = [np.concatenate([selected(row, names) for row in self.apply(sets[i])]) for i in range(len(sets))]
        return Sketches(config, np.array(rows, np.uint64).reshape(len(sets), -1), sets.sizes)

    def chosen(self, sets: Sets, method: str = "min") -> list[list[Any]]:
        """The elements that stand in the slots (None: none), where an operator chooses one."""
        out = []
        for row, values in enumerate(self.sketch(sets, method).values):
            place = {}
            for function, numbers in enumerate(self.apply(sets[row])):
                place.update({(function, int(n)): int(e) for n, e in zip(numbers, sets[row])})
            each = values.size // self.count
            out.append([place.get((slot // each, int(value))) for slot, value in enumerate(values)])
        return out


def explicit(orders: Sequence[Iterable[Any]]) -> HashFunctions:
    """Permutations written down: each lists all elements (numbers, or single characters) from the lowest to the highest.

    Args:
        orders: the permutations.
    """
    ranks = [{_number(element): rank for rank, element in enumerate(order)} for order in orders]

    def apply(elements: Hashes) -> NDArray[np.uint64]:
        try:
            return np.array([[rank[int(e)] for e in elements] for rank in ranks], np.uint64).reshape(len(ranks), -1)
        except KeyError as missing:
            raise BadInput(f"a permutation leaves out the element {missing}") from None

    return HashFunctions("explicit permutations", len(ranks), apply)


def drawn(universe: Iterable[int], count: int, seed: int = 0) -> HashFunctions:
    """Random permutations of a universe.

    Args:
        universe: all elements.
        count: how many permutations.
        seed: of the draw.
    """
    chance, elements = np.random.default_rng(seed), sorted(set(universe))
    return explicit([chance.permutation(np.array(elements, np.uint64)).tolist() for _ in range(count)])


def universal(count: int, seed: int = 0) -> HashFunctions:
    """Universal hashing: (a x + b) mod p with p = 2^31 - 1, a and b drawn at the start. Not min-wise independent.

    Args:
        count: how many functions.
        seed: of a and b.
    """
    chance = np.random.default_rng(seed)
    a, b = (chance.integers(low, int(PRIME), (count, 1), dtype=np.uint64) for low in (1, 0))
    return HashFunctions(f"universal {seed}", count, lambda elements: (a * (elements % PRIME)[None, :] + b) % PRIME)


def _number(element: Any) -> int:
    return ord(element) if isinstance(element, str) else int(element)
