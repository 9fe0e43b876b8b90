"""What a URL's turn is used for: the robots.txt of its origin if that is not known, the URL itself if it may be fetched."""

from collections.abc import Callable
from typing import NamedTuple

from garimpo.crawl.fetch.answering import FetcherClient
from garimpo.crawl.fetch.client import Answer, Fetch
from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.fetch.robots import WAIT_SECONDS, Robots, origin, redirected
from garimpo.crawl.fetch.waiting import asked_to_wait
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.keeping.revisits import KnownPages
from garimpo.crawl.settings import Settings
from garimpo.crawl.state.entry import PAGE, ROBOTS, SITEMAP, Entry
from garimpo.crawl.state.host import HOP_SCORE, Host
from garimpo.crawl.state.schema import signed
from garimpo.url import host as host_of
from garimpo.url import key64

Signer = Callable[[str], list[tuple[str, str]]]


class _Waiting(NamedTuple):
    """An origin whose robots.txt was redirected to another host: the origin, its host, and how many hops it took."""

    origin: str
    host: Host
    hops: int


class Dispatcher:
    """Starts requests. While a robots.txt is on its way its host is held: no other URL of it comes up."""

    def __init__(
        self,
        settings: Settings,
        frontier: Frontier,
        robots: Robots,
        fetch: Fetch | FetcherClient,
        resolver: Resolver,
        known: KnownPages | None,
        signer: Signer | None,
    ) -> None:
        self._settings, self._frontier, self._robots, self._fetch = settings, frontier, robots, fetch
        self._resolver, self._known, self._signer = resolver, known, signer
        self._guarded = not (settings.allow_private or settings.resolve_all)
        self._moved: dict[str, tuple[str, int]] = {}
        """Origins whose robots.txt was redirected: where to, and after how many hops."""
        self._hops: dict[str, list[_Waiting]] = {}
        """Where robots.txt files of other hosts went to, and who waits for the answer."""
        self.robots_fetched = 0
        self.requests = 0
        """Requests started so far, of any purpose."""

    def take(self, entry: Entry) -> None:
        """Use the turn of a popped entry."""
        if entry.kind == ROBOTS:
            self._take_hop(entry)
            return
        where = origin(entry.url)
        rules = self._robots.get(where)
        if rules is None:
            entry.host.held = True
            self._frontier.begin(entry)
            self._start(entry, self._moved.get(where, (f"{where}/robots.txt", 0))[0], ROBOTS)
        elif self._robots.allows(rules, entry.url):
            self._frontier.begin(entry)
            self._start(entry, entry.url, entry.kind)
        else:
            self._frontier.refuse(entry, "robots")

    def robots_answered(self, answer: Answer) -> bool:
        """A robots.txt came; the URL that gave its turn goes back into the queue. False: there was no answer at all."""
        entry, fetched = answer.entry, answer.fetched
        self.robots_fetched += 1
        if entry.kind == ROBOTS:
            self._hop_answered(answer)
            return True
        entry.host.held = False
        if fetched.status == 0:
            return False
        where = origin(entry.url)
        hops = self._moved.pop(where, ("", 0))[1]
        target = redirected(fetched, hops, self._guarded)
        self._frontier.uncount(entry)
        if target is None:
            self._learn(where, entry.host, answer)
        elif host_of(target) == entry.host.name:
            self._moved[where] = (target, hops + 1)
        else:
            entry.host.held = True
            self._wait_for_hop(target, _Waiting(where, entry.host, hops + 1))
        self._frontier.put(entry)
        self._frontier.leave(entry)
        return True

    def _wait_for_hop(self, target: str, waiting: "_Waiting") -> None:
        """Queue where a robots.txt went to on the host it went to, at that host's delay; one request for all who wait for it."""
        several = self._hops.setdefault(target, [])
        several.append(waiting)
        if len(several) == 1:
            key = signed(key64(f"robots.txt at {target}"))
            on = self._frontier.host(host_of(target) or "")
            self._frontier.put(Entry(target, key, on, HOP_SCORE, self._frontier.next_seq(), kind=ROBOTS))

    def _take_hop(self, entry: Entry) -> None:
        if entry.url in self._hops:
            self._frontier.begin(entry)
            self._start(entry, entry.url, ROBOTS)
        else:  # queued by a run that ended before it was asked for
            self._frontier.done(entry)
            self._frontier.leave(entry)

    def _hop_answered(self, answer: Answer) -> None:
        entry = answer.entry
        self._frontier.done(entry)
        self._frontier.uncount(entry)
        for waiting in self._hops.pop(entry.url, []):
            target = redirected(answer.fetched, waiting.hops, self._guarded)
            if target is not None and host_of(target) == waiting.host.name:
                self._moved[waiting.origin] = (target, waiting.hops + 1)
                self._frontier.hosts.free(waiting.host)
                continue
            if target is not None:
                self._wait_for_hop(target, _Waiting(waiting.origin, waiting.host, waiting.hops + 1))
                continue
            self._learn(waiting.origin, waiting.host, answer)
            self._frontier.hosts.free(waiting.host)

    def _learn(self, where: str, on: Host, answer: Answer) -> None:
        rules = self._robots.learn(where, answer.fetched)
        if rules is None:
            self._frontier.hosts.hold(on, answer.at + (asked_to_wait(answer.fetched, answer.at) or WAIT_SECONDS))
            return
        if rules.delay > on.delay:
            self._frontier.hosts.slow_down(on, rules.delay)
            self._frontier.hosts.hold(on, answer.asked + rules.delay)
        if self._settings.reads_sitemaps and rules.sitemaps:
            self._frontier.add_urls(rules.sitemaps, kind=SITEMAP)

    def _start(self, entry: Entry, url: str, purpose: int) -> None:
        name = entry.host.name if url == entry.url else host_of(url) or entry.host.name
        extra = self._known.conditions(url) if self._known is not None and purpose == PAGE else []
        if self._signer is not None:
            extra = [*extra, *self._signer(url)]
        ip = self._resolver.ip(name)
        if ip is None and self._resolver.made_up:
            ip = ""
        self.requests += 1
        self._fetch.start(entry, url, purpose, self._resolver.connect_to(name), ip, extra)
