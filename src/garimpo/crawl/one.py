"""One URL after the other, with a crawl's manners: for commands that ask for few pages and wait for each."""

import time
from typing import Any, cast
from urllib.parse import urlsplit

from garimpo.contract.records import Fetched
from garimpo.crawl.addresses import Addresses
from garimpo.crawl.backoff import asked_to_wait, backoff, can_retry
from garimpo.crawl.entries import PAGE
from garimpo.crawl.fetch import Fetch
from garimpo.crawl.robots import Rules, origin
from garimpo.crawl.scope import is_private_name
from garimpo.crawl.settings import Settings
from garimpo.crawl.workbench import LONG_WAIT
from garimpo.url import host as host_of
from garimpo.url import resolve

FORBIDDEN, NO_NAME = "robots.txt forbids it", "name not found"
ROBOTS_HOPS = 5


class OneByOne:
    """A `Fetcher`: robots.txt is read first, delays are kept by host and by address. Hops are answers, not followed.

    What fails for now is asked again, after the wait the server asks for or a longer one each time, unless that is a long
    wait. An origin whose robots.txt gives no answer is not asked for anything else.
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
        if not self._settings.allow_private and is_private_name(host_of(url) or ""):
            return Fetched(url, 0, error="private address")
        where = origin(url)
        if where not in self._rules:
            self._rules[where] = self._robots(where)
        rules = self._rules[where]
        if isinstance(rules, str):
            return Fetched(url, 0, error=rules)
        if not rules.allows(url, self._agent):
            return Fetched(url, 0, error=FORBIDDEN)
        return self._patiently(url, rules.delay)

    def close(self) -> None:
        self._fetch.close()
        self._addresses.close()

    def __enter__(self) -> "OneByOne":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _robots(self, where: str) -> Rules | str:
        url = target = f"{where}/robots.txt"
        for _ in range(ROBOTS_HOPS + 1):
            fetched = self._patiently(target, 0.0)
            location = fetched.header("location") if 300 <= fetched.status < 400 else None
            if location is None or (following := resolve(target, location)) is None:
                break
            target = following
        if fetched.status == 0 or fetched.status == 429 or fetched.status >= 500:
            return fetched.error or f"robots.txt answers {fetched.status}"
        return Rules(time.time(), fetched.status, fetched.body, self._agent, url)

    def _patiently(self, url: str, delay: float) -> Fetched:
        for tried in range(1, self._settings.tries + 1):
            fetched = self._ask(url, delay)
            wait = asked_to_wait(fetched, time.time())
            wait = backoff(tried, self._settings.delay) if wait is None else wait
            final = fetched.error == NO_NAME or not can_retry(fetched)
            if final or tried == self._settings.tries or wait > LONG_WAIT:
                break
            name = host_of(url) or ""
            self._next[name] = max(self._next.get(name, 0.0), time.monotonic() + wait)
        return fetched

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
