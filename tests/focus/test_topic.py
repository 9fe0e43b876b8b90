"""Topic classifiers on texts made of known words, their files, and what they do with bad input."""

import random

import numpy as np
import pyarrow as pa
import pytest
import scipy.sparse as sp

from garimpo.contract import BadInput, Page
from garimpo.focus import METHODS, SVMC, BPrTFIDF, PositiveUnlabelled, TopicJudge, TopicModel, Vocabulary
from garimpo.focus.linear import scaled
from garimpo.focus.thesis.bprtfidf import search_p
from garimpo.focus.thesis.svmc import cosine, one_class, one_dnf
from garimpo.page import words

COMMON = [f"word{i}" for i in range(200)]
GOLD = ["gold", "gravel", "pan", "nugget", "river", "sluice", "ore", "miner"]
CAKE = ["cake", "flour", "sugar", "oven", "butter", "cream", "icing", "bake"]


def texts(topic: list[str], count: int, seed: int) -> list[str]:
    chance = random.Random(seed)
    return [
        " ".join(chance.choices(COMMON, k=chance.randint(10, 60)) + chance.choices(topic, k=chance.randint(3, 9)))
        for _ in range(count)
    ]


@pytest.fixture(scope="module")
def corpus() -> tuple[list[str], list[str], list[str], np.ndarray]:
    unlabelled = texts(GOLD, 30, 1) + texts(CAKE, 270, 2)
    test = texts(GOLD, 50, 3) + texts(CAKE, 150, 4)
    return texts(GOLD, 40, 0), unlabelled, test, np.arange(200) < 50


@pytest.mark.parametrize("method", METHODS)
def test_every_method_tells_gold_from_cake(method, corpus, tmp_path):
    positive, unlabelled, test, truth = corpus
    model = TopicModel.train(positive, unlabelled, method)
    scores = model.score(test)
    assert scores.min() >= 0 and scores.max() <= 1
    assert ((scores > 0.5) == truth).mean() > 0.95
    assert {word for word, _ in model.words(4)} <= set(GOLD)
    model.save(tmp_path / "gold.model")
    assert np.array_equal(TopicModel.load(tmp_path / "gold.model").score(test), scores)


def test_ten_positives_are_enough_here(corpus):
    positive, unlabelled, test, truth = corpus
    assert ((TopicModel.train(positive[:10], unlabelled).score(test) > 0.5) == truth).mean() > 0.9


def test_the_kernel_counts_and_weighs_as_plain_python_does(corpus):
    positive, unlabelled, test, _ = corpus
    vocabulary = Vocabulary.of(positive + unlabelled, least=2)
    counts = vocabulary.counts(test)
    assert counts.sum(axis=1).A1.tolist() == [float(len(words(text))) for text in test]
    scale = np.random.default_rng(0).random(len(vocabulary)).astype(np.float32)
    weight = np.random.default_rng(1).random(len(vocabulary)).astype(np.float32)
    for binary in (True, False):
        for euclidean in (True, False):
            expected = scaled(counts, scale.astype(float), binary, euclidean) @ weight.astype(float)
            assert np.allclose(vocabulary.weigh(test, scale, weight, binary, euclidean), expected, atol=1e-5)
    assert np.isnan(vocabulary.weigh([""], scale, weight, True, True)[0])


def test_terms_are_numbered_by_document_frequency():
    vocabulary = Vocabulary.of(["a b", "a c", "a b b"])
    assert vocabulary.counts(["a", "b", "c"]).toarray().argmax(axis=1).tolist() == [0, 1, 2]


def test_bprtfidf_is_the_formula():
    X, y = np.array([[2.0, 1, 0], [1, 1, 2], [0, 1, 3]]), np.array([1, 0, 0])
    model = BPrTFIDF(p=0.5).fit(X, y)
    share = X / X.sum(axis=1, keepdims=True)
    inside, outside = share[0], share[1] + share[2]
    positive = share @ (inside / (inside + outside))
    b = 1.5 / 0.5
    expected = np.clip((1 + b * positive - (1 - positive)) / 2, 0, 1)
    assert np.allclose(model.predict_proba(X)[:, 1], expected)
    assert ((expected > 0.5) == (model.predict(X) == 1)).all()


def test_the_search_for_p_takes_the_smallest_of_equals():
    assert search_p(np.array([0.9, 0.8]), np.array([0.1, 0.2])) == 0.0
    assert search_p(np.array([0.3, 0.3]), np.array([0.05] * 8)) == pytest.approx(0.41)


def test_mappers_find_strong_negatives():
    positive = sp.csr_matrix(np.tile([1.0, 1, 0, 0], (5, 1)))
    unlabelled = sp.csr_matrix(np.array([[1.0, 1, 0, 0], [0, 0, 1, 1], [0, 0, 0, 1]]))
    assert one_dnf(positive, unlabelled)[0].tolist() == [False, True, True]
    assert one_class(positive, unlabelled, 0.5)[0].tolist()[1:] == [True, True]
    for kernel in ("linear", "rbf", "poly"):
        assert cosine(positive, unlabelled, kernel).tolist() == [False, True, True]


def test_of_equal_recall_the_lowest_theta_that_finds_something_counts():
    positive = sp.csr_matrix(np.tile([1.0, 1, 0], (4, 1)))
    unlabelled = sp.csr_matrix(np.array([[0.0, 1, 1]] * 30 + [[0.0, 0, 1]] * 10))
    strong, theta = one_dnf(positive, unlabelled)
    assert theta == 1.0 and strong.tolist() == [False] * 30 + [True] * 10


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "sigmoid"])
def test_svmc_takes_any_kernel(kernel):
    X = np.array([[3.0, 0, 1], [2, 0, 1], [0, 2, 1], [0, 1, 1], [0, 3, 1], [4, 0, 1]])
    model = SVMC("dnf", kernel).fit(X, [1, 1, 0, 0, 0, 0])
    assert model.decision_function(X).shape == (6,)


class Whole(SVMC):
    """All unlabelled rows are strong negatives, so that one SVM is trained."""

    def _map(self, positive, unlabelled):
        return np.ones(unlabelled.shape[0], bool)


def test_svmc_is_the_nu_svm_of_libsvm(corpus):
    from sklearn.svm import NuSVC

    vocabulary = Vocabulary.of(corpus[0])
    rows = vocabulary.counts(corpus[0] + texts(CAKE, 40, 5))
    label = np.arange(80) < 40
    model = Whole("dnf").fit(rows, label)
    assert model.strong_.all() and model.iterations_ == 1
    scaled_rows = scaled(rows, model.scale_, False)
    plain = NuSVC(nu=0.1, kernel="linear").fit(scaled_rows, label)
    assert np.allclose(model.decision_function(rows), plain.decision_function(scaled_rows), atol=1e-6)


@pytest.mark.parametrize("estimator", [PositiveUnlabelled(), BPrTFIDF(p=0.5)])
def test_estimators_keep_the_contract_of_scikit_learn(estimator):
    from sklearn.utils.estimator_checks import check_estimator

    failing = {
        "check_classifiers_train": "labels mean positive and unlabelled, not two classes that can change places",
        "check_decision_proba_consistency": "feeds negative numbers, which are no word counts",
    }
    check_estimator(estimator, expected_failed_checks=failing, on_skip=None)


def test_examples_that_draw_their_likes_into_the_labels_hide_less_of_a_topic_of_many_kinds():
    """Ten examples of a topic of four kinds, a fifth of the unlabelled hidden: the last order alone says a twentieth."""

    def document(chance, topical):
        words = np.bincount(chance.choice(200, 20), minlength=300)
        if topical:
            words[200 + 20 * chance.integers(4) + chance.choice(20, 6)] += 1
            words[280 + chance.choice(20, 2)] += 1
        return words

    said = []
    for seed in range(4):
        chance = np.random.default_rng(seed)
        rows = np.stack([document(chance, place < 130) for place in range(610)])
        said.append(PositiveUnlabelled().fit(rows, np.arange(610) < 10).prior_)
    assert 0.075 < np.mean(said) < 0.3


def test_judge_scores_title_and_text(corpus):
    judge = TopicJudge(TopicModel.train(corpus[0], corpus[1]))
    on = judge.read(Page("http://a.example/", title="Gold pan", text="nugget ore miner gravel river word1"))
    off = judge.read(Page("http://a.example/", title="Cake", text="oven sugar butter word1 word2"))
    assert on.score > 0.5 > off.score and on.reason == "on topic"
    assert judge.read(Page("http://a.example/")).score == 0.0


def test_stated_fallbacks(corpus):
    positive, unlabelled, test, _ = corpus
    alone = TopicModel.train(positive)
    assert alone.method == "oneclass" and "one-class" in alone.notes[0]
    one = TopicModel.train(positive[:1], unlabelled)
    assert "one positive" in " ".join(one.notes) and np.isfinite(one.score(test)).all()
    same = TopicModel.train(positive, positive)
    assert same.method == "oneclass" and "positive examples too" in " ".join(same.notes)
    empty = TopicModel.train([*positive, "", "  "], [*unlabelled, ""])
    assert "2 positive documents are empty" in " ".join(empty.notes)


def test_bad_input_is_said_in_one_line(corpus, tmp_path):
    with pytest.raises(BadInput, match="no positive document"):
        TopicModel.train(["", " "], corpus[1])
    with pytest.raises(BadInput, match="needs unlabelled"):
        TopicModel.train(corpus[0], None, "svmc")
    with pytest.raises(BadInput, match="one of"):
        TopicModel.train(corpus[0], corpus[1], "magic")
    (tmp_path / "x.model").write_text("no model")
    with pytest.raises(BadInput, match="not a model"):
        TopicModel.load(tmp_path / "x.model")


def one_site(topic, count, seed):
    """Pages of one site: its name, menu and footer around some words of the topic."""
    chance = np.random.default_rng(seed)
    frame = "acme fan site home acme archive acme shop about acme {} imprint of the acme club in acme town"
    return [frame.format(" ".join(chance.choice(topic, 30))) for _ in range(count)]


def test_examples_of_one_site_teach_the_topic_and_not_the_site():
    chance = np.random.default_rng(3)
    gold = [f"gold{i}" for i in range(40)]
    other = [f"cake{i}" for i in range(400)]
    common = ["home", "shop", "about", "archive", "site", "fan", "of", "the", "in", "imprint", "town"]
    elsewhere = [" ".join([*chance.choice(other, 40), *chance.choice(common, 5)]) for _ in range(400)]
    elsewhere += [" ".join([*chance.choice(gold, 40), *chance.choice(common, 5)]) for _ in range(15)]
    model = TopicModel.train(one_site(gold, 20, 1), elsewhere)
    assert any("share a site" in note for note in model.notes)
    assert "acme" not in [word for word, _ in model.words(100)]
    found = model.score([" ".join(chance.choice(gold, 40)), " ".join(chance.choice(other, 40)), one_site(other, 1, 2)[0]])
    assert found[0] > 0.5 > max(found[1:])


def test_unlabelled_documents_without_a_word_leave_a_one_class_model():
    model = TopicModel.train(["gold river", "river nugget"], ["", "  ", None])
    assert model.method == "oneclass" and any("3 unlabelled documents are empty" in note for note in model.notes)


def test_one_example_is_known_by_its_words():
    model = TopicModel.train(["gold in the river"], [f"cake oven flour{i}" for i in range(40)])
    assert {"gold", "river"} <= {word for word, _ in model.words()}
    assert model.score(["river gold"])[0] > model.score(["cake"])[0]


def test_a_topic_is_learned_inside_one_site():
    """Where all pages are of the examples' site, words that no page of another site has are the topic's own."""
    gold, other = [f"gold{i}" for i in range(40)], [f"cake{i}" for i in range(400)]
    model = TopicModel.train(one_site(gold, 12, 1), one_site(other, 200, 2) + one_site(gold, 20, 3))
    assert {word[:4] for word, _ in model.words(10)} == {"gold"}
    assert (model.score(one_site(gold, 20, 4)) > 0.5).mean() > 0.8 > 0.2 > (model.score(one_site(other, 20, 5)) > 0.5).mean()


def test_a_model_without_words_or_that_rejects_its_examples_is_refused():
    gold = pa.array(["gold river", "river gold", "gold pan"])
    model = TopicModel.train(gold, ["cake oven", "oven flour", "sugar cake"] * 9)
    model.parameters["intercept"] -= 99
    with pytest.raises(BadInput, match="rejects most of its own examples"):
        model._check(gold)
    model.parameters["words"] = []
    with pytest.raises(BadInput, match="no word tells the examples"):
        model._check(gold)
