"""Between Arrow and Spark: types, and files on any file system that Spark knows."""

from collections.abc import Iterable, Iterator
from typing import Any

import pyarrow as pa

from garimpo.contract.errors import GarimpoError

UNSIGNED = pa.decimal128(20, 0)
"""How Spark reads the unsigned 64-bit integers of a Parquet file."""


def cast(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the schema's columns and types."""
    return table if table.schema.equals(schema) else table.select(schema.names).cast(schema)


def arrow_schema(frame: Any) -> pa.Schema:
    """The schema of a DataFrame, as steps see it."""
    from pyspark.sql.pandas.types import to_arrow_schema

    fields = to_arrow_schema(frame.schema, timezone="UTC")
    return pa.schema([pa.field(f.name, pa.uint64() if f.type == UNSIGNED else f.type) for f in fields])


def spark_schema(schema: pa.Schema) -> Any:
    """The schema that a step gives, as Spark names it."""
    from pyspark.sql.pandas.types import from_arrow_schema

    unsigned = [field.name for field in schema if pa.types.is_unsigned_integer(field.type)]
    if unsigned:
        raise GarimpoError(f"Spark has no unsigned integers: carry {', '.join(unsigned)} as int64")
    return from_arrow_schema(schema)


def sent_schema(schema: Any) -> pa.Schema:
    """The Arrow types in which Spark takes rows of that schema from a step: it has no large lists."""
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(schema, timezone="UTC")


def without_unsigned(table: pa.Table) -> pa.Table:
    """The table with its unsigned 64-bit integers as Spark would read them from Parquet."""
    fields = [pa.field(f.name, UNSIGNED if f.type == pa.uint64() else f.type) for f in table.schema]
    return table.cast(pa.schema(fields))


def pieces(batches: Iterable[pa.RecordBatch], schema: pa.Schema, size: int) -> Iterator[pa.Table]:
    """The batches as tables of about `size` bytes; at least one table.

    >>> batch = pa.record_batch({"n": [1, 2]})
    >>> [table.num_rows for table in pieces([batch] * 3, batch.schema, 20)]
    [4, 2]
    """
    held: list[pa.RecordBatch] = []
    given = False
    for batch in batches:
        held.append(batch)
        if sum(part.nbytes for part in held) >= size:
            yield pa.Table.from_batches(held, schema=schema)
            held, given = [], True
    if held or not given:
        yield pa.Table.from_batches(held, schema=schema)


def remove(spark: Any, folder: str) -> None:
    """Delete a folder on any file system that Spark knows."""
    path = spark._jvm.org.apache.hadoop.fs.Path(folder)
    path.getFileSystem(spark._jsc.hadoopConfiguration()).delete(path, True)


def copy(spark: Any, source: str, target: str) -> None:
    """Copy a file or folder between any two file systems that Spark knows."""
    paths = [spark._jvm.org.apache.hadoop.fs.Path(place) for place in (source, target)]
    settings = spark._jsc.hadoopConfiguration()
    systems = [path.getFileSystem(settings) for path in paths]
    spark._jvm.org.apache.hadoop.fs.FileUtil.copy(systems[0], paths[0], systems[1], paths[1], False, settings)
