"""When to try again."""

from garimpo.contract.records import Fetched
from garimpo.crawl.fetch.waiting import asked_to_wait, backoff


def test_waiting_is_asked_for_and_grows() -> None:
    dated = Fetched("http://a/", 429, headers=[("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")])
    assert asked_to_wait(dated, 1445412400.0) == 80.0
    assert asked_to_wait(Fetched("http://a/", 503, headers=[("Retry-After", "soon")]), 0.0) is None
    waits = [backoff(errors, 1.0) for errors in range(1, 12)]
    assert waits == sorted(waits) and waits[0] == 1.0 and waits[-1] == 120.0
