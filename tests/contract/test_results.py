"""What a call tells is a record: attributes, one line, and a table in a notebook."""

import copy
import json

import msgspec
import pyarrow as pa
import pytest

import garimpo
from garimpo.contract.results import Result, Summarised


def test_a_result_is_asked_by_attribute_and_by_name() -> None:
    found = Result({"stored": 3, "too many hops": 1})
    assert (found.stored, found["stored"], found.too_many_hops) == (3, 3, 1)
    assert {"stored", "too_many_hops"} <= set(dir(found))
    with pytest.raises(AttributeError, match=r"no 'stord'.*there are: stored"):
        _ = found.stord


def test_a_result_is_written_and_copied_as_it_is() -> None:
    found = Result(a=1, b=Result(c=[2]))
    assert json.loads(msgspec.json.encode(found)) == json.loads(json.dumps(found)) == {"a": 1, "b": {"c": [2]}}
    assert copy.deepcopy(found) == found


def test_a_notebook_shows_a_table_and_no_markup_of_pages() -> None:
    shown = Result(title="<script>", skipped={"<b>": 1200})._repr_html_()
    assert shown.startswith("<table>") and "&lt;script&gt;" in shown and "&lt;b&gt; 1,200" in shown


def test_the_figures_of_rooms_are_told_in_a_line_and_as_a_table() -> None:
    texts = ["gold in the river " * 9, "gold in the river " * 9, "a cat sat on the mat"]
    near = garimpo.similarity.dedup(pa.table({"id": ["a", "b", "c"], "text": texts}))
    pages = pa.table({"url": ["http://a.org/x", "http://b.org/x"], "text": texts[:2]})
    for told in (near, garimpo.mirrors.search(pages)):
        assert isinstance(told, Summarised)
        assert repr(told).startswith(f"{type(told).__name__}(") and len(repr(told)) < 1000
        assert "<th>" in told._repr_html_()
    assert "documents=3, kept=2" in repr(near)


def test_rules_are_told_in_words() -> None:
    rule = garimpo.dust.Rule.make("parameter", ["a.org"], "?<i>=*", "", support=1200)
    rules = garimpo.dust.RuleSet([rule])
    assert list(rules) == [rule] and repr(rules) == "RuleSet(1 rules for 1 hosts)"
    shown = rules._repr_html_()
    assert "the parameter &lt;i&gt; does not count" in shown and "1,200" in shown
    assert garimpo.dust.explain(rules, "http://b.org/").key == "http://b.org/"
