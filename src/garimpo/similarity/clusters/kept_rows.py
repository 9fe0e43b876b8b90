"""The rows of a data set that stay, with all their columns, in the order in which they were read."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import Counts, publish
from garimpo.contract.table_files import check_format, write_lines, write_table
from garimpo.similarity.inputs.batches import Documents, settled, with_text_column
from garimpo.similarity.inputs.batches import made_even as even_table

ROW = "__row"

Whole: TypeAlias = pa.Table | list[bytes]
"""Rows with all that they hold: of JSON lines the lines themselves, whose fields need not agree."""


def write_kept(path: str | os.PathLike[str], documents: Documents, near: pa.Table, text_column: str | None = None) -> int:
    """Write the rows of the documents that are kept, as the suffix says; how many.

    JSON lines that stay JSON lines are copied as they are. In a table a column whose values are of several kinds becomes text.

    Args:
        path: where to: .parquet, .jsonl, .csv or .tsv.
        documents: what was given to `dedup`.
        near: what `dedup` says of them.
        text_column: the column of texts, where it has another name.
    """
    check_format(path)
    kept = near.filter(near["keep"])["id"].combine_chunks()
    chosen = (_chosen(whole, even, kept) for whole, even in _pieces(documents, text_column))
    if Path(path).suffix == ".jsonl":
        return _write_json(path, chosen)
    rows = _joined([_tabled(piece) if isinstance(piece, list) else piece for piece in chosen])
    write_table(rows, path)
    return int(rows.num_rows)


def _write_json(path: str | os.PathLike[str], pieces: Iterator[Whole]) -> int:
    written = 0
    with publish(path) as temporary, temporary.open("wb") as file:
        for piece in pieces:
            written += len(piece)
            if isinstance(piece, list):
                file.writelines(line.rstrip(b"\r\n") + b"\n" for line in piece)
            else:
                write_lines(file, piece)
    return written


def _chosen(whole: Whole, even: pa.Table, kept: pa.Array) -> Whole:
    """The rows whose documents (first of each id) are kept."""
    rows = even.filter(pc.is_in(even["id"], value_set=kept))[ROW]
    return [whole[row] for row in rows.to_pylist()] if isinstance(whole, list) else whole.take(rows)


def _pieces(documents: Documents, text_column: str | None) -> Iterator[tuple[Whole, pa.Table]]:
    """Whole rows, and of each the `id` and row of every document that counts."""
    from garimpo.archive.collection.stream import Seen, as_paths, files_of

    given, seen = settled(documents), Seen()
    if isinstance(given, pa.Table):
        numbered = with_text_column(given, text_column).append_column(ROW, pa.array(range(given.num_rows), pa.int64()))
        yield given, even_table(numbered, (ROW,), Counts())
        return
    for file in (file for path in as_paths(given) for file in files_of(path)):
        row = 1
        for whole, rough in _of_file(file, text_column):
            even = _named(rough, file, row)
            row += len(whole)
            yield whole, even.filter(pa.array(seen.first(even["id"])))


def _named(rough: pa.Table, path: Path, row: int) -> pa.Table:
    from garimpo.archive.collection.stream import made_even, row_names

    numbered = rough.append_column(ROW, pa.array(range(rough.num_rows), pa.int64()))
    return made_even(numbered, partial(row_names, numbered, path, row), (ROW,), Counts())


def _of_file(path: Path, text_column: str | None) -> Iterator[tuple[Whole, pa.Table]]:
    """Rows of a file with all their columns, and the same with the column of texts where the reader wants it."""
    from garimpo.archive.collection import delimited
    from garimpo.archive.collection.stream import reader_of

    name = path.name.lower()
    if name.endswith(".parquet"):
        import pyarrow.parquet as pq

        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(8192):
                yield pa.table(batch), with_text_column(pa.table(batch), text_column)
    elif name.endswith(delimited.SUFFIXES):
        for table in delimited.read_whole(path, Counts()):
            yield table, with_text_column(table, text_column)
    elif ".jsonl" in name:
        from garimpo.archive.collection.sources import line_batches, parse_line, table

        for lines in line_batches(path):
            rows = [parse_line(str(path), number, line, text_column or "text") for number, line in lines]
            yield [line for _, line in lines], table(rows, (), decoded=True)
    else:
        for table in reader_of(path, False)(path, (), Counts()):
            yield table, table


def _tabled(lines: list[bytes]) -> pa.Table:
    """JSON lines as a table: a column for every name that any of them has."""
    rows = [msgspec.json.decode(line) for line in lines]
    names = dict.fromkeys(name for row in rows for name in row)
    return pa.table({name: _column([row.get(name) for row in rows]) for name in names})


def _column(values: list[Any]) -> pa.Array:
    try:
        column = pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return _as_text(values)
    return _as_text(values) if "struct<>" in str(column.type) else column  # Parquet has no structure without fields


def _as_text(values: list[Any]) -> pa.Array:
    """Strings as they are, all else as JSON."""
    texts = [value if isinstance(value, str | None) else msgspec.json.encode(value).decode() for value in values]
    return pa.array(texts, pa.large_string())


def _joined(tables: list[pa.Table]) -> pa.Table:
    """The rows of all tables; a column that is of kinds that do not go together becomes text in each."""
    if not tables:
        return pa.table({})
    for name in dict.fromkeys(name for table in tables for name in table.column_names):
        if not _go_together([table.schema.field(name) for table in tables if name in table.column_names]):
            tables = [_with_text(table, name) for table in tables]
    return pa.concat_tables(tables, promote_options="permissive")


def _go_together(fields: list[pa.Field]) -> bool:
    try:
        pa.unify_schemas([pa.schema([field]) for field in fields], promote_options="permissive")
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        return False
    return True


def _with_text(table: pa.Table, name: str) -> pa.Table:
    if name not in table.column_names:
        return table
    return table.set_column(table.column_names.index(name), name, _as_text(table[name].to_pylist()))
