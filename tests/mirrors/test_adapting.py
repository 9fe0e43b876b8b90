"""What sure pairs teach: odds move with what the collection shows, and not without sure pairs."""

import numpy as np
import pytest

from garimpo.mirrors.adapting import LIKELY, MOST, taught
from garimpo.mirrors.weighing import sigmoid


def collection(strangers_at, count, seed=1, sure_share=0.3):
    """Copies whose odds lie around 0, some of them sure, and strangers around another place."""
    random = np.random.default_rng(seed)
    odds = np.concatenate([random.normal(0.5, 1.2, 200), random.normal(strangers_at, 0.8, count)])
    return odds, sigmoid(odds), np.arange(len(odds)) < 200 * sure_share


def test_without_strangers_near_the_odds_rise():
    odds, probability, sure = collection(-9.0, 5000)
    moved = taught(odds, probability, sure)
    near = (odds > -1.5) & (odds < 0.0)
    assert near.sum() > 20 and moved[near].min() > 0.5 and moved.max() <= MOST


def test_a_crowd_of_strangers_lowers_the_odds():
    odds, probability, sure = collection(-0.8, 2000)
    moved = taught(odds, probability, sure)
    near = (odds > -1.5) & (odds < 0.0)
    assert moved[near].max() < -0.5
    assert moved[odds > LIKELY].min() >= 0.0


def test_few_sure_pairs_change_little_and_none_nothing():
    odds, probability, sure = collection(-9.0, 5000)
    assert not taught(odds, probability, np.zeros(len(odds), bool)).any()
    few = np.arange(len(odds)) < 2
    assert np.abs(taught(odds, probability, few)).max() < np.abs(taught(odds, probability, sure)).max() / 2
    assert not len(taught(np.zeros(0), np.zeros(0), np.zeros(0, bool)))


@pytest.mark.parametrize("at", [-40.0, 40.0])
def test_odds_off_the_scale_are_finite(at):
    odds = np.array([at, 0.0, 1.0])
    moved = taught(odds, sigmoid(odds), np.array([True, True, False]))
    assert np.isfinite(moved).all() and (at > 0 or moved[0] == 0.0)
