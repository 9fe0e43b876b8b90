"""How answers are counted, by the keeper and when a lost state is rebuilt."""

from collections import Counter


def is_hop(status: int) -> bool:
    """Whether an answer only leads on to another URL.

    >>> is_hop(301), is_hop(304)
    (True, False)
    """
    return 300 <= status < 400 and status != 304


def is_stored(status: int) -> bool:
    """Whether an answer counts as a page of its host and of the budget.

    >>> is_stored(404), is_stored(0), is_stored(302)
    (True, False, False)
    """
    return status > 0 and not is_hop(status)


class PageCounts(Counter[str]):
    """The counters of a whole crawl: stored, pages (200), redirects, errors, duplicates, unchanged, checks, bytes, ...

    >>> counts = PageCounts()
    >>> counts.add_answer(200, 10); counts.add_answer(301, 0); dict(counts)
    {'bytes': 10, 'pages': 1, 'stored': 1, 'redirects': 1}
    """

    def add_answer(self, status: int, size: int) -> None:
        """Count one answer and the size of its body."""
        self["bytes"] += size
        self["redirects" if is_hop(status) else "pages" if status in (200, 304) else "errors"] += 1
        self["stored"] += is_stored(status)
