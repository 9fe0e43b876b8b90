"""The links of many pages as Arrow columns, without an object for each."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import Link
from garimpo.page import _kernels as k
from garimpo.page._kernels_links import copy_spans, join_pages
from garimpo.page.links import Links, Parser, relation

LINK_COLUMNS = pa.schema(
    [("row", pa.int32()), ("target", pa.string()), ("anchor", pa.string()), ("rel", pa.string()), ("context", pa.string())]
)
_MOST_BYTES, _MOST_ROWS = 32 << 20, 200_000
"""Of one step: what it makes must stay far below the two gigabytes of an Arrow string column."""


def link_columns(several: Sequence[Sequence[Link]]) -> pa.Table:
    """The links of several pages; `row` says of which.

    >>> link_columns([[], [Link("http://a.org/", "A")]]).to_pylist()
    [{'row': 1, 'target': 'http://a.org/', 'anchor': 'A', 'rel': None, 'context': None}]
    """
    parsed = [(row, links) for row, links in enumerate(several) if isinstance(links, Links) and len(links.rows)]
    tables = [_flat(some) for some in _steps(parsed)]
    tables += [_listed(row, links) for row, links in enumerate(several) if not isinstance(links, Links) and links]
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables) if tables else LINK_COLUMNS.empty_table()


def _listed(row: int, links: Sequence[Link]) -> pa.Table:
    values = [(row, link.target, link.anchor, link.rel, link.context) for link in links]
    return pa.table([pa.array(column, field.type) for column, field in zip(zip(*values), LINK_COLUMNS)], schema=LINK_COLUMNS)


def _steps(parsed: list[tuple[int, Links]]) -> Iterator[list[tuple[int, Links]]]:
    some: list[tuple[int, Links]] = []
    size = rows = 0
    for row, links in parsed:
        if some and (size + len(links.html) > _MOST_BYTES or rows + len(links.rows) > _MOST_ROWS):
            yield some
            some, size, rows = [], 0, 0
        some.append((row, links))
        size, rows = size + len(links.html), rows + len(links.rows)
    if some:
        yield some


def _flat(several: list[tuple[int, Links]]) -> pa.Table:
    html, html_starts = _together([links.html for _, links in several])
    text, text_starts = _together([links.text for _, links in several])
    rows = np.concatenate([links.rows for _, links in several])
    counts = np.array([len(links.rows) for _, links in several])
    of = np.repeat(np.arange(len(several)), counts)
    targets, starts, stops = _targets(several, html, html_starts, rows, counts)
    kept = np.flatnonzero(stops >= 0)
    if len(kept) < len(rows):
        rows, of, starts, stops = rows[kept], of[kept], starts[kept], stops[kept]
    shift = text_starts[of]
    columns = [
        pa.array(np.array([row for row, _ in several], np.int32)[of]),
        _strings(targets, starts, stops),
        _strings(text, shift + rows[:, k.TEXT], shift + rows[:, k.TEXT_STOP]),
        _relations(html, html_starts[of], rows),
        _strings(text, shift + rows[:, k.CONTEXT], shift + rows[:, k.CONTEXT_STOP]),
    ]
    return pa.table(columns, schema=LINK_COLUMNS)


def _targets(
    several: list[tuple[int, Links]],
    html: NDArray[np.uint8],
    html_starts: NDArray[np.int64],
    rows: NDArray[np.int32],
    counts: NDArray[np.int64],
) -> tuple[NDArray[np.uint8], NDArray[np.int64], NDArray[np.int64]]:
    """All targets one after another, and where each stands; a stop below zero where there is none."""
    bases, base_starts = _together([links.base_url.encode() or b" " for _, links in several])
    row_starts = np.concatenate(([0], np.cumsum(counts)))
    room = len(html) + int(counts @ np.diff(base_starts))
    out = np.empty(min(room, _MOST_BYTES), np.uint8)
    length = join_pages(html, html_starts, rows, row_starts, bases, base_starts, out)
    starts, stops = rows[:, k.TARGET].astype(np.int64), rows[:, k.TARGET_STOP].astype(np.int64)
    pieces = [out[:length].tobytes()]
    for page in np.unique(np.searchsorted(row_starts, np.flatnonzero(stops < 0), "right") - 1).tolist():
        links = several[page][1]
        parse = Parser(links.base_url)
        first, last = row_starts[page], row_starts[page + 1]
        for row in (first + np.flatnonzero(stops[first:last] < 0)).tolist():
            target = parse(links.html[rows[row, k.VALUE] : rows[row, k.VALUE_STOP]])
            if target is not None:
                pieces.append(target.encode())
                starts[row], length = length, length + len(pieces[-1])
                stops[row] = length
    return np.frombuffer(b"".join(pieces), np.uint8), starts, stops


def _relations(html: NDArray[np.uint8], shift: NDArray[np.int64], rows: NDArray[np.int32]) -> pa.Array:
    stated = np.flatnonzero(rows[:, k.LABEL] >= 0)
    if not len(stated):
        return pa.nulls(len(rows), pa.string())
    said: list[str | None] = [None] * len(rows)
    known: dict[bytes, str | None] = {}
    starts, stops = shift[stated] + rows[stated, k.LABEL], shift[stated] + rows[stated, k.LABEL_STOP]
    for row, start, stop in zip(stated.tolist(), starts.tolist(), stops.tolist()):
        words = html[start:stop].tobytes()
        if words not in known:
            known[words] = relation(words)
        said[row] = known[words]
    return pa.array(said, pa.string())


def _together(pieces: Sequence[bytes]) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    starts = np.zeros(len(pieces) + 1, np.int64)
    np.cumsum([len(piece) for piece in pieces], out=starts[1:])
    return np.frombuffer(b"".join(pieces), np.uint8), starts


def _strings(data: NDArray[np.uint8], starts: NDArray[np.int64], stops: NDArray[np.int64]) -> pa.StringArray:
    offsets = np.zeros(len(starts) + 1, np.int32)
    np.cumsum(stops - starts, out=offsets[1:])
    out = np.empty(int(offsets[-1]), np.uint8)
    copy_spans(data, starts, offsets, out)
    return pa.StringArray.from_buffers(len(starts), pa.py_buffer(offsets), pa.py_buffer(out))
