"""Classical representations and rankers that the sketches are measured against; sparse matrices of term counts."""

import numpy as np
from scipy import sparse
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.metrics.pairwise import cosine_similarity

Matrix = sparse.csr_matrix


def counts(texts: list[np.ndarray], vocabulary: int, stop: int = 0) -> Matrix:
    """Term counts; the `stop` most frequent terms are left out."""
    rows = np.repeat(np.arange(len(texts)), [text.size for text in texts])
    matrix = sparse.csr_matrix((np.ones(rows.size), (rows, np.concatenate(texts))), shape=(len(texts), vocabulary))
    matrix.sum_duplicates()
    return matrix[:, stop:]


def bow_corpus(queries: Matrix, documents: Matrix, size: int) -> tuple[Matrix, Matrix]:
    """Only the `size` terms most frequent in the corpus."""
    total = np.asarray(queries.sum(axis=0) + documents.sum(axis=0)).ravel()
    chosen = np.sort(np.argsort(-total, kind="stable")[:size])
    return queries[:, chosen], documents[:, chosen]


def bow_document(matrix: Matrix, size: int) -> Matrix:
    """Of each document only its `size` most frequent terms."""
    out = matrix.copy()
    for row in range(out.shape[0]):
        part = slice(out.indptr[row], out.indptr[row + 1])
        order = np.lexsort((out.indices[part], -out.data[part]))
        out.data[part][order[size:]] = 0
    out.eliminate_zeros()
    return out


def jaccard(queries: Matrix, documents: Matrix) -> np.ndarray:
    """Of the sets of terms."""
    left, right = (queries > 0).astype(float), (documents > 0).astype(float)
    common = np.asarray((left @ right.T).todense())
    return common / np.maximum(np.asarray(left.sum(axis=1)) + np.asarray(right.sum(axis=1)).T - common, 1)


def equal_counts(queries: Matrix, documents: Matrix) -> np.ndarray:
    """A term matches only if it occurs as often in both; over all terms that occur in one of them."""
    left, right = (queries > 0).astype(float), (documents > 0).astype(float)
    union = np.asarray(left.sum(axis=1)) + np.asarray(right.sum(axis=1)).T - np.asarray((left @ right.T).todense())
    most = int(max(queries.data.max(initial=0), documents.data.max(initial=0))) + 1
    same = _by_count(queries, most) @ _by_count(documents, most).T
    return np.asarray(same.todense()) / np.maximum(union, 1)


def _by_count(matrix: Matrix, most: int) -> Matrix:
    """One column for each term and count."""
    columns = matrix.indices.astype(np.int64) * most + matrix.data.astype(np.int64)
    shape = (matrix.shape[0], matrix.shape[1] * most)
    return sparse.csr_matrix((np.ones(columns.size), columns, matrix.indptr), shape=shape)


def cosine(queries: Matrix, documents: Matrix) -> np.ndarray:
    return cosine_similarity(queries, documents)


def boolean(queries: Matrix, documents: Matrix) -> np.ndarray:
    """1 where a document has any term of the query: the filter before ranking, and no ranking itself."""
    return (jaccard(queries, documents) > 0).astype(float)


def vector_space(queries: Matrix, documents: Matrix) -> np.ndarray:
    """Cosine of tf-idf vectors, the idf of the documents."""
    weigh = TfidfTransformer(norm=None, smooth_idf=True).fit(documents)
    return cosine_similarity(weigh.transform(queries), weigh.transform(documents))


def lucene(queries: Matrix, documents: Matrix) -> np.ndarray:
    """Lucene's classic similarity: sqrt(tf), idf squared, coordination, length norm, query norm."""
    number = documents.shape[0]
    frequency = np.asarray((documents > 0).sum(axis=0)).ravel()
    idf = 1 + np.log(number / (frequency + 1))
    norm = 1 / np.sqrt(np.maximum(np.asarray(documents.sum(axis=1)).ravel(), 1))
    asked = (queries > 0).astype(float)
    weights = sparse.diags(norm) @ documents.sqrt() @ sparse.diags(idf**2)
    found = np.asarray((asked @ (documents > 0).astype(float).T).todense()) / np.maximum(np.asarray(asked.sum(axis=1)), 1)
    query_norm = 1 / np.sqrt(np.maximum(asked @ idf**2, 1e-12))
    return found * query_norm[:, None] * np.asarray((queries @ weights.T).todense())


def bm25(queries: Matrix, documents: Matrix, k1: float, b: float = 0.75) -> np.ndarray:
    """Okapi BM25 with Lucene's idf, which is never negative."""
    number = documents.shape[0]
    frequency = np.asarray((documents > 0).sum(axis=0)).ravel()
    idf = np.log(1 + (number - frequency + 0.5) / (frequency + 0.5))
    lengths = np.asarray(documents.sum(axis=1)).ravel()
    weights = documents.tocoo()
    denominator = weights.data + k1 * (1 - b + b * lengths[weights.row] / lengths.mean())
    weights = sparse.csr_matrix(
        (idf[weights.col] * (k1 + 1) * weights.data / denominator, (weights.row, weights.col)), shape=documents.shape
    )
    return np.asarray((queries @ weights.T).todense())


def language_model(queries: Matrix, documents: Matrix, mu: float) -> np.ndarray:
    """Dirichlet smoothing as Lucene has it: terms below what the collection expects count nothing."""
    total = np.asarray(documents.sum(axis=0)).ravel()
    expected = (total + 1) / (total.sum() + 1)
    lengths = np.asarray(documents.sum(axis=1)).ravel()
    found = documents.tocoo()
    value = np.log1p(found.data / (mu * expected[found.col])) + np.log(mu / (lengths[found.row] + mu))
    weights = sparse.csr_matrix((np.maximum(value, 0), (found.row, found.col)), shape=documents.shape)
    return np.asarray((queries @ weights.T).todense())
