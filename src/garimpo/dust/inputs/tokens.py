"""The tokens of URLs as flat arrays."""

from dataclasses import dataclass

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.engine.columns import flat


@dataclass(frozen=True)
class Tokens:
    """The tokens of a column of URLs as flat arrays: kernels read these, `text` reads them back."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    """First token of each URL."""
    starts: NDArray[np.int64]
    stops: NDArray[np.int64]
    kinds: NDArray[np.uint8]
    exact: NDArray[np.uint64]
    folded: NDArray[np.uint64]

    @classmethod
    def of(cls, urls: pa.Array | pa.ChunkedArray) -> "Tokens":
        """Cut each URL by the grammar: runs of letters, runs of digits, single other characters."""
        from garimpo.dust.inputs._kernels_tokens import count_tokens, fill_tokens

        data, at = flat(urls)
        counts = np.zeros(len(urls), np.int64)
        count_tokens(data, at, counts)
        offsets = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        size = int(offsets[-1])
        starts, stops = np.empty(size, np.int64), np.empty(size, np.int64)
        kinds, exact, folded = np.empty(size, np.uint8), np.empty(size, np.uint64), np.empty(size, np.uint64)
        fill_tokens(data, at, starts, stops, kinds, exact, folded)
        return cls(data, offsets, starts, stops, kinds, exact, folded)

    def text(self, token: int) -> str:
        """The spelling of one token."""
        return bytes(self.data[self.starts[token] : self.stops[token]]).decode("utf-8", "replace")
