"""PDF documents: read with the extra, known as such without it."""

import pytest

from garimpo.page import pdf as room
from garimpo.page import read
from page.made_pdf import pdf

LONG = "Gold was found in the river where nobody had looked for it before"
DOCUMENT = pdf([[LONG, "the rain came.", LONG, "and after it."], ["On the next page there is silver."]])


@pytest.fixture
def reader():
    pytest.importorskip("pypdfium2", reason="the extra [pdf] is not installed")


def read_one(body):
    return read(body, "http://a.example/x.pdf", content_type="application/pdf")


def test_text_and_title(reader):
    page = read_one(DOCUMENT)
    assert page.title == "Gold" and not page.html
    assert page.text.split("\n") == [f"{LONG} the rain came.", f"{LONG} and after it.", "On the next page there is silver."]
    assert page.text_digest != read_one(b"").text_digest


def test_limits(reader, monkeypatch):
    monkeypatch.setattr(room, "MOST_PAGES", 1)
    assert "silver" not in read_one(DOCUMENT).text
    monkeypatch.setattr(room, "MOST_SECONDS", -1.0)
    assert read_one(DOCUMENT).text == ""
    monkeypatch.setattr(room, "MOST_BYTES", 100)
    assert read_one(DOCUMENT).title is None


def test_damaged_documents_are_read_as_empty(reader):
    for body in (b"", b"%PDF-", DOCUMENT[:300], b"<html>", DOCUMENT.replace(b"stream", b"strewn"), DOCUMENT[::-1]):
        assert read_one(body).title in (None, "Gold")


def test_without_the_extra(monkeypatch):
    monkeypatch.setattr(room, "has_pdf", lambda: False)
    page = read_one(DOCUMENT)
    assert page.text == "" and page.title is None and page.digest is not None
