"""The kernels' xxh64 against the library's."""

import numpy as np
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from garimpo.engine._kernels import xxh64, xxh64_padded


@given(st.binary(max_size=200), st.integers(0, 2**64 - 1))
def test_xxh64_equals_the_library(data, seed):
    padded = np.frombuffer(b"?" + data + b"!" * 40, np.uint8)
    assert int(xxh64(padded, 1, 1 + len(data), np.uint64(seed))) == xxhash.xxh64_intdigest(data, seed)
    assert int(xxh64_padded(padded, 1, 1 + len(data))) == xxhash.xxh64_intdigest(data)


def test_every_length():
    data = bytes(range(256)) + bytes(40)
    flat = np.frombuffer(data, np.uint8)
    for length in range(257):
        expected = xxhash.xxh64_intdigest(data[:length])
        assert (int(xxh64(flat, 0, length, np.uint64(0))), int(xxh64_padded(flat, 0, length))) == (expected, expected)
