"""How many new pages are still to be expected of a crawl: as many of what waits as of what was fetched last."""

import math
import sqlite3
from typing import Any

from garimpo.crawl.keeping.gains import LEAST, NEW, PART
from garimpo.crawl.state import fetched, queued

MOST = 2_000
"""Fetches that are looked at, at most."""
DEVIATIONS = 1.96
"""Of the interval, which holds in 95 of 100 cases."""


def saturation(db: sqlite3.Connection) -> dict[str, Any]:
    """How many of the last fetches brought a new page, and how many new pages that lets expect of the URLs that wait.

    The best is fetched first, so what waits rather brings less. Nothing is said while too little was fetched.

    Args:
        db: the state file.
    """
    rows = fetched.lately(db, min(MOST, max(LEAST, fetched.count(db) // PART)))
    if len(rows) < LEAST:
        return {}
    new = sum(status == 200 and gain > NEW and outcome is None for status, gain, outcome in rows)
    waiting = queued.count(db) - queued.count_postponed(db)
    low, high = interval(new, len(rows))
    told = {"fetches": len(rows), "new": new, "expected": round(waiting * new / len(rows))}
    return told | {"low": math.floor(waiting * low), "high": math.ceil(waiting * high)}


def interval(hits: int, of: int) -> tuple[float, float]:
    """The interval of a share, after Wilson.

    Args:
        hits: how many were counted.
        of: of how many.

    >>> [round(bound, 3) for bound in interval(0, 100)], [round(bound, 3) for bound in interval(50, 100)]
    ([0.0, 0.037], [0.404, 0.596])
    """
    share, extra = hits / of, DEVIATIONS**2 / of
    middle = share + extra / 2
    width = DEVIATIONS * math.sqrt(share * (1 - share) / of + extra / of / 4)
    return max(0.0, (middle - width) / (1 + extra)), min(1.0, (middle + width) / (1 + extra))
