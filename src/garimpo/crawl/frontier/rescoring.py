"""The queue in the order of what the scorer thinks now.

A link is scored when it is met, by what was known then. A scorer that learns is asked again from time to time, when it says
that enough has changed (the expected gain of a URL stays a factor): right after a commit, which is made for it, when the queue's
table is the whole truth, so that its scores can be changed there and the hosts' heads filled from it again. One turn looks at a
bounded number of URLs; the next goes on with the hosts that come after.
"""

import sqlite3

import numpy as np
from numpy.typing import NDArray

from garimpo.contract.protocols import Rescorer, Scorer
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.state import queued

MOST = 300_000
"""URLs looked at in one turn."""
NOTABLE, LEAST = 0.05, 0.002
"""A change that is worth a write: a twentieth of the score, and not of what is next to nothing."""


class Rescoring:
    """Gives queued URLs new scores when the scorer has learned enough."""

    def __init__(self, db: sqlite3.Connection, frontier: Frontier, scorer: Scorer) -> None:
        self._db, self._frontier = db, frontier
        self._scorer = scorer if isinstance(scorer, Rescorer) else None
        self._host = 0

    def wants_commit(self) -> bool:
        """Whether the scorer has learned enough to be asked again."""
        return self._scorer is not None and self._scorer.due()

    def after_commit(self) -> int:
        """Look whether it is time; returns how many scores were changed."""
        if self._scorer is None or not (self._scorer.renewed() or self._scorer.due()):
            return 0
        rows, all_seen = queued.scores_after(self._db, self._host, MOST)
        self._host = 0 if all_seen else int(rows["host"][-1])
        moved, scores = self._moved(self._scorer, rows)
        hosts = rows["host"][moved]
        try:
            with self._db:
                self._db.execute("BEGIN IMMEDIATE")
                queued.set_scores(self._db, zip(scores.tolist(), hosts.tolist(), rows["key"][moved].tolist()))
        except sqlite3.OperationalError:  # the disk is full: the old order is an order, too
            return 0
        self._frontier.hosts.reorder(np.unique(hosts).tolist())
        return int(moved.size)

    def _moved(self, scorer: Rescorer, rows: NDArray[np.void]) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Which rows get another score, and which."""
        old = rows["score"]
        new = np.clip(scorer.rescore(np.ascontiguousarray(rows["key"]).view(np.uint64)), -1, 1) * rows["expected"]
        much = NOTABLE * np.maximum(old, new) + LEAST
        moved = np.flatnonzero((new >= 0) & (np.abs(new - old) > much))
        return moved, new[moved]
