"""How much a crawl may do."""

from garimpo.crawl.budget import Budget
from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.settings import Settings


def budget(clock: SimulatedClock, stored: int = 0, received: int = 0, requested: int = 0, **limits: float) -> Budget:
    return Budget(Settings(**limits), clock, lambda: stored, lambda: received, lambda: requested)


def test_requests_under_way_count_as_pages() -> None:
    clock = SimulatedClock()
    assert budget(clock, stored=90, max_pages=100, connections=64).most_in_flight(unkept=4) == 6
    assert budget(clock, stored=90, connections=64).most_in_flight(unkept=4) == 64
    assert budget(clock, stored=100, max_pages=100).most_in_flight(unkept=0) == 0


def test_each_limit_ends_the_crawl_by_its_name() -> None:
    clock = SimulatedClock(50.0)
    late = budget(clock, max_seconds=10.0)
    assert late.spent() is None
    clock.now = 60.0
    assert late.spent() == "time budget spent"
    assert budget(clock, stored=3, max_pages=3).spent() == "page budget spent"
    assert budget(clock, received=9, max_bytes=9).spent() == "byte budget spent"
    assert budget(clock, requested=7, max_requests=7).spent() == "request budget spent"


def test_no_request_starts_beyond_their_budget() -> None:
    clock = SimulatedClock()
    assert budget(clock, requested=90, max_requests=100, connections=64).most_in_flight(unkept=4, in_flight=5) == 15
    assert budget(clock, requested=90, max_requests=100, connections=8).most_in_flight(unkept=4, in_flight=5) == 8
    assert budget(clock, requested=100, max_requests=100).most_in_flight(unkept=0, in_flight=5) == 0


def test_too_many_bytes_a_second_start_nothing() -> None:
    clock = SimulatedClock()
    fast = budget(clock, received=5_000, bandwidth=1_000)
    assert fast.most_in_flight(0) == 0 and fast.spent() is None
    clock.now = 4.5
    assert fast.most_in_flight(0) > 0
