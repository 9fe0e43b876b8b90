"""What a URL's turn is used for: the robots.txt of its origin if that is not known, the URL itself if it may be fetched."""

from collections.abc import Callable

from garimpo.crawl.addresses import Addresses
from garimpo.crawl.backoff import asked_to_wait
from garimpo.crawl.entries import PAGE, ROBOTS, SITEMAP, Entry
from garimpo.crawl.fetch import Answer, Fetch
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.recrawl import Known
from garimpo.crawl.robots import WAIT_SECONDS, Robots, Rules, origin
from garimpo.crawl.settings import Settings
from garimpo.url import host, resolve, site

ROBOTS_HOPS = 5
Signer = Callable[[str], list[tuple[str, str]]]


class Turns:
    """Starts requests. While a robots.txt is on its way its host is held: no other URL of it comes up."""

    def __init__(
        self,
        settings: Settings,
        frontier: Frontier,
        robots: Robots,
        fetch: Fetch,
        addresses: Addresses,
        known: Known | None,
        signer: Signer | None,
    ) -> None:
        self._settings, self._frontier, self._robots, self._fetch = settings, frontier, robots, fetch
        self._addresses, self._known, self._signer = addresses, known, signer
        self._moved: dict[str, tuple[str, int]] = {}
        """Origins whose robots.txt was redirected: where to, and after how many hops."""
        self.robots_fetched = 0

    def take(self, entry: Entry, now: float) -> None:
        """Use the turn of a popped entry."""
        where = origin(entry.url)
        rules = self._robots.get(where, now)
        if rules is None:
            entry.host.held = True
            self._frontier.begin(entry, now)
            self._start(entry, self._moved.get(where, (f"{where}/robots.txt", 0))[0], ROBOTS)
        elif entry.kind == SITEMAP or self._robots.allows(rules, entry.url):
            self._frontier.begin(entry, now)
            self._start(entry, entry.url, entry.kind)
        else:
            self._frontier.gate.skip_entry(entry, "robots", None)
            self._frontier.done(entry)
            self._frontier.leave(entry, now)

    def robots_answered(self, answer: Answer, now: float) -> bool:
        """A robots.txt came; the URL that gave its turn goes back into the queue. False: there was no answer at all."""
        entry, fetched = answer.entry, answer.fetched
        entry.host.held = False
        self.robots_fetched += 1
        if fetched.status == 0:
            return False
        where = origin(entry.url)
        target = self._redirect(answer)
        if target is not None:
            self._moved[where] = (target, self._moved.get(where, ("", 0))[1] + 1)
        else:
            self._moved.pop(where, None)
            self._learn(entry, answer, now)
        self._frontier.uncount(entry)
        self._frontier.put(entry, now)
        self._frontier.leave(entry, now)
        return True

    def _learn(self, entry: Entry, answer: Answer, now: float) -> None:
        rules = self._robots.learn(origin(entry.url), answer.fetched, now)
        if rules is None:
            self._frontier.hold(entry.host, now + (asked_to_wait(answer.fetched, now) or WAIT_SECONDS), now)
        else:
            self._apply(entry, answer, rules, now)

    def _apply(self, entry: Entry, answer: Answer, rules: Rules, now: float) -> None:
        host = entry.host
        if rules.delay > host.delay:
            self._frontier.slow_down(host, rules.delay)
            self._frontier.hold(host, answer.asked + rules.delay, now)
        if self._settings.reads_sitemaps and rules.sitemaps:
            self._frontier.add_urls(rules.sitemaps, kind=SITEMAP, now=now)

    def _redirect(self, answer: Answer) -> str | None:
        """Where a robots.txt went to: followed in the host's own next turn, inside its site, up to five hops."""
        entry, fetched = answer.entry, answer.fetched
        location = fetched.header("location") if 300 <= fetched.status < 400 else None
        target = resolve(fetched.url, location) if location else None
        hops = self._moved.get(origin(entry.url), ("", 0))[1]
        return None if target is None or hops >= ROBOTS_HOPS or site(target) != entry.host.site else target

    def _start(self, entry: Entry, url: str, purpose: int) -> None:
        name = entry.host.name if url == entry.url else host(url) or entry.host.name
        extra = self._known.conditions(url) if self._known is not None and purpose == PAGE else []
        if self._signer is not None:
            extra = [*extra, *self._signer(url)]
        ip = self._addresses.ip(name)
        if ip is None and self._addresses.made_up:
            ip = ""
        self._fetch.start(entry, url, purpose, self._addresses.connect_to(name), ip, extra)
