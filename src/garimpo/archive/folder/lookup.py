"""Finding rows by URL: the newest good row of each, and where the record of one stands."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import xxhash

from garimpo.archive.folder.segments import open_segment

_MEMORY = "512MB"
_NEWEST = """
SELECT filename, file_row_number FROM read_parquet(?, filename = true, file_row_number = true)
WHERE status = 200
QUALIFY row_number() OVER (PARTITION BY url ORDER BY fetched_at DESC, filename DESC, file_row_number DESC) = 1
ORDER BY filename, file_row_number
"""


def newest(files: Sequence[Path], columns: Sequence[str] | None, temporary: Path) -> Iterator[pa.RecordBatch]:
    """The newest row with status 200 of each URL, in order of segments.

    Which rows these are is found by DuckDB, out of core, from three narrow columns; the wide ones are then read once.
    """
    if not files:
        return
    rows = _newest_rows(files, temporary)
    for file in files:
        wanted = rows.get(str(file))
        if wanted is not None:
            yield from _take(file, wanted, columns)


def _newest_rows(files: Sequence[Path], temporary: Path) -> dict[str, np.ndarray]:
    import duckdb

    with duckdb.connect(config={"memory_limit": _MEMORY, "temp_directory": str(temporary / "duckdb.tmp")}) as connection:
        found: dict[str, list[np.ndarray]] = {}
        result = connection.sql(_NEWEST, params=[[str(file) for file in files]])
        for batch in result.to_arrow_reader(1 << 16):
            names = batch.column(0).dictionary_encode()
            numbers = batch.column(1).to_numpy(zero_copy_only=False)
            codes = names.indices.to_numpy(zero_copy_only=False)
            for code, name in enumerate(names.dictionary.to_pylist()):
                found.setdefault(name, []).append(numbers[codes == code])
    return {name: np.concatenate(parts) for name, parts in found.items()}


def _take(file: Path, wanted: np.ndarray, columns: Sequence[str] | None) -> Iterator[pa.RecordBatch]:
    start = 0
    with open_segment(file) as segment:
        for batch in segment.iter_batches(8192, columns=None if columns is None else list(columns)):
            inside = wanted[np.searchsorted(wanted, start) : np.searchsorted(wanted, start + batch.num_rows)] - start
            start += batch.num_rows
            if len(inside) == batch.num_rows:
                yield batch
            elif len(inside):
                yield batch.take(pa.array(inside))


class UrlIndex:
    """Where the record of each URL stands, as arrays: 64-bit hash of the URL, rank, file and offset (24 bytes a row).

    Rows are ranked by status 200 first, then by time; segments that came since are read at the next `update`.
    """

    def __init__(self) -> None:
        self._known: set[str] = set()
        self._files: list[str] = []
        self._table = np.zeros(0, _ROW)

    def update(self, files: Sequence[Path]) -> None:
        """Read the segments that are not known yet."""
        fresh = [file for file in files if _name(file) not in self._known]
        if not fresh:
            return
        parts = [self._table, *(self._rows(file) for file in fresh)]
        self._known.update(_name(file) for file in fresh)
        table = np.concatenate(parts)
        table = table[np.lexsort((table["time"], table["good"], table["key"]))]
        last = np.ones(len(table), bool)
        last[:-1] = table["key"][1:] != table["key"][:-1]
        self._table = table[last]

    def find(self, url: str) -> tuple[str, int] | None:
        """The WARC file and offset of the URL's record."""
        key = np.uint64(xxhash.xxh64_intdigest(url.encode()))
        place = int(np.searchsorted(self._table["key"], key))
        if place == len(self._table) or self._table["key"][place] != key:
            return None
        row = self._table[place]
        return self._files[int(row["file"])], int(row["offset"])

    def _rows(self, file: Path) -> np.ndarray:
        import pyarrow.compute as pc  # not with the module: a crawl loads that

        with open_segment(file) as segment:
            table = segment.read(["url", "status", "fetched_at", "warc_file", "warc_offset"])
        table = table.filter(pc.is_valid(table["warc_offset"]))
        rows = np.zeros(table.num_rows, _ROW)
        rows["key"] = [xxhash.xxh64_intdigest(url.encode()) for url in table["url"].to_pylist()]
        rows["good"] = table["status"].to_numpy() == 200
        rows["time"] = table["fetched_at"].cast(pa.int64()).to_numpy()
        rows["offset"] = table["warc_offset"].to_numpy()
        names = table["warc_file"].to_pylist()
        codes = {name: self._code(name) for name in set(names)}
        rows["file"] = [codes[name] for name in names]
        return rows

    def _code(self, name: str) -> int:
        if name not in self._files:
            self._files.append(name)
        return self._files.index(name)


_ROW = np.dtype([("key", "u8"), ("time", "i8"), ("offset", "i8"), ("file", "i4"), ("good", "?")])


def _name(file: Path) -> str:
    return file.name.removesuffix(".tmp")
