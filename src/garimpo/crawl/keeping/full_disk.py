"""A disk that is full pauses the crawl, with a message, until there is room again."""

import errno
import sqlite3
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from garimpo.contract.errors import GarimpoError, spoken

T = TypeVar("T")
PAUSE = 2.0


class RetryOnFullDisk:
    """Runs what writes to the disk, again and again while the disk is full, until `give_up` is set."""

    def __init__(self, folder: Path, pause: float = PAUSE) -> None:
        self._folder, self._pause = folder, pause
        self.give_up = False
        self.paused = 0

    def run(self, write: Callable[[], T]) -> T:
        """The result of `write`, which must be safe to call again after it failed."""
        reported = False
        while True:
            try:
                return write()
            except (OSError, sqlite3.OperationalError) as error:
                if not is_full(error):
                    raise
                if self.give_up:
                    way = spoken("garimpo.crawl.resume", "--resume")
                    raise GarimpoError(f"{self._folder}: disk full; what was committed is safe, {way} goes on") from None
                if not reported:
                    print(f"garimpo: {self._folder}: disk full, waiting for room", file=sys.stderr, flush=True)
                    reported = True
                self.paused += 1
                time.sleep(self._pause)


def is_full(error: Exception) -> bool:
    """Whether an error says that the disk, or the user's share of it, is full.

    >>> is_full(OSError(errno.ENOSPC, "no space")), is_full(OSError(errno.EIO, "broken"))
    (True, False)
    """
    if isinstance(error, OSError):
        return error.errno in (errno.ENOSPC, errno.EDQUOT)
    return "full" in str(error)
