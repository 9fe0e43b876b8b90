"""Judging rankings: the worked example of the source, ties, policies, and inputs of every kind."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run
from garimpo.contract import BadInput
from garimpo.similarity import evaluate

EXAMPLE = {
    "c1": ("a7 a1 a11 a8 a6 a9 a12 a4 a2 a3", "a3 a7 a9 a11 a15"),
    "c2": ("a8 a10 a7 a3 a6", "a2 a3 a9 a10"),
}


def tables(cases: dict[str, tuple[str, str]]) -> tuple[pa.Table, pa.Table]:
    ranked = [
        {"query": q, "id": name, "rank": place}
        for q, (listed, _) in cases.items()
        for place, name in enumerate(listed.split(), 1)
    ]
    truth = [{"query": q, "id": name} for q, (_, right) in cases.items() for name in right.split()]
    return pa.Table.from_pylist(ranked), pa.Table.from_pylist(truth)


@pytest.mark.parametrize(("interpolation", "areas"), [("standard", (0.563, 0.275)), ("source", (0.624, 0.525))])
def test_the_worked_example_of_the_source(interpolation, areas):
    found = evaluate(*tables(EXAMPLE), interpolation=interpolation)
    assert found.queries == ["c1", "c2"]
    assert np.allclose(found.figures[:, -1], areas, atol=0.0011)


def test_both_definitions_of_average_precision():
    found = evaluate(*tables({"c2": EXAMPLE["c2"]}))
    assert found.mean("map") == pytest.approx((1 / 2 + 2 / 4) / 4)
    assert found.mean("map_retrieved") == pytest.approx((1 / 2 + 2 / 4) / 2)
    assert found.mean("precision") == 2 / 5 and found.mean("recall") == 2 / 4
    assert found.mean("f") == pytest.approx(2 * 0.4 * 0.5 / 0.9)


def test_cut_and_threshold():
    ranked = pa.table({"query": ["q"] * 4, "id": list("abcd"), "similarity": [0.9, 0.8, 0.3, 0.1]})
    truth = pa.table({"query": ["q", "q"], "id": ["a", "d"]})
    assert evaluate(ranked, truth, cut=1).mean("precision") == 1.0
    assert evaluate(ranked, truth, threshold=0.3).mean("recall") == 0.5


def test_ties_have_no_order():
    truth = pa.table({"query": ["q"], "id": ["d"]})
    for ids in ("abcd", "dcba"):
        ranked = pa.table({"query": ["q"] * 4, "id": list(ids), "similarity": [0.5] * 4})
        assert evaluate(ranked, truth, orders=4000).mean("map") == pytest.approx((1 + 1 / 2 + 1 / 3 + 1 / 4) / 4, abs=0.03)


def test_policies_for_queries_without_an_answer():
    ranked = pa.table({"query": ["q", "n"], "id": ["a", "b"], "score": [1.0, 1.0]})
    truth = pa.table({"query": ["q", "n"], "id": ["a", "b"], "grade": [1, 0]})
    figures = {policy: evaluate(ranked, truth, policy=policy) for policy in ("answered", "zero", "related")}
    assert [found.mean("map") for found in figures.values()] == [1.0, 0.5, 1.0]
    assert [len(found.queries) for found in figures.values()] == [1, 2, 2]
    assert all(found.without_answer == 1 for found in figures.values())


def test_a_query_that_found_nothing_counts():
    ranked = pa.table({"query": ["q"], "id": ["a"], "rank": [1]})
    found = evaluate(ranked, pa.table({"query": ["q", "r"], "id": ["a", "a"]}))
    assert found.mean("recall") == 0.5 and found.not_ranked == 1


def test_intervals_hold_the_mean_and_narrow():
    chance = np.random.default_rng(0)
    widths = []
    for number in (20, 500):
        names = [f"q{i}" for i in range(number)]
        ranked = pa.table({"query": names, "id": ["a" if x < 0.7 else "b" for x in chance.random(number)], "rank": [1] * number})
        found = evaluate(ranked, pa.table({"query": names, "id": ["a"] * number}))
        low, high = found.intervals["recall"]
        assert low <= found.mean("recall") <= high
        widths.append(high - low)
    assert widths[1] < widths[0] / 3


def test_the_command_reads_every_kind_and_draws(tmp_path, capsys):
    ranked, truth = tables(EXAMPLE)
    pq.write_table(ranked, tmp_path / "r.parquet")
    rows = ranked.to_pylist()
    (tmp_path / "r.csv").write_text("query,id,rank\n" + "".join(f"{r['query']},{r['id']},{r['rank']}\n" for r in rows))
    (tmp_path / "r.tsv").write_text("query\tid\trank\n" + "".join(f"{r['query']}\t{r['id']}\t{r['rank']}\n" for r in rows))
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    (tmp_path / "r.run").write_text("".join(f"{r['query']} Q0 {r['id']} {r['rank']} {-r['rank']} mine\n" for r in rows))
    pq.write_table(truth, tmp_path / "t.parquet")
    for name in ("r.parquet", "r.csv", "r.tsv", "r.jsonl", "r.run"):
        plot = tmp_path / "curve.svg"
        assert run(["evaluate", str(tmp_path / name), str(tmp_path / "t.parquet"), "--json", "--plot", str(plot)]) == 0
        summary = json.loads(capsys.readouterr().out.splitlines()[-1])
        assert summary["queries"] == 2 and summary["area"] == pytest.approx((0.5633 + 0.275) / 2, abs=0.001)
        assert len(summary["curve"]) == 11 and "<svg" in plot.read_text()
    assert run(["evaluate", str(tmp_path / "r.csv"), str(tmp_path / "t.parquet")]) == 0
    assert "mean average precision" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ranking", "truth", "message"),
    [
        ("none.csv", "t.csv", "no such file"),
        ("r.csv", "bare.csv", "no column id"),
        ("bare.csv", "t.csv", "no column id"),
        ("norank.csv", "t.csv", "no column similarity"),
        ("r.csv", "x.txt", "not a kind of table"),
        ("r.csv", "other.csv", "no query"),
        ("r.csv", "none.qrels", "no such file"),
        ("r.csv", "bad.qrels", "line 2 has 3 fields"),
        ("empty.run", "good.qrels", "no query"),
        ("r.csv", "other.qrels", "no number"),
    ],
)
def test_bad_input_is_one_line(tmp_path, capsys, ranking, truth, message):
    (tmp_path / "r.csv").write_text("query,id,rank\nq,a,1\n")
    (tmp_path / "t.csv").write_text("query,id\nq,a\n")
    (tmp_path / "bare.csv").write_text("query\nq\n")
    (tmp_path / "norank.csv").write_text("query,id\nq,a\n")
    (tmp_path / "other.csv").write_text("query,id,grade\nq,a,0\n")
    (tmp_path / "bad.qrels").write_text("q 0 a 1\nq 0 b\n")
    (tmp_path / "good.qrels").write_text("q 0 a 0\n")
    (tmp_path / "other.qrels").write_text("q 0 a x\n")
    (tmp_path / "empty.run").write_text("")
    (tmp_path / "x.txt").write_text("x")
    assert run(["evaluate", str(tmp_path / ranking), str(tmp_path / truth)]) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.strip().splitlines()) == 1


def test_shapes_that_do_not_fit():
    with pytest.raises(BadInput, match="not a table"):
        evaluate([1, 2], [{"query": "q", "id": "a"}])
    with pytest.raises(BadInput, match="is missing in a row"):
        evaluate([{"query": "q", "id": "a", "score": None}], [{"query": "q", "id": "a"}])
