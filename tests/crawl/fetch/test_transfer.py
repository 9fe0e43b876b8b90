"""The header lines of an answer, whatever a server sent."""

from hypothesis import example, given
from hypothesis import strategies as st

from garimpo.contract.records import HeaderLines
from garimpo.crawl.fetch.transfer import header_block


@given(st.lists(st.binary(max_size=12) | st.sampled_from([b"A: b", b"A : b", b"", b" c", b"HTTP/1.1 200 OK"])))
@example([b"", b"A: b"])
@example([b"A: b\rC: d"])
def test_header_lines_are_whole_whatever_came(lines: list[bytes]) -> None:
    block = header_block([b"HTTP/1.1 200 OK\r\n", *[line + b"\r\n" for line in lines], b"\r\n"])
    assert block.count(b"\r\n") == block.count(b"\n") == block.count(b"\r")
    assert not block or block.endswith(b"\r\n")
    assert b"\r\n\r\n" not in b"\r\n" + block


def test_lines_that_end_in_a_line_feed_alone_are_lines() -> None:
    sent = [b"HTTP/1.1 200 OK\n", b"Content-Type : text/html\n", b"ETag: x \n", b"\n"]
    assert dict(HeaderLines(header_block(sent))) == {"Content-Type": "text/html", "ETag": "x"}


def test_trailers_are_headers() -> None:
    sent = [b"HTTP/1.1 200 OK\r\n", b"A: b\r\n", b"\r\n", b"Expires: never\r\n"]
    assert list(HeaderLines(header_block(sent))) == [("A", "b"), ("Expires", "never")]
