"""Cluster files in and out: TSV (``cluster url evidence``, no heading), JSON lines (``id, urls``), Parquet; plain or gzipped."""

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import IO, TypeAlias

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.reading import Counts, as_strings, read_table
from garimpo.contract.tables import CLUSTERS, check

LONGEST_LINE = 1 << 20
BOM = b"\xef\xbb\xbf"
Broken: TypeAlias = Callable[[int, str], None]


def read_clusters(path: str | os.PathLike[str], counts: Counts | None = None) -> pa.Table:
    """The table `cluster`, `url` of a cluster file. Broken lines are counted, the first is named; all broken is `BadInput`."""
    counts = counts if counts is not None else Counts()
    name = str(path)
    if name.endswith(".parquet"):
        table = read_table(path, ["cluster", "url"])
        return as_clusters(table)
    try:
        with _open(Path(path)) as file:
            clusters, urls = parsed(_lines(file), name, partial(_broken, counts, name))
    except (FileNotFoundError, IsADirectoryError):
        raise BadInput(f"{name}: no such file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{name}: damaged gzip file ({error})") from None
    if not urls:
        raise BadInput(f"{name}: no clusters in it ({counts or 'the file is empty'})")
    return pa.table({"cluster": pa.array(clusters, pa.int64()), "url": pa.array(urls, pa.string())})


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _lines(file: IO[bytes]) -> Iterator[tuple[int, bytes]]:
    """Lines with their numbers; of one that is too long only a part."""
    number = 0
    while line := file.readline(LONGEST_LINE + 1):
        number += 1
        rest = line
        while not rest.endswith(b"\n") and len(rest) > LONGEST_LINE and (rest := file.readline(LONGEST_LINE + 1)):
            pass
        yield number, line.removesuffix(b"\n")


def parsed(lines: Iterable[tuple[int, bytes]], name: str, broken: Broken) -> tuple[list[int], list[str]]:
    """The clusters and URLs of numbered lines; what is broken is told by its number and the reason.

    >>> parsed([(1, b"7\\thttp://a.org/"), (2, b"# so what"), (3, b"-")], "a.tsv", print)
    3 broken line
    ([7], ['http://a.org/'])
    """
    fields = _json_fields if name.removesuffix(".gz").endswith(".jsonl") else _tsv_fields
    clusters: list[int] = []
    urls: list[str] = []
    for number, line in lines:
        text = line.removeprefix(BOM) if number == 1 else line
        text = text.rstrip(b"\r")
        if len(line) >= LONGEST_LINE:
            broken(number, "line longer than a megabyte")
        elif text and not text.startswith(b"#"):
            try:
                cluster, found = fields(text.decode())
            except UnicodeDecodeError:
                broken(number, "line not UTF-8")
            except ValueError:
                broken(number, "broken line")
            else:
                clusters += [_number(cluster)] * len(found)
                urls += found
    return clusters, urls


def _broken(counts: Counts, name: str, number: int, reason: str) -> None:
    if not counts[reason]:
        counts[first_broken(name, reason)] = number
    counts[reason] += 1


def first_broken(name: str, reason: str) -> str:
    """What is counted under this name is the number of the first such line."""
    return f"first {reason}: {name}, line"


def _tsv_fields(line: str) -> tuple[str, list[str]]:
    fields = line.split("\t")
    if len(fields) < 2 or not fields[0] or not fields[1]:
        raise ValueError(line)
    return fields[0], [fields[1]]


class _Cluster(msgspec.Struct):
    id: str | int
    urls: list[str]


_DECODER = msgspec.json.Decoder(_Cluster)


def _json_fields(line: str) -> tuple[str, list[str]]:
    cluster = _DECODER.decode(line)  # what it does not like is a ValueError
    return str(cluster.id), cluster.urls


def _number(text: str) -> int:
    """A cluster's number: the integer it is, else 63 bits of its hash."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    return value if 0 <= value < 2**63 else xxhash.xxh64_intdigest(text.encode()) >> 1


def as_clusters(table: pa.Table) -> pa.Table:
    """Columns `cluster` and `url` of any kind as integers and text."""
    return pa.table({"cluster": _numbers(table.column("cluster")), "url": as_strings(table.column("url"))})


def _numbers(column: pa.ChunkedArray) -> pa.ChunkedArray:
    if pa.types.is_signed_integer(column.type):
        return column.cast(pa.int64())
    return pa.chunked_array([pa.array([None if v is None else _number(v) for v in as_strings(column).to_pylist()], pa.int64())])


def write_clusters(table: pa.Table, path: str | os.PathLike[str]) -> None:
    """Write clusters as the file's suffix says: Parquet, or TSV (gzipped for .gz)."""
    table = check(table, CLUSTERS)
    with publish(path) as temporary:
        if str(path).endswith(".parquet"):
            pq.write_table(table, temporary, compression="zstd")
            return
        rows = zip(*(table.column(name).to_pylist() for name in CLUSTERS.names))
        text = "".join(f"{cluster}\t{url}\t{evidence or ''}".rstrip("\t") + "\n" for cluster, url, evidence in rows)
        data = text.encode()
        temporary.write_bytes(gzip.compress(data, 6, mtime=0) if str(path).endswith(".gz") else data)
