"""The engine on Spark: the very same steps through `mapInArrow` and Spark's SQL.

A step's batches reach it as Arrow on the executors; what it gives goes back as Arrow. A group-map repartitions by its keys, sorts
inside each partition and cuts at key changes with the code that does it locally, so a group is never split nor handled twice.
A result that the caller asks for comes straight from the executors; one that another step reads is first settled, once, as
Parquet in the temporary folder. So nothing is computed twice, plans stay short however long the job, a lost executor costs
its running tasks only, and the driver holds no rows but those it was asked for.
"""

import os
import shutil
import tempfile
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.tables import check, require
from garimpo.engine.base import Engine, Progress, Source, Step, Stream
from garimpo.engine.connected import components, components_here
from garimpo.engine.groups import whole_groups
from garimpo.engine.on_spark import types
from garimpo.engine.on_spark.places import files_in, parquet_rows, placed_lines, text_lines
from garimpo.engine.on_spark.session import explained, open_session
from garimpo.engine.output import write_batches
from garimpo.engine.places import address, here, literal

FILE_ROWS = 1_000_000
"""The most rows of a settled file, so that reading one back never fills the driver."""
SMALL_GRAPH = 1_000_000
"""A graph with up to this many edges is not worth a dozen rounds of joins: the driver does it in a second."""
UPLOAD_BYTES = 64 << 20
"""Rows sent at once from the driver to a file system it cannot write itself."""


class SparkData:
    """A table on Spark: a plan, which becomes files when a second step needs it."""

    def __init__(self, schema: pa.Schema, frame: Any, settled: bool = False) -> None:
        self.schema = schema
        self.frame = frame
        self.settled = settled


class SparkEngine:
    """See `garimpo.engine.Engine`. A session that the program already has is used, and left running."""

    far = True

    def __init__(self, master: str, temp: str | None, progress: Progress | None, settings: dict[str, str]) -> None:
        self._progress = progress or (lambda step, rows: None)
        self._spark, self._owned = open_session(master, settings)
        self._made = None if temp else Path(tempfile.mkdtemp(prefix="garimpo-spark-"))
        self._temp = f"{temp.rstrip('/') if temp else self._made}/{uuid.uuid4().hex}"

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        types.remove(self._spark, address(self._temp))
        if self._owned:
            self._spark.stop()
        if self._made is not None:
            shutil.rmtree(self._made, ignore_errors=True)

    def table(self, source: Source, columns: Sequence[str] | None = None) -> SparkData:
        if isinstance(source, pa.Table):
            chosen = source.select(list(columns)) if columns else source
            return self._from_driver(chosen.schema, chosen.to_batches())
        if isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], pa.Schema):
            stream = cast(Stream, source)
            return self._from_driver(stream[0], stream[1]())
        paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
        if not paths:
            raise BadInput("no Parquet file given")
        with explained(os.fspath(paths[0])):
            frame = self._spark.read.parquet(*[literal(address(path)) for path in paths])
        if columns:
            require(frame.columns, columns, os.fspath(paths[0]))
            frame = frame.select(*columns)
        return SparkData(types.arrow_schema(frame), frame, settled=True)

    def map(self, data: SparkData, step: Step, schema: pa.Schema, *, python_bound: bool = False) -> SparkData:
        return self._run(self._settled(data).frame, data.schema, step, schema, None)

    def group_map(
        self,
        data: SparkData,
        keys: Sequence[str],
        step: Step,
        schema: pa.Schema,
        *,
        order: Sequence[str] = (),
        python_bound: bool = False,
    ) -> SparkData:
        # what is bound to Python is worth a task for each core, however few rows; else Spark may put small partitions together
        parts = [self._spark.sparkContext.defaultParallelism] if python_bound else []
        frame = self._settled(data).frame.repartition(*parts, *keys).sortWithinPartitions(*keys, *order)
        return self._run(frame, data.schema, step, schema, list(keys))

    def sql(self, query: str, **tables: SparkData) -> SparkData:
        for name, data in tables.items():
            self._settled(data).frame.createOrReplaceTempView(name)
        frame = self._spark.sql(query)
        for name in tables:
            self._spark.catalog.dropTempView(name)
        return SparkData(types.arrow_schema(frame), frame)

    def components(self, edges: SparkData) -> SparkData:
        if self.count(self._settled(edges)) > SMALL_GRAPH:
            return cast(SparkData, components(self, edges))
        return self.table(components_here(self.collect(edges)))

    def rows(self, data: SparkData) -> Iterator[pa.RecordBatch]:
        """File by file, so that the driver's memory does not grow with the data."""
        with explained("reading rows"):
            for file in sorted(self._settled(data).frame.inputFiles()):
                yield from self._read(file, data.schema)

    def collect(self, data: SparkData) -> pa.Table:
        with explained("reading rows"):
            return types.cast(data.frame.toArrow(), data.schema)

    def count(self, data: SparkData) -> int:
        with explained("counting rows"):
            return int(data.frame.count())

    def write(self, data: SparkData, path: str | os.PathLike[str], schema: pa.Schema) -> int:
        """On this machine one file, as from the local engine; on a Hadoop file system a folder of files."""
        target = address(path)
        if target.startswith("file:"):
            return write_batches(self.rows(data), here(path), data.schema, schema)
        settled = self._settled(data)
        checked = self._run(settled.frame, settled.schema, lambda table: check(table, schema), schema, None)
        with explained(target):
            checked.frame.write.mode("overwrite").parquet(target)
        return self.count(settled)

    def files(self, path: str | os.PathLike[str]) -> list[str]:
        """A file itself, or the Parquet files of a folder, of any Hadoop file system."""
        with explained(address(path)):
            return files_in(self._spark, os.fspath(path))

    def placed(self, files: Sequence[str], columns: Sequence[str] | None = None, first: int = 0) -> SparkData:
        """Parquet files, read by the workers, with the `place` of each row; of `columns` those that are there."""
        with explained(files[0]):
            frame = parquet_rows(self._spark, files, first)
        if columns is not None:
            frame = frame.select(*[name for name in frame.columns if name in columns], "place")
        return SparkData(types.arrow_schema(frame), frame, settled=True)

    def lines(self, files: Sequence[str], first: int = 0) -> SparkData:
        """The lines of text files (plain or gzip), read by the workers: `place`, `line` (bytes)."""
        with explained(files[0]):
            lines = text_lines(self._spark, files, first)
            split = SparkData(types.arrow_schema(lines), lines)
            frame = placed_lines(self._spark, self._settled(split).frame)
        return SparkData(types.arrow_schema(frame), frame, settled=True)

    def bring(self, path: str | os.PathLike[str]) -> Path:
        """A copy here of a file or folder of any Hadoop file system; it goes when the engine is closed."""
        local = Path(tempfile.mkdtemp(prefix="brought-", dir=self._made)) / Path(path).name
        with explained(address(path)):
            types.copy(self._spark, address(path), address(local))
        return local

    def send(self, file: Path, path: str | os.PathLike[str]) -> None:
        """Put a file of this machine onto any Hadoop file system."""
        with explained(address(path)):
            types.copy(self._spark, address(file), address(path))

    def save(self, data: SparkData, folder: str | os.PathLike[str], by: Sequence[str] = ()) -> None:
        self._settle(data, address(folder), by)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _from_driver(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> SparkData:
        """Rows of the driver as files that all executors read."""
        folder = f"{self._temp}/{uuid.uuid4().hex}"
        watched = self._watched(batches)
        if address(folder).startswith("file:"):
            Path(folder).mkdir(parents=True)
            with pq.ParquetWriter(f"{folder}/rows.parquet", schema, compression="lz4") as writer:
                for batch in watched:
                    writer.write_batch(batch)
        else:
            for table in types.pieces(watched, schema, UPLOAD_BYTES):
                self._spark.createDataFrame(types.without_unsigned(table)).write.mode("append").parquet(folder)
        return SparkData(schema, self._spark.read.parquet(address(folder)), settled=True)

    def _watched(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            self._progress("read", batch.num_rows)
            yield batch

    def _run(self, frame: Any, given: pa.Schema, step: Step, schema: pa.Schema, keys: list[str] | None) -> SparkData:
        spark_schema = types.spark_schema(schema)
        function = _partition_function(given, step, types.sent_schema(spark_schema), keys)
        return SparkData(schema, frame.mapInArrow(function, spark_schema))

    def _settled(self, data: SparkData) -> SparkData:
        """The same table, now in files."""
        if not data.settled:
            self._settle(data, address(f"{self._temp}/{uuid.uuid4().hex}"))
        return data

    def _settle(self, data: SparkData, folder: str, by: Sequence[str] = ()) -> None:
        frame = data.frame.repartition(*by) if by else data.frame
        with explained("running a job"):
            frame.write.option("maxRecordsPerFile", FILE_ROWS).parquet(folder, compression="lz4")
            data.frame = self._spark.read.schema(data.frame.schema).parquet(folder)
        data.settled = True

    def _read(self, file: str, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        if file.startswith("file:"):
            reader = pq.ParquetFile(here(file))
            for batch in reader.iter_batches(columns=schema.names):
                yield from types.cast(pa.Table.from_batches([batch]), schema).to_batches()
        else:
            yield from types.cast(self._spark.read.parquet(file).toArrow(), schema).to_batches()


def _partition_function(
    given: pa.Schema, step: Step, sent: pa.Schema, keys: list[str] | None
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """The step as Spark wants it: an iterator of the batches of one partition in, one out."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        typed = (types.cast(pa.Table.from_batches([batch]), given) for batch in batches)
        tables = typed if keys is None else whole_groups((b for table in typed for b in table.to_batches()), keys)
        for table in tables:
            if table.num_rows:
                yield from types.cast(step(table), sent).to_batches()

    return run
