"""A stored page, made harmless: no script, no link that a browser follows by itself, nothing that is loaded from elsewhere."""

from selectolax.lexbor import LexborHTMLParser

from garimpo.archive import Store
from garimpo.contract.records import Fetched
from garimpo.crawl.state import fetched, host_rows, schema
from garimpo.crawl.watch.why import page_row
from garimpo.report.pieces import tag
from garimpo.url import host as host_of
from garimpo.url import key64, normalise

ACTIVE = "script, link, meta, base, iframe, frame, object, embed, applet, portal, template, noscript, video, audio, source, track"
LOADING = ("src", "srcset", "background", "poster", "data", "ping", "formaction", "action", "manifest", "xlink:href")
MOST_BYTES = 3_000_000


def find_page(store: Store, url: str) -> dict[str, object]:
    """The newest row of a URL in the pages table, with its text and its place in the WARC; nothing if it was not fetched.

    Args:
        store: the crawl folder.
        url: the URL.
    """
    normal = normalise(url)
    host = host_rows.named(store.database, host_of(normal or "") or "")
    row = fetched.find(store.database, host.id, schema.signed(key64(normal))) if host and normal else None
    return page_row(store, row["url"], row["at"], ("text", "warc_file", "warc_offset", "content_type", "title")) if row else {}


def record_of(store: Store, url: str) -> Fetched | None:
    """The stored answer for a URL, if there is one that can be read.

    Args:
        store: the crawl folder.
        url: the URL.
    """
    place = find_page(store, url)
    if not place.get("warc_file"):
        return None
    try:
        return store.record_at(str(place["warc_file"]), int(str(place["warc_offset"])))
    except (OSError, ValueError):
        return None


def shown_page(store: Store, url: str) -> str | None:
    """A stored page as HTML that does nothing; None where none is stored.

    Args:
        store: the crawl folder.
        url: the URL.
    """
    record = record_of(store, url)
    if record is None:
        return None
    body = record.body[:MOST_BYTES]
    if b"<" not in body[:10_000]:
        return str(tag("pre", body.decode("utf-8", "replace")))
    return harmless(body)


def harmless(body: bytes) -> str:
    """HTML without all that acts or loads.

    Args:
        body: the bytes of a page.

    >>> harmless(b"<p onclick=x()>gold<script>alert(1)</script><img src=http://a.example/x.png>")
    '<html><head></head><body><p>gold<img></p></body></html>'
    """
    tree = LexborHTMLParser(body)
    for node in tree.css(ACTIVE):
        node.decompose()
    for node in tree.css("*"):
        for name in list(node.attributes):
            if name.startswith("on") or name in LOADING or (name == "href" and node.tag != "a"):
                del node.attrs[name]
    return tree.html or ""
