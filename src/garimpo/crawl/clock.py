"""The clock of a crawl: given once to every part that waits, so that a test or a simulation can give another one."""

import select
import time


class Clock:
    """Seconds since the epoch that never run backwards."""

    def __init__(self) -> None:
        self._offset = time.time() - time.monotonic()

    def __call__(self) -> float:
        return self._offset + time.monotonic()

    def wait(self, events: "select.epoll", seconds: float) -> None:
        """Wait until something happens, at most so long."""
        events.poll(max(seconds, 0.0))


class SimulatedClock(Clock):
    """Time that passes only while somebody waits: a crawl over stored pages takes no longer than its work.

    >>> clock = SimulatedClock(5.0)
    >>> clock.wait(select.epoll(), 2.5); clock()
    7.5
    """

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now

    def wait(self, events: "select.epoll", seconds: float) -> None:
        """Let the time pass at once, unless something happened already."""
        if not events.poll(0.0):
            self.now += max(seconds, 0.0)
