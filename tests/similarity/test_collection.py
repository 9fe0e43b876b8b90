"""A stored collection: nearest as by brute force, growth, commits, and data sets compared with it."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run
from garimpo.contract import BadInput
from garimpo.similarity import Collection, Sketcher, dedup, rank
from similarity.made import documents


def filled(folder, table, **options):
    collection = Collection.open(folder, Sketcher(shingle=2), **options)
    collection.add(table["id"].to_pylist(), table["text"].combine_chunks())
    return collection


def test_the_nearest_are_those_of_the_exact_ranking(tmp_path):
    table = documents(400, seed=21)
    queries = table.slice(0, 60)
    exact = rank(queries, table, measure="jaccard", shingle=2, top=10).to_pylist()
    wanted = {(row["query"], row["id"]): row["similarity"] for row in exact if row["similarity"] >= 0.3}
    with filled(tmp_path / "c", table) as collection:
        best = collection.nearest(queries["text"].combine_chunks(), top=10)
        names = queries["id"].to_pylist()
        rows, places = np.nonzero(best.documents >= 0)
        ids = collection.names(best.documents[rows, places])
        got = {(names[row], name): score for row, name, score in zip(rows, ids, best.scores[rows, places])}
    found = [pair for pair in wanted if pair in got]
    assert len(wanted) > 200 and len(found) >= 0.95 * len(wanted)
    assert all(got[pair] == wanted[pair] for pair in found), "similarities are exact"
    assert any(sum(1 for pair in got if pair[0] == name and got[pair] == 1.0) > 1 for name in names), "copies are all kept"


def test_it_grows_and_what_was_not_committed_is_forgotten(tmp_path):
    table = documents(60, seed=3)
    ids, texts = table["id"].to_pylist(), table["text"].combine_chunks()
    with Collection.open(tmp_path / "c", Sketcher(shingle=2)) as collection:
        assert collection.add(ids[:30], texts[:30]) == 30
    dropped = Collection.open(tmp_path / "c")
    dropped.add(ids[30:], texts[30:])
    dropped.close()
    with Collection.open(tmp_path / "c") as collection:
        assert len(collection) == 30
        assert collection.add(ids, texts) == 30, "ids that are known are passed over"
        twice = collection.nearest(texts, top=5)
    with filled(tmp_path / "once", table) as once:
        assert np.array_equal(once.nearest(texts, top=5).documents, twice.documents)


def test_settings_are_kept_and_others_refused(tmp_path):
    Collection.open(tmp_path / "c", Sketcher(shingle=2), threshold=0.5, bands=20, rows=3).close()
    again = Collection.open(tmp_path / "c")
    assert (again.bands.bands, again.bands.rows, again.sketcher.config.shingle) == (20, 3, 2)
    with pytest.raises(BadInput, match="shingle 2 and 3"):
        Collection.open(tmp_path / "c", Sketcher(shingle=3))
    with pytest.raises(BadInput, match=r"from 0\.5 on"):
        Collection.open(tmp_path / "c", threshold=0.4)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "x").write_text("mine")
    with pytest.raises(BadInput, match="other things"):
        Collection.open(tmp_path / "other")
    with pytest.raises(BadInput, match="1 ids and 2 texts"):
        again.add(["a"], ["x", "y"])


def test_texts_without_words_are_found_by_nothing(tmp_path):
    with Collection.open(tmp_path / "c", Sketcher(shingle=2)) as collection:
        assert collection.add(["a", "b"], ["", None]) == 2
        assert collection.nearest(["", "gold"]).documents.max() == -1


def test_a_new_snapshot_against_a_kept_one(tmp_path):
    old = pa.table({"id": ["a", "b"], "text": ["one two three four five six seven", "quite another text than this one here"]})
    new = pa.table(
        {
            "id": ["c", "d", "e", "f"],
            "text": [
                "something new that nobody wrote before today",
                "one two three four five six seven",
                "something new that nobody wrote before today",
                "and the last of them all stands alone",
            ],
        }
    )
    with Collection.open(tmp_path / "c", Sketcher(), threshold=0.8) as collection:
        collection.add(old["id"].to_pylist(), old["text"].combine_chunks().cast(pa.large_string()))
    with Collection.open(tmp_path / "c") as collection:
        found = dedup(new, against=collection)
    rows = {row["id"]: row for row in found.near.to_pylist()}
    assert found.near["id"].to_pylist() == ["c", "d", "e", "f"]
    assert {name: row["kept_id"] for name, row in rows.items()} == {"c": "c", "d": "a", "e": "c", "f": "f"}
    assert [row["cluster"] for row in rows.values()] == [0, -1, 0, 3] and found.summary()["in_collection"] == 1
    for wrong in ({"shingle": 3}, {"threshold": 0.5}, {"measure": "containment"}):
        with Collection.open(tmp_path / "c") as collection, pytest.raises(BadInput, match="collection"):
            dedup(new, against=collection, **wrong)


def test_the_commands_share_one_format(tmp_path, capsys):
    table = documents(200, seed=9, lengths=(50, 80))
    pq.write_table(table.slice(0, 120), tmp_path / "old.parquet")
    pq.write_table(table.slice(120), tmp_path / "new.parquet")
    near, stored = tmp_path / "near.parquet", tmp_path / "stored"

    def command(*arguments: object) -> dict:
        assert run([str(part) for part in (*arguments, "--json")]) == 0, capsys.readouterr().err
        return json.loads(capsys.readouterr().out.splitlines()[-1])

    first = command("dedup", tmp_path / "old.parquet", "--out", near, "--index", stored)
    assert first["indexed"] == first["kept"]
    second = command("dedup", tmp_path / "new.parquet", "--out", near, "--against", stored)
    both = dedup(table)
    assert second["in_collection"] > 10 and second["kept"] == both.summary()["kept"] - first["kept"]
    asked = command("rank", tmp_path / "new.parquet", "--index", stored, "--measure", "jaccard", "--out", tmp_path / "r.csv")
    assert asked["documents"] == first["kept"] and (tmp_path / "r.csv").read_text().startswith('"query","id"')
    grown = command("rank", tmp_path / "new.parquet", tmp_path / "new.parquet", "--index", stored, "--add", "--measure", "dice",
                    "--out", tmp_path / "r.parquet")  # fmt: skip
    assert grown["added"] == 80 and grown["documents"] == first["kept"] + 80


def test_dedup_takes_the_shingles_of_a_collection_and_says_at_once_what_does_not_fit(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c.jsonl").write_text('{"id": "c", "text": "He says they found gold in the river."}\n')
    assert run(["rank", "c.jsonl", "c.jsonl", "--index", "kept", "--add", "--out", "r.csv"]) == 0
    for flag in ("--against", "--index"):
        assert run(["dedup", "c.jsonl", flag, "kept", "--out", "near.csv", "--json"]) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert found["indexed"] == 0 and found["kept"] == 1
    with Collection.open(tmp_path / "kept") as collection:
        assert dedup(["they found gold in the river"], 0.5, against=collection).near["kept_id"].to_pylist() == ["c"]
    for more, message in ((["--shingle", "5"], "shingle"), (["--threshold", "0.1"], "from 0.3 on")):
        assert run(["dedup", "c.jsonl", "--index", "kept", "--out", "late.csv", *more]) == 2
        assert message in capsys.readouterr().err and not (tmp_path / "late.csv").exists()


def test_a_collection_needs_no_measure_and_shows_the_texts_of_a_corpus(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text('{"id": "q", "text": "They found gold in the river at dawn."}\n')
    (tmp_path / "c.jsonl").write_text('{"id": "c", "text": "He says they found gold in the river."}\n')
    assert run(["rank", "q.jsonl", "c.jsonl", "--index", "kept", "--add", "--out", "r.csv", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["measure"] == "jaccard"
    assert run(["rank", "q.jsonl", "c.jsonl", "--index", "kept", "--out", "r.csv", "--spans", "s.jsonl", "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["added"] == 0
    assert json.loads((tmp_path / "s.jsonl").read_text().splitlines()[0])["id"] == "c"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rank", "q.jsonl", "--index", "none", "--measure", "jaccard", "--out", "x.csv"], "no stored collection"),
        (["rank", "q.jsonl", "q.jsonl", "--index", "new", "--add", "--measure", "tfidf", "--out", "x.csv"], "not by tfidf"),
        (["rank", "q.jsonl", "q.jsonl", "--index", "new", "--measure", "jaccard", "--out", "x.csv"], "--add"),
        (["rank", "q.jsonl", "--out", "x.csv"], "which documents"),
        (["dedup", "q.jsonl", "--out", "x.csv", "--against", "none"], "no stored collection"),
        (["dedup", "q.jsonl", "--out", "x.csv", "--kept", "k.txt"], "k.txt"),
    ],
)
def test_bad_input_is_one_line(tmp_path, monkeypatch, capsys, arguments, message):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "q.jsonl").write_text('{"id": "a", "text": "gold"}\n')
    assert run(arguments) == 2
    said = capsys.readouterr().err
    assert message in said and len(said.strip().splitlines()) == 1 and not (tmp_path / "x.csv").exists()
