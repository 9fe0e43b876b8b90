"""Passages taken from sources: verbatim, rewritten, new; as a table, added up, and on a page."""

import json
from itertools import pairwise

import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from garimpo.cli.app import run
from garimpo.similarity.retrieval.spans import find_spans

WIRE = (
    "A drunk driver who crashed into the back of the Queen Mother's limousine was fined 700 pounds yesterday. "
    "The court heard that Gary Marsh had swerved across two lanes before the collision. He was banned for two years."
)
ARTICLE = (
    "The court heard that Gary Marsh had swerved across two lanes. "
    "Fined pounds 700, the drunk driver crashed with a Queen Mother limousine. "
    "Neighbours in the village spoke of a quiet man with three dogs."
)


def test_the_three_kinds():
    spans = find_spans(ARTICLE, {"wire": WIRE, "other": "Nothing of this kind was ever written."})
    assert [span.kind for span in spans] == ["verbatim", "rewritten", "new"]
    assert ARTICLE[spans[0].start : spans[0].end] == "The court heard that Gary Marsh had swerved across two lanes"
    assert WIRE[spans[0].source_start : spans[0].source_end] == ARTICLE[spans[0].start : spans[0].end]
    assert WIRE[spans[1].source_start : spans[1].source_end].startswith("A drunk driver") and spans[1].source == "wire"
    assert spans[2].source is None


def test_without_sources_all_is_new():
    assert [(span.kind, span.words) for span in find_spans(ARTICLE, {})] == [("new", len(ARTICLE.split()))]
    assert find_spans("", {"wire": WIRE}) == [] and find_spans("?!", {"wire": ""}) == []


WORDS = st.lists(st.sampled_from(["gold", "river", "sand", "rain", "hill", ".", "stone"]), max_size=40).map(" ".join)


@settings(max_examples=80, deadline=None)
@given(WORDS, WORDS, WORDS)
def test_every_word_is_in_one_span_and_verbatim_means_equal(text, one, other):
    sources = {"one": one, "other": other}
    spans = find_spans(text, sources)
    assert sum(span.words for span in spans) == len([word for word in text.split() if word != "."])
    assert all(a.end <= b.start for a, b in pairwise(spans))
    for span in spans:
        if span.kind == "verbatim":
            taken = sources[span.source][span.source_start : span.source_end]
            assert taken.replace(".", " ").split() == text[span.start : span.end].replace(".", " ").split()


@pytest.fixture
def files(tmp_path):
    queries = [
        {"id": "sun", "text": ARTICLE, "outlet": "Sun"},
        {"id": "star", "text": WIRE, "outlet": "Star"},
        {"id": "own", "text": "Rain fell on the hills & <b>nobody</b> minded it at all.", "outlet": "Star"},
    ]
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in queries))
    (tmp_path / "c.jsonl").write_text(json.dumps({"id": "wire", "text": WIRE, "agency": "PA"}) + "\n")
    return tmp_path


def ranked(files, capsys, *more: str) -> dict:
    arguments = ["rank", str(files / "q.jsonl"), str(files / "c.jsonl"), "--out", str(files / "r.parquet"), "--json", *more]
    assert run(arguments) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_the_command_shows_reuse(files, capsys):
    summary = ranked(files, capsys, "--html", str(files / "p.html"), "--spans", str(files / "s.parquet"), "--by", "outlet")
    page = (files / "p.html").read_text()
    assert '<mark class="verbatim">' in page and '<mark class="rewritten">' in page and "&lt;b&gt;" in page
    spans = pq.read_table(files / "s.parquet").to_pylist()
    assert len(spans) == summary["spans"] and {row["kind"] for row in spans} == {"verbatim", "rewritten", "new"}
    by = {row["value"]: row for row in summary["by"]}
    assert by["Sun"]["queries"] == 1 and by["Star"]["queries"] == 2
    assert (
        by["Star"]["verbatim"] == pytest.approx(36 / 48, abs=0.03)
        and sum(by["Sun"][k] for k in ("verbatim", "rewritten", "new")) == 1
    )


def test_reuse_by_a_column_of_the_sources(files, capsys):
    summary = ranked(files, capsys, "--by", "agency")
    assert [row["value"] for row in summary["by"]] == ["PA"]
    assert 0.5 < summary["by"][0]["verbatim"] < 0.7 and summary["by"][0]["queries"] == 2


def test_a_column_that_nobody_has(files, capsys):
    arguments = ["rank", str(files / "q.jsonl"), str(files / "c.jsonl"), "--out", str(files / "r.parquet"), "--by", "none"]
    assert run(arguments) == 2 and "column none" in capsys.readouterr().err
