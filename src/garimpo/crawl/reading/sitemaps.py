"""Sitemaps, sitemap indexes and feeds as sources of URLs, read by a streaming parser that expands no entities.

The loop itself reads sitemaps, so what one may cost is bounded: its size, its URLs, its CPU time, and the length of a tag.
"""

import time
import zlib
from collections.abc import Callable, Iterator
from xml.parsers import expat

from garimpo.contract.records import Link
from garimpo.url import Base

MOST_BYTES = 50_000_000
MOST_URLS = 50_000
MOST_SECONDS = 1.0
"""CPU time that a list may take; one of 50,000 URLs with all that may be said of them takes a third of it."""
LONGEST_TAG = 1 << 20
_PIECE = 1 << 16
_LISTS = ("rss", "feed", "urlset", "sitemapindex", "RDF")
_XML = ("xml", "rss", "atom")


def is_list(content_type: str | None, body: bytes) -> bool:
    """Whether a body is a feed or a sitemap.

    >>> is_list("text/xml", b"<?xml version='1.0'?><urlset><url/></urlset>"), is_list("text/html", b"<rss>")
    (True, False)
    """
    if content_type is not None and not any(word in content_type for word in _XML):
        return False
    start = body[:2000]
    return any(b"<" + name.encode() in start or b":" + name.encode() + b" " in start for name in _LISTS)


def listed_urls(body: bytes, url: str) -> list[Link]:
    """The URLs a feed or sitemap lists, each once; what is malformed ends the list, what came before it counts.

    >>> [link.target for link in listed_urls(b"<urlset><url><loc> http://a.com/x </loc></url></urlset>", "http://a.com/")]
    ['http://a.com/x']
    """
    return [Link(target) for target in read_list(body, url)[1]]


def read_list(body: bytes, url: str, clock: Callable[[], float] = time.thread_time) -> tuple[bool, list[str]]:
    """Whether the list is an index of other sitemaps, and the URLs in it.

    Args:
        body: the answer, packed or not.
        url: where it came from.
        clock: what the time that reading takes is measured by.
    """
    found = _Collector(url)
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.StartElementHandler, parser.EndElementHandler = found.start, found.end
    parser.CharacterDataHandler = found.text
    parser.EntityDeclHandler = _refuse
    until, fed = clock() + MOST_SECONDS, 0
    try:
        for piece in _unpacked(body):
            parser.Parse(piece, False)
            fed += len(piece)
            if clock() > until or fed - max(parser.CurrentByteIndex, 0) > LONGEST_TAG:
                break
    except (expat.ExpatError, zlib.error, _Stop):
        pass
    return found.index, list(found.urls)


class _Stop(Exception):
    pass


def _refuse(*declaration: object) -> None:
    raise _Stop


class _Collector:
    """Takes the text of `loc` (sitemaps), `link` and `guid` (RSS), and the `href` of `link` (Atom)."""

    def __init__(self, url: str) -> None:
        self.index = False
        self.urls: dict[str, None] = {}
        self._base = Base(url)
        self._text: list[str] | None = None

    def start(self, name: str, attributes: dict[str, str]) -> None:
        local = name.rpartition(" ")[2]
        self.index = self.index or local == "sitemapindex"
        self._text = [] if local in ("loc", "link") and not name.startswith("http://www.google.com/schemas/") else None
        if local == "link" and attributes.get("rel", "alternate") == "alternate" and "href" in attributes:
            self._take(attributes["href"])

    def text(self, data: str) -> None:
        if self._text is not None:
            self._text.append(data)

    def end(self, name: str) -> None:
        if self._text:
            self._take("".join(self._text))
        self._text = None

    def _take(self, href: str) -> None:
        target = self._base.resolve(href.strip()) if href.strip() else None
        if target is not None:
            self.urls[target] = None
        if len(self.urls) >= MOST_URLS:
            raise _Stop


def _unpacked(body: bytes) -> Iterator[bytes]:
    """The body in pieces, gunzipped if it is a gzip file, up to the size limit."""
    if body[:2] != b"\x1f\x8b":
        yield from (body[start : start + _PIECE] for start in range(0, len(body), _PIECE))
        return
    unpacker = zlib.decompressobj(31)
    size = 0
    for start in range(0, len(body), _PIECE):
        rest = body[start : start + _PIECE]
        while rest and size < MOST_BYTES and not unpacker.eof:
            piece = unpacker.decompress(rest, _PIECE)
            size += len(piece)
            rest = unpacker.unconsumed_tail
            yield piece
