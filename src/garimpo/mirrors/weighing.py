"""The room's own method: evidence is weighed, weights add up to log odds, and log odds are a probability.

The weights come with the package (`weights.json`; how they were made stands in it). What differs from one collection to the
next is how rare copies are: that share is estimated from the collection itself, by likelihood, so that the probabilities
mean what they say. Pairs are then looked at together: two hosts that are both copies of a third support each other.
Evidence that the pages do not carry has no weight, for or against.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np

from garimpo.mirrors.blocking import Candidates
from garimpo.mirrors.levels import agreed
from garimpo.mirrors.page_scan import Array
from garimpo.mirrors.pair_features import Table
from garimpo.mirrors.third_hosts import company

RARE, COMMON = 1e-6, 0.03
"""The share of copies among the candidates is kept between these."""
UNLIKE, MOST_UNLIKE = 0.2, 12.0
"""Hosts disagree if less than this share of the pages at common paths is alike; each unlike page then counts, up to so many."""


@dataclass(slots=True)
class Weights:
    """Log odds for each level of each kind of evidence, what is to be added to their sum, and where they were learned: from
    what, and the share of copies there."""

    made_from: str
    share: float
    offset: float
    levels: dict[str, list[float]]


@cache
def shipped() -> Weights:
    """The weights that come with the package."""
    return msgspec.json.decode((files("garimpo.mirrors") / "weights.json").read_bytes(), type=Weights)


def weigh(levels: dict[str, Array], table: Table, weights: Weights) -> dict[str, Array]:
    """The weight of each kind of evidence for each pair: positive speaks for a copy, zero says nothing."""
    out = {kind: np.asarray(weights.levels[kind])[level] for kind, level in levels.items()}
    return out | _stated(table)


def _stated(table: Table) -> dict[str, Array]:
    """Evidence that few collections carry. Its weights are set by hand, and low where it speaks for a copy: none decides alone.

    Equal bytes can be missing on true copies, as pages change at every fetch. But where near-duplicates are known, or titles,
    and common paths show neither the like nor the same titles, two sites run one software.
    """
    out = {"redirect": np.digitize(table["redirects"], (0.05, 0.5)) * 2.0}
    both, same = agreed(table)
    disagree = (both > 0) & (same < UNLIKE * both)
    if "near" in table:
        out["unlike"] = np.where(disagree, -np.minimum(both - same, MOST_UNLIKE), 0.0)
    if "titles_both" in table:
        titles = table["titles_both"]
        share = table["titles_same"] / np.maximum(titles, 1)
        other = np.where(disagree, np.minimum(titles, MOST_UNLIKE), 1.0)
        out["titles"] = np.where(titles >= 3, np.where(share >= 0.8, 1.0, np.where(share < UNLIKE, -other, 0.0)), 0.0)
    if "outlinks" in table:
        out["links"] = np.where(table["outlinks"] >= 0.5, 1.0, 0.0) + np.where(table["inlinks"] >= 0.5, 0.5, 0.0)
    return out


def probabilities(parts: dict[str, Array], weights: Weights) -> tuple[Array, float]:
    """The probability of each pair, and the share of copies among the candidates that makes it consistent."""
    evidence = np.sum(list(parts.values()), axis=0) + weights.offset
    if not len(evidence):
        return evidence, 0.0
    share = weights.share
    for _ in range(100):
        estimate = float(np.clip(_sigmoid(evidence + _logit(share)).mean(), RARE, COMMON))
        if abs(estimate - share) < 1e-9:
            break
        share = estimate
    return _sigmoid(evidence + _logit(share)), share


def accompanied(score: Array, pairs: Candidates, table: Table, hosts: int, weights: Weights) -> tuple[Array, Array]:
    """The weight of the company each pair keeps among the likely pairs, and the probabilities with it.

    Where nothing was fetched, company says nothing: one path that three hosts have makes three pairs that look alike.
    """
    part = np.asarray(weights.levels["company"])[company(pairs, score, hosts)]
    part = np.where(np.minimum(table["fetched_a"], table["fetched_b"]) > 0, part, 0.0)
    bounded = np.clip(score, 1e-12, 1.0 - 1e-12)
    return part, _sigmoid(np.log(bounded) - np.log1p(-bounded) + part)


def _logit(share: float) -> float:
    return float(np.log(share / (1.0 - share)))


def _sigmoid(x: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
