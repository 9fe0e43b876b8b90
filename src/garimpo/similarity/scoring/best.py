"""The best documents of each query, kept while blocks of scores go by."""

from typing import Any

import numpy as np


class Best:
    """The `top` best documents of each query; of equal scores the earlier document goes first.

    >>> from scipy import sparse
    >>> best = Best(1, 2)
    >>> best.offer(sparse.csc_matrix([[0.5], [0.0], [0.9], [0.5]]), 10); best.documents.tolist()
    [[12, 10]]
    """

    def __init__(self, queries: int, top: int) -> None:
        self.scores = np.full((queries, top), -np.inf)
        self.documents = np.full((queries, top), -1, np.int64)

    def offer(self, scores: Any, base: int) -> None:
        """Scores of further documents, numbered from `base`: a sparse matrix by columns, one column a query."""
        scores.sort_indices()
        for query in range(self.scores.shape[0]):
            part = slice(scores.indptr[query], scores.indptr[query + 1])
            self.put(query, base + scores.indices[part].astype(np.int64), scores.data[part])

    def put(self, query: int, documents: Any, values: Any) -> None:
        """Some more documents of one query, in rising order, all later than those before."""
        top = self.scores.shape[1]
        better = values > self.scores[query, -1]
        documents, values = documents[better], values[better]
        if not values.size:
            return
        if values.size > top:
            least = np.partition(values, -top)[-top]
            documents, values = documents[values >= least], values[values >= least]
        values = np.concatenate([self.scores[query], values])
        documents = np.concatenate([self.documents[query], documents])
        order = np.argsort(-values, kind="stable")[:top]
        self.scores[query], self.documents[query] = values[order], documents[order]
