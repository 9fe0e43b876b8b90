"""Texts as rows of word counts over a vocabulary that is known by the words' hashes."""

from typing import Any

import numpy as np
import pyarrow as pa
import scipy.sparse as sp
from numpy.typing import NDArray

from garimpo.focus._kernels import count_terms, fill_table, rarer_words, weigh_documents
from garimpo.page import word_hashes

Texts = Any
"""An Arrow column of strings, or any sequence of them."""


def as_column(texts: Texts) -> pa.Array:
    """Any sequence of texts as one Arrow column.

    >>> str(as_column(["gold", "river"]).type)
    'large_string'
    """
    if isinstance(texts, pa.ChunkedArray):
        texts = texts.combine_chunks() if texts.num_chunks != 1 else texts.chunk(0)
    if isinstance(texts, pa.ChunkedArray):
        texts = pa.concat_arrays(texts.chunks)
    return texts.cast(pa.large_string()) if isinstance(texts, pa.Array) else pa.array(list(texts), pa.large_string())


class Vocabulary:
    """The words a model knows, by hash; terms are numbered by decreasing document frequency.

    Args:
        hashes: of the words, those in most documents first.

    >>> vocabulary = Vocabulary.of(["gold river gold", "river stone", "river"], least=2)
    >>> len(vocabulary), vocabulary.counts(["river river gold"]).toarray().tolist()
    (1, [[2.0]])
    """

    def __init__(self, hashes: NDArray[np.uint64]) -> None:
        self.hashes = np.ascontiguousarray(hashes, np.uint64)
        size = 1 << max(4, int(2 * len(hashes)).bit_length())
        self._keys, self._terms = np.zeros(size, np.uint64), np.full(size, -1, np.int32)
        fill_table(self.hashes, self._keys, self._terms)

    @classmethod
    def of(cls, texts: Texts, least: int = 1) -> "Vocabulary":
        """The words that stand in at least `least` of the texts."""
        hashes, offsets = word_hashes(as_column(texts))
        row = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        order = np.lexsort((row, hashes))
        hashes, row = hashes[order], row[order]
        fresh = np.ones(len(hashes), bool)
        fresh[1:] = (hashes[1:] != hashes[:-1]) | (row[1:] != row[:-1])
        distinct, frequency = np.unique(hashes[fresh], return_counts=True)
        kept = frequency >= least
        distinct, frequency = distinct[kept], frequency[kept]
        return cls(distinct[np.argsort(-frequency, kind="stable")])

    def __len__(self) -> int:
        return len(self.hashes)

    def _scratch(self) -> NDArray[np.int32]:
        return np.zeros(max(1, len(self.hashes)), np.int32)

    def counts(self, texts: Texts) -> sp.csr_matrix:
        """One row of word counts a text; words outside the vocabulary are left out."""
        hashes, offsets = word_hashes(as_column(texts))
        rows, cells = len(offsets) - 1, max(1, len(hashes))
        starts, indices = np.zeros(rows + 1, np.int64), np.zeros(cells, np.int32)
        counts = np.zeros(cells, np.float32)
        end = count_terms(hashes, offsets, self._keys, self._terms, self._scratch(), starts, indices, counts)
        matrix = sp.csr_matrix((counts[:end], indices[:end], starts), shape=(rows, len(self)))
        matrix.sort_indices()
        return matrix

    def without_common(
        self, hashes: NDArray[np.uint64], offsets: NDArray[np.int64], most: int
    ) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
        """Hashed words of texts without the first `most` of the vocabulary, and where those of each text now begin.

        >>> hashes, offsets = word_hashes(as_column(["the gold", "the the"]))
        >>> kept, starts = Vocabulary.of(["the gold", "the river"]).without_common(hashes, offsets, 1)
        >>> len(kept), starts.tolist()
        (1, [0, 1, 1])
        """
        kept, starts = np.empty(len(hashes), np.uint64), np.zeros(len(offsets), np.int64)
        return kept[: rarer_words(hashes, offsets, self._keys, self._terms, most, kept, starts)], starts

    def weigh(
        self, texts: Texts, scale: NDArray[np.float32], weight: NDArray[np.float32], binary: bool, euclidean: bool
    ) -> NDArray[np.float64]:
        """The linear score of each text, without making a matrix; NaN where no word is known."""
        hashes, offsets = word_hashes(as_column(texts))
        out = np.empty(len(offsets) - 1)
        weigh_documents(
            hashes, offsets, self._keys, self._terms, scale, weight, binary, euclidean, self._scratch(), self._scratch(), out
        )
        return out
