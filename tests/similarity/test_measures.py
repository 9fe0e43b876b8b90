"""Measures against their definitions, written out in plain Python; and sketches that know the sizes of their sets."""

import math
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.contract import BadInput
from garimpo.similarity import MEASURES, Sets, Sketcher, TermConfig, estimate, exact, scores, terms_of
from garimpo.similarity.scoring.measures import SET_MEASURES

QUERIES = ["gold gold river", "sand", "no such word"]
CORPUS = ["gold in the river and gold on the hill", "the river river sand", "rain", "the the hill sand gold", "hail"]


def plain(query: str, documents: list[str], measure: str) -> list[float]:
    """The score of each document, straight from the formulas."""
    q, bags = Counter(query.split()), [Counter(text.split()) for text in documents]
    number, length = len(bags), sum(sum(bag.values()) for bag in bags) / len(bags)
    df = Counter(term for bag in bags for term in bag)
    cf, total = Counter(term for text in documents for term in text.split()), sum(sum(bag.values()) for bag in bags)

    def vector(bag: Counter, textbook: bool) -> dict[str, float]:
        if textbook:
            return {t: n * math.log(number / max(df[t], 1)) for t, n in bag.items()}
        return {t: 2.2 * n / (n + 1.2) * (1 + math.log((number + 1) / (df[t] + 1))) for t, n in bag.items()}

    def score(bag: Counter) -> float:
        both, size = [t for t in q if t in bag], sum(bag.values())
        if measure in ("tfidf", "tfidf-textbook"):
            a, b = (vector(side, measure != "tfidf") for side in (q, bag))
            bottom = math.sqrt(sum(x * x for x in a.values()) * sum(x * x for x in b.values()))
            return sum(a[t] * b[t] for t in both) / bottom if bottom else 0.0
        if measure.startswith("bm25"):
            odds = {t: (number - df[t] + 0.5) / (df[t] + 0.5) for t in both}
            idf = {t: math.log(x if measure == "bm25-robertson" else 1 + x) for t, x in odds.items()}
            return sum(q[t] * idf[t] * 2.2 * bag[t] / (bag[t] + 1.2 * (0.25 + 0.75 * size / length)) for t in both)
        if measure == "tfidf-lucene":
            idf = {t: 1 + math.log(number / (df[t] + 1)) for t in q}
            norm = math.sqrt(sum(x * x for x in idf.values()))
            return len(both) / len(q) / norm * sum(q[t] * math.sqrt(bag[t]) * idf[t] ** 2 / math.sqrt(size) for t in both)
        parts = [(t, math.log1p(bag[t] / (2000 * (cf[t] + 1) / (total + 1)))) for t in both]
        if measure == "lm":
            return sum(q[t] * max(0.0, part + math.log(2000 / (size + 2000))) for t, part in parts)
        return sum(q[t] * part for t, part in parts) + sum(q.values()) * math.log(2000 / (size + 2000)) if both else 0.0

    return [score(bag) for bag in bags]


def words_of(texts: list[str]):
    return terms_of(pa.array(texts), TermConfig())


@pytest.mark.parametrize("measure", [name for name in MEASURES if name not in SET_MEASURES])
def test_weighing_measures_follow_their_formulas(measure):
    got = scores(words_of(QUERIES), words_of(CORPUS), measure)
    assert np.allclose(got, [plain(query, CORPUS, measure) for query in QUERIES])
    assert got[0].any() and not got[2].any()


SETS = st.lists(st.integers(0, 60), max_size=40)


@settings(max_examples=60, deadline=None)
@given(SETS, SETS)
def test_measures_of_sets_follow_their_definitions(a, b):
    one, other = set(a), set(b)
    bottoms = {
        "jaccard": len(one | other),
        "dice": (len(one) + len(other)) / 2,
        "cosine": math.sqrt(len(one) * len(other)),
        "containment": len(one),
        "overlap": min(len(one), len(other)),
    }
    for measure, bottom in bottoms.items():
        truth = len(one & other) / bottom if one and other else 0.0
        assert exact(Sets.of([a]), Sets.of([b]), measure)[0] == pytest.approx(truth)
        assert scores(Sets.of([a]), Sets.of([b]), measure)[0, 0] == pytest.approx(truth)


@pytest.mark.parametrize("measure", SET_MEASURES)
@pytest.mark.parametrize("method", ["fss", "min", "minmax", "oph", "simhash"])
@pytest.mark.parametrize(("left", "right", "common"), [(100, 300, 100), (50, 1000, 40), (400, 100, 60), (200, 200, 100)])
def test_estimates_are_right_for_sets_of_unequal_size(method, measure, left, right, common):
    rows = 60
    values = np.random.default_rng(7).integers(0, 1 << 64, (rows, left + right - common), dtype=np.uint64)
    one = Sets.from_hashes(values[:, :left].ravel(), np.arange(rows + 1) * left)
    other = Sets.from_hashes(values[:, left - common :].ravel(), np.arange(rows + 1) * right)
    sketcher = Sketcher(method, 1024)
    got = estimate(sketcher.sketch(one), sketcher.sketch(other), measure).mean()
    assert got == pytest.approx(exact(one, other, measure)[0], abs=0.035)


def test_stored_sketches_keep_the_sizes_and_old_ones_say_what_is_missing(tmp_path):
    from dataclasses import replace

    from garimpo.similarity import Sketches

    sketches = Sketcher("min", 256).sketch(Sets.of([range(30), range(90)]))
    sketches.save(tmp_path / "new")
    assert Sketches.load(tmp_path / "new").sizes.tolist() == [30, 90]
    replace(sketches, sizes=None).save(tmp_path / "old")
    old = Sketches.load(tmp_path / "old")
    assert estimate(old[:1], old[1:]).size == 1
    with pytest.raises(BadInput, match="sizes"):
        estimate(old[:1], old[1:], "cosine")


def test_what_does_not_fit_is_said():
    sketches = Sketcher("min", 16).sketch(Sets.of([[1], [2], [3]]))
    with pytest.raises(BadInput, match="2 and 1"):
        estimate(sketches[:2], sketches[2:])
    with pytest.raises(BadInput, match="2 and 1"):
        exact(Sets.of([[1], [2]]), Sets.of([[1]]))
    with pytest.raises(BadInput, match="no measure is called gold"):
        scores(Sets.of([[1]]), Sets.of([[1]]), "gold")
