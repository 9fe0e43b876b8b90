import random

from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.frontier.workbench import Workbench
from garimpo.crawl.state.host import NEVER, Address, Host


def host(name: str, address: Address, score: float = 1.0, count: int = 1) -> Host:
    made = Host(1, name, 1.0)
    made.address = address
    made.heads = [(-score, sequence, None) for sequence in range(count)]
    return made


def test_best_host_first_then_first_met() -> None:
    bench = Workbench(1, SimulatedClock())
    hosts = [host("a", Address(), 0.2), host("b", Address(), 0.9), host("c", Address(), 0.5)]
    for one in hosts:
        bench.place(one)
    order = []
    while (found := bench.pop()) is not None:
        found.heads = []
        order.append(found.name)
        bench.place(found)
    assert order == ["b", "c", "a"]


def test_a_busy_address_gives_no_second_host() -> None:
    bench, address = Workbench(1, SimulatedClock()), Address()
    first, second = host("a", address, 0.9), host("b", address, 0.5)
    bench.place(first)
    bench.place(second)
    assert bench.pop() is first
    address.busy = 1
    bench.place(first)
    assert bench.pop() is None
    address.busy = 0
    first.heads = []
    bench.place(first)
    assert bench.pop() is second


def test_of_equal_scores_the_host_that_is_asked_least_goes_first() -> None:
    bench, address = Workbench(9, SimulatedClock()), Address()
    first, second = host("a", address, count=9), host("b", address, count=9)
    second.heads = [(score, sequence + 100, entry) for score, sequence, entry in second.heads]
    for one in (first, second):
        bench.place(one)
    order = []
    for _ in range(4):
        found = bench.pop()
        assert found is not None
        found.open += 1
        found.heads = found.heads[1:]
        bench.place(found)
        order.append(found.name)
    assert order == ["a", "b", "a", "b"]
    second.heads = [(-2.0, 200, None)]
    bench.place(second)
    assert bench.pop() is second  # a better score goes before all


def test_a_held_host_waits_without_a_time() -> None:
    clock = SimulatedClock()
    bench, one = Workbench(1, clock), host("a", Address())
    one.held = True
    bench.place(one)
    clock.now = 9.0
    assert bench.pop() is None and bench.next_time() == NEVER
    one.held = False
    bench.place(one)
    assert bench.pop() is one


def test_no_host_or_address_is_asked_too_soon_whatever_the_order() -> None:
    draw = random.Random(5)
    clock, delay = SimulatedClock(), 1.0
    bench = Workbench(2, clock)
    addresses = [Address() for _ in range(3)]
    hosts = [host(str(number), draw.choice(addresses), draw.random(), 20) for number in range(12)]
    for one in hosts:
        bench.place(one)
    asked: dict[object, float] = {}
    running: list[tuple[float, Host]] = []
    served = 0
    while served < 12 * 20 and clock.now < 10_000:
        now = clock.now
        for ends, one in [item for item in running if item[0] <= now]:
            running.remove((ends, one))
            one.address.busy -= 1
            bench.place(one)
        while (found := bench.pop()) is not None:
            for subject in (found, found.address):
                assert now - asked.get(subject, -9.0) >= delay
                asked[subject] = now
            found.heads.pop()
            found.next_at = found.address.next_at = now + delay
            found.address.busy += 1
            assert found.address.busy <= 2
            running.append((now + draw.choice([0.1, 3.0]), found))
            bench.place(found)
            served += 1
        clock.now = round(now + 0.1, 3)
    assert served == 12 * 20


def test_failures_of_requests_that_were_under_way_together_count_once() -> None:
    one = host("a", Address())
    for begun, failed in ((1.0, 2.0), (1.5, 2.1), (1.9, 30.0)):
        one.count_failure(begun, failed)
    assert one.errors == 1
    one.count_failure(30.0, 31.0)
    assert one.errors == 2


def test_what_is_stale_does_not_pile_up() -> None:
    """While a host is asked its item is ordered after all others of its address, where it would never come up."""
    bench, addresses = Workbench(2, SimulatedClock()), [Address() for _ in range(3)]
    hosts = [host(str(number), addresses[number % 3]) for number in range(30)]
    for sequence, one in enumerate(hosts):
        one.heads = [(-1.0, sequence, None)]
        bench.place(one)
    for sequence in range(30, 5_030):
        found = bench.pop()
        assert found is not None and found.address is not None and int(found.name) == sequence % 30
        found.heads = [(-1.0, sequence, None)]
        found.open, found.address.busy = 1, 1
        bench.place(found)
        found.open, found.address.busy = 0, 0
        bench.place(found)
    assert all(10 <= len(address.ready) <= 2 * 10 + 8 for address in addresses)
    assert len(bench._ready) <= 2 * 3 + 1_000


def test_a_host_is_given_whenever_one_may_be_asked() -> None:
    for seed in range(60):
        draw = random.Random(seed)
        limit = draw.choice([1, 2, 5])
        clock = SimulatedClock()
        bench, addresses = Workbench(limit, clock), [Address() for _ in range(draw.randint(1, 5))]
        hosts = [host(str(number), draw.choice(addresses), count=0) for number in range(draw.randint(1, 12))]
        sequence = 0
        running: list[Host] = []
        for _ in range(300):
            one, what, now = draw.choice(hosts), draw.random(), clock.now
            if what < 0.3:
                sequence += 1
                one.heads = sorted([*one.heads, (-draw.choice([0.2, 1.0]), sequence, None)])
            elif what < 0.4:
                one.next_at = max(one.next_at, now + draw.choice([0.5, 3.0]))
            elif what < 0.45:
                one.held = not one.held
            elif what < 0.6 and running:
                one = running.pop(draw.randrange(len(running)))
                one.address.busy, one.open = one.address.busy - 1, one.open - 1
            elif what < 0.7:
                clock.now += draw.choice([0.1, 1.0])
            else:
                free = [host for host in hosts if _may_be_asked(host, limit, now)]
                found = bench.pop()
                assert found in free if free else found is None
                if found is not None:
                    one = found
                    one.heads, one.next_at, one.address.next_at = one.heads[1:], now + 1.0, now + draw.choice([0.0, 0.3])
                    one.address.busy, one.open = one.address.busy + 1, one.open + 1
                    running.append(one)
            bench.place(one)


def _may_be_asked(one: Host, limit: int, now: float) -> bool:
    address = one.address
    return one.best is not None and not one.held and max(one.next_at, address.next_at) <= now and address.busy < limit
