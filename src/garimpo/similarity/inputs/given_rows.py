"""Tables as other programs have them: Parquet, CSV, TSV, JSON lines or TREC's lines, or any table in memory."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

from garimpo.contract import BadInput
from garimpo.contract.reading import read_table
from garimpo.contract.tables import require

Rows: TypeAlias = Any
"""A table (any object with `__arrow_c_stream__`), a list of dictionaries, or a path."""


def read_rows(rows: Rows, what: str, columns: Sequence[str], optional: Sequence[str] = ()) -> pa.Table:
    """The named columns of a table, and those of `optional` that it has; or `BadInput`, which names the file or `what`.

    >>> read_rows([{"query": "q", "id": 1, "more": 2}], "truth", ("query", "id")).column_names
    ['query', 'id']
    """
    if isinstance(rows, str | os.PathLike):
        return _from_file(Path(rows), columns, optional)
    try:
        table = rows if isinstance(rows, pa.Table) else pa.Table.from_pylist(rows) if isinstance(rows, list) else pa.table(rows)
    except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(f"the {what} is not a table ({str(error).splitlines()[0]})") from None
    require(table.column_names, columns, f"the {what}")
    return table.select([name for name in table.column_names if name in columns or name in optional])


def _from_file(path: Path, columns: Sequence[str], optional: Sequence[str]) -> pa.Table:
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return read_table(path, columns, optional)
    if suffix not in _READERS:
        raise BadInput(f"{path}: not a kind of table this program reads (.parquet, {', '.join(_READERS)})")
    try:
        table = _READERS[suffix](path)
    except FileNotFoundError:
        raise BadInput(f"{path}: no such file") from None
    except (pa.ArrowInvalid, OSError) as error:
        raise BadInput(f"{path}: cannot be read ({str(error).splitlines()[0]})") from None
    require(table.column_names, columns, str(path))
    return table.select([name for name in table.column_names if name in columns or name in optional])


def _delimited(path: Path) -> pa.Table:
    from pyarrow import csv

    names = {name: pa.string() for name in ("query", "id")}  # 007 is a name, not a number
    parse = csv.ParseOptions(delimiter="\t" if path.suffix.lower() == ".tsv" else ",")
    return csv.read_csv(path, parse_options=parse, convert_options=csv.ConvertOptions(column_types=names))


def _json_lines(path: Path) -> pa.Table:
    from pyarrow import json

    return json.read_json(path)


RUN = ("query", "iteration", "id", "rank", "score", "system")
JUDGED = ("query", "iteration", "id", "grade")


def _trec(path: Path) -> pa.Table:
    """A run (`query Q0 id rank score system`) or judgements (`query 0 id grade`), as trec_eval has them."""
    rows = [line.split() for line in path.read_text("utf-8", "replace").splitlines() if line.strip()]
    names = {len(RUN): RUN, len(JUDGED): JUDGED}.get(len(rows[0]) if rows else 0)
    for number, row in enumerate(rows, 1):
        if names is None or len(row) != len(names):
            raise BadInput(f"{path}: line {number} has {len(row)} fields; a run has {len(RUN)}, judgements have {len(JUDGED)}")
    return pa.table({name: [row[at] for row in rows] for at, name in enumerate(names or RUN)})


_READERS = {
    ".csv": _delimited,
    ".tsv": _delimited,
    ".jsonl": _json_lines,
    ".run": _trec,
    ".trec": _trec,
    ".qrel": _trec,
    ".qrels": _trec,
}
