"""When to try again: what an answer says about waiting, and how patient we are without a word from the server."""

from garimpo.contract.records import Fetched
from garimpo.crawl.fetch.client import FINAL

LONG_WAIT = 60.0
"""URLs that must wait longer than this do not keep a crawl alive: they stay queued for `--resume`."""
LONGEST = 120.0
MOST_ASKED = 86_400
"""No server makes a crawl wait longer than a day."""
BUSY = {429, 503}
TRY_AGAIN = {408, 429, 500, 502, 503, 504}


def can_retry(fetched: Fetched) -> bool:
    """Whether asking again may give something better.

    >>> can_retry(Fetched("http://a/", 503)), can_retry(Fetched("http://a/", 404))
    (True, False)
    """
    if fetched.status == 0:
        return fetched.error not in FINAL
    return fetched.status in TRY_AGAIN


def asked_to_wait(fetched: Fetched, now: float) -> float | None:
    """The seconds `Retry-After` asks for, as a number or a date; None without one.

    >>> asked_to_wait(Fetched("http://a/", 503, headers=[("Retry-After", "120")]), 0.0)
    120.0
    """
    value = fetched.header("retry-after")
    if value is None or fetched.status not in TRY_AGAIN:
        return None
    if value.isascii() and value.isdigit():
        return float(min(int(value[:12]), MOST_ASKED))
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, min(parsedate_to_datetime(value[:100]).timestamp() - now, MOST_ASKED))
    except (ValueError, TypeError, OverflowError):
        return None


def backoff(errors_in_a_row: int, delay: float) -> float:
    """How long to leave a host alone after so many failures in a row."""
    return min(max(delay, 0.5) * 2.0 ** min(errors_in_a_row - 1, 20), LONGEST)
