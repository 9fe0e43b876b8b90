"""Label flips: incremental equals rebuilt, one way only, seeds fixed, collapse undone; cuts equal to a plain search."""

import math

import numpy as np
import pytest

from garimpo.contract import BadInput
from garimpo.mirrors._kernels import entropy_cuts
from garimpo.mirrors.thesis.em import SeedEM
from garimpo.mirrors.thesis.pareto import dominance, layers
from mirrors import twins


def collection(seed, positives=40, negatives=400):
    """Binned pairs whose replicas have high values, and seeds of both classes."""
    random = np.random.default_rng(seed)
    good = random.binomial(5, 0.75, (positives, 5))
    bad = random.binomial(5, 0.2, (negatives, 5))
    truth = np.r_[np.ones(positives, int), np.zeros(negatives, int)]
    return random.binomial(5, 0.8, (20, 5)), random.binomial(5, 0.1, (200, 5)), np.r_[good, bad], truth


@pytest.mark.parametrize("mode", ["pu", "nu"])
@pytest.mark.parametrize("threshold", ["entropy", 0.5, 0.6])
def test_incremental_equals_rebuilt(mode, threshold):
    positives, negatives, rest, _ = collection(3)
    seeds = positives if mode == "pu" else negatives
    fast = SeedEM(mode, threshold, seed=5).fit(seeds, rest)
    slow = SeedEM(mode, threshold, seed=5, incremental=False).fit(seeds, rest)
    assert fast.flips_ == slow.flips_ and sum(fast.flips_) > 0
    assert (fast.labels_ == slow.labels_).all()
    assert (fast.positive_ == slow.positive_).all() and (fast.negative_ == slow.negative_).all()


def test_counts_after_flips_equal_counts_from_scratch():
    positives, _, rest, _ = collection(4)
    em = SeedEM("pu").fit(positives, rest)
    weight = len(rest) / 16 / len(positives)
    seeds = em.index.count(_cells(em, positives)) * weight
    assert em.positive_ == pytest.approx(seeds + em.index.count(_cells(em, rest[em.labels_ == 1])))
    assert em.negative_ == pytest.approx(em.index.count(_cells(em, rest[em.labels_ == 0])))


def _cells(em, values):
    rows = {tuple(cell): i for i, cell in enumerate(em.index.cells.tolist())}
    return np.array([rows[tuple(v)] for v in values.tolist()])


@pytest.mark.parametrize(("mode", "schedule"), [("pu", "sequential"), ("pu", "batch"), ("nu", "batch")])
def test_finds_the_replicas(mode, schedule):
    positives, negatives, rest, truth = collection(1)
    em = SeedEM(mode, schedule=schedule).fit(positives if mode == "pu" else negatives, rest)
    scores = em.score(rest)
    wins = (scores[truth == 1][:, None] > scores[truth == 0][None, :]).mean()
    assert wins > 0.9


def test_collapse_is_undone():
    positives, _, rest, _ = collection(2)
    em = SeedEM("pu", threshold=0.99).fit(positives, rest)
    assert em.collapsed_ and em.labels_.mean() <= 0.5


def test_no_em_flips_nothing():
    positives, _, rest, _ = collection(2)
    em = SeedEM("pu", passes=0).fit(positives, rest)
    assert em.flips_ == [] and em.labels_.sum() == 0 and np.ptp(em.score(rest)) > 0


@pytest.mark.parametrize("arguments", [("xu",), ("pu", "magic"), ("pu", 0.5, "never")])
def test_wrong_settings(arguments):
    with pytest.raises(BadInput):
        SeedEM(*arguments)


@pytest.mark.parametrize("smallest", [True, False])
def test_entropy_cuts_equal_a_plain_search(smallest):
    random = np.random.default_rng(11)
    values = np.unique(random.integers(0, 3, (12, 3)), axis=0).astype(np.int32)
    cell = random.permutation(np.repeat(np.arange(len(values), dtype=np.int32), 2))
    alpha = np.sort(random.integers(0, 6, len(cell)) / 5)
    positive = random.integers(0, 4, len(cell)).astype(float)
    negative = np.where(positive == 0, 2.0, 0.0)
    cuts = np.empty(len(values))
    entropy_cuts(values, cell, alpha, positive, negative, smallest, cuts)
    for x in range(len(values)):
        near = [i for i in range(len(cell)) if (values[cell[i]] == values[x]).any()]
        expected = plain_cut([(alpha[i], positive[i], negative[i]) for i in near], smallest)
        assert cuts[x] == expected or (math.isnan(cuts[x]) and expected is None)


def plain_cut(entries, smallest):
    def entropy(part):
        p, n = sum(e[1] for e in part), sum(e[2] for e in part)
        return -sum(c * math.log(c / (p + n)) for c in (p, n) if c)

    if not sum(e[1] for e in entries) or not sum(e[2] for e in entries):
        return None
    cuts = sorted({e[0] for e in entries})[:-1]
    scored = [(entropy([e for e in entries if e[0] <= f]) + entropy([e for e in entries if e[0] > f]), f) for f in cuts]
    if not scored:
        return None
    best = min(s for s, _ in scored)
    equal = [f for s, f in scored if abs(s - best) < 1e-9]
    return equal[0] if smallest else equal[-1]


def test_dominance_and_layers_equal_their_twins():
    random = np.random.default_rng(0)
    for levels in (3, 50):
        first, second = random.integers(0, levels, 200) / levels, random.integers(0, levels, 200) / levels
        assert dominance(first, second).tolist() == twins.dominance(first, second)
        assert layers(first, second).tolist() == twins.layers(first, second)
