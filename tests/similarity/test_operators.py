"""Operators and hash functions of study, merging, and the readings of a sketch as a set."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.contract import BadInput
from garimpo.similarity import Sets, SketchConfig, Sketcher, choose, estimate, exact
from garimpo.similarity.candidates.bands import as_fraction
from garimpo.similarity.sketches.hash_functions import HashFunctions, drawn, explicit, universal
from garimpo.similarity.sketches.operators import NOTHING, mix
from garimpo.similarity.sketches.sketch import seeds_of
from garimpo.similarity.sketches.slot_sets import slot_sets

SETS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 9), max_size=30)


class TestFunctionsOfStudy:
    @settings(max_examples=40, deadline=None)
    @given(SETS, SETS, st.sampled_from(["min", "minmax", "min1,mean", "median,max2"]))
    def test_the_sketcher_and_the_plain_operators_agree(self, a, b, method):
        sets = Sets.of([a, b])
        sketcher = Sketcher(method, slots=8, seed=3)
        seeds = seeds_of(sketcher.config)
        count = 8 // len(sketcher.config.operators)
        functions = HashFunctions("mixer", count, lambda e: np.array([mix(e ^ seed) for seed in seeds[:count]]))
        assert (functions.sketch(sets, method).values == sketcher.sketch(sets).values).all()

    def test_permutations_that_are_drawn_estimate_without_bias(self):
        elements = mix(np.arange(90, dtype=np.uint64)).tolist()  # linear functions are biased on numbers in a row
        one, other = Sets.of([elements[:60]]), Sets.of([elements[30:]])
        for functions in (drawn(elements, 800, 1), universal(800, 1)):
            found = estimate(functions.sketch(one, "minmax"), functions.sketch(other, "minmax"))[0]
            assert found == pytest.approx(1 / 3, abs=0.05)

    def test_what_does_not_fit_is_said(self):
        sets = Sets.of([[1, 2]])
        with pytest.raises(BadInput, match="leaves out"):
            explicit([[1, 3]]).sketch(sets)
        with pytest.raises(BadInput, match="cannot be compared"):
            estimate(universal(8).sketch(sets), Sketcher("min", slots=8, shingle=5).sketch(sets))
        with pytest.raises(BadInput, match="which elements"):
            estimate(universal(8).sketch(sets), universal(8).sketch(sets), compare="elements")
        with pytest.raises(BadInput, match="collision"):
            choose(SketchConfig("mean", 8), as_fraction(0.5))


class TestMerging:
    @settings(max_examples=40, deadline=None)
    @given(SETS, SETS, st.sampled_from(["min", "maxmax", "minmax", "min1,min2,max1,min3"]))
    def test_sketches_of_unions_come_from_sketches(self, a, b, method):
        sketcher = Sketcher(method, slots=24, seed=5)
        one, other, both = (sketcher.sketch(Sets.of([values])) for values in (a, b, [*a, *b]))
        assert (one.merge(other).values == both.values).all()
        assert (one.merge(one).values == one.values).all()

    @pytest.mark.parametrize("method", ["fss", "oph", "simhash", "mean", "min2"])
    def test_what_cannot_be_merged_is_said(self, method):
        sketches = Sketcher(method, slots=8).sketch(Sets.of([[1, 2]]))
        with pytest.raises(BadInput, match="merge"):
            sketches.merge(sketches)


class TestReadings:
    @settings(max_examples=40, deadline=None)
    @given(SETS, SETS)
    def test_enough_slots_select_every_element(self, a, b):
        sketcher, (one, other) = Sketcher("minmax", slots=1024), (Sets.of([values]) for values in (a, b))
        left, right = sketcher.sketch(one), sketcher.sketch(other)
        chosen = slot_sets(left, "elements")[0]
        assert set(chosen.tolist()) <= set(one[0].tolist())
        if len(set(a)) < 10 and len(set(b)) < 10:
            for measure in ("jaccard", "containment"):
                assert estimate(left, right, measure, "elements") == exact(one, other, measure)

    @settings(max_examples=40, deadline=None)
    @given(SETS, SETS)
    def test_slots_as_sets_agree_as_often_as_slots(self, a, b):
        sketcher = Sketcher("minmax", slots=64)
        left, right = (sketcher.sketch(Sets.of([values])) for values in (a, b))
        shared = np.intersect1d(slot_sets(left)[0], slot_sets(right)[0]).size
        assert shared / 64 == estimate(left, right)[0]
        both = (left.values == right.values).reshape(-1, 2).all(axis=1) & (left.values != NOTHING).reshape(-1, 2).all(axis=1)
        assert estimate(left, right, compare="permutations")[0] == both.mean()
