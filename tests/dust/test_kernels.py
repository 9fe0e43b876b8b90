"""The kernels against their plain twins, and against URLs made to hang a matcher."""

import time

import numpy as np
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

import dust.twin as twin
from garimpo.dust.align import align
from garimpo.dust.emit import rule_of
from garimpo.dust.operation import Operation
from garimpo.dust.pattern import apply_pattern, is_consistent
from garimpo.dust.rules import Rule, RuleSet
from garimpo.dust.trial import HostRows, Trial
from garimpo.engine.columns import flat
from garimpo.url import normalise

words = st.sampled_from(["a", "B", "fr", "en", "index.html", "story_12.html", "12", "x;sid=4", "u-red", "", "Old", "b-7.htm"])
paths = st.lists(words, max_size=5).map(lambda parts: "/" + "/".join(parts))
pairs = st.sampled_from(["sid=1", "sid=", "id=4", "view=print", "b", "Z=1", "a=1", "sid", "x=%C3%A9"])
urls = st.builds(
    lambda scheme, host, path, query: f"{scheme}://{host}{path}{'?' + '&'.join(query) if query else ''}",
    st.sampled_from(["http", "https"]), st.sampled_from(["a.org", "www.a.org"]), paths, st.lists(pairs, max_size=4),
).map(lambda url: normalise(url) or url)  # fmt: skip

HOSTS = ["a.org", "www.a.org"]
OPERATIONS = [
    ("scheme", "https://", "http://"), ("www", "www.", ""), ("case", "", "lower"), ("path-parameter", ";sid=", ""),
    ("slash", "^(**)/$", "$1"), ("slash", "^(**)//(**)$", "$1/$2"), ("index", r"^(**)/index\.html$", "$1/"),
    ("prefix", "^/fr/(**)$", "/en/$1"), ("rewrite", r"^/story_([0-9]+)\.html$", "/story?id=$1"),
    ("segment", r"^/u-~/(**)$", "/$1"), ("rewrite", r"^/(~)/~-([0-9]+)\.htm$", "/$1/$2.htm"),
    ("extension", r"^(**)\.htm$", "$1.html"), ("parameter", "?sid=*", ""), ("parameter", "?view=print", ""),
    ("parameter", "/en?id=*", ""), ("order", "?", "sorted"), ("query-case", "?", "lower"),
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(urls, st.lists(st.sampled_from(OPERATIONS), min_size=1, max_size=8, unique=True))
def test_keys_are_those_of_the_twin(url: str, operations: list[tuple[str, str, str]]) -> None:
    rules = RuleSet(Rule.make(kind, HOSTS, context, template) for kind, context, template in operations)
    key, made_by = rules.keyed(url)
    if made_by is None:
        assert key == url
        assert twin.key(list(rules.rules), url) == f"dust:{url}"
    else:
        assert key == twin.key(list(rules.rules), url)


@settings(max_examples=200, deadline=None)
@given(
    st.lists(st.tuples(urls, st.integers(1, 6)), min_size=1, max_size=25, unique_by=lambda row: row[0]),
    st.lists(st.sampled_from([o for o in OPERATIONS if o[0] != "www"]), min_size=1, max_size=8, unique=True),
    st.sampled_from([0.0, 0.5]),
)
def test_operations_tried_are_told_as_by_the_twin(
    rows: list[tuple[str, int]], operations: list[tuple[str, str, str]], fpr_max: float
) -> None:
    rows = sorted(rows, key=lambda row: row[1])
    column = pa.array([url for url, _ in rows])
    host = HostRows(np.arange(len(rows)), np.array([cluster for _, cluster in rows]))
    trial, asked = Trial(host, *flat(column)), [Operation(*operation) for operation in operations]
    assert trial.each(asked) == twin.each(asked, rows)
    assert trial.together(asked, fpr_max) == twin.together(asked, rows, fpr_max)


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
    started = time.perf_counter()
    keys, _ = rules.keys(pa.array([url + ":", other] * 20))
    assert time.perf_counter() - started < 10
    assert keys[0].as_py() == url + ":"


def test_long_urls_are_their_own_keys() -> None:
    rules = RuleSet([Rule.make("slash", ["a.org"], "^(**)/$", "$1")])
    url = f"http://a.org/{'x' * 100_000}/"
    assert rules.keyed(url) == (url, None)
