"""Documents on an engine: read by its workers where they can, else streamed to it by this process.

Workers read Parquet (files, folders), JSONL (plain or gzip) and the segments of a crawl folder, from any file system they reach.
Each batch is made even by the code that does it here, and goes through the caller's step at once, so that no text is written
between. Rows keep their `place` (see `garimpo.engine.on_spark.places`), by which the first of a repeated id is found afterwards.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from garimpo.archive.collection import sources
from garimpo.archive.collection.stream import Paths, as_paths, made_even
from garimpo.archive.collection.text_stream import texts, with_text
from garimpo.archive.folder.store import Store, is_crawl_folder
from garimpo.contract.errors import BadInput, option
from garimpo.contract.reading import Counts
from garimpo.engine.base import Step
from garimpo.engine.on_spark.places import FILE
from garimpo.engine.places import here, is_remote

_BLOCK = 1 << 16
"""Rows that get their numbers together."""
_LATEST = """select * from (
    select *, row_number() over (partition by url order by fetched_at desc, place desc) as newest from pages where status = 200
) ranked where newest = 1"""


@dataclass
class Placed:
    """What a step made of documents: `rows` with their `place` (null in a row that only says what was passed over).

    `repeated`: ids may stand in it more than once, and places are no numbers in a row.
    """

    rows: Any
    repeated: bool

    def firsts(self, engine: Any, counts: Counts) -> Any:
        """The `place` of the first row of each id; the others are counted."""
        found = engine.sql("select min(place) as place from rows where place is not null group by id", rows=self.rows)
        total = engine.collect(engine.sql("select count(place) as n from rows", rows=self.rows))["n"][0].as_py()
        counts["repeated id"] += total - engine.count(found)
        return found

    def numbers(self, engine: Any, counts: Counts) -> Any:
        """`place` and `n`, the number of documents before; only a count for each block of rows comes to this process."""
        firsts = engine.sql(f"select place, cast(floor(place / {_BLOCK}) as bigint) as block from firsts",
                            firsts=self.firsts(engine, counts))  # fmt: skip
        counted = engine.collect(engine.sql("select block, count(*) as m from firsts group by block", firsts=firsts))
        counted = counted.sort_by("block")
        size = counted["m"].to_numpy()
        blocks = engine.table(pa.table({"block": counted["block"], "before": np.cumsum(size) - size}))
        query = """select f.place, b.before + row_number() over (partition by f.block order by f.place) - 1 as n
                   from firsts f join blocks b on b.block = f.block"""
        return engine.sql(query, firsts=firsts, blocks=blocks)


def placed_texts(
    engine: Any, paths: Paths, columns: dict[str, pa.DataType], step: Step, schema: pa.Schema, counts: Counts,
    progress: Callable[[int], None] | None = None,
) -> Placed:  # fmt: skip
    """What `step` makes of all documents, batch by batch: it gets `place, id, text` and `columns`, and keeps `place` and `id`."""
    given = pa.schema([("place", pa.int64()), ("id", pa.string()), ("text", pa.large_string()), *columns.items()])
    inputs = as_paths(paths)
    if engine.far and all(_for_workers(engine, path) for path in inputs):
        return Placed(_read_there(engine, inputs, given, step, schema, counts), True)
    inputs = [path if not is_remote(path) else Path(_reaching(engine, path).bring(path)) for path in inputs]

    def stream() -> Iterator[pa.RecordBatch]:
        seen = 0
        for batch in texts([here(path) for path in inputs], columns=list(columns), counts=counts):
            place = pa.array(np.arange(seen, seen + batch.num_rows))
            rows = [place, *(batch.column(name).cast(given.field(name).type) for name in given.names[1:])]
            yield pa.record_batch(rows, schema=given)
            seen += batch.num_rows
            if progress is not None:
                progress(batch.num_rows)

    return Placed(engine.map(engine.table((given, stream)), step, schema), False)


def _for_workers(engine: Any, path: Path) -> bool:
    name = path.name.lower()
    if name.endswith((".parquet", ".jsonl", ".jsonl.gz")):
        return True
    if is_remote(path):
        return bool(name) and "." not in name and bool(engine.files(path))
    return is_crawl_folder(here(path)) or (here(path).is_dir() and any(here(path).glob("*.parquet")))


def _reaching(engine: Any, path: Path) -> Any:
    if not hasattr(engine, "bring"):
        raise BadInput(f"{path}: only {option('engine', 'spark')} reaches that file system")
    return engine


def _read_there(engine: Any, inputs: list[Path], given: pa.Schema, step: Step, schema: pa.Schema, counts: Counts) -> Any:
    parts: list[tuple[Any, Any]] = []
    names: list[str] = []
    noted = pa.schema([field.with_nullable(True) for field in (*schema, pa.field("passed_over", pa.string()))])
    for path in inputs:
        files, data, parse = _opened(engine, path, given, len(names))
        names += files
        parts.append((data, parse))
    done = [
        engine.map(data, partial(_through, parse, tuple(names), given, step, noted), noted, python_bound=True)
        for data, parse in parts
    ]
    rows = done[0] if len(done) == 1 else engine.sql(
        " union all ".join(f"select * from part{number}" for number in range(len(done))),
        **{f"part{number}": part for number, part in enumerate(done)},
    )  # fmt: skip
    told = engine.collect(engine.sql("select passed_over, count(*) as n from rows group by passed_over", rows=rows))
    reasons = dict(zip(told["passed_over"].to_pylist(), told["n"].to_pylist()))
    if not reasons.pop(None, 0):
        raise BadInput(f"{', '.join(map(str, inputs))}: no documents in it")
    counts.update(reasons)
    return rows


def _opened(engine: Any, path: Path, given: pa.Schema, first: int) -> tuple[list[str], Any, Any]:
    """The files of an input, its rows on the engine, and what makes rough documents of them."""
    wanted = ["id", "url", "text", "html", *given.names[3:]]
    if not is_remote(path) and is_crawl_folder(here(path)):
        with Store.open(here(path), write=False) as store:
            files = [os.fspath(file) for file in store.page_files()]
        if not files:
            raise BadInput(f"{path}: no documents in it")
        columns = ["url", "text", "status", "fetched_at", *given.names[3:]]
        return files, engine.sql(_LATEST, pages=engine.placed(_addresses(engine, files), columns, first)), _page_rows
    files = engine.files(path)
    if path.name.lower().endswith((".jsonl", ".jsonl.gz")):
        return [os.fspath(path)], engine.lines(files, first), partial(_parsed, columns=given.names[3:])
    if not files:
        raise BadInput(f"{path}: no documents in it")
    data = engine.placed(files, wanted, first)
    if "text" not in data.schema.names and "html" not in data.schema.names:
        raise BadInput(f"{path}: no column text or html (it has: {', '.join(engine.table(files).schema.names) or 'none'})")
    return files, data, _as_they_are


def _addresses(engine: Any, files: list[str]) -> list[str]:
    return [address for file in files for address in engine.files(file)]


def _as_they_are(table: pa.Table, names: Sequence[str]) -> pa.Table:
    return table


def _page_rows(table: pa.Table, names: Sequence[str]) -> pa.Table:
    return table.append_column("id", table["url"])


def _parsed(table: pa.Table, names: Sequence[str], columns: Sequence[str]) -> pa.Table:
    """Lines of JSON as rough documents."""
    rows = []
    for place, line in zip(table["place"].to_pylist(), table["line"].to_pylist()):
        number = place % FILE + 1
        text = line.removeprefix(sources.BOM) if number == 1 else line
        if text.strip():
            rows.append({**sources.parse_line(names[place // FILE], number, text), "place": place})
    return sources.table(rows, ["place", *columns], decoded=True)


def _through(parse: Any, names: Sequence[str], given: pa.Schema, step: Step, noted: pa.Schema, table: pa.Table) -> pa.Table:
    """A batch as it was read: made even, given its text, and handed to the step; then a row for each thing passed over."""
    counts = Counts()
    rough = parse(table, names)

    def row_names() -> list[str]:
        places = rough["place"].to_pylist()
        return [f"{Path(names[place // FILE]).name}:{place % FILE + 1}" for place in places]

    if not rough.num_rows:
        return noted.empty_table()
    even = with_text(made_even(rough, row_names, ["place", *given.names[3:]], counts))
    rows = pa.table([even[name].cast(given.field(name).type) for name in given.names], schema=given)
    done = step(rows)
    reasons = pa.table({"passed_over": pa.array(list(counts.elements()), pa.string())})
    return pa.concat_tables([done, reasons], promote_options="default").select(noted.names).cast(noted)
