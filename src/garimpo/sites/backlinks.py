"""Who links to a site, where no archive says so: a web service is asked, and pages are fetched to see what they link to."""

from collections.abc import Callable, Iterable, Sequence
from urllib.parse import quote

import msgspec

from garimpo.contract import BadInput, Fetched
from garimpo.sites.detector import Get, Refused, Unreadable
from garimpo.sites.locator import LinkSource
from garimpo.url import normalise
from garimpo.url import site as site_of

OWN_PAGES = 3
"""So many of a found site's own pages are looked at for links to others."""


class Service:
    """A web service that names the pages that link to a site: one URL a line, or a JSON list of URLs.

    >>> service = Service("http://s.org/?q={site}&n={limit}", lambda url: Fetched(url, 200, b"http://hub.com/\\n"))
    >>> service.backlinks("a.com", 15), service.outlinks("http://hub.com/")
    (['http://hub.com/'], [])
    """

    def __init__(self, address: str, fetch: Callable[[str], Fetched]) -> None:
        if "{site}" not in address:
            raise BadInput(f"{address}: the address of a service of backlinks needs {{site}} in it")
        self._address, self._fetch = address, fetch

    def backlinks(self, site: str, limit: int) -> list[str]:
        answer = self._fetch(self._address.replace("{site}", quote(site)).replace("{limit}", str(limit)))
        named = _urls(answer.body) if answer.status == 200 else []
        return [url for url in map(normalise, named) if url is not None][:limit]

    def outlinks(self, page: str) -> list[str]:
        return []


def _urls(body: bytes) -> list[str]:
    try:
        return msgspec.json.decode(body, type=list[str])
    except (msgspec.DecodeError, msgspec.ValidationError):
        return [line.strip() for line in body.decode("utf-8", "replace").splitlines() if line.strip()]


class LiveLinks:
    """Links read from the pages themselves. Pages that link to a site come from `providers`, and from the site's own pages.

    `own` gives the pages of a site that were read when it was decided: good sites name others.
    """

    def __init__(self, get: Get, providers: Sequence[LinkSource] = (), own: Callable[[str], Iterable[str]] | None = None) -> None:
        self._get, self._providers, self._own = get, providers, own or _root

    def backlinks(self, site: str, limit: int) -> list[str]:
        named = [url for provider in self._providers for url in provider.backlinks(site, limit)]
        return [*dict.fromkeys([*list(self._own(site))[:OWN_PAGES], *named])][:limit]

    def outlinks(self, page: str) -> list[str]:
        """The other sites that a page links to; what providers know of it, where it cannot be read."""
        try:
            read = self._get(page)
        except (Refused, Unreadable):
            read = None
        if read is None:
            return [*dict.fromkeys(name for provider in self._providers for name in provider.outlinks(page))]
        here = site_of(page)
        return [*dict.fromkeys(name for link in read.links if (name := site_of(link.target)) != here)]


def _root(site: str) -> list[str]:
    return [f"http://{site}/"]
