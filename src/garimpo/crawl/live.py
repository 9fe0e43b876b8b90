"""Sites on the web itself, asked politely: what `sites.detect` and `sites.locate` need where there is no archive."""

import msgspec

from garimpo.contract.records import Fetched
from garimpo.crawl.one import FORBIDDEN, NO_NAME, OneByOne
from garimpo.crawl.settings import Settings
from garimpo.sites import Get, Refused, pages_through

FORMS = 4
"""The forms of a root URL that are tried; no more answers wait to be used."""


class SiteWeb:
    """Pages, and which root URLs there are. A root that was tried to see whether it is there is not asked for again.

    ``with SiteWeb(Settings(contact="you@example.org")) as web: sites.detect(model, names, get=web.get, has=web.has)``
    """

    def __init__(self, settings: Settings) -> None:
        answers = [*settings.content_types, "application/json"]  # a service of backlinks may speak so
        self._fetcher = OneByOne(msgspec.structs.replace(settings, content_types=answers))
        self._roots: dict[str, Fetched] = {}
        self.get: Get = pages_through(self.fetch)

    def __enter__(self) -> "SiteWeb":
        return self

    def __exit__(self, *error: object) -> None:
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
