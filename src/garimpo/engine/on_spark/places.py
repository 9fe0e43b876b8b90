"""Files read by the workers, as rows that know where they stood.

`place` is the number of a row's file, times 2^40, plus the number of the row in it: by `place` rows stand in the order in which
one process would have read them, whichever worker did.
"""

import itertools
import re
from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from garimpo.engine.places import address, literal

FILE = 1 << 40
"""The places of one file."""


def files_in(spark: Any, path: str) -> list[str]:
    """A file itself, or the Parquet files of a folder in the order of their names."""
    place = spark._jvm.org.apache.hadoop.fs.Path(address(path))
    system = place.getFileSystem(spark._jsc.hadoopConfiguration())
    if not system.getFileStatus(place).isDirectory():
        return [address(path)]
    names = sorted(status.getPath().getName() for status in system.listStatus(place) if not status.isDirectory())
    return [f"{address(path).rstrip('/')}/{name}" for name in names if name.endswith(".parquet") and name[0] not in "_."]


def parquet_rows(spark: Any, files: Sequence[str], first: int) -> Any:
    """The rows of Parquet files, the first of which has the number `first`, with their place."""
    reader = spark.read.option("mergeSchema", "true") if len(files) > 1 else spark.read
    frame = reader.parquet(*[literal(file) for file in files])
    named = frame.select("*", frame["_metadata.file_path"].alias("_file"), frame["_metadata.row_index"].alias("_row"))
    numbered = named.join(_numbers(spark, files, first), "_file")
    return numbered.selectExpr(*[f"`{name}`" for name in frame.columns], f"_number * {FILE} + _row as place")


def text_lines(spark: Any, files: Sequence[str], first: int) -> Any:
    """The lines of text files with the part of the file they were read in, and an order inside it."""
    frame = spark.read.text([literal(file) for file in files], lineSep="\n")
    parts = ("_metadata.file_path as _file", "_metadata.file_block_start as _part")
    lines = frame.selectExpr("cast(value as binary) as line", *parts, "monotonically_increasing_id() as _order")
    return lines.join(_numbers(spark, files, first), "_file").drop("_file")


def placed_lines(spark: Any, lines: Any) -> Any:
    """The lines with their place; only the parts, a few for each file, are counted by the driver."""
    from pyspark.sql import functions as f

    parts = lines.groupBy("_number", "_part").agg(f.min("_order").alias("_begin"), f.count("*").alias("_lines"))
    counted = []
    for number, of_file in itertools.groupby(sorted(tuple(row) for row in parts.collect()), key=lambda row: row[0]):
        before = number * FILE
        for _, part, begin, count in of_file:
            counted.append((number, part, before - begin))
            before += count
    known = _small(spark, counted, ("_number", "_part", "_shift"))
    return lines.join(known, ["_number", "_part"]).selectExpr("_order + _shift as place", "line")


def _numbers(spark: Any, files: Sequence[str], first: int) -> Any:
    """The number of each file, by its name as Spark writes it."""
    as_written = spark._jvm.org.apache.hadoop.fs.Path
    rows = [(_plain(as_written(file).toUri().toString()), number) for number, file in enumerate(files, first)]
    return _small(spark, rows, ("_file", "_number"))


def _small(spark: Any, rows: Sequence[tuple[Any, ...]], names: Sequence[str]) -> Any:
    """A small table that every worker gets whole; by Arrow, as that starts no Python there."""
    from pyspark.sql import functions as f

    columns = [pa.array(column) for column in zip(*rows)] or [pa.array([], pa.int64()) for _ in names]
    return f.broadcast(spark.createDataFrame(pa.table(columns, names=list(names))))


def _plain(uri: str) -> str:
    """An address without an empty authority, as Spark names files in its columns.

    >>> _plain("file:///data/a"), _plain("hdfs://name:9000/a")
    ('file:/data/a', 'hdfs://name:9000/a')
    """
    return re.sub(r"^(\w+):///", r"\1:/", uri)
