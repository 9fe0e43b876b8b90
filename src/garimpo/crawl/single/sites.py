"""Sites on the web itself, asked politely: what `sites.detect` and `sites.locate` need where there is no archive."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import msgspec

from garimpo.contract.records import Fetched, Page
from garimpo.crawl.settings import Settings
from garimpo.crawl.single.fetcher import FORBIDDEN, NO_NAME, PoliteFetcher, Spacing
from garimpo.sites import Detection, Get, Refused, SiteModel, detect
from garimpo.sites.archive_pages import explore, pages_through, root_of, site_named
from garimpo.url import normalise

T = TypeVar("T")

FORMS = 4
"""The forms of a root URL that are tried; no more answers wait to be used."""


class SiteWeb:
    """Pages, and which root URLs there are. A root that was tried to see whether it is there is not asked for again.

    ``with SiteWeb(Settings(contact="you@example.org")) as web: sites.detect(model, names, get=web.get, has=web.has)``
    """

    def __init__(self, settings: Settings, spacing: Spacing | None = None) -> None:
        answers = [*settings.content_types, "application/json"]  # a service of backlinks may speak so
        self._fetcher = PoliteFetcher(msgspec.structs.replace(settings, content_types=answers), spacing)
        self._roots: dict[str, Fetched] = {}
        self.get: Get = pages_through(self.fetch)

    def __enter__(self) -> "SiteWeb":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._fetcher.close()

    def has(self, url: str) -> bool:
        """Whether there is something at a root URL."""
        while len(self._roots) >= FORMS:
            del self._roots[next(iter(self._roots))]
        self._roots[url] = self._fetcher.get(url)
        return 0 < self._roots[url].status < 400

    def fetch(self, url: str) -> Fetched:
        """One answer; `Refused` where robots.txt forbids the question, or the name is not known."""
        fetched = self._roots.pop(url, None) or self._fetcher.get(url)
        if fetched.error in (FORBIDDEN, NO_NAME):
            raise Refused(fetched.error)
        return fetched


def detect_live(
    model: SiteModel, sites: Sequence[str], settings: Settings, done: Callable[[Detection], None] = lambda found: None
) -> list[Detection]:
    """Decide sites on the web, several at once (`Settings.connections`), each politely; the answers in the order of the sites."""
    return _side_by_side(lambda site, web: detect(model, site, get=web.get, has=web.has, done=done)[0], sites, settings)


def fetch_examples(sites: Sequence[str], settings: Settings, pages: int = 12) -> dict[str, list[Page]]:
    """Some pages of sites on the web, to learn from; a site that cannot be read has none.

    Args:
        sites: Their names, or URLs to begin at.
        settings: How the web is asked.
        pages: How many pages of each site, at most.
    """

    def pages_of(site: str, web: SiteWeb) -> list[Page]:
        start = normalise(root_of(site, web.has))
        return explore(start, web.get, pages) if start is not None else []

    return {site_named(site): found for site, found in zip(sites, _side_by_side(pages_of, sites, settings))}


def _side_by_side(ask: Callable[[str, SiteWeb], T], sites: Sequence[str], settings: Settings) -> list[T]:
    """What is asked of each site, several sites at once; no host and no address is asked by two of them."""
    spacing, own, webs = Spacing(), threading.local(), list[SiteWeb]()

    def asked(site: str) -> T:
        if not hasattr(own, "web"):
            own.web = SiteWeb(settings, spacing)
            webs.append(own.web)
        return ask(site, own.web)

    with ThreadPoolExecutor(max(1, min(settings.connections, len(sites)))) as pool:
        try:
            return list(pool.map(asked, sites))
        except BaseException:
            spacing.stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            pool.shutdown()
            for web in webs:
                web.close()
