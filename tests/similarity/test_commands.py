"""The room through the real command line."""

import json
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run
from garimpo.similarity import dedup
from similarity.made import brute_pairs, documents, shingles, similarity


def garimpo(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "garimpo", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def corpus(tmp_path):
    table = documents(300, seed=11)
    pq.write_table(table, tmp_path / "docs.parquet")
    return table, tmp_path / "docs.parquet"


def test_dedup_writes_near_pairs_and_a_report(corpus, tmp_path):
    table, path = corpus
    out, pairs, page = tmp_path / "near.parquet", tmp_path / "pairs.parquet", tmp_path / "report.html"
    ended = garimpo("dedup", path, "--out", out, "--pairs", pairs, "--html", page, "--threshold", 0.5, "--json", "--slots", 256)
    assert ended.returncode == 0, ended.stderr
    summary = json.loads(ended.stdout.splitlines()[-1])
    assert summary["documents"] == 300 and summary["removed"] > 20
    assert pq.read_table(out).equals(dedup(table, 0.5, slots=256).near)
    found = {(row["a"], row["b"]) for row in pq.read_table(pairs).to_pylist()}
    truth = set(brute_pairs(table, 0.5))
    assert found <= truth and len(found) >= 0.98 * len(truth)
    html = page.read_text()
    assert "<del>" in html and "<svg" in html and "http://" not in html.replace("http://www.w3.org", "")


def test_a_list_of_operators_is_a_sketch(corpus, tmp_path):
    _, path = corpus
    ended = garimpo("dedup", path, "--explain", "--json", "--sketch", "min:1,min:2,max:1", "--slots", 126)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout)["sketch"] == "min1,min2,max1" and json.loads(ended.stdout)["rows"] % 3 == 0


def test_explain_runs_nothing(corpus, tmp_path):
    _, path = corpus
    ended = garimpo("dedup", path, "--explain", "--json", "--threshold", 0.7)
    plan = json.loads(ended.stdout.splitlines()[-1])
    assert ended.returncode == 0 and plan["documents"] == 300 and plan["expected_recall"] >= 0.99
    assert plan["predicted_pairs"] > 0 and plan["curve"]["1"] == 1.0
    assert "chance of a pair" in garimpo("dedup", path, "--explain").stdout
    assert sorted(p.name for p in tmp_path.iterdir()) == ["docs.parquet"]


def test_every_kind_of_input(corpus, tmp_path):
    table, _ = corpus
    folder = tmp_path / "texts"
    folder.mkdir()
    for name, text in zip(table["id"].to_pylist()[:40], table["text"].to_pylist()):
        (folder / f"{name}.txt").write_text(text or "-")
    lines = [json.dumps(row) for row in table.select(["id", "text"]).to_pylist()]
    (tmp_path / "docs.jsonl").write_text("\n".join(lines) + "\n")
    for source, rows in ((folder, 40), (tmp_path / "docs.jsonl", 300)):
        ended = garimpo("dedup", source, "--out", tmp_path / "near.parquet")
        assert ended.returncode == 0, ended.stderr
        assert pq.read_table(tmp_path / "near.parquet").num_rows == rows


def test_rank_is_exact(corpus, tmp_path):
    table, path = corpus
    queries = table.slice(0, 20)
    pq.write_table(queries, tmp_path / "queries.parquet")
    out = tmp_path / "ranking.parquet"
    ended = garimpo(
        "rank", tmp_path / "queries.parquet", path, "--out", out, "--top", 5, "--shingle", 2, "--measure", "jaccard", "--json"
    )
    assert ended.returncode == 0, ended.stderr
    rows = pq.read_table(out).to_pylist()
    assert json.loads(ended.stdout)["rows"] == len(rows)
    sets = {name: shingles(text, 2) for name, text in zip(table["id"].to_pylist(), table["text"].to_pylist())}
    for query in queries["id"].to_pylist():
        scored = [(-similarity(sets[query], other), place, name) for place, (name, other) in enumerate(sets.items())]
        expected = [(name, float(-score)) for score, _, name in sorted(scored) if score][:5]
        got = [(row["id"], row["similarity"]) for row in rows if row["query"] == query]
        assert got == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dedup", "{folder}/none.parquet", "--out", "{folder}/x.parquet"], "none.parquet"),
        (["dedup", "{folder}/docs.parquet"], "--out"),
        (["dedup", "--out", "{folder}/x.parquet"], "which documents"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--threshold", "2"], "threshold"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--sketch", "gold"], "gold"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--slots", "0"], "slots"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--engine", "cloud"], "cloud"),
        (["dedup", "{folder}/bad.parquet", "--out", "{folder}/x.parquet"], "bad.parquet"),
        (["dedup", "{folder}/other.parquet", "--out", "{folder}/x.parquet"], "other.parquet"),
        (["dedup", "{folder}/cut.jsonl", "--out", "{folder}/x.parquet"], "cut.jsonl"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}/no/x.parquet"], "no folder"),
        (["dedup", "{folder}/docs.parquet", "--out", "{folder}"], "a folder"),
        (["rank", "{folder}/docs.parquet", "{folder}/none.jsonl", "--out", "{folder}/x.parquet"], "none.jsonl"),
        (["rank", "{folder}/docs.parquet", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--top", "0"], "from 1 to"),
        (["rank", "{folder}/docs.parquet", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--shingle", "x"], "shingle"),
        (
            ["rank", "{folder}/docs.parquet", "{folder}/docs.parquet", "--out", "{folder}/x.parquet", "--stop-words", "xx"],
            "stop words",
        ),
    ],
)
def test_bad_input_is_one_line_and_exit_2(corpus, tmp_path, arguments, message, capsys):
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not really")
    pq.write_table(pa.table({"name": ["x"]}), tmp_path / "other.parquet")
    (tmp_path / "cut.jsonl").write_text('{"id": 1, "text": "a"\n')
    code = run([part.format(folder=tmp_path) for part in arguments])
    said = capsys.readouterr().err
    assert code == 2, said
    assert message in said and len(said.strip().splitlines()) == 1
    assert not (tmp_path / "x.parquet").exists()
