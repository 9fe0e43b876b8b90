"""Evidence that is added to, taken back and stored."""

import random
from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from dust.families import FAMILIES, training
from garimpo.dust import Learner, prepare
from garimpo.dust.method.accumulator import Accumulator, Relearner, Remembered
from garimpo.dust.method.learner import by_site
from garimpo.dust.method.site import SiteRows


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


class Kept:
    """A memory of sites."""

    def __init__(self) -> None:
        self.known: dict[str, Remembered] = {}
        self.own: dict[str, SiteRows] = {}

    def rows(self, site: str) -> SiteRows:
        return self.own[site]

    def recall(self, site: str) -> Remembered | None:
        return self.known.get(site)

    def sites(self) -> Iterator[tuple[str, Remembered]]:
        return iter(list(self.known.items()))

    def remember(self, site: str, what: Remembered | None) -> None:
        if what is None:
            del self.known[site]
        else:
            self.known[site] = what


def sites_of(given: list[tuple[int, str]]) -> dict[str, SiteRows]:
    whole = by_site(table(given))
    names = whole["site"].to_pylist()
    return {
        name: SiteRows(own["url"].combine_chunks(), own["cluster"].to_numpy())
        for name in dict.fromkeys(names)
        for own in [whole.slice(names.index(name), names.count(name)).combine_chunks()]
    }


def test_sites_handed_in_as_they_change_give_the_rules_of_all_rows() -> None:
    given, memory = rows(), Kept()
    random.Random(3).shuffle(given)
    learners = (Learner(), Learner(allowed_error=0.2, bold=True))
    for end in (len(given) // 3, len(given) // 2, len(given)):
        relearner = Relearner(learners, memory)  # as after a restart
        for name, own in sites_of(given[:end]).items():
            memory.own[name] = own
            relearner.change(name, own)
        found = relearner.learn()
    assert found == [Learner().learn(table(given)), Learner(allowed_error=0.2, bold=True).learn(table(given))]
    assert relearner.learn() == found and relearner.sites_asked == 0
    gone = [row for row in given if not row[1].startswith("http://h0.org")]
    memory.own["h0.org"] = SiteRows(pa.array([], pa.string()), np.zeros(0, np.int64))
    relearner.change("h0.org", memory.own["h0.org"])
    assert relearner.learn()[0] == Learner().learn(table(gone)) and "h0.org" not in memory.known
