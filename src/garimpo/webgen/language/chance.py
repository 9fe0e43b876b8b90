"""Chance that repeats itself: every draw is a function of the world's seed and of what is drawn.

Nothing here depends on the order of calls, on Python's hash or on the machine, so a page made first and a page made last
are the same page in every run.
"""

import random
from collections.abc import Sequence
from typing import TypeVar

from xxhash import xxh64_intdigest

T = TypeVar("T")


def number(seed: int, *what: object) -> int:
    """64 bits drawn for `what`.

    >>> number(1, "host", 7) == number(1, "host", 7), number(1, "host", 7) == number(2, "host", 7)
    (True, False)
    """
    return xxh64_intdigest("\x1f".join(map(str, what)).encode(), seed & 0xFFFFFFFFFFFFFFFF)


def identity(*what: object) -> int:
    """A positive 63-bit name for `what`, the same in every world.

    >>> identity("a") == identity("a"), identity("a") > 0
    (True, True)
    """
    return number(0, *what) >> 1


def share(seed: int, *what: object) -> float:
    """A number in [0, 1) drawn for `what`."""
    return (number(seed, *what) >> 11) / 9007199254740992.0


def pick(options: Sequence[T], seed: int, *what: object) -> T:
    """One of `options`, drawn for `what`.

    >>> pick("abc", 5, "x") in "abc"
    True
    """
    return options[number(seed, *what) % len(options)]


def shuffled(options: Sequence[T], seed: int, *what: object) -> list[T]:
    """All of `options` in an order drawn for `what`."""
    keyed = [(number(seed, *what, index), index) for index in range(len(options))]
    return [options[index] for _, index in sorted(keyed)]


def some(options: Sequence[T], count: int, seed: int, *what: object) -> list[T]:
    """`count` different ones of `options`, drawn for `what`."""
    return shuffled(options, seed, *what)[:count]


class Dice:
    """A stream of draws for one thing. Only `random.Random.random` is used, whose values Python promises to keep."""

    def __init__(self, seed: int, *what: object) -> None:
        self.roll = random.Random(number(seed, *what)).random

    def below(self, limit: int) -> int:
        return int(self.roll() * limit)

    def between(self, low: int, high: int) -> int:
        """A whole number in [low, high]."""
        return low + int(self.roll() * (high - low + 1))

    def one(self, options: Sequence[T]) -> T:
        return options[int(self.roll() * len(options))]

    def chance(self, probability: float) -> bool:
        return self.roll() < probability

    def lognormal(self, median: float, spread: float) -> float:
        """Twelve uniforms make a normal draw without the platform's mathematics library."""
        normal = sum(self.roll() for _ in range(12)) - 6.0
        return median * power(2.0, spread * normal)


def power(base: float, exponent: float) -> float:
    """`base ** exponent` rounded so that the last bits of a platform's library do not matter."""
    return float(f"{base**exponent:.9g}")
