"""One running crawler and what it knows: requests in, decisions carried out, requests that come back, stats."""

import logging
import pickle
import time
from typing import Any
from weakref import WeakKeyDictionary

from scrapy import Request, signals
from scrapy.exceptions import DontCloseSpider, IgnoreRequest
from scrapy.http import Response, TextResponse
from scrapy.utils.job import job_dir
from scrapy.utils.request import request_from_dict

from garimpo.contract.records import Fetched
from garimpo.crawl.gate.decision import Action, Decision
from garimpo.crawl.state.entry import Entry
from garimpo.integrations.scrapy.knowledge import Knowledge
from garimpo.integrations.scrapy.options import options_of
from garimpo.integrations.scrapy.steering import Steering

OURS, STAMP, BACK, LATER = "garimpo", "garimpo_stamp", "garimpo_back", "garimpo_later"
"""Keys of ``meta``: False: not to be touched, ``check``: fetched to check a rule; when it was queued; that it comes back; that it
was postponed."""
CHECK_PRIORITY = 1_000
"""What a check shows decides about everything else that its rule skips."""
STATS_SECONDS = 10.0

logger = logging.getLogger(__name__)
_sessions: WeakKeyDictionary[Any, "Session"] = WeakKeyDictionary()


class Session:
    """What the components of one crawler share."""

    def __init__(self, crawler: Any) -> None:
        self._crawler = crawler
        self.options = options_of(crawler.settings, job_dir(crawler.settings))
        self.knowledge: Knowledge | None = None
        self.steering: Steering | None = None
        self._counted_at = time.monotonic()
        crawler.signals.connect(self._idle, signals.spider_idle)

    @classmethod
    def of(cls, crawler: Any) -> "Session":
        """The one of a crawler."""
        if crawler not in _sessions:
            _sessions[crawler] = cls(crawler)
        return _sessions[crawler]

    def open(self) -> None:
        """Open what is known, or begin."""
        if self.knowledge is None:
            options = self.options
            self.knowledge = Knowledge(options.folder, options.crawl, options.archives, options.folds, options.near)
            self.steering = Steering(self.knowledge, options)

    def close(self) -> None:
        """Keep what is known."""
        if self.knowledge is not None:
            try:
                self.knowledge.commit()
                self._take_stats()
            finally:
                knowledge, self.knowledge, self.steering = self.knowledge, None, None
                knowledge.close()

    def must_wait(self) -> bool:
        """Whether no request should be sent yet."""
        if self.knowledge is None or not self.knowledge.must_wait():
            return False
        self.count("waits")
        return True

    def enter(self, request: Request) -> Action:
        """Decide about a request that is met; one that is skipped is kept here."""
        entry = self._entry(request) if self._asks(request) and not request.meta.get("redirect_urls") else None
        if entry is None or self.knowledge is None:
            return "keep"
        return self._carry_out(request, self.knowledge.enter(entry))

    def turn(self, request: Request, is_last: bool) -> Action:
        """Decide about a request whose turn has come."""
        entry = self._entry(request) if self._asks(request) and not request.dont_filter else None
        if entry is None or self.knowledge is None or request.meta.get(OURS) == "check" or request.meta.get("redirect_urls"):
            return "keep"
        stamp = request.meta.get(STAMP)
        return self._carry_out(request, self.knowledge.turn(entry, stamp, is_last))

    def hop(self, request: Request) -> None:
        """A request that a redirect led to: the redirect is an answer of its own."""
        before, reasons = request.meta.get("redirect_urls"), request.meta.get("redirect_reasons")
        if not before or not reasons or not isinstance(reasons[-1], int):
            return
        entry = self._entry(request.replace(url=before[-1]))
        if entry is not None and self.knowledge is not None:
            self.knowledge.answered(entry, Fetched(entry.url, reasons[-1], headers=[("location", request.url)]))

    def answered(self, request: Request, response: Response) -> None:
        """A response came."""
        entry = self._entry(request) if self._is_read(request) else None
        if entry is None or self.knowledge is None or self.steering is None:
            return
        body = response.body if isinstance(response, TextResponse) and len(response.body) <= self.options.crawl.max_body else b""
        ip = None if response.ip_address is None else str(response.ip_address)
        answer = Fetched(entry.url, response.status, body, _headers(response.headers), ip)
        at_once = self.options.at_once
        if at_once:
            self.knowledge.read()  # what is at hand from before, so that this page is read alone
        read = self.knowledge.answered(entry, answer, _headers(request.headers) if self.options.archives else (), at_once)
        if at_once:
            self.steering.take(response, read)
        self._after_commit()

    def failed(self, request: Request, error: Exception) -> None:
        """A request failed for good."""
        entry = self._entry(request) if self._is_read(request) else None
        if entry is None or self.knowledge is None:
            return
        if isinstance(error, IgnoreRequest):
            self.knowledge.gate.failed(entry.url)
        else:
            self.knowledge.answered(entry, Fetched(entry.url, 0, error=type(error).__name__))
            self._after_commit()

    def count(self, name: str, by: int = 1) -> None:
        """Count something in the crawl's stats."""
        self._crawler.stats.inc_value(f"garimpo/{name}", by)

    def _carry_out(self, request: Request, decision: Decision) -> Action:
        assert self.knowledge is not None
        request.meta[STAMP] = self.knowledge.revision.stamp
        if decision.instead is not None:
            self._crawler.engine.crawl(request.replace(url=decision.instead))
        if decision.action == "skip":
            self.knowledge.held.hold(decision.entry, self._stored(request))
            self.count(f"skipped/{decision.reason}")
        elif decision.action == "check":
            request.meta[OURS] = "check"
        elif decision.action == "postpone":
            self.count("postponed")
        return decision.action

    def _stored(self, request: Request) -> Any:
        try:
            return pickle.dumps(request.to_dict(spider=self._crawler.spider), protocol=5)
        except (ValueError, TypeError, AttributeError, pickle.PicklingError):
            return request

    def _restored(self, stored: Any) -> Request:
        return stored if isinstance(stored, Request) else request_from_dict(pickle.loads(stored), spider=self._crawler.spider)

    def _after_commit(self) -> None:
        """Queue again what comes back, and count."""
        assert self.knowledge is not None
        for stored in self.knowledge.returned():
            restored = self._restored(stored)
            restored.meta[BACK] = True
            self.count("given_back")
            self._crawler.engine.crawl(restored)
        if time.monotonic() - self._counted_at > STATS_SECONDS:
            self._take_stats()

    def _take_stats(self) -> None:
        assert self.knowledge is not None
        self._counted_at = time.monotonic()
        facts = self.knowledge.facts()
        if self.steering is not None and self.options.steered:
            facts["harvest"] = self.steering.on_topic
        for name, value in facts.items():
            self._crawler.stats.set_value(f"garimpo/{name}", value)

    def _idle(self) -> None:
        """Nothing is left to fetch: what was checked may give some back."""
        if self.knowledge is None:
            return
        self.knowledge.commit()
        comes_back = bool(self.knowledge.revision.returned)
        self._after_commit()
        if comes_back:
            raise DontCloseSpider

    def _entry(self, request: Request) -> Entry | None:
        if self.knowledge is None:
            return None
        return self.knowledge.entry(request.url, int(request.meta.get("depth", 0)))

    def _asks(self, request: Request) -> bool:
        return request.method == "GET" and request.meta.get(OURS) is not False and not request.body

    def _is_read(self, request: Request) -> bool:
        is_robots = request.meta.get("dont_obey_robotstxt") and request.url.endswith("/robots.txt")
        return self._asks(request) and not is_robots


def _headers(headers: Any) -> list[tuple[str, str]]:
    return [(name.decode("latin-1"), value.decode("latin-1")) for name, several in headers.items() for value in several]
