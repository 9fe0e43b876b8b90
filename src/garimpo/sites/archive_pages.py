"""Sites as an archive has them: a `Get` over a crawl folder, and the pages of example sites."""

from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator

from garimpo.archive import Store
from garimpo.contract import Fetched, Page
from garimpo.page import read
from garimpo.sites.detector import Get, NotArchived, Refused, Unreadable
from garimpo.sites.schema_types import typed
from garimpo.sites.search import may_be_page
from garimpo.url import normalise, resolve, site_column
from garimpo.url import site as site_of

HOPS = 5
PAGES_A_SITE = 60
"""So many pages of an example site show what it is; the ones nearest to its root are read."""
LINKS_A_PAGE = 15
"""So many links of each page are followed to them: a menu, and some of what a listing lists."""


def pages_through(fetch: Callable[[str], Fetched | None]) -> Get:
    """A `Get` over anything that gives answers: redirects are followed inside the site, what is no page is said.

    `fetch` gives None for what cannot be asked (or raises `Refused`).

    >>> get = pages_through(lambda url: Fetched(url, 404))
    >>> get("http://a.com/")
    Traceback (most recent call last):
    garimpo.sites.detector.Unreadable: answers 404
    """

    def get(url: str) -> Page:
        target = url
        for _ in range(HOPS + 1):
            fetched = fetch(target)
            if fetched is None:
                raise NotArchived("not in the archive")
            location = fetched.header("location") if 300 <= fetched.status < 400 else None
            if location is None:
                return _page(fetched)
            target = resolve(target, location) or ""
            if site_of(target) != site_of(url):
                raise Unreadable(f"redirects to {site_of(target) or 'nowhere'}")
        raise Unreadable("redirects without end")

    return get


def _page(fetched: Fetched) -> Page:
    if fetched.status == 0:
        raise Unreadable(fetched.error or "no answer")
    if fetched.status != 200 or fetched.error is not None:
        raise Unreadable(fetched.error or f"answers {fetched.status}")
    page = read(fetched.body, fetched.url, content_type=fetched.header("content-type"), headers=fetched.headers)
    if not page.html:
        raise Unreadable("no HTML")
    return typed(page, fetched.body)


def answering(fetch: Callable[[str], Fetched | None]) -> Callable[[str], bool]:
    """Whether something that gives answers has a page, or a redirect to one, at a URL.

    >>> answering(lambda url: Fetched(url, 404))("http://a.com/")
    False
    """

    def has(url: str) -> bool:
        fetched = fetch(url)
        return fetched is not None and 0 < fetched.status < 400

    return has


def site_named(name: str) -> str:
    """The site that a name or URL written by a person means; the name itself where it means none.

    >>> site_named("www.A.com"), site_named("http://b.com/x"), site_named("b\u00fccher.de"), site_named("no site!")
    ('a.com', 'b.com', 'xn--bcher-kva.de', 'no site!')
    """
    return site_of(normalise(name if "://" in name else f"http://{name}/") or "") or name


def root_of(site: str, has: Callable[[str], bool]) -> str:
    """The root URL of a site given by name or URL: the first usual form that `has` accepts, else the plainest.

    >>> root_of("a.com", lambda url: "www." in url)
    'http://www.a.com/'
    """
    if "://" in site:
        return site
    forms = [f"{scheme}://{www}{site}/" for scheme in ("http", "https") for www in ("", "www.")]
    return next((form for form in forms if has(form)), forms[0])


def nearness(url: str) -> tuple[int, int, str]:
    """How near to its site's root a page seems to be, as a key to sort by.

    >>> sorted(["http://a.com/casas/1", "http://a.com/sobre", "http://a.com/"], key=nearness)
    ['http://a.com/', 'http://a.com/sobre', 'http://a.com/casas/1']
    """
    return url.count("/"), len(url), url


def walk(urls: Collection[str], get: Get) -> list[Page]:
    """Pages of a site as a visitor meets them: from the root (the shortest URL) along links, some of every page.

    >>> from garimpo.contract import Link
    >>> pages = {"http://a.com/": Page("http://a.com/", links=[Link("http://a.com/long-name")]),
    ...          "http://a.com/long-name": Page("http://a.com/long-name"), "http://a.com/x": Page("http://a.com/x")}
    >>> [page.url for page in walk(pages, pages.get)]
    ['http://a.com/', 'http://a.com/long-name', 'http://a.com/x']
    """
    inside, met, found = set(urls), set[str](), list[Page]()
    queue: deque[str] = deque()
    starts = deque(sorted(inside, key=nearness))
    while (queue or starts) and len(found) < PAGES_A_SITE:
        url = queue.popleft() if queue else starts.popleft()
        if url in met:
            continue
        met.add(url)
        try:
            page = get(url)
        except (Refused, Unreadable):
            continue
        if page is not None:
            found.append(page)
            new = [target for link in page.links if (target := link.target) in inside and target not in met]
            queue.extend([*dict.fromkeys(new)][:LINKS_A_PAGE])
    return found


def explore(start: str, get: Get, most: int = 12) -> list[Page]:
    """Pages of a site that nothing is known of: from one of them along its links, some of every page.

    Args:
        start: Where to begin.
        get: Gives pages.
        most: How many are asked for.

    >>> from garimpo.contract import Link
    >>> pages = {"http://a.com/": Page("http://a.com/", links=[Link("http://a.com/x"), Link("http://b.com/")]),
    ...          "http://a.com/x": Page("http://a.com/x")}
    >>> [page.url for page in explore("http://a.com/", pages.get)]
    ['http://a.com/', 'http://a.com/x']
    """
    site, queue, met, found = site_of(start), deque([start]), {start}, list[Page]()
    asked = 0
    while queue and asked < most:
        url = queue.popleft()
        try:
            page = get(url)
        except Refused:
            continue
        except Unreadable:
            page = None
        asked += 1
        if page is not None:
            found.append(page)
            inside = [link.target for link in page.links if site_of(link.target) == site and may_be_page(link.target)]
            new = [target for target in dict.fromkeys(inside) if target not in met][:LINKS_A_PAGE]
            met.update(new)
            queue.extend(new)
    return found


class SitePages:
    """The pages that an archive has of each site, those nearest to the root first; the archive is looked through once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._sites: dict[str, list[str]] | None = None

    def __call__(self, site: str) -> list[str]:
        """Some pages of a site."""
        if self._sites is None:
            self._sites = self._looked_up()
        return self._sites.get(site, [])

    def _looked_up(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for url, site in _pages(self._store):
            urls = found.setdefault(site, [])
            urls.append(url)
            if len(urls) >= 2 * PAGES_A_SITE:
                urls.sort(key=nearness)
                del urls[PAGES_A_SITE:]
        for urls in found.values():
            urls.sort(key=nearness)
        return found


def _pages(store: Store) -> Iterator[tuple[str, str]]:
    """The URL and site of every page that an archive has."""
    for batch in store.latest(["url"]):
        urls = batch.column("url")
        yield from zip(urls.to_pylist(), site_column(urls).to_pylist())


def all_sites(store: Store) -> list[str]:
    """The names of all sites of which an archive has a page."""
    hosts = {host for batch in store.latest(["host"]) for host in batch.column("host").unique().to_pylist()}
    return sorted({site_of(host) for host in hosts} - {""})


def example_sites(store: Store, sites: Iterable[str]) -> dict[str, list[Page]]:
    """The pages of the sites named, from an archive, as a visitor meets them; a site that it does not have gets none."""
    wanted = {site_named(name): list[str]() for name in sites}
    for url, site in _pages(store):
        if (urls := wanted.get(site)) is not None:
            urls.append(url)
    get = pages_through(store.record)
    return {site: walk(urls, get) for site, urls in wanted.items()}
