"""From bytes and headers to a `Page`."""

from collections.abc import Iterable

from garimpo.contract import Page
from garimpo.page import _kernels as k
from garimpo.page.decoding import decode
from garimpo.page.digests import digest
from garimpo.page.escapes import unescape
from garimpo.page.headers import header, media_type, refresh_target, robots_header_tokens, robots_tokens
from garimpo.page.links import Links
from garimpo.page.parsing import MOST_BYTES, Parsed, parse
from garimpo.url import Base, normalise

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

    >>> page = read(b"<title>Gold</title><p>See <a href=pan#x>the pan</a> now", "http://a.org/b/")
    >>> page.title, page.text, page.links[0].target, page.links[0].anchor
    ('Gold', 'See the pan now', 'http://a.org/b/pan', 'the pan')
    """
    page = read_one(body, normalise(url) or url, content_type, headers, main_text)
    page.digest, page.text_digest = digest(body), digest(page.text.encode())
    return page


def read_one(
    body: bytes, url: str, content_type: str | None = None, headers: Iterable[tuple[str, str]] = (), main_text: bool = False
) -> Page:
    """One of many documents: its `url` is in normal form, and its digests are left to who takes those of all at once."""
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
        if kind.startswith(_PLAIN):
            plain, page.encoding = decode(body[:MOST_BYTES], content_type)
            page.text = " ".join(plain.decode("utf-8", "replace").split())
    if page.language is None and named:
        page.language = _language(next(iter(header(named, "content-language")), ""))
    return page


def read_text(html: str, url: str) -> Page:
    """What an HTML page that is decoded already says; what it declares about its encoding is ignored.

    >>> read_text("<html lang=pt><p>ouro", "http://a.org/").language
    'pt'
    """
    body = html.encode("utf-8", "replace")
    page = Page(normalise(url) or url, length=len(body))
    _fill(page, body, main_text=False)
    page.digest, page.text_digest = digest(body), digest(page.text.encode())
    return page


def _fill(page: Page, html: bytes, main_text: bool) -> None:
    parsed = parse(html, whole=main_text)
    page.text = parsed.text.decode("utf-8", "replace")
    page.images, page.prices = parsed.images, parsed.prices
    if parsed.title is not None:
        page.title = " ".join(unescape(parsed.title).split()) or None
    page.links = Links(parsed.html, parsed.text, parsed.links, _read_head(page, parsed))
    if main_text:
        from resiliparse.extract.html2text import extract_plain_text

        extracted = extract_plain_text(parsed.html.decode(), preserve_formatting=False, main_content=True, links=False)
        page.main_text = " ".join(extracted.split())


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
