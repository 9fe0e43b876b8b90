"""Arrow string columns as kernels want them: UTF-8 bytes and 64-bit offsets, without a copy of the bytes."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Offsets = NDArray[np.int64]


def flat(column: pa.Array | pa.ChunkedArray) -> tuple[Bytes, Offsets]:
    """The bytes of a string or binary column and where each row begins and ends; a null row is empty.

    Args:
        column: an array, in one piece or several.

    >>> data, offsets = flat(pa.array(["ab", None, "c"]))
    >>> bytes(data[offsets[0]:offsets[3]]), (offsets - offsets[0]).tolist()
    (b'abc', [0, 2, 2, 3])
    """
    if isinstance(column, pa.ChunkedArray):
        column = column.combine_chunks() if column.num_chunks != 1 else column.chunk(0)
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks)
    if len(column) == 0:
        return np.zeros(1, np.uint8), np.zeros(1, np.int64)
    wide = pa.types.is_large_string(column.type) or pa.types.is_large_binary(column.type)
    _, offset_buffer, data_buffer = column.buffers()
    kind = np.int64 if wide else np.int32
    offsets = np.frombuffer(offset_buffer, kind)[column.offset : column.offset + len(column) + 1].astype(np.int64)
    data = np.frombuffer(data_buffer, np.uint8) if data_buffer is not None and data_buffer.size else np.zeros(1, np.uint8)
    return data, offsets


def numbers(values: NDArray[Any]) -> pa.Array:
    """A column of these numbers, without a copy; `pa.array` first loads NumPy's masked arrays, to see that they are none.

    >>> numbers(np.array([1, 2], np.int32)).type, numbers(np.array([True, False])).to_pylist()
    (DataType(int32), [True, False])
    """
    is_bool = values.dtype == np.bool_
    data = np.packbits(values, bitorder="little") if is_bool else np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [None, pa.py_buffer(data)])


def strings_at(column: pa.Array | pa.ChunkedArray, rows: NDArray[np.int64]) -> list[str]:
    """The strings of some rows, without Arrow's functions of compute, which take long to load.

    >>> strings_at(pa.array(["ab", "", "c"]), np.array([2, 0]))
    ['c', 'ab']
    """
    data, offsets = flat(column)
    return [data[start:stop].tobytes().decode() for start, stop in zip(offsets[rows].tolist(), offsets[rows + 1].tolist())]


def hash_strings(column: pa.Array | pa.ChunkedArray, seed: int = 0) -> NDArray[np.uint64]:
    """xxh64 of each string of a column.

    Args:
        column: strings.
        seed: of the hash.

    >>> import xxhash
    >>> int(hash_strings(pa.array(["gold"]))[0]) == xxhash.xxh64_intdigest(b"gold")
    True
    """
    from garimpo.engine._kernels import xxh64_rows

    data, offsets = flat(column)
    out = np.empty(len(column), np.uint64)
    if len(column):
        xxh64_rows(data, offsets, np.uint64(seed), out)
    return out
