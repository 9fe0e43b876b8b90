"""Documents from any kind of input, as one even stream of Arrow batches."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import xxhash
from numpy.typing import NDArray

from garimpo.archive.collection import delimited, sources
from garimpo.archive.folder.store import is_crawl_folder
from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts, as_strings
from garimpo.contract.tables import DOCUMENTS
from garimpo.url import normalise

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]

LARGEST_BATCH = 16 << 20
_LINES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
_WARC = (".warc", ".warc.gz", ".warc.zst")
_PARTS = (*_LINES, *_WARC, *delimited.SUFFIXES)
"""What a folder may hold the parts of a data set as."""
_KINDS = ".jsonl, .csv, .tsv [.gz|.zst], .parquet, .warc[.gz], .html, .txt, .md, a folder of these, a crawl folder"


def documents(
    paths: Paths,
    *,
    columns: Sequence[str] = (),
    bodies: bool = False,
    counts: Counts | None = None,
    text_column: str | None = None,
) -> Iterator[pa.RecordBatch]:
    """Every document of one or more inputs: batches of `id, url, text, html` and the further `columns` asked for.

    Batches hold at most 16 MB; memory stays bounded whatever the input. `id` is the input's own, else the URL, else
    file and row; of a repeated id the first counts. `html` that came as text (and is decoded already) is handed on as UTF-8
    with a byte-order mark, which outranks whatever the page declares. A crawl folder gives the newest good row of each URL;
    its `html` is read from the WARC files only with `bodies`. What was passed over is added to `counts`, by reason.
    A column of `columns` that an input lacks is null. `text_column` names the column of texts of tables that have another.

    Args:
        paths: files, folders or crawl folders of documents.
        columns: further columns to read.
        bodies: whether to read `html` as bytes, too.
        text_column: the column that holds the text, where it is not named `text`.
        counts: what is passed over is counted here.

    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "two.jsonl"
    >>> _ = file.write_text('{"id": 1, "text": "gold"}\\n{"url": "http://a.example/", "html": "<p>river"}\\n')
    >>> [row["id"] for batch in documents(file) for row in batch.to_pylist()]
    ['1', 'http://a.example/']
    """
    counts = Counts() if counts is None else counts
    inputs = as_paths(paths)
    readers = [
        (file, reader_of(file, bodies, text_column)) for path in inputs for file in files_of(path)
    ]  # a wrong name is said first
    seen, found = Seen(), 0
    for path, read in readers:
        row = 1
        for rough in read(path, columns, counts):
            even = made_even(rough, partial(row_names, rough, path, row), columns, counts)
            row += rough.num_rows
            first = seen.first(even["id"])
            counts["repeated id"] += len(first) - int(first.sum())
            found += int(first.sum())
            yield from cut_batches(even.filter(pa.array(first)))
    if not found:
        raise BadInput(f"{', '.join(map(str, inputs)) or 'no input'}: no documents in it")


def as_paths(paths: Paths) -> list[Path]:
    """One path or several, as a list."""
    return [Path(paths)] if isinstance(paths, str | os.PathLike) else [Path(path) for path in paths]


def files_of(path: Path) -> list[Path]:
    """The tables or WARC files of a folder that holds some, as others write large data sets; else the path itself.

    Where there is Parquet, it is that alone; where there are pages, too, the folder is one of pages. Parts may stand in folders
    of the folder, beside a README only.
    """
    if not path.is_dir() or is_crawl_folder(path):
        return [path]
    shown = [file for file in sorted(path.iterdir()) if file.name[0] not in "_."]
    parquet = [file for file in shown if file.name.endswith(".parquet")]
    if parquet:
        return parquet
    if sources.has_pages(path):
        return [path]
    found = [file for file in shown if file.name.lower().endswith(_PARTS)] or _deeper(path)
    return [file for file in found if file.suffix == ".parquet"] or found or [path]


def _deeper(path: Path) -> list[Path]:
    """The parts of a data set in folders of its folder, as `data/train-0.parquet` or `language=en/part-0.jsonl`."""
    below = ((file, file.relative_to(path).parts) for file in sorted(path.rglob("*")))
    return [
        file
        for file, names in below
        if file.name.lower().endswith((*_PARTS, ".parquet")) and not any(name[0] in "_." for name in names)
    ]


class Seen:
    """Which strings came before, by 64-bit hash: sorted arrays of doubling length, eight bytes a string.

    >>> seen = Seen()
    >>> seen.first(pa.array(["a", "b", "a"])).tolist(), seen.first(pa.array(["b", "c"])).tolist()
    ([True, True, False], [False, True])
    """

    def __init__(self) -> None:
        self._levels: list[NDArray[np.uint64]] = []

    def first(self, strings: pa.Array | pa.ChunkedArray) -> NDArray[np.bool_]:
        """For each string, whether it comes for the first time."""
        keys = np.array([xxhash.xxh64_intdigest(text.encode()) for text in strings.to_pylist()], np.uint64)
        fresh = np.zeros(len(keys), bool)
        fresh[np.unique(keys, return_index=True)[1]] = True
        for level in self._levels:
            place = np.minimum(np.searchsorted(level, keys), len(level) - 1)
            fresh &= level[place] != keys
        self._add(np.sort(keys[fresh]))
        return fresh

    def _add(self, keys: NDArray[np.uint64]) -> None:
        while self._levels and len(self._levels[-1]) <= 2 * len(keys):
            keys = np.sort(np.concatenate([self._levels.pop(), keys]))
        if len(keys):
            self._levels.append(keys)


Reader = Callable[[Path, Sequence[str], Counts], Iterator[pa.Table]]


def reader_of(path: Path, bodies: bool, text_column: str | None = None) -> Reader:
    """How the documents of one file or folder are read; `BadInput` where nobody knows."""
    if not path.exists():
        raise BadInput(f"{path}: no such file or folder")
    name = path.name.lower()
    text = text_column or "text"
    if path.is_dir() or name.endswith((*sources.SINGLE, *_WARC)):
        if text_column is not None:
            raise BadInput(f"{path}: it has no columns, so none is called {text_column}")
        if is_crawl_folder(path):
            return lambda path, columns, counts: sources.read_crawl(path, columns, counts, bodies)
        return sources.read_folder if path.is_dir() or name.endswith(sources.SINGLE) else sources.read_warc_file
    if name.endswith(_LINES):
        return partial(sources.read_jsonl, text=text)
    if name.endswith(".parquet"):
        return partial(sources.read_parquet, text=text)
    if name.endswith(delimited.SUFFIXES):
        return partial(delimited.read_delimited, text=text)
    raise BadInput(f"{path}: not a kind of documents this program reads ({_KINDS})")


def row_names(rough: pa.Table, path: Path, row: int) -> list[str]:
    """What rows without an id are called: file and row."""
    numbers = rough["row"].to_pylist() if "row" in rough.column_names else range(row, row + rough.num_rows)
    return [f"{path.name}:{number}" for number in numbers]


def made_even(rough: pa.Table, names: Callable[[], list[str]], columns: Sequence[str], counts: Counts) -> pa.Table:
    """The table in the schema of documents: ids made (`names` of rows without), URLs checked, rows with other schemes dropped."""
    import pyarrow.compute as pc  # not with the module: a crawl loads that, and reads no documents

    length = rough.num_rows
    urls, other = _urls(_column(rough, "url", pa.string()), counts)
    ids = pc.coalesce(_column(rough, "id", pa.string()), urls)
    if ids.null_count:
        ids = pc.coalesce(ids, pa.array(names()))
    text = _cut(_column(rough, "text", pa.large_string()), counts)
    html = _cut(_beside(text, _html(rough)), counts)
    more = [rough[name] if name in rough.column_names else pa.nulls(length) for name in columns]
    fields = [*DOCUMENTS, *(pa.field(name, array.type) for name, array in zip(columns, more))]
    table = pa.table([ids, urls, text, html, *more], schema=pa.schema(fields))
    return table.filter(pa.array(~other)) if other.any() else table


def _urls(column: pa.ChunkedArray, counts: Counts) -> tuple[pa.ChunkedArray, NDArray[np.bool_]]:
    """The column with null for what is no URL, and which rows have a URL that is not http(s)."""
    other = np.zeros(len(column), bool)
    if column.null_count == len(column):
        return column, other
    kept: list[str | None] = []
    for number, url in enumerate(column.to_pylist()):
        good = url is not None and normalise(url) is not None
        if url is not None and not good:
            other[number] = _has_scheme(url)
            counts["URL is not http(s)" if other[number] else "URL does not parse"] += 1
        kept.append(url if good else None)
    return pa.chunked_array([pa.array(kept, pa.string())]), other


def _has_scheme(url: str) -> bool:
    scheme = url.strip().partition(":")[0].lower()
    return scheme not in ("http", "https") and ":" in url and scheme.isascii() and scheme.replace("+", "").isalnum()


def _column(rough: pa.Table, name: str, kind: pa.DataType) -> pa.ChunkedArray:
    if name not in rough.column_names:
        return pa.chunked_array([pa.nulls(rough.num_rows, kind)])
    return as_strings(rough[name], kind)


def _html(rough: pa.Table) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    if "html" not in rough.column_names:
        return pa.chunked_array([pa.nulls(rough.num_rows, pa.large_binary())])
    column = rough["html"]
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
        return column.cast(pa.large_binary())
    mark, nothing = pa.scalar(sources.BOM.decode(), pa.large_string()), pa.scalar("", pa.large_string())
    marked = pc.binary_join_element_wise(mark, as_strings(column, pa.large_string()), nothing)
    return marked.cast(pa.large_binary())


def _beside(text: pa.ChunkedArray, html: pa.ChunkedArray) -> pa.ChunkedArray:
    """The HTML, but for rows that would not fit in a batch with both: there `text` wins."""
    import pyarrow.compute as pc

    both = pc.add(pc.binary_length(text), pc.binary_length(html))
    return pc.if_else(pc.fill_null(pc.greater(both, sources.LONGEST), False), pa.scalar(None, html.type), html)


def _cut(column: pa.ChunkedArray, counts: Counts) -> pa.ChunkedArray:
    import pyarrow.compute as pc

    if not len(column) or (pc.max(pc.binary_length(column)).as_py() or 0) <= sources.LONGEST:
        return column
    is_text = pa.types.is_large_string(column.type)
    values: list[bytes | None] = column.cast(pa.large_binary()).to_pylist()
    counts[sources.CUT] += sum(value is not None and len(value) > sources.LONGEST for value in values)
    cut = [None if value is None else value[: sources.LONGEST] for value in values]
    if is_text:
        return pa.chunked_array([pa.array([v if v is None else v.decode("utf-8", "ignore") for v in cut], column.type)])
    return pa.chunked_array([pa.array(cut, column.type)])


def cut_batches(table: pa.Table) -> Iterator[pa.RecordBatch]:
    """The table as batches of at most 16 MB (or one row)."""
    if not table.num_rows:
        return
    if table.nbytes > LARGEST_BATCH and table.num_rows > 1:
        half = table.num_rows // 2
        yield from cut_batches(table.slice(0, half))
        yield from cut_batches(table.slice(half))
        return
    yield from table.combine_chunks().to_batches()
