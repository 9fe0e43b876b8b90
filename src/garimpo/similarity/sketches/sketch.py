"""Sketches: short rows of numbers whose matching slots tell how similar two sets are."""

import os
import re
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import BadInput, Model, load_model, save_model
from garimpo.contract.versions import HASH, SKETCH_FORMAT, WORDS
from garimpo.similarity.sketches.operators import merged, mix, selected
from garimpo.similarity.sketches.sets import Sets

OPERATORS = {
    "min": ("min1",),
    "max": ("max1",),
    "minmax": ("min1", "max1"),
    "minmin": ("min1", "min2"),
    "maxmax": ("max1", "max2"),
}
"""What a named method keeps of each permutation. Any other list, as "min1,min2,max1" or "mean,median", is a method too."""

METHODS = ("fss", *OPERATORS, "oph", "simhash")
ROUNDS = 16
USUAL_SLOTS = 128
LARGEST_SLOTS = 65_536


def operators_of(method: str) -> tuple[str, ...]:
    """What a method keeps of each permutation.

    >>> operators_of("minmax"), operators_of("min1,mean")
    (('min1', 'max1'), ('min1', 'mean'))
    """
    names = OPERATORS.get(method) or tuple(method.split(","))
    if not all(re.fullmatch(r"(min|max)[1-9]\d{0,3}|mean|median", name) for name in names) or len(set(names)) < len(names):
        known = ", ".join(METHODS)
        raise BadInput(f"no sketch is called {method}: one of {known}, or a list such as min1,min2,max1")
    return names


def usual_slots(method: str) -> int:
    """How many slots a sketch has if nothing is said: 128, or as many below as its operators divide.

    >>> usual_slots("fss"), usual_slots("min1,min2,max1")
    (128, 126)
    """
    values = 1 if method in ("fss", "oph", "simhash") else len(operators_of(method))
    return max(1, USUAL_SLOTS // values) * values


@dataclass(frozen=True)
class SketchConfig:
    """All that a sketch's numbers depend on. Sketches of different configurations are never compared.

    Args:
        method: the name of the sketch, or its order statistics.
        slots: numbers in a sketch.
        shingle: words in a shingle.
        seed: of the hash functions.
        words: the definition of words.
        hash: the hash function and its version.
        format: the version of the format.
    """

    method: str = "fss"
    slots: int = 128
    shingle: int = 5
    seed: int = 0
    bits: int = 0
    """0: whole slots; else only the lowest `bits` of each slot are kept (b-bit sketch)."""
    words: str = WORDS
    hash: str = HASH
    format: int = SKETCH_FORMAT

    def __post_init__(self) -> None:
        if not 1 <= self.slots <= LARGEST_SLOTS:
            raise BadInput(f"a sketch has 1 to {LARGEST_SLOTS} slots, not {self.slots}")
        if not 1 <= self.shingle <= 100:
            raise BadInput(f"a shingle has 1 to 100 words, not {self.shingle}")
        if not 0 <= self.bits <= 16:
            raise BadInput(f"a b-bit sketch keeps 1 to 16 bits a slot, not {self.bits}")
        if self.method not in ("fss", "oph", "simhash") and self.slots % len(self.operators):
            raise BadInput(f"{self.method} keeps {len(self.operators)} values a permutation: {self.slots} slots do not divide")

    @cached_property
    def operators(self) -> tuple[str, ...]:
        """What is kept of each permutation; empty for the methods that are not made of order statistics.

        >>> SketchConfig("min1,min2,max1", slots=96).operators
        ('min1', 'min2', 'max1')
        """
        return () if self.method in ("fss", "oph", "simhash") else operators_of(self.method)

    def require_same(self, other: "SketchConfig") -> None:
        """Raise where two configurations differ, naming what differs."""
        mine, others = asdict(self), asdict(other)
        different = [f"{name} {mine[name]} and {others[name]}" for name in mine if mine[name] != others[name]]
        if different:
            raise BadInput(f"these sketches cannot be compared: {', '.join(different)}")


@dataclass(frozen=True)
class Sketches:
    """One row of slots a document, with the configuration that made them.

    Args:
        config: all that the numbers depend on.
        values: the slots.
    """

    config: SketchConfig
    values: NDArray[Any]
    sizes: NDArray[np.int64] | None = None
    """How many elements each set has; without it only Jaccard can be estimated."""

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def __getitem__(self, rows: slice | NDArray[np.int64]) -> "Sketches":
        return Sketches(self.config, self.values[rows], None if self.sizes is None else self.sizes[rows])

    def merge(self, other: "Sketches") -> "Sketches":
        """The sketches of the unions: of row i here and row i of `other`, without their elements.

        Args:
            other: as many sketches, made the same way, of order statistics (min, max, minmax, min1,min2, ...).

        >>> from garimpo.similarity import Sets
        >>> sketcher = Sketcher("minmax", slots=8)
        >>> one, other, both = (sketcher.sketch(Sets.of([range(*ends)])) for ends in ((0, 9), (5, 20), (0, 20)))
        >>> bool((one.merge(other).values == both.values).all())
        True
        """
        self.config.require_same(other.config)
        if len(self) != len(other):
            raise BadInput(f"{len(self)} and {len(other)} sketches are not pairs")
        if self.config.bits or not self.config.operators or {"mean", "median"} & set(self.config.operators):
            raise BadInput(f"sketches of {self.config.method}{' that were packed' * bool(self.config.bits)} cannot be merged")
        return Sketches(self.config, merged(self.values, other.values, self.config.operators))

    def pack(self, bits: int) -> "Sketches":
        """Only the lowest `bits` of each slot, one byte or two in memory, `bits` on disk."""
        from dataclasses import replace

        if self.config.bits or self.config.method == "simhash":
            raise BadInput("these sketches are packed already")
        kind = np.uint8 if bits <= 8 else np.uint16
        low = (self.values & self.values.dtype.type((1 << bits) - 1)).astype(kind)
        return Sketches(replace(self.config, bits=bits), low, self.sizes)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write sketches with their configuration; `load` refuses what another format or word definition made."""
        values, bits = self.values, 1 if self.config.method == "simhash" else self.config.bits
        if bits:
            planes = ((values[:, :, None] >> np.arange(bits, dtype=values.dtype)) & 1).astype(np.uint8)
            values = np.packbits(planes.reshape(len(self), -1), axis=1)
        arrays = {"values": values} if self.sizes is None else {"values": values, "sizes": self.sizes}
        save_model(path, Model("sketches", self.config.method, asdict(self.config), arrays))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "Sketches":
        """Read what `save` wrote."""
        model = load_model(path, "sketches")
        if model.parameters.get("format") != SKETCH_FORMAT:
            raise BadInput(f"{path}: sketch format {model.parameters.get('format')}, this program reads {SKETCH_FORMAT}")
        try:
            config = SketchConfig(**model.parameters)
            values = model.arrays["values"]
            bits = 1 if config.method == "simhash" else config.bits
            if bits:
                kind = np.uint8 if bits <= 8 else np.uint16
                planes = np.unpackbits(values, axis=1)[:, : config.slots * bits].reshape(-1, config.slots, bits)
                values = (planes * (1 << np.arange(bits))).sum(axis=2).astype(kind)
        except (TypeError, KeyError, ValueError) as error:
            raise BadInput(f"{path}: not a file of sketches ({error})") from None
        if values.ndim != 2 or values.shape[1] != config.slots:
            raise BadInput(f"{path}: not a file of sketches (its rows do not have {config.slots} slots)")
        sizes = model.arrays.get("sizes")
        if sizes is not None and sizes.shape != values.shape[:1]:
            raise BadInput(f"{path}: not a file of sketches ({sizes.size} sizes of {len(values)} sets)")
        return cls(config, values, sizes)


def seeds_of(config: SketchConfig) -> NDArray[np.uint64]:
    """What makes each permutation of a configuration another one."""
    count = ROUNDS if not config.operators and config.method != "simhash" else config.slots
    return np.random.Generator(np.random.PCG64(config.seed)).integers(0, 1 << 64, count, dtype=np.uint64)


class Sketcher:
    """Makes sketches: of texts, or of shingle sets.

    Args:
        method: `fss`, `oph`, `min`, `max`, `minmax`, `minmin`, `maxmax`, `simhash`, or a list such as `min1,min2`.
        slots: numbers in a sketch.
        shingle: words in a shingle.
        seed: of the hash functions.

    >>> sketcher = Sketcher(slots=64, shingle=1)
    >>> sketches, sets = sketcher.read(["panning the river for gold", "panning a river for gold", ""])
    >>> sketches.values.shape, sets.sizes.tolist()
    ((3, 64), [5, 5, 0])
    """

    def __init__(self, method: str = "fss", slots: int | None = None, shingle: int = 5, seed: int = 0) -> None:
        self.config = SketchConfig(method, usual_slots(method) if slots is None else slots, shingle, seed)
        self._seeds = seeds_of(self.config)

    def read(self, texts: pa.Array | pa.ChunkedArray | list[str | None]) -> tuple[Sketches, Sets]:
        """The sketches of texts, and the shingle sets they were made of (which the exact check needs)."""
        column = pa.array(texts, pa.large_string()) if isinstance(texts, list) else texts
        sets = Sets.from_texts(column, self.config.shingle)
        return self.sketch(sets), sets

    def sketch(self, sets: Sets) -> Sketches:
        """The sketches of sets of 64-bit hashes."""
        from garimpo.similarity import _kernels

        config, rows = self.config, len(sets)
        values: NDArray[Any]
        if config.method == "fss":
            values = np.empty((rows, config.slots), np.uint32)
            _kernels.fast_similarity(sets.values, sets.offsets, self._seeds, values)
        elif config.method == "oph":
            values = np.empty((rows, config.slots), np.uint32)
            _kernels.one_permutation(sets.values, sets.offsets, self._seeds[0], values)
        elif config.method == "simhash":
            values = np.empty((rows, config.slots), np.uint8)
            _kernels.sign_bits(sets.values, sets.offsets, self._seeds[: -(-config.slots // 64)], values)
        else:
            values = self._extremes(sets)
        return Sketches(config, values, sets.sizes)

    def _extremes(self, sets: Sets) -> NDArray[np.uint64]:
        from garimpo.similarity._kernels import extremes

        names = self.config.operators
        if {"mean", "median"} & set(names):
            return self._selected(sets)
        smallest = max((int(name[3:]) for name in names if name.startswith("min")), default=0)
        largest = max((int(name[3:]) for name in names if name.startswith("max")), default=0)
        permutations = self.config.slots // len(names)
        every = np.empty((len(sets), permutations * (smallest + largest)), np.uint64)
        extremes(sets.values, sets.offsets, self._seeds[:permutations], smallest, largest, every)
        wanted = [int(name[3:]) - 1 + (smallest if name.startswith("max") else 0) for name in names]
        if wanted == list(range(smallest + largest)):
            return every
        chosen = every.reshape(len(sets), permutations, smallest + largest)[:, :, wanted]
        return np.ascontiguousarray(chosen.reshape(len(sets), -1))

    def _selected(self, sets: Sets) -> NDArray[np.uint64]:
        """By a sort of each set under each permutation: for operators that have no kernel."""
        names = self.config.operators
        out = np.empty((len(sets), self.config.slots), np.uint64)
        for row in range(len(sets)):
            for number, seed in enumerate(self._seeds[: self.config.slots // len(names)]):
                out[row, number * len(names) : (number + 1) * len(names)] = selected(mix(sets[row] ^ seed), names)
        return out
