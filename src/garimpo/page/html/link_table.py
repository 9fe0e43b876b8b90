"""The links of many pages as Arrow columns, without an object for each."""

from collections.abc import Iterator, Sequence, Sized
from itertools import accumulate

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import Link
from garimpo.engine.columns import numbers
from garimpo.page.html import _kernels_extract as k
from garimpo.page.html._kernels_columns import lay_out
from garimpo.page.html._kernels_links import copy_spans, join_pages
from garimpo.page.html.links import Links, Parser, relation

LINK_COLUMNS = pa.schema(
    [
        ("row", pa.int32()),
        ("target", pa.string()),
        ("anchor", pa.string()),
        ("rel", pa.string()),
        ("context", pa.string()),
        ("place", pa.uint64()),
    ]
)
_MOST_BYTES, _MOST_ROWS = 32 << 20, 200_000
"""Of one step: what it makes must stay far below the two gigabytes of an Arrow string column."""
_MOST_TARGET_BYTES = 1 << 30
"""Of all targets of a step; no page that is meant to be read comes near it."""


def link_columns(several: Sequence[Sequence[Link]]) -> pa.Table:
    """The links of several pages; `row` says of which, `place` is a hash of the tags a link stands in.

    Args:
        several: the links of each page.

    Args:
        several: the links of several pages.

    >>> link_columns([[], [Link("http://a.org/", "A")]]).to_pylist()
    [{'row': 1, 'target': 'http://a.org/', 'anchor': 'A', 'rel': None, 'context': None, 'place': None}]
    """
    parsed = [(row, links) for row, links in enumerate(several) if isinstance(links, Links) and len(links.rows)]
    tables = [_flat(some) for some in _steps(parsed)]
    tables += [_listed(row, links) for row, links in enumerate(several) if not isinstance(links, Links) and links]
    if len(tables) == 1:
        return tables[0]
    return pa.concat_tables(tables) if tables else LINK_COLUMNS.empty_table()


def _listed(row: int, links: Sequence[Link]) -> pa.Table:
    values = [(row, link.target, link.anchor, link.rel, link.context, None) for link in links]
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
    links, count = [links for _, links in several], len(several)
    pieces = [*(one.html for one in links), *(one.text for one in links), *(one.base_url.encode() or b" " for one in links)]
    data, places = np.frombuffer(b"".join(pieces), np.uint8), _places(pieces)
    html, text, bases = places[: count + 1], places[count : 2 * count + 1], places[2 * count :]
    rows, row_places = np.concatenate([one.rows for one in links]), _places([one.rows for one in links])
    room = sum(len(one.html) + len(one.rows) * len(base) for one, base in zip(links, pieces[2 * count :]))
    out = np.empty(min(room, _MOST_BYTES), np.uint8)
    length = join_pages(data, html, rows, row_places, data, bases, out)
    if rows[:, k.TARGET_STOP].min() < 0:
        out = _parse_the_rest(links, rows, row_places, out[:length].tobytes())
    pages, of = np.array([row for row, _ in several], np.int32), np.empty(len(rows), np.int32)
    starts, offsets = np.empty((4, len(rows)), np.int64), np.zeros((4, len(rows) + 1), np.int32)
    kept = lay_out(rows, row_places, pages, html, text, of, starts, offsets)
    target, anchor, rel, context = zip(starts[:, :kept], offsets[:, : kept + 1])
    columns = [_strings(out, *target), _strings(data, *anchor), _relations(data, *rel), _strings(data, *context)]
    found = np.ascontiguousarray(rows[rows[:, k.TARGET_STOP] >= 0, k.PLACE : k.PLACE_HIGH + 1]).view(np.uint64).ravel()
    return pa.table([numbers(of[:kept]), *columns, numbers(found)], schema=LINK_COLUMNS)


def _parse_the_rest(
    links: list[Links], rows: NDArray[np.int32], row_places: NDArray[np.int64], joined: bytes
) -> NDArray[np.uint8]:
    """Resolve what takes more than joining, and note it in the rows; gives all targets one after another."""
    pieces, length = [joined], len(joined)
    missing = np.flatnonzero(rows[:, k.TARGET_STOP] < 0)
    parsers: dict[int, Parser] = {}
    for row, page in zip(missing.tolist(), (np.searchsorted(row_places, missing, "right") - 1).tolist()):
        parse = parsers.setdefault(page, Parser(links[page].base_url))
        target = parse(links[page].html[rows[row, k.VALUE] : rows[row, k.VALUE_STOP]])
        if target is not None and length < _MOST_TARGET_BYTES:
            pieces.append(target.encode())
            rows[row, k.TARGET], length = length, length + len(pieces[-1])
            rows[row, k.TARGET_STOP] = length
    return np.frombuffer(b"".join(pieces), np.uint8)


def _relations(html: NDArray[np.uint8], starts: NDArray[np.int64], offsets: NDArray[np.int32]) -> pa.Array:
    if not offsets[-1]:
        return pa.nulls(len(starts), pa.string())
    said: list[str | None] = [None] * len(starts)
    known: dict[bytes, str | None] = {}
    lengths = np.diff(offsets)
    stated = np.flatnonzero(lengths)
    for row, start, length in zip(stated.tolist(), starts[stated].tolist(), lengths[stated].tolist()):
        words = html[start : start + length].tobytes()
        if words not in known:
            known[words] = relation(words)
        said[row] = known[words]
    return pa.array(said, pa.string())


def _places(pieces: Sequence[Sized]) -> NDArray[np.int64]:
    """Where each begins and the last ends, when they stand one after another."""
    return np.array([0, *accumulate(map(len, pieces))], np.int64)


def _strings(data: NDArray[np.uint8], starts: NDArray[np.int64], offsets: NDArray[np.int32]) -> pa.StringArray:
    out = np.empty(int(offsets[-1]), np.uint8)
    copy_spans(data, starts, offsets, out)
    return pa.StringArray.from_buffers(len(starts), pa.py_buffer(offsets), pa.py_buffer(out))
