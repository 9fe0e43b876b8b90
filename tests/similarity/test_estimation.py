"""Sketches against theory: bias and error over set sizes and similarities."""

import numpy as np
import pytest

from garimpo.similarity import Sets, Sketcher, Sketches, estimate

SLOTS = 128


def pairs_of_sets(size: int, jaccard: float, trials: int, seed: int = 1) -> tuple[Sets, Sets, float]:
    """Random pairs of sets of one size with (nearly) the wanted Jaccard, and the Jaccard they have."""
    common = min(size, max(0, round(2 * size * jaccard / (1 + jaccard))))
    union = 2 * size - common
    values = np.random.default_rng(seed).integers(0, 1 << 64, (trials, union), dtype=np.uint64)
    offsets = np.arange(trials + 1, dtype=np.int64) * size
    left, right = values[:, :size].ravel(), values[:, union - size :].ravel()
    return Sets.from_hashes(left, offsets), Sets.from_hashes(right, offsets), common / union


def errors(method: str, size: int, jaccard: float, trials: int, slots: int = SLOTS, **options: str) -> tuple[np.ndarray, float]:
    """Estimates over many pairs, each pair under other hash functions by being another pair; and the truth."""
    a, b, truth = pairs_of_sets(size, jaccard, trials)
    sketcher = Sketcher(method, slots)
    return estimate(sketcher.sketch(a), sketcher.sketch(b), **options), truth


def pooled_error(method: str, sizes: list[int], trials: int, **options: str) -> float:
    """RMSE over all sizes and similarities, as a share of the error of independent slots."""
    ratios = []
    for size in sizes:
        for jaccard in (0.05, 0.25, 0.5, 0.75, 0.95):
            got, truth = errors(method, size, jaccard, trials, **options)
            if 0 < truth < 1:
                assert abs(got.mean() - truth) < 4.5 * np.sqrt(truth * (1 - truth) / SLOTS / trials) * 1.3
                ratios.append(np.mean((got - truth) ** 2) / (truth * (1 - truth) / SLOTS))
    return float(np.sqrt(np.mean(ratios)))


@pytest.mark.parametrize(("method", "options"), [("min", {}), ("max", {}), ("minmin", {"compare": "bottom_k"})])
def test_classical_sketches_have_the_error_of_theory(method, options):
    # Two minima of one permutation are drawn without replacement, so tiny sets do a little better than theory.
    sizes = [5, 50, 500] if method in ("min", "max") else [50, 500]
    assert 0.95 <= pooled_error(method, sizes, 400, **options) <= 1.05
    assert 0.85 <= pooled_error(method, [5000], 40, **options) <= 1.15


def test_minmax_gains_as_much_as_its_formula_says():
    for size in (6, 100):
        got, truth = errors("minmax", size, 0.5, 6000)
        union = 2 * size - round(2 * size * truth / (1 + truth))
        theory = truth * (1 - truth) / SLOTS * (union - 2) / (union - 1)
        assert got.var() == pytest.approx(theory, rel=0.08)
        assert got.mean() == pytest.approx(truth, abs=3 * np.sqrt(theory / 6000))


@pytest.mark.parametrize("method", ["minmin", "maxmax"])
def test_positional_second_extremes_are_biased_as_the_formula_says(method):
    for jaccard in (0.1, 0.3, 0.5, 0.8):
        got, truth = errors(method, 1000, jaccard, 300, slots=256)
        outside = (1 - truth) / 2
        expected = (truth + truth**2 + 2 * outside * outside * truth) / 2
        assert got.mean() == pytest.approx(expected, abs=4 * got.std() / np.sqrt(300))


def test_fast_similarity_sketching_beats_independent_slots_on_small_sets():
    assert pooled_error("fss", [5, 20, 60, 150, 300], 400) <= 0.92
    assert pooled_error("fss", [1000, 5000], 60) <= 1.1


def test_one_permutation_is_not_much_worse_on_tiny_sets():
    assert pooled_error("oph", [5, 10, 20, 40, 63], 400) <= 1.25
    assert pooled_error("oph", [300, 1000, 5000], 60) <= 1.1


@pytest.mark.parametrize("bits", [1, 2, 4, 8])
def test_packed_sketches_have_their_own_error(bits):
    a, b, truth = pairs_of_sets(2000, 0.6, 400)
    sketcher = Sketcher("min", 256)
    got = estimate(sketcher.sketch(a).pack(bits), sketcher.sketch(b).pack(bits))
    chance = 0.5**bits
    match = truth + (1 - truth) * chance
    theory = np.sqrt(match * (1 - match) / 256) / (1 - chance)
    assert got.mean() == pytest.approx(truth, abs=4 * theory / 20)
    assert got.std() == pytest.approx(theory, rel=0.15)


def test_simhash_measures_the_angle():
    a, b, truth = pairs_of_sets(400, 0.6, 500)
    cosine = 2 * truth / (1 + truth)
    left, right = Sketcher("simhash", 256).sketch(a), Sketcher("simhash", 256).sketch(b)
    apart = (left.values != right.values).mean(axis=1)
    angle = np.arccos(cosine) / np.pi
    assert apart.mean() == pytest.approx(angle, abs=4 * np.sqrt(angle * (1 - angle) / 256 / 500) + 0.002)
    assert apart.std() == pytest.approx(np.sqrt(angle * (1 - angle) / 256), rel=0.15)
    assert estimate(left, right, "cosine").mean() == pytest.approx(cosine, abs=0.02)


def test_matches_of_minwise_are_binomial():
    got, truth = errors("min", 100, 0.5, 2000)
    assert got.var() == pytest.approx(truth * (1 - truth) / SLOTS, rel=0.1)


def test_dice_and_jaccard_rank_alike():
    got, _ = errors("fss", 100, 0.5, 200)
    dice, _ = errors("fss", 100, 0.5, 200, measure="dice")
    assert np.array_equal(np.argsort(got, kind="stable"), np.argsort(dice, kind="stable"))
    assert np.allclose(dice, 2 * got / (1 + got))


def test_bottom_k_of_one_permutation_is_unbiased():
    method = ",".join(f"min{i}" for i in range(1, 65))
    for jaccard in (0.2, 0.7):
        got, truth = errors(method, 1000, jaccard, 400, slots=64, compare="bottom_k")
        assert got.mean() == pytest.approx(truth, abs=4 * got.std() / 20)
        assert got.std() == pytest.approx(np.sqrt(truth * (1 - truth) / 64), rel=0.15)


def test_empty_sets_match_nothing_not_even_each_other():
    nothing = Sets.of([[], []])
    for method in ("fss", "oph", "min", "minmin", "simhash"):
        sketch: Sketches = Sketcher(method, 64).sketch(nothing)
        assert estimate(sketch, sketch).tolist() == [0.0, 0.0]
    packed = Sketcher("fss", 64).sketch(nothing).pack(2)
    assert estimate(packed, packed).tolist() == [0.0, 0.0]
