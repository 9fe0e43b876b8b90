"""The rows of a data set that stay, with all their columns, in the order in which they were read."""

import os
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import Counts
from garimpo.contract.table_files import write_table
from garimpo.similarity.inputs.batches import Documents, settled, with_text_column
from garimpo.similarity.inputs.batches import made_even as even_table

ROW = "__row"


def write_kept(path: str | os.PathLike[str], documents: Documents, near: pa.Table, text_column: str | None = None) -> int:
    """Write the rows of the documents that are kept, as the suffix says; how many.

    Args:
        path: where to: .parquet, .jsonl, .csv or .tsv.
        documents: what was given to `dedup`.
        near: what `dedup` says of them.
        text_column: the column of texts, where it has another name.
    """
    kept = near.filter(near["keep"])["id"].combine_chunks()
    tables = [_chosen(table, even, kept) for table, even in _whole(documents, text_column)]
    rows = pa.concat_tables(tables, promote_options="permissive") if tables else pa.table({})
    write_table(rows, path)
    return int(rows.num_rows)


def _chosen(table: pa.Table, even: pa.Table, kept: pa.Array) -> pa.Table:
    """The rows of a table whose documents (first of each id) are kept."""
    return table.take(even.filter(pc.is_in(even["id"], value_set=kept))[ROW])


def _whole(documents: Documents, text_column: str | None) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Whole tables, and of each the `id` and row of every document that counts."""
    from garimpo.archive.collection.stream import Seen, as_paths, files_of

    given, seen = settled(documents), Seen()
    if isinstance(given, pa.Table):
        numbered = with_text_column(given, text_column).append_column(ROW, pa.array(range(given.num_rows), pa.int64()))
        yield given, even_table(numbered, (ROW,), Counts())
        return
    for file in (file for path in as_paths(given) for file in files_of(path)):
        row = 1
        for table, rough in _tables(file, text_column):
            even = _named(rough, file, row)
            row += table.num_rows
            yield table, even.filter(pa.array(seen.first(even["id"])))


def _named(rough: pa.Table, path: Path, row: int) -> pa.Table:
    from garimpo.archive.collection.stream import made_even, row_names

    numbered = rough.append_column(ROW, pa.array(range(rough.num_rows), pa.int64()))
    return made_even(numbered, partial(row_names, numbered, path, row), (ROW,), Counts())


def _tables(path: Path, text_column: str | None) -> Iterator[tuple[pa.Table, pa.Table]]:
    """Tables of a file with all their columns, and the same with the column of texts where the reader wants it."""
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
        yield from _json_lines(path, text_column)
    else:
        for table in reader_of(path, False)(path, (), Counts()):
            yield table, table


def _json_lines(path: Path, text_column: str | None) -> Iterator[tuple[pa.Table, pa.Table]]:
    """A file of JSON lines: the rows with all their fields, and beside them what the reader makes of them."""
    from garimpo.archive.collection.sources import json_rows, table

    for rows in json_rows(path, text_column or "text"):
        rough = table([dict(row) for row in rows], (), decoded=True)
        whole = [{name: value for name, value in row.items() if name != "row"} for row in rows]
        if text_column not in (None, "text"):
            whole = [{name: value for name, value in row.items() if name not in ("text", "html")} for row in whole]
        yield pa.Table.from_pylist(_even_keys(whole)), rough


def _even_keys(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return [{name: row.get(name) for name in names} for row in rows]
