"""Who may ask the hosts of a part: the worker that took its lease last."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path

from garimpo.contract.errors import GarimpoError
from garimpo.contract.files import publish_bytes

FENCE = 3.0
"""Seconds in which a worker surely sees that its lease was taken: it looks once a second, at every turn of its loop."""
LOOK_EVERY = 1.0


class Lease:
    """The leases on some parts, small files in a folder that all workers see: who holds it, and the longest delay of a host."""

    def __init__(self, folder: Path, parts: Sequence[int], token: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._files = [folder / f"{part:06d}" for part in parts]
        self._token, self._delay, self._next = token, 0.0, 0.0

    def take(self) -> None:
        """Take the leases; where another worker had one, wait until it has surely stopped and its last request is long ago."""
        earlier = [file.read_text().split() for file in self._files if file.exists()]
        self._write(max((float(delay) for _, delay in earlier), default=0.0))
        if earlier:
            time.sleep(max(FENCE, self._delay))

    def check(self, longest: Callable[[], float], now: float) -> None:
        """Once a second: raise if a lease was taken by another; keep the longest delay up to date."""
        if now < self._next:
            return
        self._next = now + LOOK_EVERY
        if any(file.read_text().split()[0] != self._token for file in self._files):
            raise GarimpoError("another worker has taken over these hosts")
        if longest() > self._delay:
            self._write(longest())

    def _write(self, delay: float) -> None:
        self._delay = delay
        for file in self._files:
            publish_bytes(file, f"{self._token} {delay}\n".encode())
