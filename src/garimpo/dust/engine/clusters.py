"""Clusters that no one process holds: read and made ready by the workers of an engine, row for row as here.

The driver sees counts, and of clusters that share a URL a graph of up to a million edges (`Engine.components`).
"""

import os
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.contract.tables import require
from garimpo.dust.inputs.files import as_clusters, first_broken, parsed
from garimpo.dust.inputs.preparation import TABLE, cluster_hash
from garimpo.engine.on_spark.places import FILE
from garimpo.url import normalise_column

NO_URL = "no http(s) URL"
ROWS = pa.schema([("cluster", pa.int64()), ("url", pa.string()), ("passed_over", pa.string()), ("line", pa.int64())])
_SHARED = "select url, min(cluster) as least from rows group by url having count(*) > 1"
_EDGES = "select s.least as a, r.cluster as b from rows r join shared s on s.url = r.url where r.cluster <> s.least"
_JOINED = """select distinct coalesce(n.component, r.cluster) as cluster, r.url
             from rows r left join nodes n on n.node = r.cluster"""


def read_spread(engine: Any, path: str | os.PathLike[str], counts: Counts) -> tuple[Any, int]:
    """What `read_clusters` and `prepare` give, as a table of the engine, and how many URLs were read."""
    name = os.fspath(path)
    files = engine.files(path)
    if not files:
        raise BadInput(f"{name}: no clusters in it (a folder without Parquet files)")
    if files[0].endswith(".parquet"):
        data = engine.table(files)
        require(data.schema.names, ["cluster", "url"], name)
        rows = engine.map(engine.table(files, ["cluster", "url"]), _from_columns, ROWS)
    else:
        rows = engine.map(engine.lines(files), partial(_from_lines, name=name), ROWS)
    told = engine.collect(
        engine.sql("select passed_over, count(*) as n, min(line) as line from rows group by passed_over", rows=rows)
    )
    known = _count(told, counts, name)
    urls = known + counts[NO_URL]
    if not urls:
        raise BadInput(f"{name}: no clusters in it ({str(counts) or 'the file is empty'})")
    distinct = engine.sql("select distinct cluster, url from rows where passed_over is null", rows=rows)
    counts["repeated in its cluster"] += known - engine.count(distinct)
    return _disjoint(engine, distinct, counts), urls


def _count(told: pa.Table, counts: Counts, name: str) -> int:
    """Counts what was passed over; how many rows were not."""
    known = 0
    counts[NO_URL] += 0
    for row in sorted(told.to_pylist(), key=lambda row: row["line"] or 0):
        if row["passed_over"] is None:
            known = row["n"]
            continue
        if row["line"] is not None:
            counts[first_broken(Path(name).as_posix(), row["passed_over"])] = row["line"]
        counts[row["passed_over"]] += row["n"]
    return known


def _from_columns(table: pa.Table) -> pa.Table:
    return _rows(as_clusters(table), [])


def _from_lines(table: pa.Table, name: str) -> pa.Table:
    broken: list[tuple[int, str]] = []
    numbers = (np.asarray(table["place"].to_numpy()) % FILE + 1).tolist()
    clusters, urls = parsed(zip(numbers, table["line"].to_pylist()), name, lambda number, why: broken.append((number, why)))
    return _rows(pa.table({"cluster": pa.array(clusters, pa.int64()), "url": pa.array(urls, pa.string())}), broken)


def _rows(table: pa.Table, broken: Sequence[tuple[int, str]]) -> pa.Table:
    """Rows in normal form, and one for each that was passed over."""
    urls = table["url"].combine_chunks()
    urls = normalise_column(pa.concat_arrays(urls.chunks) if isinstance(urls, pa.ChunkedArray) else urls)
    good = pc.and_(pc.is_valid(urls), pc.is_valid(table["cluster"]))
    known = pa.table({"cluster": table["cluster"], "url": urls}).filter(good)
    lost = table.num_rows - known.num_rows
    reasons = [why for _, why in broken] + [NO_URL] * lost
    numbers = [number for number, _ in broken] + [None] * lost
    passed = pa.table({"passed_over": pa.array(reasons, pa.string()), "line": pa.array(numbers, pa.int64())})
    return pa.concat_tables([known, passed], promote_options="default").select(ROWS.names).cast(ROWS)


def _disjoint(engine: Any, rows: Any, counts: Counts) -> Any:
    """Join clusters that share a URL, under the smallest of their numbers."""
    shared = engine.sql(_SHARED, rows=rows)
    if not engine.count(shared):
        return rows
    nodes = engine.components(engine.sql(_EDGES, rows=rows, shared=shared))
    groups = engine.collect(engine.sql("select count(distinct component) as n from nodes", nodes=nodes))
    counts["joined clusters"] += engine.count(nodes) - groups["n"][0].as_py()
    return engine.sql(_JOINED, rows=rows, nodes=nodes)


def halves(engine: Any, rows: Any, seed: int) -> tuple[Any, Any]:
    """Training and validation clusters, the same halves as `split` makes."""
    return engine.map(rows, partial(_half, 0, seed), TABLE), engine.map(rows, partial(_half, 1, seed), TABLE)


def _half(which: int, seed: int, table: pa.Table) -> pa.Table:
    chosen = cluster_hash(table["cluster"].to_numpy(), seed) >> np.uint64(63) == which
    return table.filter(pa.array(chosen)).select(TABLE.names).cast(TABLE)
