"""Which encoding a page is in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garimpo.page import read
from garimpo.page.html.decoding import codec_of, decode

URL = "http://a.org/"


@pytest.mark.parametrize(
    ("body", "content_type", "text", "encoding"),
    [
        ("<p>é".encode(), None, "é", "utf-8"),
        ("<p>é".encode("latin-1"), None, "é", "cp1252"),
        ("<p>é”".encode("cp1252"), "text/html; charset=ISO-8859-1", "é”", "cp1252"),
        ("<p>é".encode(), 'text/html; charset="utf-8"', "é", "utf-8"),
        ("<meta charset=utf-8><p>é".encode("latin-1"), "text/html;charset=latin1", "é", "cp1252"),
        ("<meta charset='shift_jis'><p>金①".encode("cp932"), None, "金①", "cp932"),
        ("<meta http-equiv=content-type content='text/html; charset=koi8-r'><p>да".encode("koi8-r"), None, "да", "koi8-r"),
        ("\ufeff<p>é".encode("utf-8"), "text/html; charset=latin1", "é", "utf-8"),
        ("\ufeff<p>é".encode("utf-16-le"), None, "é", "utf-16-le"),
        ("\ufeff<p>é".encode("utf-16-be"), None, "é", "utf-16-be"),
        ("<meta charset=utf-16><p>é".encode(), None, "é", "utf-8"),
        ("<meta charset=nonsense><p>é".encode(), "text/html; charset=none", "é", "utf-8"),
        (b"<p>a\xff\xfeb", "text/html; charset=utf-8", "a\ufffd\ufffdb", "utf-8"),
        ("<p>éé".encode()[:-1], None, "é\ufffd", "utf-8"),
        ('<?xml version="1.0" encoding="iso-8859-2"?><p>ł'.encode("iso-8859-2"), None, "ł", "iso8859-2"),
    ],
)
def test_order_of_evidence(body, content_type, text, encoding):
    page = read(body, URL, content_type=content_type)
    assert (page.text, page.encoding) == (text, encoding)


@given(st.binary(max_size=200), st.none() | st.text(max_size=20).map(lambda label: f"text/html; charset={label}"))
def test_any_bytes_become_utf8(body, content_type):
    html, encoding = decode(body, content_type)
    html.decode("utf-8")
    assert codec_of(encoding) or encoding.startswith("utf")


@given(st.text())
def test_any_label_is_a_text_codec_or_none(label):
    codec = codec_of(label)
    assert codec is None or isinstance(b"abc".decode(codec, "replace"), str)
