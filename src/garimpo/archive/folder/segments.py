"""Parquet segments of a crawl folder: written aside, listed in the state, then renamed."""

import contextlib
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.contract.files import fsync
from garimpo.contract.tables import LINKS, PAGES, check

SCHEMAS = {"pages": PAGES, "links": LINKS}
_PATIENCE = 10
REPLACED = "state/replaced"
"""Where segments lie for a while that others have taken the place of: a reader may have listed them just before."""
_COMMITS = b"garimpo.commits"
_NAME = re.compile(r"(?:pages|links)/(\d{8,})(?:-(\d{8,}))?(?:-(\d{1,7}))?\.parquet")
_ODD_NAME = re.compile(r"(?:pages|links)/\d{8,}-[0-9a-f]{1,40}(?:-\d{1,7})?\.parquet")
_NEEDED = {"pages": ("url", "status", "fetched_at"), "links": ("source", "target")}
_CHUNK = 1 << 20
_FEW_VALUES = ["host", "ip", "status", "content_type", "language", "source", "rel", "warc_file", "depth"]


class Span(NamedTuple):
    """The commits that a segment holds the rows of, and how often it was written anew."""

    first: int
    last: int
    generation: int


def span_of(name: str) -> Span | None:
    """What a segment's name says; None for one written by a worker of a crawl in rounds, or by nobody.

    >>> span_of("pages/00000007-1.parquet"), span_of("pages/00000001-00000016.parquet")
    (Span(first=7, last=7, generation=1), Span(first=1, last=16, generation=0))
    """
    found = _NAME.fullmatch(name)
    if found is None:
        return None
    first, last, generation = found.groups()
    return Span(int(first), int(last or first), int(generation or 0))


def is_name(name: object) -> bool:
    """Whether this is the name of a segment."""
    return isinstance(name, str) and (_NAME.fullmatch(name) or _ODD_NAME.fullmatch(name)) is not None


def write_aside(folder: Path, name: str, tables: Iterable[pa.Table], commits: Sequence[tuple[int, int]] = ()) -> int:
    """Write a segment as `NAME.tmp`, on the disk when this returns; how many rows it has.

    Args:
        folder: the crawl folder.
        name: the segment, as the state lists it.
        tables: its rows, in one part or several with the same columns; one at a time is in memory.
        commits: for a merged segment the commits it holds, each with the number of its rows, in their order.
    """
    schema, path, rows = SCHEMAS[name.partition("/")[0]], aside(folder, name), 0
    noted = {_COMMITS: ",".join(f"{number}:{count}" for number, count in commits).encode()} if commits else None
    with contextlib.ExitStack() as stack:
        writer: pq.ParquetWriter | None = None
        for table in tables:
            checked = check(table, schema)
            checked = checked.replace_schema_metadata(noted) if noted else checked
            if writer is None:
                writer = stack.enter_context(_writer(path, checked.schema))
            writer.write_table(checked)
            rows += table.num_rows
    fsync(path)
    fsync(path.parent)
    return rows


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    few = [column for column in _FEW_VALUES if column in schema.names]
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=1, use_dictionary=few, write_page_checksum=True)


def commits_of(path: Path) -> list[tuple[int, int]]:
    """The commits whose rows a segment holds, in their order, each with the number of its rows."""
    with open_segment(path) as file:
        noted, rows = (file.schema_arrow.metadata or {}).get(_COMMITS), file.metadata.num_rows
    if noted is None:
        span = span_of(f"{path.parent.name}/{path.name.removesuffix('.tmp')}")
        return [(span.last if span is not None else -1, rows)]
    pairs = (pair.partition(":") for pair in noted.decode().split(","))
    return [(int(number), int(count)) for number, _, count in pairs]


def checksum(path: Path) -> bytes:
    """The digest of a file, as the state keeps it."""
    digest = xxhash.xxh3_128()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.digest()


def aside(folder: Path, name: str) -> Path:
    """Where a segment stands before its rename."""
    return folder / f"{name}.tmp"


def finish(folder: Path, names: Sequence[str]) -> list[str]:
    """Rename what still stands aside; returns what was renamed."""
    renamed = []
    for name in names:
        if aside(folder, name).exists():
            aside(folder, name).replace(folder / name)
            renamed.append(name)
    return renamed


def put_away(folder: Path, name: str) -> None:
    """Move a segment that another has taken the place of to where it lies for a while.

    Args:
        folder: the crawl folder.
        name: the segment.
    """
    place = folder / REPLACED / name
    place.parent.mkdir(parents=True, exist_ok=True)
    location(folder, name, patience=0).replace(place)


def columns_of(path: Path) -> pa.Schema:
    """The columns that `read_whole` gives.

    Args:
        path: the segment.
    """
    with open_segment(path) as file:
        return _completed(file.schema_arrow.empty_table(), path).schema


def read_whole(path: Path) -> pa.Table:
    """All rows of a segment, with every column of its table: null where an older program wrote none.

    Args:
        path: the segment.
    """
    with open_segment(path) as file:
        return _completed(file.read(), path)


def _completed(table: pa.Table, path: Path) -> pa.Table:
    for field in SCHEMAS[path.parent.name]:
        if field.name not in table.column_names:
            table = table.append_column(field, pa.nulls(table.num_rows, field.type))
    return table.replace_schema_metadata(None)


def next_number(names: Iterable[str]) -> int:
    """The number of the next segment, after those that are listed."""
    spans = [(name, span_of(name)) for name in names]
    numbers = [int(Path(name).stem.partition("-")[0]) if span is None else span.last for name, span in spans]
    return 1 + max(numbers, default=0)


def unlisted(folder: Path, listed: set[str]) -> list[Path]:
    """The segments that no commit lists."""
    found = []
    for kind in SCHEMAS:
        for path in files_in(folder / kind):
            if f"{kind}/{path.name}" not in listed and path.name.endswith((".parquet", ".tmp")):
                found.append(path)
    return found


def files_in(folder: Path) -> list[Path]:
    """The files of a folder, in order of their names; of none that is not there."""
    return sorted(path for path in folder.iterdir() if path.is_file()) if folder.is_dir() else []


def location(folder: Path, name: str, patience: int = _PATIENCE) -> Path:
    """The file of a committed segment. One that a running crawl is about to rename is waited for; after a kill nobody will."""
    path = folder / name
    for _ in range(patience):
        if path.exists() or not aside(folder, name).exists():
            return path
        time.sleep(0.01)
    places = (path, aside(folder, name), folder / REPLACED / name)
    return next((place for place in places if place.exists()), path)


def batches(paths: Sequence[Path], columns: Sequence[str] | None, rows: int = 8192) -> Iterator[pa.RecordBatch]:
    """The rows of some segments as a stream; one row group is in memory at a time."""
    for path in paths:
        with open_segment(path) as file:
            yield from file.iter_batches(rows, columns=None if columns is None else list(columns))


def open_segment(path: Path) -> pq.ParquetFile:
    """Open a segment, even if a running crawl renames or replaces it under our hands."""
    replaced = path.parent.parent / REPLACED / path.parent.name / path.name
    for place in (path, path.with_suffix("") if path.suffix == ".tmp" else path, replaced):
        try:
            return pq.ParquetFile(place, pre_buffer=False, page_checksum_verification=True)
        except FileNotFoundError:
            continue
    raise FileNotFoundError(2, "no such file", str(path))


def read_schema(path: Path) -> pa.Schema:
    """The columns of a segment, extra ones too."""
    with open_segment(path) as file:
        return file.schema_arrow.remove_metadata()


def count_rows(path: Path) -> int:
    """How many rows a segment has."""
    with open_segment(path) as file:
        return file.metadata.num_rows


def is_whole(path: Path) -> bool:
    """Whether every row of a segment can be read, and its columns are those of its table."""
    kind = SCHEMAS[path.parent.name]
    try:
        with pq.ParquetFile(path, pre_buffer=False, page_checksum_verification=True) as file:
            found = {field.name: field.type for field in file.schema_arrow}
            if any(name not in found for name in _NEEDED[path.parent.name]):
                return False
            if any(found.get(field.name, field.type) != field.type for field in kind):
                return False
            for batch in file.iter_batches():
                batch.validate(full=True)
    except (OSError, ValueError, pa.ArrowException):
        return False
    return True
