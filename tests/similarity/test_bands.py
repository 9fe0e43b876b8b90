"""Bands: the integral is exact, the choice is the cheapest, and real sketches follow the curve."""

from fractions import Fraction

import numpy as np
import pytest
from scipy.integrate import quad

from garimpo.contract import BadInput
from garimpo.similarity import Sets, SketchConfig, Sketcher, choose, explain
from garimpo.similarity.candidates.bands import as_fraction, candidate_probability
from garimpo.similarity.candidates.pairs import keys_of


@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.7, 0.8, 0.9, 0.99])
@pytest.mark.parametrize("recall", [0.9, 0.99])
def test_the_recall_promised_is_the_integral_and_reaches_the_target(threshold, recall):
    bands = choose(SketchConfig(), as_fraction(threshold), recall)
    integral, _ = quad(lambda s: 1 - (1 - s**bands.rows) ** bands.bands, threshold, 1)
    assert bands.recall == pytest.approx(integral / (1 - threshold), abs=1e-9)
    assert float(bands.curve(np.array([threshold]))[0]) >= recall, "where the pairs of one template crowd"
    assert bands.bands * bands.rows <= 128


def test_a_threshold_of_one_needs_one_band():
    assert choose(SketchConfig(), Fraction(1), 0.99).bands == 1


def test_what_cannot_be_reached_is_promised_as_it_is():
    bands = choose(SketchConfig(slots=4), as_fraction(0.1), 0.999)
    assert (bands.bands, bands.rows) == (4, 1) and bands.recall < 0.999


def test_bands_can_be_given():
    bands = choose(SketchConfig(), as_fraction(0.7), bands=30, rows=4)
    assert (bands.bands, bands.rows) == (30, 4) and bands.recall > 0.999
    for wrong in ({"bands": 30}, {"bands": 30, "rows": 5}, {"bands": 0, "rows": 4}):
        with pytest.raises(BadInput, match="bands"):
            choose(SketchConfig(), as_fraction(0.7), **wrong)


@pytest.mark.parametrize("method", ["minmin", "maxmax", "minmax", "min1,min2,max1"])
def test_bands_take_whole_permutations(method):
    config = SketchConfig(method, slots=126)
    assert choose(config, as_fraction(0.7)).rows % len(config.operators) == 0


def test_no_bands_for_a_second_minimum_alone():
    with pytest.raises(BadInput, match="no known collision probability"):
        choose(SketchConfig("min2", 64), as_fraction(0.7))


@pytest.mark.parametrize("method", ["fss", "oph", "min", "minmin", "minmax"])
@pytest.mark.parametrize("jaccard", [0.4, 0.6, 0.75])
def test_sketches_follow_the_curve(method, jaccard):
    trials, size = 1500, 200
    common = round(2 * size * jaccard / (1 + jaccard))
    truth = common / (2 * size - common)
    values = np.random.default_rng(5).integers(0, 1 << 64, (trials, 2 * size - common), dtype=np.uint64)
    rows = np.concatenate([values[:, :size], values[:, size - common :]]).ravel()
    sketches = Sketcher(method, 128).sketch(Sets.from_hashes(rows, np.arange(2 * trials + 1) * size))
    keys = keys_of(sketches, 16, 6)
    met = (keys[:trials] == keys[trials:]).any(axis=1).mean()
    expected = float(candidate_probability(np.array([truth]), 16, 6)[0])
    assert met == pytest.approx(expected, abs=4 * np.sqrt(expected * (1 - expected) / trials) + 0.015)


def test_simhash_meets_at_least_as_often_as_promised():
    trials, size, common = 600, 200, 178
    values = np.random.default_rng(5).integers(0, 1 << 64, (trials, 2 * size - common), dtype=np.uint64)
    rows = np.concatenate([values[:, :size], values[:, size - common :]]).ravel()
    sketches = Sketcher("simhash", 256).sketch(Sets.from_hashes(rows, np.arange(2 * trials + 1) * size))
    bands = choose(sketches.config, as_fraction(0.8), 0.9)
    keys = keys_of(sketches, bands.bands, bands.rows)
    met = (keys[:trials] == keys[trials:]).any(axis=1).mean()
    assert met >= float(bands.curve(np.array([common / (2 * size - common)]))[0]) - 0.05


@pytest.mark.parametrize("threshold", [0, 1.5, -1, "gold", float("nan")])
def test_thresholds_outside_are_refused(threshold):
    with pytest.raises(BadInput, match="the threshold is"):
        as_fraction(threshold)


def test_explanation_adds_up():
    plan = explain(choose(SketchConfig(), as_fraction(0.8)), 10_000)
    assert plan["bands"] * plan["rows"] <= plan["slots"]
    assert plan["curve"]["1"] == 1.0 and plan["curve"]["0.1"] < 0.01
    sampled = explain(choose(SketchConfig(), as_fraction(0.8)), 10_000, (np.array([0.0, 0.9]), np.array([99.0, 1.0])))
    assert sampled["predicted_pairs"] == pytest.approx(0.01 * 10_000 * 9_999 / 2, rel=0.05)
