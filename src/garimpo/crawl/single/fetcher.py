"""One URL after the other, with a crawl's manners: for commands that ask for few pages and wait for each.

Several `PoliteFetcher` in threads of their own may share the `Spacing` they keep: then no host and no address is asked by two at
once, nor sooner than its delay allows.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, cast
from urllib.parse import urlsplit

from garimpo.contract.records import Fetched
from garimpo.crawl.fetch.client import Fetch
from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.fetch.robots import RobotsFile, origin, product_token, read_answer, redirected
from garimpo.crawl.fetch.waiting import LONG_WAIT, asked_to_wait, backoff, can_retry
from garimpo.crawl.settings import Settings
from garimpo.crawl.state.entry import PAGE, ROBOTS
from garimpo.url import host as host_of
from garimpo.url.addresses import has_refused_port, is_private_name

FORBIDDEN, NO_NAME = "robots.txt forbids it", "name not found"


class Spacing:
    """When each place (a host, an address) may be asked again. Who asks holds its places until the answer has come."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._held: dict[str, threading.Lock] = defaultdict(threading.Lock)
        self._next: dict[str, float] = defaultdict(float)
        self.stopped = threading.Event()

    @contextmanager
    def hold(self, places: Sequence[str]) -> Iterator[None]:
        """Wait until all places are free and their time has come, and keep them."""
        with ExitStack() as held:
            for place in sorted(set(places)):  # in one order, so that no two wait for each other
                with self._guard:
                    lock = self._held[place]
                held.enter_context(lock)
            self.stopped.wait(max(0.0, max(self._next[place] for place in places) - time.monotonic()))
            yield

    def later(self, places: Sequence[str], at: float) -> None:
        """The places may be asked again at that time, unless they have to wait longer already."""
        for place in places:
            self._next[place] = max(self._next[place], at)


class PoliteFetcher:
    """A `Fetcher`: robots.txt is read first, delays are kept by host and by address. Hops are answers, not followed.

    What fails for now is asked again, after the wait the server asks for or a longer one each time, unless that is a long
    wait. An origin whose robots.txt gives no answer is not asked for anything else.
    """

    def __init__(self, settings: Settings, spacing: Spacing | None = None) -> None:
        self._settings = settings.check()
        self._fetch = Fetch(settings, time.monotonic)
        self._resolver = Resolver(settings)
        self._agent = product_token(settings.agent)
        self._rules: dict[str, RobotsFile | str] = {}
        self._spacing = spacing or Spacing()
        self._found: dict[str, str] = {}

    def get(self, url: str) -> Fetched:
        """The answer for one URL; status 0 and the reason where there is none."""
        if not self._settings.allow_private and is_private_name(host_of(url) or ""):
            return Fetched(url, 0, error="private address")
        if has_refused_port(url):
            return Fetched(url, 0, error="refused port")
        where = origin(url)
        if where not in self._rules:
            self._rules[where] = self._robots(where)
        rules = self._rules[where]
        if isinstance(rules, str):
            return Fetched(url, 0, error=rules)
        if not rules.allows(url):
            return Fetched(url, 0, error=FORBIDDEN)
        return self._patiently(url, rules.delay)

    def close(self) -> None:
        self._fetch.close()
        self._resolver.close()

    def __enter__(self) -> "PoliteFetcher":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _robots(self, where: str) -> RobotsFile | str:
        fetched, hops = self._patiently(f"{where}/robots.txt", 0.0, ROBOTS), 0
        while (target := redirected(fetched, hops, guarded=False)) is not None:
            if not self._settings.allow_private and is_private_name(host_of(target) or ""):
                return "robots.txt leads into a private network"
            fetched, hops = self._patiently(target, 0.0, ROBOTS), hops + 1
        return read_answer(fetched, time.time(), self._agent) or fetched.error or f"robots.txt answers {fetched.status}"

    def _patiently(self, url: str, delay: float, purpose: int = PAGE) -> Fetched:
        for tried in range(1, self._settings.tries + 1):
            fetched = self._ask(url, delay, purpose)
            wait = asked_to_wait(fetched, time.time())
            wait = backoff(tried, self._settings.delay) if wait is None else wait
            final = fetched.error == NO_NAME or not can_retry(fetched)
            if final or tried == self._settings.tries or wait > LONG_WAIT:
                break
            self._spacing.later([host_of(url) or ""], time.monotonic() + wait)
        return fetched

    def _ask(self, url: str, delay: float, purpose: int) -> Fetched:
        name = host_of(url) or urlsplit(url).netloc
        places = [name, self._address(name)]
        with self._spacing.hold(places):
            if self._spacing.stopped.is_set():
                return Fetched(url, 0, error="stopped")
            began = time.monotonic()
            self._fetch.start(cast(Any, None), url, purpose, self._resolver.connect_to(name), self._resolver.ip(name))
            while not (answers := list(self._fetch.poll(1.0))):
                pass
            fetched = answers[0].fetched
            self._spacing.later([*places, fetched.ip or name], began + max(self._settings.delay, delay))
        return fetched

    def _address(self, name: str) -> str:
        """The address that counts for a host: looked up once, so that hosts that share one take turns."""
        if name not in self._found:
            self._found[name] = self._resolver.find(name)
        return self._found[name]
