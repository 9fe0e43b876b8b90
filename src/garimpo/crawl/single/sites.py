"""Sites on the web itself, asked politely: what `sites.detect` and `sites.locate` need where there is no archive."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import msgspec

from garimpo.contract.records import Fetched
from garimpo.crawl.one import FORBIDDEN, NO_NAME, Distances, OneByOne
from garimpo.crawl.settings import Settings
from garimpo.sites import Detection, Get, Refused, SiteModel, detect, pages_through

FORMS = 4
"""The forms of a root URL that are tried; no more answers wait to be used."""


class SiteWeb:
    """Pages, and which root URLs there are. A root that was tried to see whether it is there is not asked for again.

    ``with SiteWeb(Settings(contact="you@example.org")) as web: sites.detect(model, names, get=web.get, has=web.has)``
    """

    def __init__(self, settings: Settings, distances: Distances | None = None) -> None:
        answers = [*settings.content_types, "application/json"]  # a service of backlinks may speak so
        self._fetcher = OneByOne(msgspec.structs.replace(settings, content_types=answers), distances)
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
    distances, own, webs = Distances(), threading.local(), list[SiteWeb]()

    def decide(site: str) -> Detection:
        if not hasattr(own, "web"):
            own.web = SiteWeb(settings, distances)
            webs.append(own.web)
        return detect(model, site, get=own.web.get, has=own.web.has, done=done)[0]

    with ThreadPoolExecutor(max(1, min(settings.connections, len(sites)))) as pool:
        try:
            return list(pool.map(decide, sites))
        except BaseException:
            distances.stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            pool.shutdown()
            for web in webs:
                web.close()
