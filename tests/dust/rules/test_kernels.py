"""The kernels against their plain twins, and against URLs made to hang a matcher."""

import time

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import dust.twin as twin
from garimpo.dust.method.operation import Operation
from garimpo.dust.method.trial import HostRows, Trial
from garimpo.dust.rules.pattern import apply_pattern, is_consistent
from garimpo.dust.rules.reach import Reach
from garimpo.dust.rules.ruleset import Rule, RuleSet
from garimpo.dust.thesis.emission import rule_of
from garimpo.dust.thesis.multiple_alignment import align
from garimpo.engine.columns import flat
from garimpo.url import normalise

words = st.sampled_from(["a", "B", "fr", "en", "index.html", "story_12.html", "12", "x;sid=4", "u-red", "", "Old", "b-7.htm"])
paths = st.lists(words, max_size=5).map(lambda parts: "/" + "/".join(parts))
pairs = st.sampled_from(["sid=1", "sid=", "id=4", "view=print", "b", "Z=1", "a=1", "sid", "x=%C3%A9"])
urls = st.builds(
    lambda scheme, host, path, query, sign: f"{scheme}://{host}{path}{'?' + sign.join(query) if query else ''}",
    st.sampled_from(["http", "https"]), st.sampled_from(["a.org", "www.a.org", "www.a.org:81"]), paths,
    st.lists(pairs, max_size=4), st.sampled_from("&&;"),
).map(lambda url: normalise(url) or url)  # fmt: skip

HOSTS = ["a.org", "www.a.org"]
OPERATIONS = [
    ("scheme", "https://", "http://"), ("www", "www.", ""), ("case", "", "lower"), ("path-parameter", ";sid=", ""),
    ("slash", "^(**)/$", "$1"), ("slash", "^(**)//(**)$", "$1/$2"), ("index", r"^(**)/index\.html$", "$1/"),
    ("prefix", "^/fr/(**)$", "/en/$1"), ("rewrite", r"^/story_([0-9]+)\.html$", "/story?id=$1"),
    ("segment", r"^/u-~/(**)$", "/$1"), ("rewrite", r"^/(~)/~-([0-9]+)\.htm$", "/$1/$2.htm"),
    ("extension", r"^(**)\.htm$", "$1.html"), ("parameter", "?sid=*", ""), ("parameter", "?view=print", ""),
    ("parameter", "/en?id=*", ""), ("order", "?", "sorted"), ("query-case", "?", "lower"), ("parameter", "?id=4|5", ""),
    ("template", r"^/(~)\?id=(&)$", "/$1/$2"), ("template", r"^(**)\?sid=1&(**)$", "/s?$2&at=$1"),
    ("port", ":81", ""), ("separator", "_", "-"), ("separator", "?;", "&"), ("separator", "?=", "%3D"),
    ("bundle", '[["port", ":81", ""], ["separator", "-", "_"], ["www", "www.", ""]]', "000 101 110"),
    ("bundle", '[["parameter", "?sid=*", ""], ["slash", "^(**)/$", "$1"]]', "00 11"),
    ("bundle", '[["parameter", "?sid=*", ""], ["case", "", "lower"], ["www", "www.", ""]]', "001 110 111"),
    ("bundle", '[["scheme", "https://", "http://"], ["order", "?", "sorted"], ["prefix", "^/fr/(**)$", "/en/$1"]]', "000 100"),
    ("bundle", '[["query-case", "?", "lower"], ["template", "^/(~)\\\\?id=(&)$", "/$1/$2"]]', "00 01 10 11"),
]  # fmt: skip
CONDITIONS = [None, None, None, "^/en/(**)$", "^/~/(**)$ ?sid", "!id", "?sid=1 !b", "^(**)/$"]
conditioned = st.tuples(st.sampled_from(OPERATIONS), st.sampled_from(CONDITIONS)).map(lambda one: Operation(*one[0], one[1]))


@settings(max_examples=300, deadline=None)
@given(urls, st.lists(conditioned, min_size=1, max_size=8, unique=True))
def test_keys_are_those_of_the_twin(url: str, operations: list[Operation]) -> None:
    rules = RuleSet(operation.rule(HOSTS) for operation in operations)
    key, made_by = rules.keyed(url)
    if made_by is None:
        assert key == url
        assert twin.key(list(rules.rules), url) == f"dust:{url}"
    else:
        assert key == twin.key(list(rules.rules), url)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(urls, st.integers(1, 6)), min_size=1, max_size=25, unique_by=lambda row: row[0]),
    st.lists(conditioned, min_size=1, max_size=8, unique=True),
)
def test_operations_tried_are_told_as_by_the_twin(rows: list[tuple[str, int]], operations: list[Operation]) -> None:
    rows = sorted(rows, key=lambda row: row[1])
    column = pa.array([url for url, _ in rows])
    host = HostRows(np.arange(len(rows)), np.array([cluster for _, cluster in rows]))
    trial = Trial(host, *flat(column))
    assert trial.each(operations) == twin.each(operations, rows)
    assert trial.together(operations)[0] == twin.together(operations, rows)


NAMES = ["a.org", "www.a.org", "b.org", "c.org"]
anywhere = st.tuples(st.just(["*"]), st.lists(st.sampled_from(NAMES), unique=True))
named = st.tuples(st.lists(st.sampled_from(NAMES), min_size=1, unique=True), st.just([]))


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(OPERATIONS), anywhere | named), min_size=1, max_size=8, unique_by=lambda one: one[0]),
    st.lists(st.tuples(urls, st.sampled_from(NAMES)), min_size=1, max_size=10),
)
def test_all_hosts_but_some_are_the_others_one_by_one(
    rules: list[tuple[tuple[str, str, str], tuple[list[str], list[str]]]], rows: list[tuple[str, str]]
) -> None:
    def made(out: bool) -> RuleSet:
        reaches = [Reach.of(hosts, but) for _, (hosts, but) in rules]
        written = [Reach.of([name for name in NAMES if reach.has(name)]) if out else reach for reach in reaches]
        return RuleSet(Rule.make(kind, [], *what).within(reach) for ((kind, *what), _), reach in zip(rules, written))

    short, long = made(out=False), made(out=True)
    moved = [url.replace("://www.", "://").replace("a.org", name) for url, name in rows]
    assert [column.to_pylist() for column in short.keys(moved)] == [column.to_pylist() for column in long.keys(moved)]
    for name in NAMES:
        assert short.rules_on(name) == long.rules_on(name) and short.applies(name) == long.applies(name)
    again = RuleSet.from_json(short.to_json())
    assert again == short and again.keys(moved)[0].equals(short.keys(moved)[0])


@settings(max_examples=100, deadline=None)
@given(st.lists(urls, min_size=2, max_size=5, unique=True))
def test_alignment_is_that_of_the_twin(group: list[str]) -> None:
    matrix = align(group)
    other = twin.chain(group)
    assert [set(column) for column in matrix.columns] == [set(column) for column in other]


@settings(max_examples=100, deadline=None)
@given(st.lists(urls, min_size=2, max_size=6, unique=True), st.integers(2, 6), st.booleans())
def test_what_a_rule_makes_is_what_the_twin_makes(group: list[str], card: int, progressive: bool) -> None:
    rule = rule_of(align(sorted(group), progressive).columns, card)
    assert rule is not None
    assert [apply_pattern(*rule, url) for url in group] == [twin.match(*rule, url) for url in group]
    if not any("(" in part and "?" in part for part in rule):
        assert is_consistent(*rule, group)


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=60))
def test_any_text_has_a_key(text: str) -> None:
    rules = RuleSet(Rule.make(kind, [*HOSTS, "*"], context, template) for kind, context, template in OPERATIONS)
    if all(not 0xD800 <= ord(char) < 0xE000 for char in text):
        assert isinstance(rules.key(f"http://a.org/{text}"), str)
        assert isinstance(rules.key(text), str)


def test_hostile_urls_take_linear_time() -> None:
    optional = "".join("(a)?" for _ in range(30))
    rule = Rule.make("alignment", ["a.org"], rf"^http://a\.org/{optional}★(a)?(a)?★$", "$1")
    nested = Rule.make("rewrite", ["b.org"], r"^/~a~a~a~a~a~a~b$", "/")
    rules = RuleSet([rule, nested])
    url = "http://a.org/" + "a" * 2000
    other = "http://b.org/" + "a" * 2000
    started = time.process_time()
    keys, _ = rules.keys(pa.array([url + ":", other] * 20))
    assert time.process_time() - started < 10
    assert keys[0].as_py() == url + ":"


def test_long_urls_are_their_own_keys() -> None:
    rules = RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1")])
    url = f"http://a.org/{'x' * 100_000}/"
    assert rules.keyed(url) == (url, None)
