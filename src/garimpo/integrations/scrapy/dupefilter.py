"""The dupe filter: what the one before it has not seen, but learned keys have."""

from typing import Any

from scrapy import Request, Spider
from scrapy.dupefilters import BaseDupeFilter
from scrapy.utils.misc import build_from_crawler, load_object

from garimpo.integrations.scrapy.session import BACK, CHECK_PRIORITY, LATER, Session

FALLBACK = "GARIMPO_FALLBACK_DUPEFILTER_CLASS"


class DupeFilter(BaseDupeFilter):
    """Filters what the filter named by ``GARIMPO_FALLBACK_DUPEFILTER_CLASS`` filters, and what learned rules skip.

    Args:
        session: what the crawler knows.
        fallback: the filter that was there before.
    """

    def __init__(self, session: Session, fallback: Any) -> None:
        self._session, self._fallback = session, fallback

    @classmethod
    def from_crawler(cls, crawler: Any) -> "DupeFilter":
        fallback = build_from_crawler(load_object(crawler.settings[FALLBACK]), crawler)
        return cls(Session.of(crawler), fallback)

    def open(self) -> Any:
        self._session.open()
        return self._fallback.open()

    def close(self, reason: str) -> Any:
        self._session.close()
        return self._fallback.close(reason)

    def log(self, request: Request, spider: Spider) -> None:
        self._fallback.log(request, spider)

    def request_seen(self, request: Request) -> bool:
        if not request.meta.pop(BACK, False) and self._fallback.request_seen(request):
            return True
        action = self._session.enter(request)
        if action == "postpone":
            request.meta[LATER] = True
        elif action == "check":
            request.priority += CHECK_PRIORITY
        return action == "skip"
