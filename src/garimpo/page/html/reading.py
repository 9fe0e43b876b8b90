"""From bytes and headers to a `Page`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from garimpo.contract import Page
from garimpo.page import pdf
from garimpo.page.html import _kernels_extract as k
from garimpo.page.html.decoding import decode
from garimpo.page.html.escapes import unescape
from garimpo.page.html.headers import header, media_type, refresh_target, robots_header_tokens, robots_tokens
from garimpo.page.html.links import Links
from garimpo.page.html.parsing import MOST_BYTES, Parsed, parse
from garimpo.page.text.checksums import digest
from garimpo.url import Base, normalise

if TYPE_CHECKING:
    from garimpo.page.main import Passage
    from garimpo.page.text.sameness import Chrome

_PLAIN = ("text/", "application/json", "application/javascript", "application/ld+json")
_HTML = ("text/html", "application/xhtml+xml", "")


def read(
    body: bytes,
    url: str,
    *,
    content_type: str | None = None,
    headers: Iterable[tuple[str, str]] = (),
    main_text: bool = False,
) -> Page:
    """What a fetched document says. `url` is the final one, after redirects.

    Args:
        body: the bytes of the answer.
        url: where it was found.
        content_type: as the server stated it.
        headers: the header lines of the answer.
        main_text: whether to find the text without navigation, too.

    >>> page = read(b"<title>Gold</title><p>See <a href=pan#x>the pan</a> now", "http://a.org/b/")
    >>> page.title, page.text, page.links[0].target, page.links[0].anchor
    ('Gold', 'See the pan now', 'http://a.org/b/pan', 'the pan')
    """
    return read_one(body, normalise(url) or url, content_type, headers, main_text)


def read_one(
    body: bytes, url: str, content_type: str | None = None, headers: Iterable[tuple[str, str]] = (), main_text: bool = False
) -> Page:
    """The same where the `url` is in normal form already.

    Args:
        body: the bytes of the answer.
        url: where it was found.
        content_type: as the server stated it.
        headers: the header lines of the answer.
        main_text: whether to find the text without navigation, too.
    """
    named = [(name.lower(), value) for name, value in headers]
    if content_type is None:
        content_type = next(iter(header(named, "content-type")), None)
    page = Page(url, content_type=content_type, length=len(body))
    if named:
        page.robots = frozenset(token for value in header(named, "x-robots-tag") for token in robots_header_tokens(value))
    kind = media_type(content_type)
    if kind in _HTML or kind.endswith("xml"):
        html, page.encoding = decode(body[: 2 * MOST_BYTES], content_type)
        _fill(page, html, main_text)
    else:
        page.html = False
        if pdf.says_pdf(kind):
            page.title, page.text = pdf.read_pdf(body)
        elif kind.startswith(_PLAIN):
            plain, page.encoding = decode(body[:MOST_BYTES], content_type)
            page.text = _lines(plain.decode("utf-8", "replace"))
    if page.language is None and named:
        page.language = _language(next(iter(header(named, "content-language")), ""))
    page.digest, page.text_digest = digest(body), _text_digest(page.text)
    return page


def passages(
    body: bytes, url: str, *, content_type: str | None = None, main: bool = True, chrome: "Chrome | None" = None
) -> "list[Passage] | None":
    """The passages of a document, to be written as Markdown or as text; None if it is not HTML.

    Args:
        body: its bytes.
        url: its URL, after redirects.
        content_type: what the answer said it is.
        main: only the main ones.
        chrome: the template of its host, if it was learned.

    >>> [one.kind for one in passages(b"<h1>Gold</h1><p>is heavy", "http://a.org/", main=False)]
    ['heading', 'paragraph']
    """
    from garimpo.page.main import main_passages, read_passages

    kind = media_type(content_type)
    if kind not in _HTML and not kind.endswith("xml"):
        return None
    tree = parse(decode(body[: 2 * MOST_BYTES], content_type)[0], whole=True).html
    found = read_passages(tree, url)
    return main_passages(tree, found, chrome) if main else found


def read_text(html: str, url: str) -> Page:
    """What an HTML page that is decoded already says; what it declares about its encoding is ignored.

    Args:
        html: the page, decoded.
        url: where it was found.

    >>> read_text("<html lang=pt><p>ouro", "http://a.org/").language
    'pt'
    """
    body = html.encode("utf-8", "replace")
    page = Page(normalise(url) or url, length=len(body))
    _fill(page, body, main_text=False)
    page.digest, page.text_digest = digest(body), _text_digest(page.text)
    return page


def _fill(page: Page, html: bytes, main_text: bool) -> None:
    parsed = parse(html, whole=main_text)
    page.text = parsed.text.decode("utf-8", "replace")
    page.images, page.prices, page.plain = parsed.images, parsed.prices, parsed.plain
    if parsed.title is not None:
        page.title = " ".join(unescape(parsed.title).split()) or None
    page.links = Links(parsed.html, parsed.text.replace(b"\n", b" "), parsed.links, _read_head(page, parsed))
    if main_text:
        from garimpo.page.main import main_passages, plain_text, read_passages

        page.main_text = plain_text(main_passages(parsed.html, read_passages(parsed.html, page.url)))


def _text_digest(text: str) -> int:
    """The `text_digest` of a page's text: the only white space in it beside single spaces are newlines between blocks."""
    return digest(text.replace("\n", " ").encode())


def _lines(text: str) -> str:
    """Plain text with the white space of each line collapsed, without empty lines."""
    return "\n".join(line for line in (" ".join(line.split()) for line in text.splitlines()) if line)


def _read_head(page: Page, parsed: Parsed) -> str:
    """Fill in what base, link, meta and html tags say; gives the URL that links are resolved against."""
    if not parsed.head:
        return page.url
    base_href = next((_value(parsed, row) for row in parsed.head if row[k.KIND] == k.BASE), None)
    base_url = page.url if base_href is None else Base(page.url).resolve(base_href) or page.url
    base = Base(base_url)
    robots: list[str] = []
    for row in parsed.head:
        kind, value, label = row[k.KIND], _value(parsed, row), (_label(parsed, row) or "").strip().lower()
        if kind == k.ROOT:
            page.language = _language(value)
        elif kind == k.HEAD_LINK and page.canonical is None and "canonical" in label.split():
            page.canonical = base.resolve(value)
        elif kind == k.META and label in ("robots", "garimpo"):
            robots += robots_tokens(value)
        elif kind == k.BY_HTTP_EQUIV and label == "refresh" and page.refresh is None:
            target = refresh_target(value)
            page.refresh = base.resolve(target) if target else None
        elif kind == k.BY_HTTP_EQUIV and label == "content-language" and page.language is None:
            page.language = _language(value)
    page.robots = page.robots.union(robots)
    return base_url


def _value(parsed: Parsed, row: list[int]) -> str:
    return unescape(parsed.html[row[k.VALUE] : row[k.VALUE_STOP]])


def _label(parsed: Parsed, row: list[int]) -> str | None:
    return unescape(parsed.html[row[k.LABEL] : row[k.LABEL_STOP]]) if row[k.LABEL] >= 0 else None


def _language(value: str) -> str | None:
    return value.partition(",")[0].strip().lower() or None
