"""Whole Arrow columns of URLs: what is plain is copied by a kernel, the rest is parsed one by one."""

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.engine.columns import flat, hash_strings
from garimpo.url.parsing import host, normalise
from garimpo.url.sites import site

Column: TypeAlias = pa.Array | pa.ChunkedArray


def normalise_column(urls: Column) -> pa.StringArray:
    """`normalise` of each row; null where it does not parse.

    Args:
        urls: a column of URLs.

    >>> normalise_column(pa.array(["HTTP://a.org", "http://a.org/b#c", "nothing", None])).to_pylist()
    ['http://a.org/', 'http://a.org/b', None, None]
    """
    from garimpo.url._kernels import plain_rows

    return _by_kernel(urls, plain_rows, normalise)


def host_column(urls: Column) -> pa.StringArray:
    """`host` of each row; null where the URL does not parse.

    Args:
        urls: a column of URLs.

    >>> host_column(pa.array(["http://a.org/b", "https://B.org:8080", "nothing"])).to_pylist()
    ['a.org', 'b.org', None]
    """
    from garimpo.url._kernels import host_rows

    return _by_kernel(urls, host_rows, host)


def site_column(hosts_or_urls: Column) -> pa.StringArray:
    """`site` of each row, looked up once for every distinct host; null where a URL does not parse.

    Args:
        hosts_or_urls: a column of hosts or of URLs.

    >>> site_column(pa.array(["http://www.a.co.uk/x", "b.a.co.uk", "http://["])).to_pylist()
    ['a.co.uk', 'a.co.uk', None]
    """
    import pyarrow.compute as pc  # loading it takes as long as fetching a hundred pages

    column = _one_array(hosts_or_urls)
    is_url = pc.match_substring(column, "://")
    names = pc.if_else(is_url, host_column(pc.if_else(is_url, column, None)), column)
    encoded = names.dictionary_encode()
    sites = pa.array([site(name) or None for name in encoded.dictionary.to_pylist()], pa.string())
    return sites.take(encoded.indices)


def key_column(urls: Column) -> NDArray[np.uint64]:
    """`key64` of each row: of the strings as given, so normalise first; a null row has the key of the empty string.

    Args:
        urls: a column of URLs.

    >>> from garimpo.url.parsing import key64
    >>> int(key_column(pa.array(["http://a.org/"]))[0]) == key64("http://a.org/")
    True
    """
    return hash_strings(urls)


def _one_array(column: Column) -> pa.StringArray:
    if isinstance(column, pa.ChunkedArray):
        column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    return column if column.type == pa.string() else column.cast(pa.string())


def _by_kernel(column: Column, kernel: Callable[..., None], parse: Callable[[str], str | None]) -> pa.StringArray:
    """Rows the kernel can answer as spans of the column itself; for all others `parse`, a null where it gives None."""
    from garimpo.url._kernels import gather

    column = _one_array(column)
    count = len(column)
    if count == 0:
        return pa.array([], pa.string())
    data, offsets = flat(column)
    starts, stops = np.empty(count, np.int64), np.empty(count, np.int64)
    kernel(data, offsets, starts, stops)
    if column.null_count:
        stops[column.is_null().to_numpy(zero_copy_only=False)] = -1  # a null row may have bytes under it
    rest = np.flatnonzero(stops < 0)
    parsed = pa.array([None if url is None else parse(url) for url in column.take(pa.array(rest)).to_pylist()], pa.string())
    others, other_offsets = flat(parsed)
    lengths = stops - starts
    lengths[rest] = np.diff(other_offsets)
    out_offsets = np.zeros(count + 1, np.int64)
    np.cumsum(lengths, out=out_offsets[1:])
    out = np.empty(max(1, int(out_offsets[-1])), np.uint8)
    gather(data, starts, stops, others, other_offsets, out_offsets, out)
    return _string_array(out, out_offsets, rest[parsed.is_null().to_numpy(zero_copy_only=False)])


def _string_array(data: NDArray[np.uint8], offsets: NDArray[np.int64], nulls: NDArray[Any]) -> pa.StringArray:
    validity = None
    if nulls.size:
        valid = np.ones(offsets.size - 1, bool)
        valid[nulls] = False
        validity = pa.py_buffer(np.packbits(valid, bitorder="little"))
    buffers = [validity, pa.py_buffer(offsets.astype(np.int32)), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.string(), offsets.size - 1, buffers, null_count=int(nulls.size))
