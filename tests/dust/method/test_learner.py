"""The method garimpo: one family of duplicate URLs at a time, with unique pages and look-alikes beside them."""

import random
from collections.abc import Callable

import pyarrow as pa
import pytest

from garimpo.dust import Learner, Rule, RuleSet, learn, prepare
from garimpo.dust.learning import MANY, worth_reading
from garimpo.dust.method.sources.host_names import Alias, roots
from garimpo.engine import local

Pages = list[tuple[int, str]]
RNG = random.Random(7)


def hexes(length: int = 16) -> str:
    return "".join(RNG.choice("0123456789abcdef") for _ in range(length))


def table(rows: Pages) -> pa.Table:
    return pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})


FAMILIES: dict[str, Callable[[int], list[str]]] = {
    "trailing slash": lambda n: [f"http://a.org/p{n}", f"http://a.org/p{n}/"],
    "index file": lambda n: [f"http://a.org/d{n}/", f"http://a.org/d{n}/default.asp"],
    "extension": lambda n: [f"http://a.org/x/p{n}.htm", f"http://a.org/x/p{n}.html"],
    "www": lambda n: [f"http://a.org/p{n}", f"http://www.a.org/p{n}"],
    "server alias": lambda n: [f"http://a.org/p{n}", f"http://srv2.a.org/p{n}"],
    "case": lambda n: [f"http://a.org/page-{n}", f"http://a.org/Page-{n}"],
    "session parameter": lambda n: [f"http://a.org/p{n}?sid={hexes()}" for _ in range(3)],
    "session in the path": lambda n: [f"http://a.org/p{n}.jsp;jsessionid={hexes()}" for _ in range(3)],
    "session folder": lambda n: [
        f"http://a.org/p{n}/x",
        f"http://a.org/(S({hexes()}))/p{n}/x",
        f"http://a.org/(S({hexes()}))/p{n}/x",
    ],
    "parameter order": lambda n: [f"http://a.org/?a={n}&b={n % 3}", f"http://a.org/?b={n % 3}&a={n}"],
    "default value": lambda n: [f"http://a.org/list{n}", f"http://a.org/list{n}?page=1"],
    "static and dynamic": lambda n: [f"http://a.org/story_{n}.html", f"http://a.org/story?id={n}"],
    "title words": lambda n: [f"http://a.org/item/{n}/{hexes(6)}-{hexes(4)}" for _ in range(3)],
    "copied tree": lambda n: [f"http://a.org/s{n % 5}/p{n}", f"http://a.org/backup/s{n % 5}/p{n}"],
    "directory alias": lambda n: [f"http://a.org/{name}/p{n}" for name in ("docs", "manual")],
    "double slash": lambda n: [f"http://a.org/s/p{n}", f"http://a.org/s//p{n}"],
    "folder and host": lambda n: [f"http://games.a.org/p{n}", f"http://a.org/games/p{n}"],
    "scheme": lambda n: [f"http://a.org/p{n}", f"https://a.org/p{n}"],
}


@pytest.mark.parametrize("family", FAMILIES)
def test_family_is_learned_and_unique_pages_stay_apart(family: str) -> None:
    make = FAMILIES[family]
    rows = [(n, url) for n in range(40) for url in make(n)]
    rows += [(1000 + n, f"http://a.org/unique/{n}") for n in range(30)]
    rules = learn(table(rows))
    unseen = [make(n) for n in range(100, 120)]
    keys = [{rules.key(url) for url in urls} for urls in unseen]
    assert [len(k) for k in keys] == [1] * 20
    assert len(set.union(*keys)) == 20
    assert len({rules.key(f"http://a.org/unique/{n}") for n in range(100, 150)}) == 50


def test_a_parameter_that_matters_is_kept() -> None:
    rows = [(n, f"http://a.org/item?id={n}{extra}") for n in range(40) for extra in ("", f"&ref={n % 7}")]
    rows += [(500 + n, f"http://b.org/item?ref={n}") for n in range(40)]
    rules = learn(table(rows))
    assert rules.key("http://a.org/item?id=99&ref=4") == rules.key("http://a.org/item?id=99")
    assert rules.key("http://a.org/item?id=98") != rules.key("http://a.org/item?id=99")
    assert rules.key("http://b.org/item?ref=98") != rules.key("http://b.org/item?ref=99")


def test_a_default_value_is_no_licence_for_others() -> None:
    rows = [(n, url) for n in range(30) for url in (f"http://a.org/list{n}", f"http://a.org/list{n}?page=1")]
    rules = learn(table(rows))
    assert rules.key("http://a.org/list99?page=1") == rules.key("http://a.org/list99")
    assert rules.key("http://a.org/list99?page=2") != rules.key("http://a.org/list99")


def test_a_rule_that_fails_for_some_pages_is_held_to_where_it_does_not() -> None:
    rows: Pages = []
    for n in range(60):
        for folder in ("mod", "howto"):
            number = n + 1000 * (folder == "howto")
            rows.append((number, f"http://a.org/en/{folder}/p{n}"))
            translated = folder == "howto" and n % 3 == 0
            rows.append((5000 + number if translated else number, f"http://a.org/da/{folder}/p{n}"))
    rules = learn(table(rows))
    assert rules.key("http://a.org/da/mod/new") == rules.key("http://a.org/en/mod/new")
    assert rules.key("http://a.org/da/howto/new") != rules.key("http://a.org/en/howto/new")


def test_a_folder_is_no_copy_because_another_name_of_its_host_has_its_pages() -> None:
    """It may hold translations, of which some fall back: what the host itself says decides, not an alias of two names."""
    names = Alias(("www1.a.org", ""), ("www.a.org", ""))
    assert roots([names, Alias(("www.a.org", "/pt"), ("www1.a.org", ""))]) == [names]
    games = Alias(("www1.a.org", "/games"), ("games.a.org", ""))
    assert roots([names, games]) == [names, games]


def test_hosts_that_show_little_learn_from_others() -> None:
    rows: Pages = []
    for host in range(60):
        for n in range(3):
            number = host * 10 + n
            rows += [(number, f"http://h{host}.org/p{n}?sid={hexes()}") for _ in range(2)]
    rules = learn(table(rows))
    assert rules.key("http://h5.org/new?sid=1") == rules.key("http://h5.org/new?sid=2")
    assert rules.key("http://h99.org/new?sid=1") != rules.key("http://h99.org/new?sid=2")


def test_learning_again_touches_only_what_changed() -> None:
    rows = [(host * 100 + n, f"http://h{host}.org/p{n}{end}") for host in range(8) for n in range(20) for end in ("", "/")]
    learner = Learner()
    learner.learn(prepare(table(rows)))
    more = [*rows, *((5000 + n, f"http://h3.org/q{n}{end}") for n in range(9) for end in ("", "/"))]
    grown = learner.learn(prepare(table(more)))
    assert learner.sites_touched == 1
    assert grown == Learner().learn(prepare(table(more)))
    assert grown == Learner().learn(prepare(table(RNG.sample(more, len(more)))))


def test_nothing_to_learn() -> None:
    assert learn(table([])) == RuleSet()
    assert learn(table([(1, "http://a.org/"), (2, "http://a.org/b")])) == RuleSet()


def test_a_giant_cluster_is_no_burden() -> None:
    rows = [(1, f"http://a.org/s?q={hexes(8)}&x={n}") for n in range(100_000)]
    rows += [(2 + n, f"http://a.org/p{n}{end}") for n in range(30) for end in ("", "/")]
    rules = learn(table(rows))
    assert rules.key("http://a.org/new/") == rules.key("http://a.org/new")


def test_the_engine_gives_the_same_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    ends = ("", "/", "?s=1")
    rows = [(host * 100 + n, f"http://h{host}.org/p{n}{end}") for host in range(8) for n in range(20) for end in ends]
    alone = learn(table(rows))
    monkeypatch.setattr("garimpo.dust.method.learner.ENOUGH_ROWS", 10)
    with local(threads=1) as engine:
        assert learn(table(rows), engine=engine) == alone


def test_of_many_rules_those_that_save_next_to_nothing_are_left_out() -> None:
    saving = [Rule.make("parameter", ["a.org"], f"?p{n}=*", "", support=1000) for n in range(MANY)]
    little = [Rule.make("parameter", ["a.org"], f"?q{n}=*", "", support=160) for n in range(9)]
    assert worth_reading(RuleSet([*saving, *little])) == RuleSet(saving)
    assert worth_reading(RuleSet([*saving[9:], *little])) == RuleSet([*saving[9:], *little])
