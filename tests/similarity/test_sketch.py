"""Sketches: the spec's vectors, laws that must hold, storing, and refusing to mix."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.contract import BadInput
from garimpo.similarity import Sets, SketchConfig, Sketcher, Sketches, estimate, exact
from garimpo.similarity.sketches.hash_functions import explicit
from garimpo.similarity.sketches.sketch import METHODS

hash_lists = st.lists(st.integers(0, 2**64 - 1), max_size=60)


def plain_mix(value: int) -> int:
    """The twin of `mix64`."""
    mask = 2**64 - 1
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & mask
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & mask
    return value ^ (value >> 31)


def plain_extremes(values: list[int], seeds: list[int], names: tuple[str, ...]) -> list[int]:
    """The twin of `extremes`: sort the permuted set and pick."""
    out = []
    for seed in seeds:
        order = sorted(plain_mix(value ^ seed) for value in set(values))
        for name in names:
            rank = int(name[3:])
            at = rank - 1 if name.startswith("min") else -rank
            out.append(order[at] if rank <= len(order) else 2**64 - 1)
    return out


@settings(max_examples=60, deadline=None)
@given(st.lists(hash_lists, max_size=5))
def test_sets_are_sorted_and_unique(lists):
    sets = Sets.of(lists)
    assert [sets[i].tolist() for i in range(len(sets))] == [sorted(set(row)) for row in lists]
    again = Sets.from_arrow(sets.to_arrow())
    assert np.array_equal(again.values, sets.values) and np.array_equal(again.offsets, sets.offsets)
    rows = np.arange(len(sets))[::-1].copy()
    assert [sets.take(rows)[i].tolist() for i in range(len(sets))] == [sets[i].tolist() for i in rows]


def test_crowded_and_repeated_hashes_sort_too():
    many = [7] * 5000 + list(range(3000)) + [2**64 - 1, 2**63]
    assert Sets.of([many])[0].tolist() == sorted(set(many))


@settings(max_examples=40, deadline=None)
@given(hash_lists.filter(bool), st.sampled_from(["min", "max", "minmax", "minmin", "maxmax", "min1,min2,max1", "max3,min2"]))
def test_extremes_equal_their_plain_twin(values, method):
    sketcher = Sketcher(method, slots=12, seed=3)
    names = sketcher.config.operators
    seeds = np.random.Generator(np.random.PCG64(3)).integers(0, 1 << 64, 12, dtype=np.uint64)[: 12 // len(names)]
    got = sketcher.sketch(Sets.of([values])).values[0].tolist()
    assert got == plain_extremes(values, [int(s) for s in seeds], names)


@settings(max_examples=30, deadline=None)
@given(hash_lists, hash_lists)
def test_minima_of_a_union_are_the_minima_of_both(a, b):
    sketch = Sketcher("min", 16).sketch(Sets.of([a, b, a + b])).values
    assert np.array_equal(np.minimum(sketch[0], sketch[1]), sketch[2])


@pytest.mark.parametrize("method", METHODS)
def test_sketches_depend_on_the_set_alone(method):
    sketcher = Sketcher(method, 64)
    rng = np.random.default_rng(0)
    values = rng.integers(0, 1 << 63, 5000).tolist()
    together = sketcher.sketch(Sets.of([values, values[::-1] + values[:7], values[:1]])).values
    assert np.array_equal(together[0], together[1])
    assert np.array_equal(sketcher.sketch(Sets.of([values[:1]])).values[0], together[2])
    assert not np.array_equal(Sketcher(method, 64, seed=1).sketch(Sets.of([values])).values[0], together[0])


def test_a_longer_sketch_begins_with_the_shorter_one():
    sets = Sets.of([range(100)])
    for method in ("min", "minmax"):
        long, short = (Sketcher(method, slots).sketch(sets).values[0] for slots in (64, 16))
        assert np.array_equal(long[:16], short)


@pytest.mark.parametrize("bits", [0, 1, 3, 12])
def test_stored_sketches_come_back_and_do_not_mix(tmp_path, bits):
    sketches = Sketcher("fss", 40).sketch(Sets.of([range(30), range(10, 50)]))
    sketches = sketches.pack(bits) if bits else sketches
    sketches.save(tmp_path / "a.sketches")
    again = Sketches.load(tmp_path / "a.sketches")
    assert again.config == sketches.config and np.array_equal(again.values, sketches.values)
    other = Sketcher("fss", 40, seed=9).sketch(Sets.of([range(30), range(10, 50)]))
    with pytest.raises(BadInput, match="seed 0 and 9"):
        estimate(again, other)


def test_simhash_is_stored_as_bits(tmp_path):
    sketches = Sketcher("simhash", 100).sketch(Sets.of([range(30), range(10, 50)]))
    sketches.save(tmp_path / "a.sketches")
    assert np.array_equal(Sketches.load(tmp_path / "a.sketches").values, sketches.values)


def test_a_file_that_holds_no_sketches_is_refused(tmp_path):
    (tmp_path / "x").write_bytes(b"no")
    with pytest.raises(BadInput, match="not a model file"):
        Sketches.load(tmp_path / "x")


@pytest.mark.parametrize("method", ["gold", "min0", "min1,min1", "mean1", ""])
def test_unknown_methods_are_named(method):
    with pytest.raises(BadInput, match="no sketch is called"):
        Sketcher(method)


@pytest.mark.parametrize("options", [{"slots": 0}, {"shingle": 0}, {"method": "minmax", "slots": 3}, {"bits": 17}])
def test_impossible_configurations_are_refused(options):
    with pytest.raises(BadInput):
        SketchConfig(**options)


class TestVectorsOfTheSource:
    """The worked example of the dissertation, with its own permutations in place of hashes."""

    SETS = ("ace", "bcd", "be")
    ORDERS = ("abcde", "daceb", "eabcd")

    def sets(self) -> Sets:
        return Sets.of([map(ord, members) for members in self.SETS])

    @pytest.mark.parametrize(
        ("method", "rows"),
        [("min", ("aae", "bdb", "bee")), ("max", ("eec", "dbd", "ebb")), ("min2", ("cca", "ccc", "ebb"))],
    )
    def test_signatures(self, method, rows):
        chosen = explicit(self.ORDERS).chosen(self.sets(), method)
        assert tuple("".join(map(chr, row)) for row in chosen) == rows

    @pytest.mark.parametrize(
        ("method", "matches"),
        [("min", (0, 1, 1)), ("max", (0, 1, 1)), ("minmax", (0, 2, 2)), ("minmin", (2, 1, 1)), ("maxmax", (2, 1, 1))],
    )
    def test_matches(self, method, matches):
        sketches = explicit(self.ORDERS).sketch(self.sets(), method)
        left, right = sketches[np.array([0, 0, 1])], sketches[np.array([1, 2, 2])]
        assert (estimate(left, right) * sketches.config.slots).round(9).tolist() == list(matches)

    @pytest.mark.parametrize("method", ["min", "max", "minmax", "minmin", "maxmax"])
    def test_the_second_vector(self, method):
        """One limit agrees under each permutation, never both."""
        sketches = explicit(["abcde", "edcba"]).sketch(Sets.of([map(ord, "ab"), map(ord, "abd")]), method)
        assert estimate(sketches[:1], sketches[1:])[0] == 0.5
        if method == "minmax":
            assert estimate(sketches[:1], sketches[1:], compare="permutations")[0] == 0


def test_exact_measures():
    a, b = Sets.of([[1, 2, 3, 4]]), Sets.of([[3, 4, 5]])
    assert exact(a, b)[0] == pytest.approx(2 / 5)
    assert exact(a, b, "dice")[0] == pytest.approx(4 / 7)
    assert exact(a, b, "cosine")[0] == pytest.approx(2 / np.sqrt(12))
    assert exact(a, b, "containment")[0] == pytest.approx(2 / 4)
    assert exact(a, b, "overlap")[0] == pytest.approx(2 / 3)
