"""`dedup` against brute force, on arrays and on the engine; and input that is bad."""

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo import engine
from garimpo.contract import BadInput
from garimpo.similarity import dedup
from similarity.made import brute_pairs, brute_stars, documents, family


def pairs_of(result) -> dict[tuple[str, str], float]:
    table = result.pairs()
    return {(a, b): j for a, b, j in zip(*(table[name].to_pylist() for name in ("a", "b", "jaccard")))}


def kept_of(near: pa.Table) -> dict[str, str]:
    return dict(zip(near["id"].to_pylist(), near["kept_id"].to_pylist()))


@pytest.mark.parametrize("measure", ["jaccard", "containment"])
@pytest.mark.parametrize("threshold", [0.3, 0.5, 0.8, 1.0])
def test_pairs_and_stars_are_those_of_brute_force(measure, threshold):
    table = documents(250, seed=1)
    result = dedup(table, threshold, measure=measure, slots=512, recall=0.99999)
    expected = brute_pairs(table, threshold, measure)
    assert pairs_of(result) == pytest.approx(expected)
    assert kept_of(result.near) == brute_stars(table, set(expected), table["id"].to_pylist())


@pytest.mark.parametrize("keep", ["longest", "score"])
def test_the_preferred_document_is_kept(keep):
    table = documents(250, seed=2)
    value = [len(t) for t in table["text"].to_pylist()] if keep == "longest" else table["score"].to_pylist()
    ids = table["id"].to_pylist()
    order = [ids[i] for i in sorted(range(len(ids)), key=lambda i: (-value[i], i))]
    result = dedup(table, 0.5, keep=keep, slots=512, recall=0.99999)
    assert kept_of(result.near) == brute_stars(table, set(brute_pairs(table, 0.5)), order)


@pytest.mark.parametrize("sketch", ["min", "max", "minmax", "minmin", "maxmax", "oph", "simhash"])
def test_every_sketch_finds_what_it_promises_and_nothing_wrong(sketch):
    table = documents(300, seed=3, lengths=(60, 90))
    truth = brute_pairs(table, 0.6)
    found = set(pairs_of(dedup(table, 0.6, sketch=sketch, slots=256)))
    assert found <= set(truth)
    assert len(found) >= 0.97 * len(truth)


def test_near_is_one_row_a_document_and_its_own_explanation():
    table = documents(200, seed=4)
    result = dedup(table, 0.5)
    near = result.near.to_pylist()
    assert [row["id"] for row in near] == table["id"].to_pylist()
    pairs = pairs_of(result)
    kept = {row["id"]: row["cluster"] for row in near if row["keep"]}
    for row in near:
        assert row["cluster"] == kept[row["kept_id"]]
        if row["keep"]:
            assert row["kept_id"] == row["id"] and row["similarity"] == 1
        else:
            pair = min(row["id"], row["kept_id"]), max(row["id"], row["kept_id"])
            assert row["similarity"] == pytest.approx(pairs[pair])
    summary = result.summary()
    assert summary["kept"] + summary["removed"] == summary["documents"] == 200
    assert summary["without_text"] == sum(not text for text in table["text"].to_pylist())


@settings(max_examples=15, deadline=None)
@given(st.lists(st.text("abc é\n", max_size=24), max_size=14), st.sampled_from([0.4, 0.75, 1.0]), st.integers(1, 3))
def test_any_small_texts(texts, threshold, shingle):
    table = pa.table({"id": [f"{i:02}" for i in range(len(texts))], "text": pa.array(texts, pa.string())})
    result = dedup(table, threshold, shingle=shingle, slots=512, recall=0.999999)
    assert pairs_of(result) == pytest.approx(brute_pairs(table, threshold, width=shingle))


@pytest.mark.parametrize(
    "options", [{}, {"cap": 2}, {"keep": "longest"}, {"keep": "score"}, {"measure": "containment"}, {"sketch": "minmin"}]
)
def test_the_engine_gives_the_same_rows(options):
    table = documents(300, seed=5)
    here = dedup(table, 0.6, **options)
    with engine.local(threads=2) as opened:
        there = dedup(table, 0.6, engine=opened, **options)
        assert there.near.equals(here.near)
        assert there.pairs().equals(here.pairs())
        assert there.summary() == here.summary()


def test_a_chain_is_not_a_cluster():
    base = [f"w{i}" for i in range(60)]
    second = [*base[:51], *(f"x{i}" for i in range(9))]
    third = [*second[9:], *(f"y{i}" for i in range(9))]
    table = pa.table({"id": ["a", "b", "c"], "text": [" ".join(text) for text in (base, second, third)]})
    near = dedup(table, 0.6).near
    assert kept_of(near) == {"a": "a", "b": "a", "c": "c"}


class TestHotBuckets:
    """Boilerplate, copies and empties must not cost quadratic work."""

    def test_copies_are_folded(self):
        table = pa.table({"id": [str(i) for i in range(20_000)], "text": ["the same boilerplate on every page of it"] * 20_000})
        result = dedup(table)
        summary = result.summary()
        assert summary["kept"] == 1 and summary["pairs_checked"] == 0
        assert summary["capped_copies"] == 20_000 - 64
        assert result.pairs().num_rows == 64 * 63 // 2 + 20_000 - 64

    def test_crowded_buckets_are_capped_and_reported(self):
        shared = " ".join(f"boiler{i}" for i in range(60))
        table = pa.table({"id": [str(i) for i in range(3000)], "text": [f"{shared} only{i}" for i in range(3000)]})
        result = dedup(table, 0.9, cap=64)
        summary = result.summary()
        assert summary["kept"] == 1
        assert summary["capped_buckets"] > 0 and summary["capped_pairs"] > 0
        assert summary["pairs_checked"] <= 64 * 3000 * 3

    def test_a_cap_is_raised_while_the_candidates_stay_few(self):
        shared = " ".join(f"boiler{i}" for i in range(60))
        table = pa.table({"id": [str(i) for i in range(300)], "text": [f"{shared} only{i}" for i in range(300)]})
        result = dedup(table, 0.9)
        assert result.summary()["capped_pairs"] == 0 and result.pairs().num_rows == 300 * 299 // 2

    def test_empty_pages_are_duplicates_of_nothing(self):
        near = dedup(pa.table({"id": ["a", "b", "c"], "text": ["", None, " ?! "]})).near
        assert near["keep"].to_pylist() == [True, True, True]


class TestInput:
    def test_ids_may_be_numbers_absent_or_repeated(self):
        table = pa.table({"id": [7, 8, 7], "text": ["one two three", "one two three", "four"]})
        result = dedup(table)
        assert result.near["id"].to_pylist() == ["7", "8"] and result.summary()["repeated_ids"] == 1
        assert dedup(table.drop_columns(["id"])).near.num_rows == 3

    def test_html_is_read_where_there_is_no_text(self):
        body = "<p>one two three four five six <b>seven</b>"
        table = pa.table({"id": ["a", "b"], "text": ["one two three four five six seven", None], "html": [None, body]})
        assert dedup(table).near["kept_id"].to_pylist() == ["a", "a"]

    def test_bytes_that_are_no_utf8_are_read(self):
        table = pa.table({"id": ["a", "b"], "text": pa.array([b"caf\xe9 " * 8, b"caf\xe9 " * 8], pa.binary())})
        assert dedup(table).near["keep"].to_pylist() == [True, False]

    def test_a_very_long_document(self):
        long = " ".join(str(i) for i in range(1_000_000))
        table = pa.table({"id": ["a", "b"], "text": pa.array([long, long + " more"], pa.large_string())})
        assert dedup(table).near["kept_id"].to_pylist() == ["a", "a"]

    def test_no_documents(self):
        assert dedup(pa.table({"id": pa.array([], pa.string()), "text": pa.array([], pa.string())})).near.num_rows == 0

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"threshold": 0}, "threshold"),
            ({"keep": "best"}, "first, longest, score"),
            ({"keep": "score"}, "column score"),
            ({"measure": "cosine"}, "containment"),
            ({"sketch": "gold"}, "no sketch is called gold"),
            ({"recall": 1}, "recall"),
            ({"shingle": 0}, "shingle"),
            ({"cap": 0}, "cap"),
        ],
    )
    def test_wrong_settings_are_said(self, change, message):
        table = pa.table({"id": ["a"], "text": ["b"]})
        with pytest.raises(BadInput, match=message):
            dedup(table, **change)

    def test_a_missing_column_is_named(self):
        with pytest.raises(BadInput, match="no column text or html"):
            dedup(pa.table({"id": ["a"], "body": ["b"]}))


@pytest.mark.parametrize("threshold", [0.5, 0.6, 0.7, 0.8, 0.9])
def test_recall_is_kept_where_a_family_crowds_at_the_threshold(threshold):
    table = family(260, threshold, seed=3)
    truth = set(brute_pairs(table, threshold, width=1))
    pairs = dedup(table, threshold, shingle=1).pairs()
    found = set(zip(pairs["a"].to_pylist(), pairs["b"].to_pylist()))
    assert len(truth) > 3000 and found <= truth
    assert len(found) >= 0.985 * len(truth)
