"""A crawl folder written out for other programs."""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Literal, get_args

import msgspec
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from garimpo.archive.collection.cdxj import write_cdxj
from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput, spoken
from garimpo.contract.reading import Counts
from garimpo.contract.tables import PAGES

Stream = Literal["jsonl", "csv", "cdxj"]
Placed = Literal["markdown", "txt", "parquet", "wacz"]
PLACED = get_args(Placed)
"""What is no stream: it needs a place to be written to."""


def export(
    store: Store,
    to: Stream | Placed,
    out: IO[bytes] | Path,
    counts: Counts | None = None,
    *,
    main_text: bool = False,
    every: bool = False,
) -> int:
    """Write the folder out and return the number of lines, rows or files.

    `jsonl`: one object for the newest good row of each URL, with its text; it is documents input for every command.
    `csv`: every row of the pages table but its text. `cdxj`: one line for every answer in the WARC files, sorted.
    `markdown`, `txt`: one file for each page that repeats no other, and `index.jsonl`. `parquet`: the same pages as a data set.
    `wacz`: every answer with an index, in one file for replay.

    Args:
        store: the crawl folder.
        to: the format.
        out: a file open for bytes (jsonl, csv, cdxj), a folder to make (markdown, txt), or the path of a file (any other).
        counts: gets what was passed over.
        main_text: leave out what the pages' hosts repeat, menus, banners and footers (csv: in a column of its own).
        every: in markdown, txt and parquet pages that repeat another one, too.

    >>> import io, tempfile
    >>> with Store.create(tempfile.mkdtemp()) as store:
    ...     export(store, "jsonl", io.BytesIO())
    0
    """
    counts = Counts() if counts is None else counts
    if isinstance(out, Path):
        from garimpo.archive.collection.page_files import write_data_set, write_folder

        if main_text and to in ("cdxj", "wacz"):
            raise BadInput(f"{to}: holds answers as they came, and has no main text")
        if to == "wacz":
            from garimpo.archive.collection.wacz import write_wacz

            return write_wacz(store, out, counts)
        if to == "parquet":
            return write_data_set(store, out, counts, main_text, every)
        if to == "markdown" or to == "txt":
            return write_folder(store, to, out, counts, main_text, every)
        with out.open("wb") as file:
            return export(store, to, file, counts, main_text=main_text, every=every)
    if to == "jsonl":
        return _write_jsonl(store, out, counts, main_text)
    if to == "csv":
        return _write_csv(store, out, counts, main_text)
    if to == "cdxj":
        if main_text:
            raise BadInput("cdxj: holds answers as they came, and has no main text")
        return write_cdxj(store, out, counts)
    raise BadInput(f"{to}: needs a place to be written to (give {spoken('`out`', '--out')})")


def _write_jsonl(store: Store, file: IO[bytes], counts: Counts, main_text: bool) -> int:
    lines = 0
    for batch in _with_main_text(store, store.latest(), "text", counts) if main_text else store.latest():
        for row in batch.to_pylist():
            kept = {name: value for name, value in row.items() if value is not None}
            file.write(msgspec.json.encode({"id": row["url"], **kept}) + b"\n")
        lines += batch.num_rows
    return lines


def _write_csv(store: Store, file: IO[bytes], counts: Counts, main_text: bool) -> int:
    names = [name for name in PAGES.names if name != "text"]
    rows = store.pages(None if main_text else names)
    if main_text:
        rows, names = _with_main_text(store, rows, "main_text", counts), [*names, "main_text"]
    schema = pa.schema([PAGES.field(name) if name in PAGES.names else pa.field(name, pa.large_string()) for name in names])
    lines = 0
    with pyarrow.csv.CSVWriter(file, schema) as writer:
        for batch in rows:
            columns = [_harmless(batch.column(name)) for name in names]
            writer.write_batch(pa.record_batch(columns, schema=schema))
            lines += batch.num_rows
    return lines


def _harmless(column: pa.Array) -> pa.Array:
    """A column of texts as a spreadsheet and a terminal may see it: no formula begins a cell, no control character is in it."""
    if not pa.types.is_string(column.type) and not pa.types.is_large_string(column.type):
        return column
    text = pc.replace_substring_regex(column, r"[\x00-\x1f\x7f]+", " ")
    mark, nothing = (pa.scalar(sign, column.type) for sign in ("'", ""))
    quoted = pc.binary_join_element_wise(mark, text, nothing)
    return pc.if_else(pc.match_substring_regex(text, r"^\s*[=+\-@]"), quoted, text)


def _with_main_text(store: Store, batches: Iterator[pa.RecordBatch], column: str, counts: Counts) -> Iterator[pa.RecordBatch]:
    """The rows with their main text in a column; null where the answer was not good."""
    from garimpo.archive.collection.main_texts import COLUMNS, MainTexts

    texts = MainTexts(store, True, counts)
    for batch in batches:
        rows = batch.select([*COLUMNS, "status"]).to_pylist()
        found = pa.array([texts.text(row) if row["status"] == 200 else None for row in rows], pa.large_string())
        at = batch.schema.get_field_index(column)
        yield batch.append_column(column, found) if at < 0 else batch.set_column(at, column, found)
