"""How alike a query and a document are: the one list of measures, from counts of the terms they share.

Measures of sets need what two sets share and their sizes. Weighing measures need the counts of terms and statistics of the
whole corpus. A score is 0 (or absent from a sparse matrix) where nothing is shared.

| name | formula |
| --- | --- |
| jaccard, dice, cosine | of the two sets of terms |
| containment | the share of the query's terms that the document has |
| overlap | the share of the smaller set that the larger has |
| bm25 | Okapi BM25, idf = ln(1 + (N - df + .5) / (df + .5)), which is never negative |
| bm25-robertson | the same with idf = ln((N - df + .5) / (df + .5)), as first published |
| tfidf | cosine of (k1 + 1) tf / (tf + k1) * (1 + ln((N + 1) / (df + 1))), k1 = 1.2 |
| tfidf-textbook | cosine of tf * ln(N / df) |
| tfidf-lucene | coordination * query norm * sum of sqrt(tf) * idf^2 / sqrt(length), idf = 1 + ln(N / (df + 1)) |
| lm | Dirichlet smoothing; a term rarer in the document than the collection expects counts nothing |
| lm-unclipped | the same as published: log p(query | document) up to a constant, so below 0 too |
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput
from garimpo.similarity.scoring.terms import Terms
from garimpo.similarity.sketches.sets import Hashes, Numbers, Sets

Floats = NDArray[np.float64]
SetMeasure = Literal["jaccard", "dice", "cosine", "containment", "overlap"]
Measure = Literal[
    "bm25",
    "tfidf",
    "lm",
    "cosine",
    "jaccard",
    "containment",
    "dice",
    "overlap",
    "bm25-robertson",
    "tfidf-textbook",
    "tfidf-lucene",
    "lm-unclipped",
]
SET_MEASURES: tuple[str, ...] = get_args(SetMeasure)
MEASURES: tuple[str, ...] = get_args(Measure)
NORMED = ("tfidf", "tfidf-textbook")
"""Measures that need the weight of every term of a document, not only of those a query has."""

K1, B, MU = 1.2, 0.75, 2000.0


def require_measure(measure: str, among: tuple[str, ...] = MEASURES) -> None:
    """Raise where no measure has this name."""
    if measure not in among:
        raise BadInput(f"no measure is called {measure}: one of {', '.join(among)}")


def from_common(measure: str, common: Any, left: Any, right: Any) -> Floats:
    """A measure of sets from what two sets share and their sizes; 0 where one is empty.

    Args:
        measure: one of `SET_MEASURES`.
        common: how many elements are in both.
        left: elements of the query's set.
        right: elements of the document's set.

    >>> from_common("containment", np.array([2]), np.array([4]), np.array([3])).tolist()
    [0.5]
    """
    require_measure(measure, SET_MEASURES)
    left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
    bottom = {
        "jaccard": lambda: left + right - common,
        "dice": lambda: (left + right) / 2,
        "cosine": lambda: np.sqrt(left * right),
        "containment": lambda: left + 0 * right,
        "overlap": lambda: np.minimum(left, right),
    }[measure]()
    return np.divide(common, bottom, out=np.zeros(np.broadcast(common, bottom).shape), where=(bottom > 0) & (left * right > 0))


def from_jaccard(measure: str, jaccard: Any, left: Any, right: Any) -> Floats:
    """A measure of sets from their (estimated) Jaccard and their sizes.

    Args:
        measure: one of `SET_MEASURES`.
        jaccard: of the two sets.
        left: elements of the query's set.
        right: elements of the document's set.

    >>> from_jaccard("cosine", np.array([1 / 3]), 100, 300).round(3).tolist()
    [0.577]
    """
    if measure == "jaccard":
        return np.asarray(jaccard, np.float64)
    left, right = np.asarray(left, np.float64), np.asarray(right, np.float64)
    return from_common(measure, np.minimum(jaccard / (1 + jaccard) * (left + right), np.minimum(left, right)), left, right)


class Vocabulary:
    """Distinct terms, numbered in the order of their hashes, and their numbers in streams of terms.

    >>> Vocabulary(np.array([9, 5, 9], np.uint64)).find(np.array([5, 7, 9], np.uint64)).tolist()
    [0, -1, 1]
    """

    def __init__(self, values: Hashes) -> None:
        from garimpo.similarity._kernels_rank import fill_table

        self.keys = np.unique(values)
        self._table = np.full(1 << max(4, int(4 * self.keys.size).bit_length()), -1, np.int32)
        fill_table(self.keys, self._table)

    def __len__(self) -> int:
        return int(self.keys.size)

    def find(self, values: Hashes) -> NDArray[np.int32]:
        """The number of each term, -1 for a term that is not here."""
        from garimpo.similarity._kernels_rank import look_up

        out = np.empty(values.size, np.int32)
        look_up(values, self.keys, self._table, out)
        return out

    def count(self, values: Hashes, offsets: Numbers) -> Any:
        """How often each document has each term of the vocabulary: a sparse matrix, one row a document."""
        found = self.find(values)
        known = found >= 0
        return counted(found[known], np.append(0, np.cumsum(known))[offsets], len(self))


def counted(numbers: NDArray[np.int32], offsets: Numbers, width: int) -> Any:
    """Term numbers of documents as a sparse matrix of counts."""
    from scipy import sparse

    matrix = sparse.csr_matrix((np.ones(numbers.size), numbers, offsets), shape=(offsets.size - 1, width))
    matrix.sum_duplicates()
    return matrix


@dataclass
class Statistics:
    """What a corpus says of each term of a vocabulary."""

    documents: int
    terms: int
    """Of all documents, repeats counted."""
    frequency: Floats
    """Documents that have each term."""
    occurrences: Floats

    @classmethod
    def empty(cls, width: int) -> "Statistics":
        return cls(0, 0, np.zeros(width), np.zeros(width))

    def add(self, counts: Any, lengths: Numbers) -> None:
        """Some more documents, and how many terms each has in all."""
        self.documents += counts.shape[0]
        self.terms += int(lengths.sum())
        self.frequency += np.bincount(counts.indices, minlength=self.frequency.size)
        self.occurrences += np.bincount(counts.indices, counts.data, self.frequency.size)

    @property
    def length(self) -> float:
        """The mean number of terms of a document."""
        return self.terms / max(1, self.documents)


def weigh_documents(measure: str, counts: Any, lengths: Numbers, corpus: Statistics) -> Any:
    """The weights of terms in documents, so that a row times a weighed query is its score (but for `finish`)."""
    rows = np.repeat(np.arange(counts.shape[0]), np.diff(counts.indptr))
    tf, column = counts.data, counts.indices
    number, df = corpus.documents, corpus.frequency
    if measure.startswith("bm25"):
        odds = (number - df + 0.5) / (df + 0.5)
        idf = np.log(odds) if measure == "bm25-robertson" else np.log1p(odds)
        value = idf[column] * (K1 + 1) * tf / (tf + K1 * (1 - B + B * lengths[rows] / max(corpus.length, 1e-12)))
    elif measure in NORMED:
        value = _damped(measure, tf) * _idf(measure, number, df)[column]
    elif measure == "tfidf-lucene":
        value = np.sqrt(tf) * _idf(measure, number, df)[column] ** 2 / np.sqrt(np.maximum(lengths[rows], 1))
    else:
        expected = (corpus.occurrences + 1) / (corpus.terms + 1)
        value = np.log1p(tf / (MU * expected[column]))
        if measure == "lm":
            value = np.maximum(value + np.log(MU / (lengths[rows] + MU)), 0)
    return _like(counts, value)


def weigh_queries(measure: str, counts: Any, corpus: Statistics) -> Any:
    """The weights of terms in queries."""
    idf = _idf(measure, corpus.documents, corpus.frequency)
    if measure in NORMED:
        return _like(counts, _damped(measure, counts.data) * idf[counts.indices])
    return counts


def _damped(measure: str, tf: Floats) -> Floats:
    """Of a vector of weights: what the count of a term is worth; of `tfidf`, less and less, as with BM25."""
    return tf if measure == "tfidf-textbook" else (K1 + 1) * tf / (tf + K1)


def _idf(measure: str, number: int, df: Floats) -> Floats:
    if measure == "tfidf-textbook":
        return np.log(max(number, 1) / np.maximum(df, 1))
    return 1 + np.log((number + (measure == "tfidf")) / (df + 1))


def _like(matrix: Any, data: Floats) -> Any:
    from scipy import sparse

    return sparse.csr_matrix((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def norms(weights: Any) -> Floats:
    """The Euclidean length of each row."""
    return np.sqrt(np.asarray(weights.multiply(weights).sum(axis=1)).ravel())


@dataclass(frozen=True)
class Query:
    """All that a measure needs to know of the queries."""

    measure: str
    counts: Any
    """Of terms, one row a query; 1 for measures of sets."""
    sizes: Numbers
    """Terms of each query: distinct ones for measures of sets, all for others."""
    weights: Any = None
    norms: Floats | None = None
    corpus: Statistics | None = None
    slots: int = 0
    """Of sketches: what is shared, of so many slots, estimates the Jaccard. 0: the sets themselves are compared."""

    def weighed(self, corpus: Statistics) -> "Query":
        """The queries, weighed by what the corpus says of their terms."""
        weights = weigh_queries(self.measure, self.counts, corpus)
        return Query(self.measure, self.counts, self.sizes, weights.T.tocsr(), norms(weights), corpus)

    def score(self, counts: Any, sizes: Numbers, document_norms: Floats | None = None) -> Any:
        """The scores of some documents: a sparse matrix, one column a query."""
        if self.measure in SET_MEASURES:
            shared = (counts @ self.counts.T.tocsr()).tocsc()
            column = np.repeat(np.arange(shared.shape[1]), np.diff(shared.indptr))
            ends = self.sizes[column], sizes[shared.indices]
            if self.slots:
                shared.data = from_jaccard(self.measure, shared.data / self.slots, *ends)
            else:
                shared.data = from_common(self.measure, shared.data, *ends)
            return shared
        assert self.corpus is not None
        product = (weigh_documents(self.measure, counts, sizes, self.corpus) @ self.weights).tocsc()
        return self._finished(product, counts, sizes, document_norms)

    def _finished(self, product: Any, counts: Any, sizes: Numbers, document_norms: Floats | None) -> Any:
        column = np.repeat(np.arange(product.shape[1]), np.diff(product.indptr))
        row = product.indices
        if document_norms is not None and self.norms is not None:
            bottom = self.norms[column] * document_norms[row]
            product.data = np.divide(product.data, bottom, out=np.zeros(bottom.size), where=bottom > 0)
        elif self.measure == "tfidf-lucene":
            product.data *= self._coordination(product, counts, column)
        elif self.measure == "lm-unclipped":
            product.data += self.sizes[column] * np.log(MU / (sizes[row] + MU))
        if self.measure != "lm-unclipped":
            product.eliminate_zeros()
        return product

    def _coordination(self, product: Any, counts: Any, column: Numbers) -> Floats:
        """Which share of a query's terms a document has, times the query's norm."""
        assert self.corpus is not None
        asked = _like(self.counts, np.ones(self.counts.data.size))
        met = (_like(counts, np.ones(counts.data.size)) @ asked.T.tocsr()).tocsc()
        met.sort_indices()
        product.sort_indices()
        idf = _idf(self.measure, self.corpus.documents, self.corpus.frequency)
        norm = np.sqrt(np.maximum(np.asarray(asked @ idf**2).ravel(), 1e-12))
        distinct = np.maximum(np.diff(self.counts.indptr), 1)
        return met.data / (distinct * norm)[column]


def scores(queries: Terms | Sets, documents: Terms | Sets, measure: Measure = "bm25") -> Floats:
    """The score of every document (column) for every query (row), by any measure.

    Args:
        queries: terms of the queries, or their sets.
        documents: terms of the documents, or their sets.
        measure: one of `MEASURES`; of sets, only the measures of sets say what they usually do.

    >>> from garimpo.similarity import Sets
    >>> scores(Sets.of([[1, 2]]), Sets.of([[2, 3], [4]]), "jaccard").round(2).tolist()
    [[0.33, 0.0]]
    """
    require_measure(measure)
    if measure in SET_MEASURES:
        queries, documents = as_sets(queries), as_sets(documents)
    vocabulary = Vocabulary(queries.values if measure not in NORMED else np.concatenate([queries.values, documents.values]))
    counts = vocabulary.count(documents.values, documents.offsets)
    sizes = np.diff(documents.offsets)
    query = Query(measure, vocabulary.count(queries.values, queries.offsets), np.diff(queries.offsets))
    document_norms = None
    if measure not in SET_MEASURES:
        corpus = Statistics.empty(len(vocabulary))
        corpus.add(counts, sizes)
        query = query.weighed(corpus)
        document_norms = norms(weigh_documents(measure, counts, sizes, corpus)) if measure in NORMED else None
    return np.asarray(query.score(counts, sizes, document_norms).todense()).T


def as_sets(terms: Terms | Sets) -> Sets:
    """Terms without their repeats."""
    return terms if isinstance(terms, Sets) else Sets.from_hashes(terms.values, terms.offsets)
