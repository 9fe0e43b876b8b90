"""Documents as the jobs of this room want them: batches with `id` and `text`."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput, Counts
from garimpo.contract.reading import as_strings, first_of_each

Documents: TypeAlias = Any
"""A table or a column of texts (any object with `__arrow_c_stream__`), a list of texts, one path or a list of paths."""

SUFFIXES = (".jsonl", ".parquet", ".warc", ".csv", ".tsv", ".gz", ".zst", ".md", ".txt", ".html")


def batches_of(
    documents: Documents, columns: Sequence[str], counts: Counts, text_column: str | None = None
) -> Iterator[pa.RecordBatch]:
    """Batches of `id`, `text` and the further `columns`, from a table, a list of texts or path(s)."""
    given = settled(documents)
    if isinstance(given, pa.Table):
        yield from made_even(with_text_column(given, text_column), columns, counts).to_batches()
        return
    from garimpo.archive import texts

    yield from texts(given, columns=columns, counts=counts, text_column=text_column)


def with_text_column(table: pa.Table, name: str | None) -> pa.Table:
    """The table with its column of texts called `text`."""
    if name is None or name == "text":
        return table
    if name not in table.column_names:
        raise BadInput(f"the table has no column {name} (it has: {', '.join(table.column_names) or 'none'})")
    rest = [other for other in table.column_names if other not in (name, "text", "html")]
    return table.select(rest).append_column("text", table[name])


def settled(documents: Documents) -> pa.Table | str | os.PathLike[str] | list[str | os.PathLike[str]]:
    """What was given, as a table or as path(s).

    >>> settled(["gold in the river", None]).column_names
    ['text']
    """
    if isinstance(documents, pa.Table | str | os.PathLike):
        return documents
    if hasattr(documents, "__arrow_c_stream__") or isinstance(documents, pa.Array):
        return _from_stream(documents)
    if not isinstance(documents, Sequence) or isinstance(documents, bytes):
        raise BadInput(f"documents are a table, a list of texts or path(s), not {type(documents).__name__}")
    given = list(documents)
    if given and all(isinstance(entry, os.PathLike) for entry in given):
        return given
    if not all(isinstance(entry, str | None) for entry in given):
        kinds = ", ".join(sorted({type(entry).__name__ for entry in given}))
        raise BadInput(f"a list of documents holds texts or paths, not {kinds}")
    return given if _are_paths(given) else pa.table({"text": pa.array(given, pa.large_string())})


def _from_stream(documents: Any) -> pa.Table:
    """A table, or one column of texts."""
    try:
        if isinstance(documents, pa.Array):
            return _without_views(pa.table({"text": documents}))
        return _without_views(pa.table(documents))
    except (pa.ArrowInvalid, TypeError, ValueError) as error:
        try:
            column = pa.chunked_array(documents)
        except (pa.ArrowInvalid, TypeError, ValueError):
            raise BadInput(f"documents: not a table ({str(error).splitlines()[0]})") from None
    return _without_views(pa.table({"text": column}))


def _without_views(table: pa.Table) -> pa.Table:
    """The table with strings as Arrow's functions know them: Polars hands out views, which cannot be taken row by row."""
    kinds = [_without_view(kind) for kind in table.schema.types]
    return table.cast(pa.schema([field.with_type(kind) for field, kind in zip(table.schema, kinds)]))


def _without_view(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, _without_view(kind.value_type), kind.ordered)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        made = pa.list_ if pa.types.is_list(kind) else pa.large_list
        return made(kind.value_field.with_type(_without_view(kind.value_type)))
    if pa.types.is_struct(kind):
        return pa.struct([part.with_type(_without_view(part.type)) for part in kind])
    return kind


def _are_paths(given: list[str | None]) -> bool:
    """Whether strings name files: all do, or none; a mixture is a wrong path rather than a text."""
    like = [text is not None and _names_a_file(text) for text in given]
    if any(like) and not all(like):
        raise BadInput(f"{given[like.index(True)]}: a path among texts? (a list holds texts, or paths)")
    return bool(given) and all(like)


def _names_a_file(text: str) -> bool:
    if not text or len(text) > 1000 or "\n" in text or "\0" in text:
        return False
    try:
        return (text.lower().endswith(SUFFIXES) and " " not in text) or Path(text).exists()
    except OSError:  # too long for a name
        return False


def made_even(table: pa.Table, columns: Sequence[str], counts: Counts) -> pa.Table:
    """A table as `id`, `text` and the further `columns`; of a repeated id the first row."""
    names = table.column_names
    if "text" not in names and "html" not in names:
        raise BadInput(f"the table has no column text or html (it has: {', '.join(names) or 'none'})")
    ids = next((as_strings(table[name]) for name in ("id", "url") if name in names), None)
    if ids is None or ids.null_count:
        numbers = pa.array([f"row {i}" for i in range(1, table.num_rows + 1)], pa.string())
        ids = numbers if ids is None else pc.coalesce(ids, numbers)
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
