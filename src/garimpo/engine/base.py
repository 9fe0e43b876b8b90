"""The face of an engine: what a job may ask of it, on any number of machines."""

import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias

import pyarrow as pa

Step: TypeAlias = Callable[[pa.Table], pa.Table]
Stream: TypeAlias = tuple[pa.Schema, Callable[[], Iterator[pa.RecordBatch]]]
Source: TypeAlias = pa.Table | str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Stream
Progress: TypeAlias = Callable[[str, int], None]
"""Called with the name of a step and the number of rows that just passed it."""


class Data(Protocol):
    """A table that belongs to an engine; only its schema can be asked."""

    @property
    def schema(self) -> pa.Schema: ...


class Engine(Protocol):
    """Runs the steps of a job. A context manager: leaving it deletes all intermediate data."""

    far: bool
    """Whether its workers are elsewhere: what grows with the data stays there, and they read files themselves (`SparkEngine`)."""

    def __enter__(self) -> "Engine": ...

    def __exit__(self, *error: object) -> None: ...

    def table(self, source: Source, columns: Sequence[str] | None = None) -> Any:
        """A table from Arrow, from Parquet file(s), or from (schema, function giving batches)."""
        ...

    def map(self, data: Any, step: Step, schema: pa.Schema, *, python_bound: bool = False) -> Any:
        """Each batch through `step`, in order. `python_bound`: it holds the GIL, so it is worth a process of its own."""
        ...

    def group_map(
        self,
        data: Any,
        keys: Sequence[str],
        step: Step,
        schema: pa.Schema,
        *,
        order: Sequence[str] = (),
        python_bound: bool = False,
    ) -> Any:
        """`step` gets tables of one or more whole groups, sorted by `keys`, then `order`."""
        ...

    def sql(self, query: str, **tables: Any) -> Any:
        """A query over the named tables, in the SQL that DuckDB and Spark share."""
        ...

    def components(self, edges: Any) -> Any:
        """Connected components: `a`, `b` int64 in; `node`, `component` (its smallest node) out."""
        ...

    def rows(self, data: Any) -> Iterator[pa.RecordBatch]:
        """The rows, streamed."""
        ...

    def collect(self, data: Any) -> pa.Table:
        """All rows, in memory: for results known to be small."""
        ...

    def count(self, data: Any) -> int:
        """The number of rows."""
        ...

    def write(self, data: Any, path: str | os.PathLike[str], schema: pa.Schema) -> int:
        """Check the rows against the schema and publish them as one Parquet file; the number of rows."""
        ...

    def save(self, data: Any, folder: str | os.PathLike[str], by: Sequence[str] = ()) -> None:
        """The rows as Parquet files in a new folder, written where they are; rows equal in `by` then stand in one file."""
        ...
