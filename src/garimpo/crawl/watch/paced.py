"""A value that is made again only as often as it is cheap."""

import time
from collections.abc import Callable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Paced(Generic[Value]):
    """Makes a value anew when asked, but spends no more than a share of one core on it.

    Args:
        make: what makes it.
        share: of a core.

    >>> value = Paced(lambda: 7, share=0.01)
    >>> value(), value()
    (7, 7)
    """

    def __init__(self, make: Callable[[], Value], share: float = 0.002) -> None:
        self._make, self._share = make, share
        self._next = float("-inf")
        self._value: Value | None = None

    def __call__(self) -> Value:
        """The value, perhaps of a moment ago."""
        now = time.monotonic()
        if self._value is None or now >= self._next:
            begun = time.thread_time()
            self._value = self._make()
            self._next = now + (time.thread_time() - begun) / self._share
        return self._value
