"""A crawl's door to the kept answers: a `Fetcher` of garimpo, without a socket."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from garimpo.contract.records import Fetched
from realweb.upstream import Source


class SnapshotFetcher:
    """Answers from what was kept; what is missing is asked for and kept. `asked` lists all requests, in order."""

    def __init__(self, sources: Sequence[Source]) -> None:
        self._sources = {host: source for source in sources for host in source.application.hosts}
        self.asked: list[str] = []

    def get(self, url: str) -> Fetched:
        """The answer to one URL."""
        self.asked.append(url)
        source = self._sources.get(urlsplit(url).hostname or "")
        if source is None:
            return Fetched(url, 0, error="name not found")
        answer = source.get(url)
        return Fetched(url, answer.status, answer.body, answer.headers, ip="127.0.0.1")
