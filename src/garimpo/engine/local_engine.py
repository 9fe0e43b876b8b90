"""The engine on this machine: DuckDB for SQL, threads or spawned processes for functions, Parquet files in between."""

import itertools
import multiprocessing
import os
import shutil
import tempfile
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, cast

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.tables import require
from garimpo.engine.base import Engine, Progress, Source, Step, Stream
from garimpo.engine.connected import components
from garimpo.engine.groups import whole_groups
from garimpo.engine.output import write_batches
from garimpo.engine.places import here
from garimpo.engine.starting import needs_script, without_script

BATCH_ROWS = 65_536
BATCH_BYTES = 16 << 20
IN_MEMORY = 64 << 20
"""A table up to this size stays in memory; a larger one goes to Parquet files."""

Submit = Callable[[pa.Table], Future[pa.Table]]


@dataclass(frozen=True)
class LocalData:
    """A table in memory, in files, or a stream that can be begun again; exactly one of the three."""

    schema: pa.Schema
    memory: pa.Table | None = None
    files: tuple[Path, ...] = ()
    stream: Stream | None = None


class LocalEngine:
    """See `garimpo.engine.Engine`. Not for use by several threads at once."""

    far = False

    def __init__(self, memory_limit: str, threads: int, temp: Path | None, progress: Progress | None) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="garimpo-", dir=temp))
        self._threads = threads
        self._progress = progress or (lambda step, rows: None)
        self._names = itertools.count()
        self._database = _connect(self._folder, memory_limit, threads)
        self._processes: dict[bool, ProcessPoolExecutor] = {}

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: object) -> None:
        for processes in self._processes.values():
            processes.shutdown(wait=False, cancel_futures=True)
        self._database.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def table(self, source: Source, columns: Sequence[str] | None = None) -> LocalData:
        if isinstance(source, pa.Table):
            chosen = source.select(list(columns)) if columns else source
            return LocalData(chosen.schema, memory=chosen)
        if isinstance(source, tuple) and len(source) == 2 and isinstance(source[0], pa.Schema):
            return LocalData(source[0], stream=cast(Stream, source))
        paths = [source] if isinstance(source, (str, os.PathLike)) else list(source)
        return _parquet([here(path) for path in paths], columns)

    def map(self, data: LocalData, step: Step, schema: pa.Schema, *, python_bound: bool = False) -> LocalData:
        tables = (pa.Table.from_batches([batch]) for batch in self.rows(data))
        return self._run("map", tables, step, schema, python_bound)

    def group_map(
        self,
        data: LocalData,
        keys: Sequence[str],
        step: Step,
        schema: pa.Schema,
        *,
        order: Sequence[str] = (),
        python_bound: bool = False,
    ) -> LocalData:
        by = ", ".join(f'"{name}"' for name in (*keys, *order))
        batches = self._query(f"select * from data order by {by}", {"data": data})
        return self._run("group", whole_groups(batches, keys), step, schema, python_bound)

    def sql(self, query: str, **tables: LocalData) -> LocalData:
        batches = self._query(query, tables)
        first = next(batches, None)
        schema = self._last_schema if first is None else first.schema
        return self._keep(schema, itertools.chain([] if first is None else [first], batches))

    def components(self, edges: LocalData) -> LocalData:
        return components(self, edges)

    def rows(self, data: LocalData) -> Iterator[pa.RecordBatch]:
        if data.memory is not None:
            yield from data.memory.to_batches(max_chunksize=_rows_a_batch(data.memory))
        elif data.stream is not None:
            yield from data.stream[1]()
        else:
            for file in data.files:
                reader = pq.ParquetFile(file, pre_buffer=False)  # else all that was read stays in memory
                yield from reader.iter_batches(BATCH_ROWS, columns=data.schema.names)

    def collect(self, data: LocalData) -> pa.Table:
        return pa.Table.from_batches(list(self.rows(data)), schema=data.schema)

    def count(self, data: LocalData) -> int:
        return sum(batch.num_rows for batch in self.rows(data))

    def write(self, data: LocalData, path: str | os.PathLike[str], schema: pa.Schema) -> int:
        return write_batches(self.rows(data), here(path), data.schema, schema)

    def save(self, data: LocalData, folder: str | os.PathLike[str], by: Sequence[str] = ()) -> None:
        Path(folder).mkdir(parents=True)
        write_batches(self.rows(data), Path(folder) / "rows.parquet", data.schema, data.schema)

    # -- inside -----------------------------------------------------------------------------------------------------

    def _run(self, name: str, tables: Iterable[pa.Table], step: Step, schema: pa.Schema, python_bound: bool) -> LocalData:
        function = partial(_apply, step, schema)
        if python_bound and self._threads > 1:
            submit = partial(_submit, self._workers(needs_script(function)), function)
            results = _in_order(submit, self._watched(name, tables), self._threads)
            return self._keep(schema, _batches(results))
        with ThreadPoolExecutor(self._threads) as pool:
            results = _in_order(partial(pool.submit, function), self._watched(name, tables), self._threads)
            return self._keep(schema, _batches(results))

    def _workers(self, with_script: bool) -> ProcessPoolExecutor:
        """The processes that imported the caller's script, or those that did not."""
        if with_script not in self._processes:
            spawn = multiprocessing.get_context("spawn")
            self._processes[with_script] = ProcessPoolExecutor(self._threads, mp_context=spawn)
        return self._processes[with_script]

    def _watched(self, name: str, tables: Iterable[pa.Table]) -> Iterator[pa.Table]:
        for table in tables:
            self._progress(name, table.num_rows)
            yield table

    def _keep(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> LocalData:
        """The batches as a table in memory, or as a file when they grow past the limit."""
        held: list[pa.RecordBatch] = []
        size = 0
        batches = iter(batches)
        for batch in batches:
            held.append(batch)
            size += batch.nbytes
            if size > IN_MEMORY:
                return self._spill(schema, itertools.chain(held, batches))
        return LocalData(schema, memory=pa.Table.from_batches(held, schema=schema))

    def _spill(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> LocalData:
        file = self._folder / f"{next(self._names)}.parquet"
        with pq.ParquetWriter(file, schema, compression="lz4") as writer:
            for batch in batches:
                writer.write_batch(batch)
        return LocalData(schema, files=(file,))

    def _query(self, query: str, tables: dict[str, LocalData]) -> Iterator[pa.RecordBatch]:
        import duckdb

        cursor = self._database.cursor()
        try:
            for name, data in tables.items():
                self._register(cursor, name, data)
            reader = cursor.sql(query).to_arrow_reader(BATCH_ROWS)
            self._last_schema = reader.schema
            yield from reader
        except duckdb.OutOfMemoryException as error:
            raise GarimpoError(f"the memory limit is too small for this job: {_first_line(error)}") from None
        except duckdb.IOException as error:
            raise GarimpoError(_first_line(error)) from None
        finally:
            cursor.close()

    def _register(self, cursor: Any, name: str, data: LocalData) -> None:
        if data.stream is not None:
            data = self._keep(data.schema, self.rows(data))
        if data.memory is not None:
            cursor.register(name, data.memory)
            return
        columns = ", ".join(f'"{column}"' for column in data.schema.names)
        files = ", ".join("'" + str(file).replace("'", "''") + "'" for file in data.files)
        cursor.execute(f'create or replace temp view "{name}" as select {columns} from read_parquet([{files}])')


def _connect(folder: Path, memory_limit: str, threads: int) -> Any:
    import duckdb

    try:
        settings = {"memory_limit": memory_limit, "threads": threads, "temp_directory": str(folder / "duckdb")}
        return duckdb.connect(":memory:", config={**settings, "preserve_insertion_order": "true"})
    except duckdb.Error as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadInput(_first_line(error)) from None


def _submit(processes: ProcessPoolExecutor, function: Step, table: pa.Table) -> Future[pa.Table]:
    """Hand a table to a process; where all are busy, this starts one."""
    with without_script(function):
        return processes.submit(function, table)


def _apply(step: Step, schema: pa.Schema, table: pa.Table) -> pa.Table:
    result = step(table)
    return result if result.schema.equals(schema) else result.select(schema.names).cast(schema)


def _batches(tables: Iterable[pa.Table]) -> Iterator[pa.RecordBatch]:
    for table in tables:
        yield from table.to_batches()


def _in_order(submit: Submit, tables: Iterable[pa.Table], workers: int) -> Iterator[pa.Table]:
    """Results in the order of the tables, with at most two tables a worker in flight."""
    waiting: deque[Future[pa.Table]] = deque()
    try:
        for table in tables:
            waiting.append(submit(table))
            if len(waiting) >= 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()


def _parquet(paths: list[Path], columns: Sequence[str] | None) -> LocalData:
    if not paths:
        raise BadInput("no Parquet file given")
    for path in paths:
        try:
            schema = pq.read_schema(path)
        except FileNotFoundError:
            raise BadInput(f"{path}: no such file") from None
        except (pa.ArrowInvalid, OSError) as error:
            raise BadInput(f"{path}: not a Parquet file ({_first_line(error)})") from None
        if columns:
            require(schema.names, columns, str(path))
            schema = pa.schema([schema.field(name) for name in columns])
    return LocalData(schema, files=tuple(paths))


def _rows_a_batch(table: pa.Table) -> int:
    """Rows that make a batch of at most BATCH_BYTES, by the table's mean row."""
    if not table.num_rows:
        return BATCH_ROWS
    return max(1, min(BATCH_ROWS, int(BATCH_BYTES * table.num_rows / max(1, table.nbytes))))


def _first_line(error: BaseException) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
