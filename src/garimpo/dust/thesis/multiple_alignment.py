"""Many URLs of one page, written under each other: what is fixed, what varies, what may be missing."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.dust.inputs.tokens import Tokens

Column = tuple[str | None, ...]
"""One position of an alignment: the token of each URL there, None where it has none."""


@dataclass(frozen=True)
class Alignment:
    """URLs aligned token by token."""

    columns: tuple[Column, ...]
    score: float
    """Mean score of the merges, each divided by the longer sequence: 1 for URLs equal but for case."""
    merges: int
    """Pairwise alignments computed."""

    def consensus(self) -> list[frozenset[str | None]]:
        """The set of tokens at each position.

        >>> [sorted(s, key=str) for s in align(["a/1", "a/2"]).consensus()]
        [['a'], ['/'], ['1', '2']]
        """
        return [frozenset(column) for column in self.columns]


def align(urls: Sequence[str], progressive: bool = False, gap_in_numerator: bool = True) -> Alignment:
    """Align all the URLs: in a chain, in the given order (DustLin), or the most similar first (DUSTER).

    >>> align(["www.IRS.gov/foia/index.html", "www.irs.ustreas.gov/foia"]).columns[3:6]
    ((None, '.'), (None, 'ustreas'), ('.', '.'))
    """
    tokens = Tokens.of(pa.array(urls, pa.string()))
    rows = np.arange(len(urls), dtype=np.int64)
    matrix, score, merges = align_rows(tokens, rows, progressive, gap_in_numerator)
    order = matrix_rows(tokens, matrix)
    return Alignment(columns_of(tokens, matrix[np.argsort(order)]), score, merges)


def align_rows(
    tokens: Tokens, rows: NDArray[np.int64], progressive: bool, gap_in_numerator: bool = True
) -> tuple[NDArray[np.int64], float, int]:
    """The matrix of token numbers of some rows, the mean score and the number of pairwise alignments."""
    from garimpo.dust.thesis._kernels_align import align_chain, align_progressive

    if progressive:
        matrix, score, merges = align_progressive(rows, tokens.offsets, tokens.folded, tokens.kinds, gap_in_numerator)
        return matrix, float(score), int(merges)
    matrix, score = align_chain(rows, tokens.offsets, tokens.folded, tokens.kinds)
    return matrix, float(score), len(rows) - 1


def matrix_rows(tokens: Tokens, matrix: NDArray[np.int64]) -> NDArray[Any]:
    """Which URL stands in each row of the matrix."""
    first_token = np.where(matrix >= 0, matrix, np.iinfo(np.int64).max).min(axis=1)
    return np.searchsorted(tokens.offsets, first_token, side="right") - 1


def columns_of(tokens: Tokens, matrix: NDArray[np.int64]) -> tuple[Column, ...]:
    """The matrix with spellings in place of numbers, by column."""
    return tuple(tuple(None if t < 0 else tokens.text(t) for t in column) for column in matrix.T.tolist())
