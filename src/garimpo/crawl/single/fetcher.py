"""One URL after the other, with a crawl's manners: for commands that ask for few pages and wait for each.

Several `OneByOne` in threads of their own may share the `Distances` they keep: then no host and no address is asked by two at
once, nor sooner than its delay allows.
"""

import socket
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
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


class Distances:
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
        """The places may be asked again at that time, if nothing later was said before."""
        for place in places:
            self._next[place] = max(self._next[place], at)


class OneByOne:
    """A `Fetcher`: robots.txt is read first, delays are kept by host and by address. Hops are answers, not followed.

    What fails for now is asked again, after the wait the server asks for or a longer one each time, unless that is a long
    wait. An origin whose robots.txt gives no answer is not asked for anything else.
    """

    def __init__(self, settings: Settings, distances: Distances | None = None) -> None:
        self._settings = settings.check()
        self._fetch = Fetch(settings, time.monotonic)
        self._addresses = Addresses(settings)
        self._agent = settings.agent.split("/")[0]
        self._rules: dict[str, Rules | str] = {}
        self._distances = distances or Distances()
        self._found: dict[str, str] = {}

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
            self._distances.later([host_of(url) or ""], time.monotonic() + wait)
        return fetched

    def _ask(self, url: str, delay: float) -> Fetched:
        name = host_of(url) or urlsplit(url).netloc
        places = [name, self._address(name)]
        with self._distances.hold(places):
            if self._distances.stopped.is_set():
                return Fetched(url, 0, error="stopped")
            began = time.monotonic()
            self._fetch.start(cast(Any, None), url, PAGE, self._addresses.connect_to(name), self._addresses.ip(name))
            while not (answers := list(self._fetch.poll(1.0))):
                pass
            fetched = answers[0].fetched
            self._distances.later([*places, fetched.ip or name], began + max(self._settings.delay, delay))
        return fetched

    def _address(self, name: str) -> str:
        """The address that counts for a host: looked up once, so that hosts that share one take turns."""
        if name not in self._found:
            self._found[name] = self._addresses.known(name) or _looked_up(name)
        return self._found[name]


def _looked_up(name: str) -> str:
    try:
        return str(socket.getaddrinfo(name, None, type=socket.SOCK_STREAM)[0][4][0])
    except (OSError, UnicodeError):
        return name  # the request will say what is wrong with it
