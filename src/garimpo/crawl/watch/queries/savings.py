"""What learning saved, and how sure that is: estimated from the checks that the crawl made of its own rules."""

import sqlite3
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from garimpo.crawl.state import rule_rows
from garimpo.crawl.watch.journal import Point
from garimpo.report.words import count, share

CONFIDENCE = 0.95
WINDOWS = 24


class Savings(NamedTuple):
    """Fetches saved, checks of the rules that saved them, how many of these showed another page, and bounds for that share."""

    saved: int
    checks: int
    unequal: int
    share: float
    at_most: float


def savings(db: sqlite3.Connection, saved: int) -> Savings:
    """What the checks say of the URLs that stand skipped.

    Args:
        db: the state file.
        saved: how many URLs learned rules and folds skip.
    """
    records = [(checks, unequal) for _, _, _, checks, unequal, withdrawn in rule_rows.records(db) if not withdrawn]
    checks, unequal = sum(checks for checks, _ in records), sum(unequal for _, unequal in records)
    return Savings(saved, checks, unequal, unequal / checks if checks else 0.0, upper_bound(unequal, checks))


def upper_bound(unequal: int, checks: int) -> float:
    """The largest share of errors that so few unequal checks would not rule out (Clopper and Pearson).

    Args:
        unequal: checks that showed another page.
        checks: all checks.

    >>> round(upper_bound(0, 58), 3), upper_bound(0, 0), upper_bound(3, 3)
    (0.05, 1.0, 1.0)
    """
    if unequal >= checks:
        return 1.0
    from scipy.special import betaincinv

    return float(betaincinv(unequal + 1, checks - unequal, CONFIDENCE))


def savings_words(found: Savings, stored: int, different: int, learns: bool) -> str:
    """What was saved in a few sentences that follow the numbers, also where nothing was.

    Args:
        found: what the checks say.
        stored: how many answers are stored.
        different: how many different pages are among them.
        learns: whether the crawl learns.

    >>> savings_words(Savings(0, 0, 0, 0.0, 1.0), 100, 90, True)
    'Learning has saved no fetch so far.'
    """
    if not learns and not found.saved:
        return "This crawl does not learn."
    if not found.saved:
        return "Learning has saved no fetch so far."
    told = f"What was learned saved {count(found.saved, 'fetch', 'fetches')}. "
    if not found.checks:
        return f"{told}None of them was checked yet."
    plain = stored + found.saved
    fresh = different + found.share * found.saved
    told += f"Without it about {plain:,} fetches would have brought {round(fresh):,} different pages "
    told += f"({share(fresh, plain)} of them new); with it {stored:,} brought {different:,} ({share(different, stored)}). "
    wrong = found.at_most * found.saved
    told += f"Of {count(found.checks, 'check')} {found.unequal or 'none'} showed another page: with 95 % confidence at most "
    return f"{told}{share(found.at_most, 1)} of what was skipped ({count(max(1, round(wrong)), 'page')}) was worth a fetch."


def new_per_fetch(points: Sequence[Point], error: float) -> tuple[list[tuple[float, float]], list[tuple[float, float]]]:
    """The share of fetches that brought a new page, over time: as it was, and as it would have been without learning.

    The second line counts what rules and folds skipped in each stretch as fetched there, and as new in the share of `error`.

    Args:
        points: how the numbers grew.
        error: the share of what was skipped that was worth a fetch.
    """
    with_it, without = [], []
    for before, after in _stretches(points):
        fetched, new, saved = after.stored - before.stored, after.different - before.different, after.skipped - before.skipped
        with_it.append((after.seconds, max(0.0, min(1.0, new / fetched))))
        saved = max(0, saved)
        without.append((after.seconds, max(0.0, min(1.0, (new + error * saved) / (fetched + saved)))))
    return with_it, without


def _stretches(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Pairs of points with about equally many fetches between them."""
    if len(points) < 2:
        return []
    step = max(1, (points[-1].stored - points[0].stored) // WINDOWS)
    chosen = [points[0]]
    for point in points[1:]:
        if point.stored - chosen[-1].stored >= step:
            chosen.append(point)
    return list(pairwise(chosen))
