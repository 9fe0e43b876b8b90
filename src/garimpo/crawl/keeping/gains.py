"""What fetches bring: of one page how much is new, and of the last ones together whether the crawl is saturated."""

from array import array
from bisect import bisect_left

from garimpo.crawl.fetch.transfer import UNWANTED
from garimpo.crawl.frontier.records import Answered
from garimpo.crawl.reading.reader import PageRow

NOINDEX_COUNTS = 0.1
"""What the text of a page counts that is not to be indexed."""
NEW = 0.1
"""A page is new if more than this share of its text is."""
NOINDEX, UNREAD, EMPTY = "noindex", "unread", "empty"
"""Outcomes that are counted apart: not to be indexed; a content type that is not kept; nothing to read without scripts."""
LEAST, PART = 100, 5
"""Fetches that saturation is judged by: so many at least, and a part of all."""


def gain_of(url: str, page: PageRow, new: float, status: int) -> float:
    """What a fetch brought.

    Args:
        url: what was asked for.
        page: what was read.
        new: the share of the page's text that is new.
        status: of the answer.
    """
    if status != 200 or page.digest is None or (page.canonical is not None and page.canonical != url):
        return 0.0
    return new * (NOINDEX_COUNTS if page.error == NOINDEX else 1.0)


def outcome_of(page: PageRow, status: int) -> str | None:
    """Which of the outcomes that are counted apart a fetch had.

    Args:
        page: what was read.
        status: of the answer.
    """
    if page.error == NOINDEX:
        return NOINDEX
    if page.error == UNWANTED:
        return UNREAD
    return EMPTY if status == 200 and page.scripted else None


def answered_as(url: str, page: PageRow, status: int) -> Answered:
    """What a fetch brought, whatever was new of it.

    Args:
        url: what was asked for.
        page: what was read.
        status: of the answer.
    """
    if page.error == UNWANTED:
        return Answered.UNREAD
    is_page = status == 200 and page.error is None and page.canonical in (None, url)
    return Answered.PAGE if is_page else Answered.NOTHING


def is_new(page: PageRow, status: int, gain: float) -> bool:
    """Whether a fetch brought a page that is kept and new.

    Args:
        page: what was read.
        status: of the answer.
        gain: what it brought.
    """
    return status == 200 and page.error is None and gain > NEW


class Saturation:
    """The fetches of one run, and which of them brought a new page: one with new text, or one that has a name of its own and
    repeats no other.

    >>> saturation = Saturation()
    >>> for number in range(250):
    ...     saturation.count(number < 160)
    >>> saturation.share(), Saturation().share()
    (0.1, None)
    """

    def __init__(self) -> None:
        self._fetches = 0
        self._new = array("Q")

    def count(self, is_new: bool) -> None:
        """Count one more fetch.

        Args:
            is_new: whether it brought a new page.
        """
        if is_new:
            self._new.append(self._fetches)
        self._fetches += 1

    def share(self) -> float | None:
        """The share of the last fetches that brought a new page; None while there were too few."""
        window = max(LEAST, self._fetches // PART)
        if self._fetches < window:
            return None
        return (len(self._new) - bisect_left(self._new, self._fetches - window)) / window
