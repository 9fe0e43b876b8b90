"""The fence around one answer: what goes wrong over it is told and counted, and the crawl goes on.

What is not the answer's fault passes: a full or broken disk, a damaged state file, a stop that was asked for. In tests the
fence is off (`GARIMPO_FENCE=0`), so that no mistake hides behind it.
"""

import os
import sqlite3
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from garimpo.contract.errors import GarimpoError

FAULTS = "faults"
_OURS = (OSError, sqlite3.Error, MemoryError, GarimpoError)


def is_on() -> bool:
    """Whether the fence stands."""
    return os.environ.get("GARIMPO_FENCE") != "0"


class Fence:
    """Holds back what goes wrong over one answer.

    >>> counts = Counter()
    >>> fence = Fence(lambda *event, **fields: None, counts)
    >>> with fence.around("page", "http://a.org/"):
    ...     _ = 1 / (0 if is_on() else 1)
    >>> fence.failed == is_on()
    True
    """

    def __init__(self, log: Callable[..., None], counts: Counter[str]) -> None:
        """A fence.

        Args:
            log: writes a line to the crawl's log.
            counts: the crawl's counters.
        """
        self._log, self._counts = log, counts
        self.failed = False
        """Whether something went wrong in the last block."""

    @contextmanager
    def around(self, what: str, url: str) -> Iterator[None]:
        """Run a block for one answer.

        Args:
            what: what is done, for the log.
            url: of the answer.
        """
        self.failed = False
        try:
            yield
        except _OURS:
            raise
        except Exception as error:
            if not is_on():
                raise
            self.failed = True
            self._counts[FAULTS] += 1
            self._log("fault", doing=what, url=url, error=repr(error)[:500], traceback=traceback.format_exc()[-4000:])
