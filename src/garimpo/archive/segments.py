"""Parquet segments of a crawl folder: written aside, listed in the state, then renamed."""

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.files import fsync
from garimpo.contract.tables import LINKS, PAGES, check

SCHEMAS = {"pages": PAGES, "links": LINKS}
_PATIENCE = 10
_FEW_VALUES = ["host", "ip", "status", "content_type", "language", "source", "rel", "warc_file", "depth"]


def write_aside(folder: Path, name: str, table: pa.Table) -> None:
    """Write a segment as `NAME.tmp`, on the disk when this returns."""
    kind = name.partition("/")[0]
    checked = check(table, SCHEMAS[kind])
    few = [column for column in _FEW_VALUES if column in checked.column_names]
    path = aside(folder, name)
    pq.write_table(checked, path, compression="zstd", compression_level=1, use_dictionary=few)
    fsync(path)
    fsync(path.parent)


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


def drop_unlisted(folder: Path, listed: set[str]) -> list[str]:
    """Delete the segments that no commit lists; returns their names."""
    dropped = []
    for kind in SCHEMAS:
        for path in sorted((folder / kind).iterdir()):
            name = f"{kind}/{path.name}"
            if name not in listed and path.is_file() and path.name.endswith((".parquet", ".tmp")):
                path.unlink()
                dropped.append(name)
    return dropped


def location(folder: Path, name: str) -> Path:
    """The file of a committed segment. One that a running crawl is about to rename is waited for; after a kill nobody will."""
    path = folder / name
    for _ in range(_PATIENCE):
        if path.exists() or not aside(folder, name).exists():
            return path
        time.sleep(0.01)
    return aside(folder, name)


def batches(paths: Sequence[Path], columns: Sequence[str] | None, rows: int = 8192) -> Iterator[pa.RecordBatch]:
    """The rows of some segments as a stream; one row group is in memory at a time."""
    for path in paths:
        with open_segment(path) as file:
            yield from file.iter_batches(rows, columns=None if columns is None else list(columns))


def open_segment(path: Path) -> pq.ParquetFile:
    """Open a segment, even if a running crawl renames it under our hands."""
    try:
        return pq.ParquetFile(path, pre_buffer=False)
    except FileNotFoundError:
        if path.suffix != ".tmp":
            raise
        return pq.ParquetFile(path.with_suffix(""), pre_buffer=False)


def count_rows(path: Path) -> int:
    """How many rows a segment has."""
    with open_segment(path) as file:
        return file.metadata.num_rows


def is_whole(path: Path) -> bool:
    """Whether a Parquet file can be opened."""
    try:
        pq.ParquetFile(path).close()
    except (OSError, pa.ArrowInvalid):
        return False
    return True
