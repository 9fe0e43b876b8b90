"""The middlewares: answers are read and kept on their way in, requests of a response get keys and priorities on their way out."""

import time
from collections.abc import AsyncIterator, Iterable, Iterator
from itertools import islice
from typing import Any

from scrapy import Request
from scrapy.http import Response

from garimpo.integrations.scrapy.session import Session

TOGETHER = 200
"""So many results of a callback are looked at together."""
PATIENCE = 0.2


class DownloaderMiddleware:
    """Hands each answer, and each failure, to what the crawler knows.

    Args:
        session: what the crawler knows.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Any) -> "DownloaderMiddleware":
        return cls(Session.of(crawler))

    def process_response(self, request: Request, response: Response, spider: Any = None) -> Response:
        """Hand over a response."""
        if response.request is None:
            response.request = request  # its meta is the request's
        self._session.answered(request, response)
        return response

    def process_exception(self, request: Request, exception: Exception, spider: Any = None) -> None:
        """Hand over a failure."""
        self._session.failed(request, exception)


class SpiderMiddleware:
    """Prepares the keys of all requests of a response at once, and gives them priorities.

    Args:
        session: what the crawler knows.
    """

    def __init__(self, session: Session) -> None:
        self._session = session

    @classmethod
    def from_crawler(cls, crawler: Any) -> "SpiderMiddleware":
        return cls(Session.of(crawler))

    def process_spider_output(self, response: Response, result: Iterable[Any], spider: Any = None) -> Iterator[Any]:
        """What a callback gives."""
        rest = iter(result)
        while several := list(islice(rest, TOGETHER)):
            yield from self._processed(several, response)

    async def process_spider_output_async(
        self, response: Response, result: AsyncIterator[Any], spider: Any = None
    ) -> AsyncIterator[Any]:
        """What a callback gives, as Scrapy hands it on. Items pass at once, requests together: a callback that waits between two
        of them holds those before back for as long, until `PATIENCE` seconds have passed."""
        waiting: list[Any] = []
        began = time.monotonic()
        async for one in result:
            if not isinstance(one, Request):
                yield one
                continue
            waiting.append(one)
            if len(waiting) >= TOGETHER or time.monotonic() - began > PATIENCE:
                for request in self._processed(waiting, response):
                    yield request
                waiting = []
        for request in self._processed(waiting, response):
            yield request

    def _processed(self, results: list[Any], response: Response) -> list[Any]:
        knowledge, steering = self._session.knowledge, self._session.steering
        if knowledge is None or steering is None:
            return results
        if self._session.options.at_once:
            results = [steering.steer(one, response) if isinstance(one, Request) else one for one in results]
        knowledge.prepare([one.url for one in results if isinstance(one, Request)])
        return results
