"""Columns give what the functions for one URL give."""

import pyarrow as pa
import pyarrow.parquet as pq
from hypothesis import given
from hypothesis import strategies as st

from garimpo.url import host, host_column, key64, key_column, normalise, normalise_column, site, site_column
from url.pieces import URLISH


@given(st.lists(st.none() | URLISH | st.text(st.characters(exclude_categories=["Cs"])), max_size=20))
def test_columns_equal_the_functions(urls):
    column = pa.array(urls, pa.string())
    normal = normalise_column(column)
    normal.validate(full=True)
    assert normal.to_pylist() == [None if url is None else normalise(url) for url in urls]
    assert host_column(column).to_pylist() == [None if url is None else host(url) for url in urls]
    assert site_column(column).to_pylist() == [None if url is None else site(url) or None for url in urls]
    assert key_column(normal).tolist() == [key64(url or "") for url in normal.to_pylist()]


def test_slices_chunks_and_wide_columns():
    urls = ["http://a.org/1#x", None, "HTTP://B.org", "nothing", "https://c.org/?q=%7E"]
    expected = ["http://a.org/1", None, "http://b.org/", None, "https://c.org/?q=~"]
    whole = pa.array(urls)
    assert normalise_column(whole.slice(1, 3)).to_pylist() == expected[1:4]
    assert normalise_column(pa.chunked_array([whole, whole.slice(4)])).to_pylist() == [*expected, expected[4]]
    assert normalise_column(pa.chunked_array([], pa.string())).to_pylist() == []
    assert normalise_column(whole.cast(pa.large_string())).to_pylist() == expected


def test_real_urls(shared_data):
    urls = pq.read_table(shared_data / "urls" / "top100.parquet")["url"]
    normal = normalise_column(urls)
    assert (len(urls), normal.null_count) == (100_025, 26)
    assert normal.to_pylist() == [normalise(url) for url in urls.to_pylist()]
    assert normalise_column(normal).equals(normal)
    assert host_column(urls).to_pylist() == [url if url is None else host(url) for url in normal.to_pylist()]
    assert site_column(normal).null_count == 26
