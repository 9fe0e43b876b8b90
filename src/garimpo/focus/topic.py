"""A topic as the crawl uses it: trained from texts, stored as one MODEL, and quick to ask."""

import os
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict, get_args

import msgspec
import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray
from scipy.special import expit, logit

from garimpo.contract.errors import BadInput
from garimpo.contract.model import Model, load_model, save_model
from garimpo.contract.results import Summarised
from garimpo.focus.auto import PositiveUnlabelled
from garimpo.focus.linear import LinearTopic
from garimpo.focus.oneclass import OneClass
from garimpo.focus.sameness import site_words
from garimpo.focus.thesis.bprtfidf import BPrTFIDF
from garimpo.focus.thesis.svmc import SVMC
from garimpo.focus.words import Texts, Vocabulary, as_column

Method = Literal["auto", "bprtfidf", "svmc", "svmc-dnf", "svmc-osvm", "svmc-cosine"]
METHODS: tuple[Method, ...] = get_args(Method)
MOST_UNLABELLED = 10_000
"""More unlabelled documents than this add time and nothing else; a sample of them is taken."""
SHOWN = 100
FEW = 5
"""Of fewer positives than this every word counts, also one that no other document has."""


class _Parameters(TypedDict):
    """What a stored model must say."""

    binary: bool
    euclidean: bool
    intercept: float
    slope: float
    link: Literal["linear", "logistic"]
    words: list[tuple[str, float]]


@dataclass(slots=True, repr=False)
class TopicModel(Summarised):
    """A linear score over words, made a probability: `score` is above `threshold` (0.5) for what is on topic.

    Args:
        vocabulary: the words it knows.
        scale: by which the count of each is multiplied.
        weight: of each in the score.
        parameters: what else the score is made of, by name.
        method: how it was learned.
        notes: what its training had to say.

    >>> gold = ["gold in the river", "the river has gold", "panning for gold", "gold and gravel"]
    >>> other = ["the cat sat", "a dog in the house", "rain and wind", "the house of cards", "bread and butter"]
    >>> topic = TopicModel.train(gold, other * 4)
    >>> [bool(score > 0.5) for score in topic.score(["gold gravel", "a cat and a dog"])]
    [True, False]
    """

    vocabulary: Vocabulary
    scale: NDArray[np.float32]
    weight: NDArray[np.float32]
    parameters: dict[str, Any]
    method: str = "auto"
    threshold: float = 0.5
    notes: list[str] = field(default_factory=list)

    def summary(self) -> dict[str, Any]:
        """What it was learned from, and the words it goes by."""
        seen = {"positives": self.parameters.get("positives"), "unlabelled": self.parameters.get("unlabelled")}
        return {"method": self.method, **seen, "threshold": self.threshold, "words": [word for word, _ in self.words(12)]}

    @classmethod
    def train(cls, positive: Texts, unlabelled: Texts | None = None, method: Method = "auto", seed: int = 0) -> "TopicModel":
        """Learn a topic from positive texts and unlabelled ones; without the latter only a one-class model can be made."""
        if method not in METHODS:
            raise BadInput(f"method {method!r}: one of {', '.join(METHODS)}")
        positive, notes = _with_words(as_column(positive), "positive")
        if len(positive) < 1:
            raise BadInput("no positive document has a word in it")
        rest = None
        if unlabelled is not None:
            rest, more = _with_words(_sample(as_column(unlabelled), MOST_UNLABELLED, seed), "unlabelled")
            rest, same = _without(rest, positive)
            notes += more + same
            if len(rest) < 2:
                notes.append("nothing is left of the unlabelled documents: a one-class model is made")
                rest = None
        if rest is None and method != "auto":
            raise BadInput(f"method {method} needs unlabelled documents")
        return cls._fit(positive, rest, method, seed, notes)

    @classmethod
    def _fit(cls, positive: pa.Array, rest: pa.Array | None, method: str, seed: int, notes: list[str]) -> "TopicModel":
        if len(positive) == 1:
            notes.append("one positive document is little to learn from: expect a rough model")
        if rest is None:
            notes.append("no unlabelled documents: a one-class model, which knows no words of other topics")
        every = positive if rest is None else pa.concat_arrays([positive, rest])
        vocabulary = Vocabulary.of(every, least=2 if len(every) > 20 and len(positive) >= FEW else 1)
        if not len(vocabulary):
            vocabulary = Vocabulary.of(every)
        if rest is not None and len(positive) > 1 and method == "auto":
            vocabulary = _without_sites(vocabulary, positive, rest, notes)
        counts, label = vocabulary.counts(every), np.arange(len(every)) < len(positive)
        estimator = _estimator("oneclass" if rest is None else method, seed)
        estimator.fit(counts, label)
        parameters = _parameters(estimator) | {"positives": len(positive), "unlabelled": 0 if rest is None else len(rest)}
        model = cls(
            vocabulary, estimator.scale_.astype(np.float32), estimator.coef_.astype(np.float32), parameters,
            "oneclass" if rest is None else method, 0.5, notes,
        )  # fmt: skip
        model.parameters["words"] = model._carriers(counts[: len(positive)], positive)
        model._check(positive)
        return model

    def _check(self, positive: pa.Array) -> None:
        """`BadInput` for a model that could only mislead."""
        if not self.parameters["words"]:
            raise BadInput("no topic: no word tells the examples from the other documents (give others of either kind)")
        if self.method == "auto" and 2 * int((self.score(positive) > self.threshold).sum()) < len(positive):
            raise BadInput("no topic: the model rejects most of its own examples (give more of them, or more alike)")

    def score(self, texts: Texts, unknown: float = 0.0) -> NDArray[np.float64]:
        """The probability of each text to be on topic; `unknown` for a text without a known word."""
        p = self.parameters
        raw = self.vocabulary.weigh(texts, self.scale, self.weight, p["binary"], p["euclidean"]) + p["intercept"]
        share = np.clip(raw * p["slope"] + 0.5, 0, 1) if p["link"] == "linear" else expit(p["slope"] * raw)
        return np.where(np.isnan(raw), unknown, share)

    def cut_at(self, threshold: float) -> None:
        """Take for on topic what scored above another threshold until now; scores are moved so that 0.5 stays the line.

        Args:
            threshold: above 0, below 1.

        >>> topic = TopicModel.train(["gold in the river", "river gold"], None)
        >>> before = topic.score(["gold"])[0]
        >>> topic.cut_at(float(before) - 0.01)
        >>> bool(topic.score(["gold"])[0] > 0.5)
        True
        """
        p = self.parameters
        p["intercept"] -= ((threshold - 0.5) if p["link"] == "linear" else float(logit(threshold))) / p["slope"]
        p["cut"] = threshold

    def words(self, count: int = 20) -> list[tuple[str, float]]:
        """The words that carry the topic, with the share each has in an average positive document's score."""
        return [(word, weight) for word, weight in self.parameters["words"][:count]]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model as one file."""
        arrays: dict[str, NDArray[Any]] = {"hashes": self.vocabulary.hashes, "scale": self.scale, "weight": self.weight}
        save_model(path, Model("topic", self.method, self.parameters, arrays, self.threshold))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "TopicModel":
        """Read a model; anything else is `BadInput`."""
        model = load_model(path, "topic")
        try:
            arrays = [model.arrays[name] for name in ("hashes", "scale", "weight")]
            msgspec.convert(model.parameters, _Parameters)
            threshold = float(model.threshold)
        except KeyError as error:
            raise BadInput(f"{path}: a topic model without {error}") from None
        except (msgspec.ValidationError, TypeError, ValueError) as error:
            raise BadInput(f"{path}: a topic model with wrong parameters ({error})") from None
        hashes, *numbers = arrays
        fits = hashes.dtype == np.uint64 and all(array.dtype == np.float32 and np.isfinite(array).all() for array in numbers)
        if not fits or {array.shape for array in arrays} != {(hashes.size,)}:
            raise BadInput(f"{path}: a topic model whose arrays do not fit together")
        scale, weight = (np.ascontiguousarray(array) for array in numbers)
        return cls(Vocabulary(hashes), scale, weight, model.parameters, model.method, threshold)

    def _carriers(self, counts: Any, positive: pa.Array) -> list[tuple[str, float]]:
        """The words that add most to the positives' scores, as text: found again in the positives by their hash."""
        from garimpo.page import words

        rate = np.asarray((counts > 0).mean(axis=0)).ravel()
        worth = rate * self.scale * self.weight
        best = [int(term) for term in np.argsort(-worth)[:SHOWN] if worth[term] > 0]
        wanted = {int(self.vocabulary.hashes[term]): term for term in best}
        found: dict[int, str] = {}
        for text in positive.to_pylist():
            for word in words(text):
                term = wanted.pop(xxhash.xxh64_intdigest(word.encode()), None)
                if term is not None:
                    found[term] = word
            if not wanted:
                break
        total = float(worth[best].sum()) or 1.0
        return [(found[term], round(float(worth[term]) / total, 5)) for term in best if term in found]


def _without_sites(vocabulary: Vocabulary, positive: pa.Array, rest: pa.Array, notes: list[str]) -> Vocabulary:
    """The vocabulary without the words that tell the sites of the examples."""
    kept = vocabulary.hashes[~np.isin(vocabulary.hashes, site_words(positive, rest))]
    if not len(kept) or len(kept) == len(vocabulary):
        return vocabulary
    notes.append(f"examples share a site: {len(vocabulary) - len(kept)} of its words are passed over")
    return Vocabulary(kept)


def _estimator(method: str, seed: int) -> LinearTopic:
    if method == "oneclass":
        return OneClass()
    if method == "bprtfidf":
        return BPrTFIDF(random_state=seed)
    if method.startswith("svmc"):
        return SVMC(method.partition("-")[2] or "cosine", random_state=seed)
    return PositiveUnlabelled(random_state=seed)


def _parameters(estimator: LinearTopic) -> dict[str, Any]:
    linear = isinstance(estimator, BPrTFIDF)
    more = {name: getattr(estimator, f"{name}_") for name in ("p", "prior", "iterations") if hasattr(estimator, f"{name}_")}
    return {
        "binary": estimator.binary,
        "euclidean": estimator.euclidean,
        "intercept": float(estimator.intercept_),
        "slope": 1 / (1 - estimator.p_) if linear else float(estimator.slope_),
        "link": "linear" if linear else "logistic",
        **more,
    }


def _with_words(texts: pa.Array, name: str) -> tuple[pa.Array, list[str]]:
    """The texts that are not blank, and a note on those that are."""
    kept = [bool(text and not text.isspace()) for text in texts.to_pylist()]
    empty = len(kept) - sum(kept)
    return texts.filter(pa.array(kept, pa.bool_())), [f"{empty} {name} documents are empty and were left out"] if empty else []


def _without(rest: pa.Array, positive: pa.Array) -> tuple[pa.Array, list[str]]:
    """The unlabelled texts that are no positive example, so that none is taught as both."""
    known = set(positive.to_pylist())
    kept = [text not in known for text in rest.to_pylist()]
    same = len(kept) - sum(kept)
    note = [f"{same} unlabelled documents are positive examples too and were left out"] if same else []
    return rest.filter(pa.array(kept, pa.bool_())), note


def _sample(texts: pa.Array, size: int, seed: int) -> pa.Array:
    if len(texts) <= size:
        return texts
    chosen = np.random.default_rng(seed).choice(len(texts), size, replace=False)
    return texts.take(pa.array(np.sort(chosen)))
