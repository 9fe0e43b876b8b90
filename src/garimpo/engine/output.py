"""Publishing the rows of a job as one checked Parquet file."""

import os
from collections.abc import Iterable

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.files import publish
from garimpo.contract.tables import check


def write_batches(batches: Iterable[pa.RecordBatch], path: str | os.PathLike[str], given: pa.Schema, schema: pa.Schema) -> int:
    """Write batches of schema `given`, each checked against `schema`, and show the file when it is whole; the number of rows."""
    written, writer = 0, None
    with publish(path) as temporary:
        for batch in batches:
            table = check(pa.Table.from_batches([batch]), schema)
            writer = writer or pq.ParquetWriter(temporary, table.schema, compression="zstd")
            writer.write_table(table)
            written += table.num_rows
        if writer is None:
            pq.write_table(check(given.empty_table(), schema), temporary)
        else:
            writer.close()
    return written
