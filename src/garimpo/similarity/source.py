"""Documents as the jobs of this room want them: batches with `id` and `text`."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

import pyarrow as pa

from garimpo.contract import BadInput, Counts
from garimpo.contract.reading import as_strings, first_of_each

Documents: TypeAlias = pa.Table | str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


def batches_of(documents: Documents, columns: Sequence[str], counts: Counts) -> Iterator[pa.RecordBatch]:
    """Batches of `id`, `text` and the further `columns`, from a table or from path(s)."""
    if isinstance(documents, pa.Table):
        yield from _even(documents, columns, counts).to_batches()
        return
    from garimpo.archive import texts

    yield from texts(documents, columns=columns, counts=counts)


def _even(table: pa.Table, columns: Sequence[str], counts: Counts) -> pa.Table:
    names = table.column_names
    if "text" not in names and "html" not in names:
        raise BadInput(f"the table has no column text or html (it has: {', '.join(names) or 'none'})")
    ids = next((as_strings(table[name]) for name in ("id", "url") if name in names), None)
    if ids is None or ids.null_count:
        numbers = pa.array([f"row {i}" for i in range(1, table.num_rows + 1)])
        ids = numbers if ids is None else pa.compute.coalesce(ids, numbers)
    more = [table[name] if name in names else pa.nulls(table.num_rows) for name in columns]
    even = pa.table([ids, _texts(table), *more], names=["id", "text", *columns])
    return first_of_each(even, "id", counts, "repeated id")


def _texts(table: pa.Table) -> pa.ChunkedArray:
    texts = as_strings(table["text"], pa.large_string()) if "text" in table.column_names else None
    if "html" not in table.column_names or (texts is not None and not texts.null_count):
        return texts
    from garimpo.page import read, read_text

    urls = as_strings(table["url"]).to_pylist() if "url" in table.column_names else [""] * table.num_rows
    shown: list[str | None] = [None] * table.num_rows if texts is None else texts.to_pylist()
    for row, html in enumerate(table["html"].to_pylist()):
        if shown[row] is None and html is not None:
            reader = read_text if isinstance(html, str) else read
            shown[row] = reader(html, urls[row] or "").text
    return pa.chunked_array([pa.array(shown, pa.large_string())])


def watched(batches: Iterator[pa.RecordBatch], progress: Callable[[int], None] | None) -> Iterator[pa.RecordBatch]:
    """The batches, each reported once it was dealt with."""
    for batch in batches:
        yield batch
        if progress is not None:
            progress(batch.num_rows)
