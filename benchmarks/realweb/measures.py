"""What a crawl was worth, by the judge."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from scipy.stats import beta

from realweb.crawls import Run
from realweb.judge import Judge
from realweb.upstream import Source

WARM_UP = 400
"""Fetches of a host before which nothing is expected to be learned."""


@dataclass(frozen=True)
class Measures:
    """The figures of one crawl, or the sums of several."""

    requests: int = 0
    documents: int = 0
    duplicates: int = 0
    """Answers whose page was fetched before."""
    late_duplicates: int = 0
    """Those of them after the first 400 requests to their host."""
    late_twins: int = 0
    """Those of the late ones whose page was fetched before under other host names only."""
    claimed: int = 0
    """URLs skipped as known under another URL."""
    duplicates_skipped: int = 0
    """Those of them that show a page, and whose page was fetched."""
    twins_skipped: int = 0
    """Those of these that are skipped because their host is folded into another."""
    unfetched: int = 0
    """Those whose page was not fetched, but waits under another URL."""
    wrong: int = 0
    """Those whose page was not fetched and does not wait: lost."""
    left: int = 0
    """URLs left out as traps or by their shape."""

    def __add__(self, other: "Measures") -> "Measures":
        names = self.__dataclass_fields__
        return Measures(**{name: getattr(self, name) + getattr(other, name) for name in names})

    @property
    def avoided(self) -> float:
        """The share of true duplicates that was avoided, once the crawl was warm."""
        return self.duplicates_skipped / max(1, self.duplicates_skipped + self.late_duplicates)

    @property
    def avoided_on_one_host(self) -> float:
        """The same without second names of hosts."""
        skipped = self.duplicates_skipped - self.twins_skipped
        return skipped / max(1, skipped + self.late_duplicates - self.late_twins)


class Scale:
    """Judges crawls of one application."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self.judge = Judge(source.application, source.answers)

    def pages(self, urls: Iterable[str]) -> list[int | None]:
        """The page that each URL shows; what was never fetched is fetched now."""
        return [self.judge.verdict(url, self._source.get(url)).page for url in urls]

    def measure(self, run: Run) -> Measures:
        """The figures of one crawl."""
        pages = self.pages(run.asked)
        fetched = set(pages) - {None}
        repeats = find_repeats(run.asked, pages)
        late = [repeat for repeat in repeats if repeat.place >= WARM_UP]
        skipped = [(page, reason) for page, reason in zip(self.pages(run.claimed), run.claimed.values()) if page is not None]
        lost = [page for page, _ in skipped if page not in fetched]
        standing = {run.owners.get(url) for url in run.claimed} if lost else set()
        kept = [url for url in run.waiting if url in standing or self._source.answers.get(url) is not None] if lost else []
        waiting = set(self.pages(kept))
        return Measures(
            requests=len(run.asked),
            documents=len(fetched & self.judge.documents()),
            duplicates=len(repeats),
            late_duplicates=len(late),
            late_twins=sum(repeat.twin for repeat in late),
            claimed=len(run.claimed),
            duplicates_skipped=len(skipped) - len(lost),
            twins_skipped=sum(reason == "mirror" and page in fetched for page, reason in skipped),
            unfetched=sum(page in waiting for page in lost),
            wrong=sum(page not in waiting for page in lost),
            left=len(run.left),
        )

    def growth(self, asked: Sequence[str]) -> list[int]:
        """How many documents were found after each request."""
        documents, found, counts = self.judge.documents(), set(), []
        for page in self.pages(asked):
            if page in documents:
                found.add(page)
            counts.append(len(found))
        return counts


@dataclass(frozen=True)
class Repeat:
    """An answer whose page was fetched before: the requests its host had by then, and whether only other hosts had shown it."""

    place: int
    twin: bool


def find_repeats(urls: Sequence[str], pages: Sequence[int | None]) -> list[Repeat]:
    """The answers whose page came before, in order.

    >>> find_repeats(["http://a/1", "http://a/2", "http://b/1"], [7, 7, 7])
    [Repeat(place=1, twin=False), Repeat(place=0, twin=True)]
    """
    hosts_of: dict[int, set[str]] = {}
    places: Counter[str] = Counter()
    repeats = []
    for url, page in zip(urls, pages):
        host = urlsplit(url).netloc
        if page is not None:
            known = hosts_of.setdefault(page, set())
            if known:
                repeats.append(Repeat(places[host], host not in known))
            known.add(host)
        places[host] += 1
    return repeats


def first_with(counts: Sequence[int], documents: int) -> int | None:
    """After how many requests so many documents were found, if ever.

    >>> first_with([1, 1, 2], 2)
    3
    """
    return next((place + 1 for place, count in enumerate(counts) if count >= documents), None)


def upper_bound(wrong: int, of: int) -> float:
    """The upper 95 % bound of a share (Clopper and Pearson).

    >>> round(upper_bound(0, 1000), 4)
    0.003
    """
    return float(beta.ppf(0.95, wrong + 1, of - wrong)) if of > wrong else 1.0
