"""Evidence that is added to, taken back and stored."""

import random

import pyarrow as pa

from dust.families import FAMILIES, training
from garimpo.dust import Learner, prepare
from garimpo.dust.method.accumulator import Accumulator


def rows(hosts: int = 4) -> list[tuple[int, str]]:
    family = FAMILIES["two tracking parameters"]
    return [(10**6 * h + n, url.replace("a.org", f"h{h}.org")) for h in range(hosts) for n, url in training(family, 30)]


def table(given: list[tuple[int, str]]) -> pa.Table:
    return prepare(pa.table({"cluster": [n for n, _ in given], "url": [url for _, url in given]}))


def test_in_whatever_steps_it_came_the_rules_are_those_of_all_of_it() -> None:
    given = rows()
    random.Random(3).shuffle(given)
    known, learner = Accumulator(), Learner()
    for begin in range(0, len(given), 100):
        known.add(table(given[begin : begin + 100]))
        step = learner.learn(known.table())
    assert step == Learner().learn(table(given))
    assert len(step)


def test_what_is_taken_back_was_never_there() -> None:
    given = rows()
    known, learner = Accumulator.of(table(given)), Learner()
    learner.learn(known.table())
    wrong = [url for _, url in given if url.startswith("http://h0.org") and "utm" in url]
    known.remove(wrong)
    again = learner.learn(known.table())
    assert learner.sites_touched == 0, "what is left of that host has nothing to tell"
    assert again == Learner().learn(table([row for row in given if row[1] not in set(wrong)]))
    assert "h0.org" not in again.hosts and "h1.org" in again.hosts


def test_parts_gathered_apart_are_merged_and_stored() -> None:
    given = rows()
    one, two = Accumulator.of(table(given[::2])), Accumulator.of(table(given[1::2]))
    one.merge(two)
    assert one.table() == table(given)
    assert Accumulator.of(one.table()).table() == one.table()
