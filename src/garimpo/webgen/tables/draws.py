"""Whole arrays of draws, by a counter and a mixer: the same in every version of NumPy."""

import numpy as np
import numpy.typing as npt

from garimpo.webgen.language.chance import number

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]


def bits(seed: int, what: str, count: int) -> Words:
    """`count` 64-bit words drawn for `what`.

    >>> bool((bits(1, "x", 4) == bits(1, "x", 4)).all()), bool((bits(1, "x", 4) == bits(2, "x", 4)).any())
    (True, False)
    """
    with np.errstate(over="ignore"):
        value = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(number(seed, what))
        value = (value ^ (value >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        value = (value ^ (value >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return value ^ (value >> np.uint64(31))


def parts(seed: int, what: str, count: int) -> Floats:
    """`count` numbers in [0, 1)."""
    return (bits(seed, what, count) >> np.uint64(11)).astype(np.float64) / 9007199254740992.0


def below(seed: int, what: str, count: int, limit: int | Ints) -> Ints:
    """`count` whole numbers in [0, limit)."""
    return np.asarray(parts(seed, what, count) * limit, dtype=np.int64)


def normal(seed: int, what: str, count: int) -> Floats:
    """Sums of twelve uniforms: near enough to a normal draw, and the same on every machine."""
    return parts(seed, what, 12 * count).reshape(count, 12).sum(axis=1) - 6.0


def poisson(seed: int, what: str, count: int, mean: float) -> Ints:
    """`count` Poisson draws, at most 15."""
    draw, total, term = parts(seed, what, count), 0.0, float(np.exp(-mean))
    made = np.zeros(count, np.int64)
    for value in range(1, 16):
        total += term
        made += draw >= total
        term *= mean / value
    return made


class Stream:
    """Draws one after another without naming each."""

    def __init__(self, seed: int, what: str) -> None:
        self._seed, self._what, self._turn = seed, what, 0

    def parts(self, count: int) -> Floats:
        self._turn += 1
        return parts(self._seed, f"{self._what}/{self._turn}", count)
