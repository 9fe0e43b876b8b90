"""Cluster files in and out: TSV (``cluster url evidence``, no heading), JSON lines (``id, urls``), Parquet; plain or gzipped."""

import gzip
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.reading import Counts, as_strings, read_table
from garimpo.contract.tables import CLUSTERS, check

LONGEST_LINE = 1 << 20


def read_clusters(path: str | os.PathLike[str], counts: Counts | None = None) -> pa.Table:
    """The table `cluster`, `url` of a cluster file. Broken lines are counted, the first is named; all broken is `BadInput`."""
    counts = counts if counts is not None else Counts()
    name = str(path)
    if name.endswith(".parquet"):
        table = read_table(path, ["cluster", "url"])
        return pa.table({"cluster": _numbers(table.column("cluster")), "url": as_strings(table.column("url"))})
    try:
        with _open(Path(path)) as file:
            jsonl = name.removesuffix(".gz").endswith(".jsonl")
            rows = _json_rows(file, name, counts) if jsonl else _tsv_rows(file, name, counts)
            clusters, urls = [], []
            for cluster, url in rows:
                clusters.append(_number(cluster))
                urls.append(url)
    except (FileNotFoundError, IsADirectoryError):
        raise BadInput(f"{name}: no such file") from None
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(f"{name}: damaged gzip file ({error})") from None
    if not urls:
        raise BadInput(f"{name}: no clusters in it ({counts or 'the file is empty'})")
    return pa.table({"cluster": pa.array(clusters, pa.int64()), "url": pa.array(urls, pa.string())})


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _lines(file: IO[bytes], name: str, counts: Counts) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; what is too long or no UTF-8 is counted."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE and not line.endswith(b"\n"):
            while (rest := file.readline(LONGEST_LINE)) and not rest.endswith(b"\n"):
                pass
            _broken(counts, name, number, "line longer than a megabyte")
            continue
        text = line.rstrip(b"\r\n")
        if not text or text.startswith(b"#"):
            continue
        try:
            yield number, text.decode()
        except UnicodeDecodeError:
            _broken(counts, name, number, "line not UTF-8")


def _broken(counts: Counts, name: str, number: int, reason: str) -> None:
    if not counts[reason]:
        counts[f"first {reason}: {name}, line"] = number
    counts[reason] += 1


def _tsv_rows(file: IO[bytes], name: str, counts: Counts) -> Iterator[tuple[str, str]]:
    for number, line in _lines(file, name, counts):
        fields = line.split("\t")
        if len(fields) < 2 or not fields[0] or not fields[1]:
            _broken(counts, name, number, "broken line")
            continue
        yield fields[0], fields[1]


class _Cluster(msgspec.Struct):
    id: str | int
    urls: list[str]


def _json_rows(file: IO[bytes], name: str, counts: Counts) -> Iterator[tuple[str, str]]:
    decoder = msgspec.json.Decoder(_Cluster)
    for number, line in _lines(file, name, counts):
        try:
            cluster = decoder.decode(line)
        except msgspec.DecodeError:
            _broken(counts, name, number, "broken line")
            continue
        for url in cluster.urls:
            yield str(cluster.id), url


def _number(text: str) -> int:
    """A cluster's number: the integer it is, else 63 bits of its hash."""
    try:
        value = int(text)
    except ValueError:
        value = -1
    return value if 0 <= value < 2**63 else xxhash.xxh64_intdigest(text.encode()) >> 1


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
