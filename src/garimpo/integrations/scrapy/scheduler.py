"""The scheduler: what is queued is looked at again when its turn comes, and what was postponed is fetched last."""

from typing import Any

from scrapy import Request, Spider, signals
from scrapy.core import scheduler
from scrapy.dupefilters import BaseDupeFilter
from scrapy.statscollectors import DummyStatsCollector

from garimpo.integrations.scrapy.session import CHECK_PRIORITY, LATER, Session


class Scheduler(scheduler.Scheduler):
    """Scrapy's own, with a second one behind it for requests that probably repeat a page.

    Args:
        dupefilter: asked about each request that does not have ``dont_filter``.
        given: as for Scrapy's own.
    """

    def __init__(self, dupefilter: Any, **given: Any) -> None:
        super().__init__(BaseDupeFilter(), **given)  # asked here, and not again where a request is queued
        self._filter = dupefilter
        self._session = Session.of(self.crawler)
        assert self.crawler is not None
        later = {**given, "stats": DummyStatsCollector(self.crawler)}
        if job := given.get("jobdir"):
            later["jobdir"] = f"{job}/garimpo-later"
        self._later = scheduler.Scheduler(BaseDupeFilter(), **later)

    def open(self, spider: Spider) -> Any:
        super().open(spider)
        self._later.open(spider)
        return self._filter.open()

    def close(self, reason: str) -> Any:
        super().close(reason)
        self._later.close(reason)
        return self._filter.close(reason)

    def __len__(self) -> int:
        return super().__len__() + len(self._later)

    def enqueue_request(self, request: Request) -> bool:
        self._session.hop(request)
        if not request.dont_filter and self._filter.request_seen(request):
            self._filter.log(request, self.spider)
            return False
        if request.meta.pop(LATER, False):
            return self._later.enqueue_request(request)
        return super().enqueue_request(request)

    def next_request(self) -> Request | None:
        if self._session.must_wait():
            return None  # Scrapy asks again
        while (request := super().next_request()) is not None:
            if self._uses_turn(request, is_last=False):
                return request
        while (request := self._later.next_request()) is not None:
            if self._uses_turn(request, is_last=True):
                return request
        return None

    def _uses_turn(self, request: Request, is_last: bool) -> bool:
        action = self._session.turn(request, is_last)
        if action == "skip":
            self._session.count("dropped_from_queue")
            self.crawler.signals.send_catch_log(signals.request_dropped, request=request, spider=self.spider)
        elif action == "postpone":
            self._later.enqueue_request(request)
        elif action == "check" and not is_last:
            request.priority += CHECK_PRIORITY
        return action in ("keep", "check")
