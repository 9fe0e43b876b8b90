"""Publishing the rows of a job as one checked file."""

import os
from collections.abc import Iterable

import pyarrow as pa

from garimpo.contract.table_files import write_tables
from garimpo.contract.tables import check


def write_batches(batches: Iterable[pa.RecordBatch], path: str | os.PathLike[str], given: pa.Schema, schema: pa.Schema) -> int:
    """Write batches of schema `given`, each checked against `schema`, and show the file when it is whole; the number of rows."""
    checked = (check(pa.Table.from_batches([batch]), schema) for batch in batches)
    return write_tables(checked, check(given.empty_table(), schema).schema, path)
