"""Reading tables from outside, kindly: coerce what can be coerced, count what is passed over, say what is wrong."""

import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput, BadValues
from garimpo.contract.tables import require


class Counts(Counter[str]):
    """What was read and what was passed over, by reason; printed at the end of a run.

    Args:
        iterable: what `collections.Counter` takes.

    >>> counts = Counts(); counts["repeated id"] += 2; str(counts)
    'repeated id: 2'
    """

    def __str__(self) -> str:
        return ", ".join(f"{name}: {count:,}" for name, count in sorted(self.items()) if count)


def read_table(path: str | os.PathLike[str], columns: Sequence[str], optional: Sequence[str] = ()) -> pa.Table:
    """The named columns of a Parquet file (those of `optional` if they are there), or `BadInput`.

    Args:
        path: the file.
        columns: columns it must have.
        optional: columns that are read where it has them.
    """
    where = str(path)
    try:
        file = pq.ParquetFile(Path(path))
        names = file.schema_arrow.names
        require(names, columns, where)
        return file.read([name for name in names if name in columns or name in optional])
    except FileNotFoundError:
        raise BadInput(f"{where}: no such file") from None
    except PermissionError:
        raise BadInput(f"{where}: no permission to read it") from None
    except (IsADirectoryError, pa.ArrowInvalid, OSError) as error:
        raise BadInput(f"{where}: not a Parquet file ({str(error).splitlines()[0]})") from None


def as_strings(column: pa.ChunkedArray | pa.Array, kind: pa.DataType | None = None) -> pa.ChunkedArray:
    """Any column as text: numbers are written out, bytes decoded as UTF-8 with replacement.

    >>> as_strings(pa.array([1, None])).to_pylist()
    ['1', None]
    """
    kind = kind or pa.string()
    column = pa.chunked_array([column]) if isinstance(column, pa.Array) else column
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return pa.chunked_array([_decode(chunk, kind) for chunk in column.chunks], type=kind)
    try:
        return column.cast(kind)
    except pa.ArrowNotImplementedError:
        raise BadValues(f"a column of {column.type} where text should be") from None


def _decode(chunk: pa.Array, kind: pa.DataType) -> pa.Array:
    try:
        return chunk.cast(kind)
    except pa.ArrowInvalid:
        texts = [None if value is None else value.decode("utf-8", "replace") for value in chunk.to_pylist()]
        return pa.array(texts, kind)


def as_digests(column: pa.ChunkedArray | pa.Array) -> pa.ChunkedArray:
    """Digests of any kind as uint64: integers (also written out) by their bits, other strings and bytes by their xxh64.

    >>> as_digests(pa.array([-1, 1])).to_pylist()
    [18446744073709551615, 1]
    >>> as_digests(pa.array(["18446744073709551615", "1"])).to_pylist()
    [18446744073709551615, 1]
    """
    column = pa.chunked_array([column]) if isinstance(column, pa.Array) else column
    if column.type == pa.uint64():
        return column
    if pa.types.is_integer(column.type):
        signed = column.cast(pa.int64()) if not pa.types.is_unsigned_integer(column.type) else column.cast(pa.uint64())
        return pa.chunked_array([chunk.view(pa.uint64()) for chunk in signed.chunks], type=pa.uint64())
    return pa.chunked_array([pa.array([None if v is None else _digest(v) for v in column.to_pylist()], pa.uint64())])


def _digest(value: object) -> int:
    import xxhash

    if isinstance(value, bytes):
        return xxhash.xxh64_intdigest(value)
    text = str(value)
    if text.isascii() and text.isdigit() and len(text) <= 20 and str(int(text)) == text and int(text) < 1 << 64:
        return int(text)
    return xxhash.xxh64_intdigest(text.encode())


def first_of_each(table: pa.Table, name: str, counts: Counts, reason: str) -> pa.Table:
    """The table without the rows whose `name` stood before; what is dropped is counted under `reason`.

    >>> counts = Counts()
    >>> first_of_each(pa.table({"id": ["a", "b", "a"]}), "id", counts, "repeated id").num_rows, str(counts)
    (2, 'repeated id: 1')
    """
    codes = table.column(name).combine_chunks().dictionary_encode().indices.to_numpy(zero_copy_only=False)
    _, first = np.unique(codes, return_index=True)
    if len(first) == table.num_rows:
        return table
    counts[reason] += table.num_rows - len(first)
    return table.take(pa.array(np.sort(first)))
