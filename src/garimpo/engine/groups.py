"""Cutting a sorted stream of batches at changes of its key, so that every group arrives whole."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

ENOUGH_ROWS = 32_768
"""Whole groups are gathered up to about this many rows, so that a step is not called for every small group."""


def whole_groups(batches: Iterable[pa.RecordBatch], keys: Sequence[str]) -> Iterator[pa.Table]:
    """Tables of whole groups from batches sorted by `keys`.

    >>> rows = pa.table({"k": [1, 1, 2, 2, 2, 3]})
    >>> [t["k"].to_pylist() for t in whole_groups(rows.to_batches(max_chunksize=2), ["k"])]
    [[1, 1, 2, 2, 2, 3]]
    """
    held: list[pa.Table] = []
    rows = 0
    for batch in batches:
        if not batch.num_rows:
            continue
        held.append(pa.Table.from_batches([batch]))
        rows += batch.num_rows
        if rows < ENOUGH_ROWS:
            continue
        table = pa.concat_tables(held)
        cut = int(group_starts(table, keys)[-1])
        if cut == 0:  # one group fills everything that is held: wait for its end
            held = [table]
            continue
        yield table.slice(0, cut)
        held, rows = [table.slice(cut)], table.num_rows - cut
    if held:
        yield pa.concat_tables(held)


def group_starts(table: pa.Table, keys: Sequence[str]) -> NDArray[np.int64]:
    """The row at which each group of a sorted table begins.

    >>> group_starts(pa.table({"k": ["a", "a", "b"]}), ["k"]).tolist()
    [0, 2]
    """
    if not table.num_rows:
        return np.zeros(0, np.int64)
    changed = np.zeros(table.num_rows, bool)
    changed[0] = True
    for key in keys:
        column = table.column(key)
        before, after = column.slice(0, table.num_rows - 1), column.slice(1)
        differ = pc.fill_null(pc.not_equal(before, after), pc.not_equal(pc.is_null(before), pc.is_null(after)))
        changed[1:] |= np.asarray(differ.to_numpy(), bool)
    return np.flatnonzero(changed)
