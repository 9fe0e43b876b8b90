"""How the loop and the learner keep in step.

Rounds of learning follow pages, not a clock: the first is due after `FIRST` rows, each later one when the rows have grown by a
quarter. When one is due, the loop commits what it has, so that the learner sees it. The learner studies, publishes, and writes
down how many rows it has seen. The loop may run ahead of a round that is due by as many rows as led to it; then it starts no
request until the round is done, `LONGEST_WAIT` seconds at most. So what a crawl learns does not depend on who gets the CPU, and
a learner that died holds nothing up for long.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from garimpo.contract import publish_bytes

FIRST, GROWTH = 50, 1.25
LONGEST_WAIT = 20.0


class Studied(msgspec.Struct, frozen=True):
    """What the learner has done: the rows of the last round, how many rounds, and the CPU seconds they took."""

    rows: int = 0
    rounds: int = 0
    seconds: float = 0.0
    said: dict[str, str] = {}
    """What came of each kind in the last round: the version that was published, or why there was none."""


def facts_of(studied: Studied, rows: int) -> dict[str, Any]:
    """What the learner has done, how many rows of pages it has not seen, and at how many its next round is due.

    Args:
        studied: what was done so far.
        rows: how many rows are committed.

    >>> facts_of(Studied(50, 1, 0.2, {"folds": "no two hosts are surely copies of each other"}), 80)["lag"]
    30
    """
    return {**msgspec.structs.asdict(studied), "lag": max(0, rows - studied.rows), "next_due": next_due(studied.rows)}


def next_due(rows: int) -> int:
    """The number of rows at which a round is due, after one that saw so many.

    Args:
        rows: what the last round saw.

    >>> next_due(0), next_due(50), next_due(1000)
    (50, 100, 1250)
    """
    return FIRST if rows < FIRST else max(rows + FIRST, int(rows * GROWTH))


def waited_for(rows: int) -> int:
    """The number of rows at which the loop waits for the next round, after one that saw so many.

    Args:
        rows: what the last round saw.
    """
    due = next_due(rows)
    return due + max(FIRST, due - rows)


def write_studied(folder: Path, studied: Studied) -> None:
    """Write down what the learner has done; the loop reads it.

    Args:
        folder: the crawl folder.
        studied: what was done so far.
    """
    path = _path(folder)
    path.parent.mkdir(parents=True, exist_ok=True)
    publish_bytes(path, msgspec.json.encode(studied))


def read_studied(folder: Path) -> Studied:
    """What the learner has done so far; nothing where there is no such file or it is damaged.

    Args:
        folder: the crawl folder.
    """
    try:
        return msgspec.json.decode(_path(folder).read_bytes(), type=Studied)
    except (OSError, msgspec.DecodeError):
        return Studied()


class Pace:
    """The loop's side: when to commit for the learner, and when to wait for it."""

    def __init__(self, folder: Path, rows: int, timer: Callable[[], float] = time.monotonic) -> None:
        """Begin, or go on.

        Args:
            folder: the crawl folder.
            rows: how many rows are committed already.
            timer: real seconds; waiting for another process is never simulated.
        """
        self._folder, self._timer = folder, timer
        self.rows = rows
        self.studied = read_studied(folder)
        self._counted = min(self.studied.rows, rows)
        """The rows of the last round, or of one that was waited for long enough."""
        self._waits_since: float | None = None
        self._is_new = False
        """Whether a round has ended since the last commit."""

    @property
    def lag(self) -> int:
        """Committed rows that no round has seen."""
        return int(facts_of(self.studied, self.rows)["lag"])

    def wants_commit(self, uncommitted: int) -> bool:
        """Whether a round is due once the rows at hand are committed.

        Args:
            uncommitted: rows since the last commit.
        """
        return self.rows < next_due(self._counted) <= self.rows + uncommitted

    def committed(self, rows: int) -> bool:
        """Rows were committed; True if the learner has ended a round since the last commit.

        Args:
            rows: how many.
        """
        self.rows += rows
        self._look()
        is_new, self._is_new = self._is_new, False
        return is_new

    def must_wait(self) -> bool:
        """Whether no request should start: a round is long due, and may still be waited for."""
        if self.rows < waited_for(self._counted):
            return False
        if self._look():
            return self.must_wait()
        if self._waits_since is None:
            self._waits_since = self._timer()
        if self._timer() - self._waits_since < LONGEST_WAIT:
            return True
        self._counted, self._waits_since = self.rows, None
        return False

    def _look(self) -> bool:
        found = read_studied(self._folder)
        if found == self.studied:
            return False
        self.studied, self._counted, self._waits_since, self._is_new = found, max(self._counted, found.rows), None, True
        return True


def _path(folder: Path) -> Path:
    return folder / "state" / "learner" / "studied.json"
