"""Which known pages are worth a visit now: change rates learned from earlier visits, and the visits that keep most pages fresh.

A visit `t` seconds after the last one finds a page changed with chance 1 - exp(-rate t). What earlier visits found gives each
of a grid of rates a likelihood; how common each rate is among all pages (a log-normal law) is learned from all of them, and
stands in for what a page with few visits has not shown yet.

Under a budget most pages are fresh, in the mean of time, where every page is visited as soon as (1 - (1 + x) exp(-x)) / rate,
x being rate times the time since its last visit, reaches one bound that all pages share: so this is what a visit is worth, in
seconds, and those worth most are made. Pages that change too fast to be kept fresh never come to much. One visit in ten goes
to a page drawn at random, so that what was misjudged is seen again, and at intervals of all lengths.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

DAY = 86_400.0
GRID = np.geomspace(1 / (1_000 * DAY), 1 / 600.0, 48)
"""The rates that are told apart, in changes a second."""
AT_RANDOM = 0.1
"""The share of the visits that goes to pages drawn at random."""
_MIDDLE, _SPREAD = np.log(1 / (7 * DAY)), 2.0
"""What is believed of the logarithms of rates before any visit, with the weight of one page."""
_ROUNDS, _DRAWN, _TOGETHER = 30, 20_000, 20_000

Floats = NDArray[np.float64]


class Visits(NamedTuple):
    """What earlier visits found, ordered by page."""

    page: NDArray[np.int64]
    interval: Floats
    """Seconds since the visit before."""
    changed: NDArray[np.bool_]


def chances_of_rates(visits: Visits, pages: int) -> NDArray[np.float32]:
    """For each page the chance of every rate of the grid.

    Args:
        visits: what earlier visits found.
        pages: how many pages there are; those without a visit change as pages do here.

    >>> often, never = [(0, DAY, True)] * 20, [(1, DAY, False)] * 20
    >>> page, interval, changed = map(np.array, zip(*often, *never))
    >>> fast, slow, unseen = chances_of_rates(Visits(page, interval, changed), 3) @ np.log(GRID * DAY)
    >>> bool(fast > 0 > unseen > slow)
    True
    """
    bounds = np.searchsorted(visits.page, np.arange(pages + 1))
    visited = np.flatnonzero(np.diff(bounds))
    common = _common(_likelihood(visits, bounds, visited[:: max(1, len(visited) // _DRAWN)]))
    chances = np.empty((pages, len(GRID)), np.float32)
    chances[:] = common
    for begin in range(0, len(visited), _TOGETHER):
        some = visited[begin : begin + _TOGETHER]
        found = _likelihood(visits, bounds, some) * common
        chances[some] = found / found.sum(1, keepdims=True)
    return chances


def worth(chances: NDArray[np.float32], since: Floats) -> Floats:
    """What a visit of each page brings now, in seconds.

    Args:
        chances: of the rates of each page.
        since: seconds since its last visit.

    >>> sure = np.eye(len(GRID), dtype=np.float32)
    >>> slow, fast, frantic = worth(sure[[10, 30, 47]], np.full(3, DAY))
    >>> bool(fast > slow and fast > frantic)
    True
    """
    found = np.empty(len(chances))
    for begin in range(0, len(chances), _TOGETHER):
        some = slice(begin, begin + _TOGETHER)
        expected = since[some, None] * GRID
        gain = (-np.expm1(-expected) - expected * np.exp(-expected)) / GRID
        found[some] = (chances[some] * gain).sum(1)
    return found


def choose(values: Floats, count: int, dice: np.random.Generator) -> NDArray[np.int64]:
    """The pages to visit, those worth most first; some are drawn at random.

    Args:
        values: what a visit of each page is worth.
        count: how many are visited.
        dice: where chance comes from.

    >>> choose(np.arange(100.0), 10, np.random.default_rng(0))[:9].tolist()
    [99, 98, 97, 96, 95, 94, 93, 92, 91]
    """
    order = np.argsort(-values, kind="stable")
    drawn = dice.binomial(min(count, len(order)), AT_RANDOM) if count < len(order) else 0
    best, others = order[: count - drawn], order[count - drawn :]
    return np.concatenate([best, dice.choice(others, drawn, replace=False)])


def _likelihood(visits: Visits, bounds: NDArray[np.int64], pages: NDArray[np.int64]) -> Floats:
    """How likely each rate makes what was found at each of some pages, which have a visit each; at most 1."""
    if not len(pages):
        return np.zeros((0, len(GRID)))
    sizes = bounds[pages + 1] - bounds[pages]
    ends = np.cumsum(sizes)
    rows = np.arange(ends[-1]) + np.repeat(bounds[pages] - (ends - sizes), sizes)
    expected = visits.interval[rows, None] * GRID
    logs = np.where(visits.changed[rows, None], np.log(-np.expm1(-expected)), -expected)
    sums = np.add.reduceat(logs, ends - sizes)
    return np.exp(sums - sums.max(1, keepdims=True))


def _common(likelihood: Floats) -> Floats:
    """How common each rate is: a log-normal law, by expectation-maximisation; a free one would believe in extremes."""
    logs, middle, spread = np.log(GRID), _MIDDLE, _SPREAD
    for _ in range(_ROUNDS if len(likelihood) else 0):
        chances = likelihood * _law(logs, middle, spread)
        weight = (chances / chances.sum(1, keepdims=True)).sum(0)
        middle = (weight @ logs + _MIDDLE) / (weight.sum() + 1)
        spread = np.sqrt((weight @ (logs - middle) ** 2 + _SPREAD**2) / (weight.sum() + 1))
    return _law(logs, middle, spread)


def _law(logs: Floats, middle: float, spread: float) -> Floats:
    law = np.exp(-0.5 * ((logs - middle) / spread) ** 2)
    return law / law.sum()
