"""Tables as files: Parquet, CSV, TSV or JSON lines, as the name's suffix says; the one writer for every command."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish

FORMATS = (".parquet", ".csv", ".tsv", ".jsonl")


def check_format(path: str | os.PathLike[str]) -> None:
    """Refuse a name whose suffix is no format of a table, before any work is done.

    Args:
        path: the file that is to be written.

    >>> check_format("near.xlsx")
    Traceback (most recent call last):
    garimpo.contract.errors.BadInput: near.xlsx: a table is written as .parquet, .csv, .tsv or .jsonl
    """
    if Path(path).suffix not in FORMATS:
        raise BadInput(f"{os.fspath(path)}: a table is written as {', '.join(FORMATS[:-1])} or {FORMATS[-1]}")


def write_table(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write a table to a file, which is there whole or not at all.

    Args:
        table: the rows. In CSV and TSV a list is its values with spaces between, what is deeper is JSON.
        path: the file; its suffix decides the format.

    >>> import tempfile
    >>> path = Path(tempfile.mkdtemp()) / "stones.csv"
    >>> write_table(pa.table({"stone": ["gold"], "weight": [3]}), path); print(path.read_text(), end="")
    "stone","weight"
    "gold",3
    """
    write_tables([table], table.schema, path)


def write_tables(tables: Iterable[pa.Table], schema: pa.Schema, path: str | os.PathLike[str]) -> int:
    """Write tables of one schema after each other to a file, as `write_table` does; returns the number of rows.

    Args:
        tables: the rows, piece by piece.
        schema: of all of them; a file without rows has its columns too.
        path: the file; its suffix decides the format.
    """
    check_format(path)
    written = 0
    with publish(path) as temporary, _opened(temporary, Path(path).suffix, schema) as write:
        for table in tables:
            write(table)
            written += table.num_rows
    return written


@contextmanager
def _opened(path: Path, suffix: str, schema: pa.Schema) -> Iterator[Any]:
    """What appends a table to a file of a format."""
    if suffix == ".parquet":
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            yield writer.write_table
    elif suffix == ".jsonl":
        with path.open("wb") as file:
            yield lambda table: write_lines(file, table)
    else:
        from pyarrow import csv

        options = csv.WriteOptions(delimiter="\t" if suffix == ".tsv" else ",")
        with csv.CSVWriter(path, _flat_schema(schema), write_options=options) as writer:
            yield lambda table: writer.write_table(_flat(table))


def write_lines(file: BinaryIO, table: pa.Table) -> None:
    """Append the rows of a table to a file, each as a JSON object in a line.

    Args:
        file: open for writing bytes.
        table: the rows; times finer than a microsecond are cut to it.
    """
    for batch in _without_nanoseconds(table).to_batches(max_chunksize=4096):
        file.writelines(msgspec.json.encode(row) + b"\n" for row in batch.to_pylist())


def _without_nanoseconds(table: pa.Table) -> pa.Table:
    """The table with times as Python knows them."""
    fields = [
        field.with_type(pa.timestamp("us", field.type.tz))
        if pa.types.is_timestamp(field.type) and field.type.unit == "ns"
        else field
        for field in table.schema
    ]
    return table.cast(pa.schema(fields), safe=False)


def _flat_schema(schema: pa.Schema) -> pa.Schema:
    return pa.schema([pa.field(field.name, pa.string()) if pa.types.is_nested(field.type) else field for field in schema])


def _flat(table: pa.Table) -> pa.Table:
    """The table with a text for every list or structure."""
    columns = [
        pa.array([None if row is None else _in_words(row) for row in column.to_pylist()], pa.string())
        if pa.types.is_nested(column.type)
        else column
        for column in table.columns
    ]
    return pa.table(columns, schema=_flat_schema(table.schema))


def _in_words(value: Any) -> str:
    """A list of plain values with spaces between; all else as JSON."""
    if isinstance(value, list) and not any(isinstance(part, list | dict | tuple) for part in value):
        return " ".join(map(str, value))
    return msgspec.json.encode(value).decode()
