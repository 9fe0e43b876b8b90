"""Pages of the web as documents: those a user names to show what a crawl is to look for."""

from collections.abc import Sequence

import pyarrow as pa

from garimpo.contract.records import Fetched
from garimpo.crawl.settings import Settings
from garimpo.crawl.single.fetcher import PoliteFetcher
from garimpo.page import read
from garimpo.url import resolve

HOPS = 5
"""So many redirects are followed."""


def fetch_documents(urls: Sequence[str], settings: Settings) -> tuple[pa.Table, dict[str, str]]:
    """The pages at some URLs as `id, url, text`, asked one after the other, politely; and why there is none at the others.

    Args:
        urls: in normal form.
        settings: how the web is asked.
    """
    rows, failed = [], dict[str, str]()
    with PoliteFetcher(settings) as fetcher:
        for url in urls:
            fetched = _at_the_end(fetcher, url)
            text = _text(fetched)
            if text:
                rows.append({"id": url, "url": fetched.url, "text": text})
            else:
                failed[url] = fetched.error or ("no text" if fetched.status == 200 else f"answers {fetched.status}")
    return pa.Table.from_pylist(rows, pa.schema([("id", pa.string()), ("url", pa.string()), ("text", pa.large_string())])), failed


def _at_the_end(fetcher: PoliteFetcher, url: str) -> Fetched:
    """The answer at the end of the redirects that begin at a URL."""
    for _ in range(HOPS + 1):
        fetched = fetcher.get(url)
        location = fetched.header("location") if 300 <= fetched.status < 400 else None
        target = resolve(url, location) if location else None
        if target is None:
            return fetched
        url = target
    return Fetched(url, 0, error="redirects without end")


def _text(fetched: Fetched) -> str:
    """What a page shows; nothing where there is no page."""
    if fetched.status != 200:
        return ""
    return read(fetched.body, fetched.url, content_type=fetched.header("content-type"), headers=fetched.headers).text.strip()
