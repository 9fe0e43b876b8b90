"""One URL after the other, with a crawl's manners: for commands that ask for few pages and wait for each."""

import time
from typing import Any, cast
from urllib.parse import urlsplit

from garimpo.contract.records import Fetched
from garimpo.crawl.addresses import Addresses
from garimpo.crawl.entries import PAGE
from garimpo.crawl.fetch import Fetch
from garimpo.crawl.robots import Rules, origin
from garimpo.crawl.settings import Settings
from garimpo.url import host as host_of

FORBIDDEN = "robots.txt forbids it"


class OneByOne:
    """A `Fetcher`: robots.txt is read first, delays are kept by host and by address. Hops are answers, not followed.

    An origin whose robots.txt gives no answer is not asked for anything else.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings.check()
        self._fetch = Fetch(settings, time.monotonic)
        self._addresses = Addresses(settings)
        self._agent = settings.agent.split("/")[0]
        self._rules: dict[str, Rules | str] = {}
        self._next: dict[str, float] = {}

    def get(self, url: str) -> Fetched:
        """The answer for one URL; status 0 and the reason where there is none."""
        where = origin(url)
        if where not in self._rules:
            self._rules[where] = self._robots(where)
        rules = self._rules[where]
        if isinstance(rules, str):
            return Fetched(url, 0, error=rules)
        if not rules.allows(url, self._agent):
            return Fetched(url, 0, error=FORBIDDEN)
        return self._ask(url, rules.delay)

    def close(self) -> None:
        self._fetch.close()
        self._addresses.close()

    def __enter__(self) -> "OneByOne":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _robots(self, where: str) -> Rules | str:
        url = f"{where}/robots.txt"
        fetched = self._ask(url, 0.0)
        if fetched.status == 0 or fetched.status == 429 or fetched.status >= 500:
            return fetched.error or f"robots.txt answers {fetched.status}"
        return Rules(time.time(), fetched.status, fetched.body, self._agent, url)

    def _ask(self, url: str, delay: float) -> Fetched:
        name = host_of(url) or urlsplit(url).netloc
        places = [name, self._addresses.fixed(name) or name]
        now = time.monotonic()
        time.sleep(max(0.0, max(self._next.get(place, 0.0) for place in places) - now))
        began = time.monotonic()
        self._fetch.start(cast(Any, None), url, PAGE, self._addresses.connect_to(name), self._addresses.ip(name))
        while True:
            for answer in self._fetch.poll(1.0):
                wait = began + max(self._settings.delay, delay)
                self._next.update((place, wait) for place in [*places, answer.fetched.ip or name])
                return answer.fetched
