"""The room's own method: amounts of evidence are weighed, weights add up to log odds, and log odds are a probability.

The weights come with the package (`weights.json`: a dozen, and how they were made). They were fitted on collections of several
makers, and their scale on collections whose maker the fit had left out, so that a score means the same on a web that nobody
fitted anything to. What differs from one collection to the next is how rare copies are: that share is estimated from the
collection itself, inside bounds; and how much evidence copies have there, which its sure pairs tell (`adapting`). No answer is
surer than the pages that were compared allow: hosts known by few URLs, or by URLs alone, get a score near the middle at most.
"""

from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import numpy as np

from garimpo.mirrors.adapting import taught
from garimpo.mirrors.evidence import PARTS, agreed
from garimpo.mirrors.page_scan import Array
from garimpo.mirrors.pair_features import Table

RARE, COMMON = 0.0003, 0.05
"""The share of copies among the candidates is taken to lie between these."""
MAKE_SURE = ("name", "redirect", "address")
"""The kinds of evidence that make a pair sure, or go with what does."""
UNREAD, A_PAGE = 0.8, 2.0
"""Log odds that nothing compared allows at most, and how they grow with the odds of a page that agrees to one that differs."""


@dataclass(slots=True)
class Weights:
    """What each amount of evidence is multiplied by, what is to be added to the sum, and where they were learned."""

    made_from: str
    offset: float
    weights: dict[str, float]


@cache
def shipped() -> Weights:
    """The weights that come with the package."""
    return msgspec.json.decode((files("garimpo.mirrors") / "weights.json").read_bytes(), type=Weights)


def weigh(amounts: dict[str, Array], weights: Weights) -> dict[str, Array]:
    """The log odds that each kind of evidence gives each pair: positive speaks for a copy, zero says nothing."""
    out = {}
    for kind, names in PARTS.items():
        known = [amounts[name] * weights.weights.get(name, 1.0) for name in names if name in amounts]
        if known:
            out[kind] = np.sum(known, axis=0)
    return out


def probabilities(parts: dict[str, Array], table: Table, weights: Weights, sure: Array) -> tuple[Array, float]:
    """The probability of each pair, and the share of copies among the candidates that it rests on.

    Adds to the parts how rare copies are, among pairs of as much evidence (`rarity`), and what is taken off because little was
    compared (`doubt`).
    """
    evidence = np.sum(list(parts.values()), axis=0) + weights.offset
    share = estimated_share(evidence)
    odds = evidence + _logit(share)
    both, same = agreed(table)
    differ = both - same
    most = UNREAD + A_PAGE * (np.log1p(same) - np.log1p(differ)) - differ / np.maximum(both, 1)
    apart = np.sum([parts[kind] for kind in MAKE_SURE if kind in parts], axis=0)
    learned = taught(odds - apart, sigmoid(_limited(odds, most)), sure)
    limited = _limited(odds + learned, most)
    parts["rarity"] = weights.offset + _logit(share) + learned
    parts["doubt"] = limited - odds - learned
    return sigmoid(limited), share


def _limited(odds: Array, most: Array) -> Array:
    return most - np.logaddexp(0.0, most - odds)


def estimated_share(evidence: Array) -> float:
    """The share of copies that agrees with the probabilities it leads to."""
    share = COMMON
    for _ in range(200 if len(evidence) else 0):
        estimate = float(np.clip(sigmoid(evidence + _logit(share)).mean(), RARE, COMMON))
        if abs(estimate - share) < 1e-9:
            break
        share = estimate
    return share


def _logit(share: float) -> float:
    return float(np.log(share / (1.0 - share)))


def sigmoid(x: Any) -> Any:
    """Log odds as a probability."""
    return 1.0 / (1.0 + np.exp(-np.clip(x, -60, 60)))
