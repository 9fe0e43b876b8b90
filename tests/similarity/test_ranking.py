"""Ranking: equal to scoring everything, whatever the blocks; terms of every kind; inputs of every kind."""

import numpy as np
import pyarrow as pa
import pytest

from garimpo.contract import BadInput
from garimpo.similarity import MEASURES, Sketcher, TermConfig, estimate, rank, scores, terms_of
from garimpo.similarity.retrieval import ranking
from garimpo.similarity.scoring.stop_lists import stop_words
from garimpo.similarity.scoring.terms import parse_widths
from similarity.made import documents


@pytest.mark.parametrize("measure", MEASURES)
def test_blocks_change_nothing(measure, monkeypatch):
    table = documents(120, seed=5)
    queries = table.slice(0, 15)
    whole = rank(queries, table, measure=measure, top=7)
    monkeypatch.setattr(ranking, "BLOCK", 300)
    monkeypatch.setattr(ranking, "CELLS", 64)
    batches = pa.Table.from_batches(table.to_batches(max_chunksize=9))
    assert rank(queries, batches, measure=measure, top=7).equals(whole)
    config = ranking.term_config(measure)
    every = scores(terms_of(queries["text"], config), terms_of(table["text"], config), measure)
    ids = table["id"].to_pylist()
    for row, name in enumerate(queries["id"].to_pylist()):
        got = [(r["id"], r["similarity"]) for r in whole.to_pylist() if r["query"] == name]
        values = every[row][[ids.index(document) for document, _ in got]]
        assert np.allclose(values, [value for _, value in got])
        if measure != "lm-unclipped" and got:
            shared = np.sort(every[row][every[row] != 0])[::-1]
            assert np.allclose(values, shared[: len(got)]) and len(got) == min(7, shared.size)


def test_containment_is_the_share_of_the_query():
    found = rank(["gold river"], ["gold river sand rain"], measure="containment").to_pylist()
    assert found[0]["similarity"] == 1.0
    assert rank(["gold river sand rain"], ["gold river"], measure="containment").to_pylist()[0]["similarity"] == 0.5


class Stream:
    """Any table of another library."""

    def __init__(self, table):
        self._table = table

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)


def test_lists_streams_and_paths(tmp_path):
    texts = ["gold in the river", "rain on the hill"]
    (tmp_path / "c.jsonl").write_text('{"id": "x", "text": "gold in the river"}\n{"id": "y", "text": "rain on the hill"}\n')
    table = pa.table({"id": ["x", "y"], "text": texts})
    wanted = rank(["river gold"], table)
    for corpus in (Stream(table), tmp_path / "c.jsonl", str(tmp_path / "c.jsonl"), [tmp_path / "c.jsonl"]):
        assert rank(["river gold"], corpus).equals(wanted)
    assert rank(["river gold"], texts)["id"].to_pylist() == ["row 1"]


@pytest.mark.parametrize("wrong", [[1, 2], 7, {"text": "x"}, ["a text", "none.parquet"], pa.table({"name": ["x"]}), b"x"])
def test_what_is_no_document_is_a_clear_error(wrong):
    with pytest.raises(BadInput):
        rank(["x"], wrong)


def counts(text: str, **options) -> int:
    return int(terms_of(pa.array([text]), TermConfig(**options)).lengths[0])


def test_units():
    text = "Gold in 1849. Sand!\n\nThe 2nd paragraph, again."
    assert counts(text) == 8 and counts(text, digits=False) == 7
    assert counts(text, stop_words=stop_words("en")) == 5
    assert counts(text, units="sentences") == 3 and counts(text, units="paragraphs") == 2
    assert counts("abc d", units="characters", widths=(3,)) == 3
    assert counts("", units="sentences") == counts("", units="characters") == 0
    cased = terms_of(pa.array(["Gold", "gold"]), TermConfig(keep_case=True)).values
    assert cased[0] != cased[1] == terms_of(pa.array(["gold"]), TermConfig()).values[0]


def test_widths_together_are_the_widths_apart():
    texts = pa.array(["a b c d", "", "e", None, "a b a b"])
    both = terms_of(texts, TermConfig(widths=(1, 3)))
    apart = [terms_of(texts, TermConfig(widths=(w,))) for w in (1, 3)]
    for row in range(5):
        parts = [t.values[t.offsets[row] : t.offsets[row + 1]].tolist() for t in apart]
        assert both.values[both.offsets[row] : both.offsets[row + 1]].tolist() == [*parts[0], *parts[1]]


def test_stop_words_from_a_file(tmp_path):
    (tmp_path / "stop.txt").write_text("# mine\nGold\n\nriver sand\n")
    assert stop_words(str(tmp_path / "stop.txt")) == {"gold", "river", "sand"}
    with pytest.raises(BadInput, match="neither a language"):
        stop_words(str(tmp_path / "none.txt"))


@pytest.mark.parametrize("wrong", ["0", "x", "2-1", "", "1-", "101"])
def test_wrong_widths(wrong):
    with pytest.raises(BadInput):
        TermConfig(widths=parse_widths(wrong))


@pytest.mark.parametrize(
    ("sketch", "compare"), [("fss", "positional"), ("min1,min2,max1", "elements"), ("minmax", "permutations")]
)
def test_ranking_by_sketches_is_the_estimate_of_each_pair(sketch, compare):
    texts = [text for text in documents(40, seed=6)["text"].to_pylist() if text][:23]
    queries, corpus = texts[:3], texts[3:]
    how = {"measure": "containment", "sketch": sketch, "slots": 96, "compare": compare, "seed": 4}
    found = {(row["query"], row["id"]): row["similarity"] for row in rank(queries, corpus, top=20, **how).to_pylist()}
    sketcher = Sketcher(sketch, 96, shingle=1, seed=4)
    left, right = (sketcher.read(part)[0] for part in (queries, corpus))
    for i in range(3):
        for j in range(20):
            wanted = estimate(left[np.array([i])], right[np.array([j])], "containment", compare)[0]
            assert found.get((f"row {i + 1}", f"row {j + 1}"), 0.0) == pytest.approx(wanted)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"measure": "tfidf", "sketch": "min"}, "no measure is called tfidf"),
        ({"measure": "jaccard", "sketch": "simhash"}, "single bits"),
        ({"measure": "jaccard", "sketch": "fss", "compare": "elements"}, "which elements"),
        ({"measure": "jaccard", "sketch": "least"}, "no sketch is called least"),
    ],
)
def test_sketches_that_do_not_fit(how, message):
    with pytest.raises(BadInput, match=message):
        rank(["a"], ["a"], **how)
