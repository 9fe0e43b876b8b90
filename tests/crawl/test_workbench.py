import random

from garimpo.crawl.workbench import NEVER, Address, Host, Workbench


def host(name: str, address: Address, score: float = 1.0, count: int = 1) -> Host:
    made = Host(1, name, name, 1.0)
    made.address = address
    made.heads = [(-score, sequence, None) for sequence in range(count)]
    return made


def test_best_host_first_then_first_met() -> None:
    bench = Workbench(1)
    hosts = [host("a", Address("1"), 0.2), host("b", Address("2"), 0.9), host("c", Address("3"), 0.5)]
    for one in hosts:
        bench.place(one, 0.0)
    order = []
    while (found := bench.pop(0.0)) is not None:
        found.heads = []
        order.append(found.name)
        bench.place(found, 0.0)
    assert order == ["b", "c", "a"]


def test_a_busy_address_gives_no_second_host() -> None:
    bench, address = Workbench(1), Address("1")
    first, second = host("a", address, 0.9), host("b", address, 0.5)
    bench.place(first, 0.0)
    bench.place(second, 0.0)
    assert bench.pop(0.0) is first
    address.busy = 1
    bench.place(first, 0.0)
    assert bench.pop(0.0) is None
    address.busy = 0
    first.heads = []
    bench.place(first, 0.0)
    assert bench.pop(0.0) is second


def test_of_equal_scores_the_host_that_is_asked_least_goes_first() -> None:
    bench, address = Workbench(9), Address("1")
    first, second = host("a", address, count=9), host("b", address, count=9)
    second.heads = [(score, sequence + 100, entry) for score, sequence, entry in second.heads]
    for one in (first, second):
        bench.place(one, 0.0)
    order = []
    for _ in range(4):
        found = bench.pop(0.0)
        assert found is not None
        found.open += 1
        found.heads = found.heads[1:]
        bench.place(found, 0.0)
        order.append(found.name)
    assert order == ["a", "b", "a", "b"]
    second.heads = [(-2.0, 200, None)]
    bench.place(second, 0.0)
    assert bench.pop(0.0) is second  # a better score goes before all


def test_a_held_host_waits_without_a_time() -> None:
    bench, one = Workbench(1), host("a", Address("1"))
    one.held = True
    bench.place(one, 0.0)
    assert bench.pop(9.0) is None and bench.next_time() == NEVER
    one.held = False
    bench.place(one, 9.0)
    assert bench.pop(9.0) is one


def test_no_host_or_address_is_asked_too_soon_whatever_the_order() -> None:
    draw = random.Random(5)
    bench, delay = Workbench(2), 1.0
    addresses = [Address(str(number)) for number in range(3)]
    hosts = [host(str(number), draw.choice(addresses), draw.random(), 20) for number in range(12)]
    for one in hosts:
        bench.place(one, 0.0)
    asked: dict[object, float] = {}
    running: list[tuple[float, Host]] = []
    now, served = 0.0, 0
    while served < 12 * 20 and now < 10_000:
        for ends, one in [item for item in running if item[0] <= now]:
            running.remove((ends, one))
            one.address.busy -= 1
            bench.place(one, now)
        while (found := bench.pop(now)) is not None:
            for subject in (found, found.address):
                assert now - asked.get(subject, -9.0) >= delay
                asked[subject] = now
            found.heads.pop()
            found.next_at = found.address.next_at = now + delay
            found.address.busy += 1
            assert found.address.busy <= 2
            running.append((now + draw.choice([0.1, 3.0]), found))
            bench.place(found, now)
            served += 1
        now = round(now + 0.1, 3)
    assert served == 12 * 20


def test_failures_of_requests_that_were_under_way_together_count_once() -> None:
    one = host("a", Address("1"))
    for begun, failed in ((1.0, 2.0), (1.5, 2.1), (1.9, 30.0)):
        one.count_failure(begun, failed)
    assert one.errors == 1
    one.count_failure(30.0, 31.0)
    assert one.errors == 2


def test_what_is_stale_does_not_pile_up() -> None:
    """While a host is asked its item is ordered after all others of its address, where it would never come up."""
    bench, addresses = Workbench(2), [Address(str(number)) for number in range(3)]
    hosts = [host(str(number), addresses[number % 3]) for number in range(30)]
    for sequence, one in enumerate(hosts):
        one.heads = [(-1.0, sequence, None)]
        bench.place(one, 0.0)
    for sequence in range(30, 5_030):
        found = bench.pop(0.0)
        assert found is not None and found.address is not None and int(found.name) == sequence % 30
        found.heads = [(-1.0, sequence, None)]
        found.open, found.address.busy = 1, 1
        bench.place(found, 0.0)
        found.open, found.address.busy = 0, 0
        bench.place(found, 0.0)
    assert all(len(address.ready) <= 2 * 10 + 8 for address in addresses)
    assert len(bench._ready) <= 2 * 3 + 1_000
