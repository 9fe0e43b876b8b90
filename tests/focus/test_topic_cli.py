"""`garimpo topic` as a person calls it."""

import io
import json
import os
import zipfile

import numpy as np
import pyarrow.parquet as pq
import pytest

from garimpo.cli.app import run


def _write(path, texts):
    path.write_text("".join(json.dumps({"id": str(i), "text": text}) + "\n" for i, text in enumerate(texts)))
    return str(path)


def test_train_score_show(tmp_path, capsys):
    good = _write(tmp_path / "good.jsonl", [f"gold in the river number {i}" for i in range(12)])
    rest = _write(tmp_path / "rest.jsonl", [f"the cat and the dog number {i}" for i in range(60)])
    model, out = str(tmp_path / "gold.model"), str(tmp_path / "scores.parquet")
    assert run(["topic", "train", "--positive", good, "--unlabelled", rest, "--out", model, "--json"]) == 0
    result = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert result["positives"] == 12 and result["words"][0] in ("gold", "in", "river")
    assert run(["topic", "score", model, good, "--out", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["relevant"] == 12
    table = pq.read_table(out)
    assert table.column_names == ["id", "score", "relevant"] and table.num_rows == 12
    assert run(["topic", "show", model]) == 0
    assert "gold" in capsys.readouterr().out


def test_without_unlabelled_it_says_so(tmp_path, capsys):
    good = _write(tmp_path / "good.jsonl", ["gold in the river", "river gold"])
    assert run(["topic", "train", "--positive", good, "--out", str(tmp_path / "m")]) == 0
    assert "one-class" in capsys.readouterr().err


def test_a_model_is_tested_and_its_threshold_moved(tmp_path, capsys):
    good = [f"gold in the river number {i}" for i in range(24)]
    rest = [f"the cat and the dog number {i}" for i in range(60)]
    files = [_write(tmp_path / f"{name}.jsonl", texts) for name, texts in (("a", good[:12]), ("b", good[12:]), ("c", rest))]
    shown, kept, other = files
    model, strict = str(tmp_path / "gold.model"), str(tmp_path / "strict.model")
    assert run(["topic", "train", "--positive", shown, "--unlabelled", other, "--out", model]) == 0
    capsys.readouterr()
    mixed = _write(tmp_path / "mixed.jsonl", [*rest[30:40], "gold river"])
    assert run(["topic", "test", model, "--positive", kept, "--negative", mixed, "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (told["true_positives"], told["false_positives"], told["positives"], told["negatives"]) == (12, 1, 12, 11)
    assert told["precision"] == pytest.approx(12 / 13) and told["recall"] == 1.0 and told["f1"] == pytest.approx(24 / 25)
    assert sum(told["distribution"]["negative"]) == 11 and told["best_f1"] >= told["f1"]
    assert run(["topic", "test", model, "--positive", kept, "--negative", other]) == 0
    assert "precision" in capsys.readouterr().out
    scores = str(tmp_path / "s.parquet")
    assert run(["topic", "score", model, kept, other, "--out", scores, "--json"]) == 0
    column = pq.read_table(scores)["score"].to_pylist()
    assert run(["topic", "score", model, kept, other, "--out", scores, "--threshold", repr(max(column)), "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["relevant"] for one in told] == [12, 0] and sum(told[1]["distribution"]) == 60
    given = ["topic", "train", "--positive", shown, "--unlabelled", other, "--out", strict, "--threshold", "0.9"]
    assert run(given) == 0
    assert run(["topic", "score", strict, kept, "--out", scores]) == 0
    moved, odds = pq.read_table(scores)["score"].to_numpy(), np.array(column[:12]) / (1 - np.array(column[:12]))
    assert moved == pytest.approx(odds / 9 / (1 + odds / 9))  # odds of 9 before are even now
    for wrong in (["train", "--positive", shown, "--out", strict], ["score", model, kept, "--out", scores]):
        assert run(["topic", *wrong, "--threshold", "1"]) == 2
    assert run(["topic", "test", model, "--positive", kept, "--negative", str(tmp_path / "none.jsonl")]) == 2


def test_bad_input_exits_2(tmp_path, capsys):
    good = _write(tmp_path / "good.jsonl", ["gold"])
    assert run(["topic", "score", str(tmp_path / "none.model"), good, "--out", str(tmp_path / "s.parquet")]) == 2
    assert run(["topic", "train", "--positive", str(tmp_path / "none.jsonl"), "--out", str(tmp_path / "m")]) == 2
    assert run(["topic", "train", "--positive", good, "--method", "svmc", "--out", str(tmp_path / "m")]) == 2
    assert "Traceback" not in capsys.readouterr().err


def test_little_to_learn_from_is_said(tmp_path, capsys):
    gold = [f"gold in the river number {i}" for i in range(12)]
    files = {
        name: _write(tmp_path / f"{name}.jsonl", texts)
        for name, texts in {
            "gold": gold,
            "one": gold[:1],
            "empty": ["", "  "],
            "rest": [f"cat and dog {i}" for i in range(60)],
        }.items()
    }
    for positive, unlabelled, said in (
        ("one", "rest", "one positive document is little"),
        ("gold", "gold", "positive examples too"),
        ("gold", "empty", "a one-class model"),
    ):
        out = str(tmp_path / f"{positive}-{unlabelled}.model")
        assert run(["topic", "train", "--positive", files[positive], "--unlabelled", files[unlabelled], "--out", out]) == 0
        assert said in capsys.readouterr().err
        assert run(["topic", "score", out, files["gold"], files["empty"], "--out", str(tmp_path / "s.parquet")]) == 0
    assert run(["topic", "train", "--positive", files["empty"], "--unlabelled", files["rest"], "--out", str(tmp_path / "m")]) == 2
    assert run(["topic", "train", "--positive", files["gold"], "--unlabelled", files["gold"], "--method", "svmc",
                "--out", str(tmp_path / "m")]) == 2  # fmt: skip
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize(
    "change",
    [
        {"slope": "steep"}, {"intercept": None}, {"words": 5}, {"words": [1]}, {"link": "chain"},
        {"hashes": np.zeros((9, 2))}, {"weight": np.array(["a"])}, {"weight": np.full(9, np.nan, np.float32)},
    ],
)  # fmt: skip
def test_a_model_that_was_tampered_with_is_refused(change, tmp_path, capsys):
    good = _write(tmp_path / "good.jsonl", ["gold in the river", "river gold"])
    assert run(["topic", "train", "--positive", good, "--out", str(tmp_path / "m")]) == 0
    with zipfile.ZipFile(tmp_path / "m") as whole, zipfile.ZipFile(tmp_path / "bad", "w") as bad:
        for name in whole.namelist():
            bad.writestr(name, _changed(name, whole.read(name), change))
    capsys.readouterr()
    for command in (["show"], ["score", "--out", str(tmp_path / "s.parquet")]):
        documents = [good] if command[0] == "score" else []
        assert run(["topic", command[0], str(tmp_path / "bad"), *documents, *command[1:]]) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 2 and all("bad: a topic model" in line for line in said)


def _changed(name, body, change):
    """A part of a model file with some of its values replaced."""
    if name == "model.json":
        head = json.loads(body)
        head["parameters"] |= {key: value for key, value in change.items() if not isinstance(value, np.ndarray)}
        return json.dumps(head).encode()
    array = change.get(name.removesuffix(".npy"))
    if array is None:
        return body
    out = io.BytesIO()
    np.save(out, array)
    return out.getvalue()


def test_garbage_is_said_in_one_line(tmp_path, capsys):
    good = _write(tmp_path / "good.jsonl", [f"gold in the river {i}" for i in range(12)])
    model = str(tmp_path / "m")
    assert run(["topic", "train", "--positive", good, "--out", model]) == 0
    for name in ("x.jsonl", "x.parquet", "x.warc.gz"):
        (tmp_path / name).write_bytes(os.urandom(5000))
    (tmp_path / "unlabelled.jsonl").write_text('{"id": 1, "other": "x"}\n')
    (tmp_path / "none.jsonl").write_text("")
    capsys.readouterr()
    for name in ("x.jsonl", "x.parquet", "x.warc.gz", "unlabelled.jsonl", "none.jsonl"):
        path = str(tmp_path / name)
        assert run(["topic", "train", "--positive", path, "--out", str(tmp_path / "n")]) == 2
        assert run(["topic", "train", "--positive", good, "--unlabelled", path, "--out", str(tmp_path / "n")]) == 2
        assert run(["topic", "score", model, path, "--out", str(tmp_path / "s.parquet")]) == 2
        said = capsys.readouterr().err.splitlines()
        assert len(said) == 3 and all(name in line for line in said)
    assert run(["topic", "show", model, "--words", "-1"]) == 2


def test_pages_of_noise_and_a_giant_page_are_only_pages(tmp_path):
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "noise.html").write_bytes(np.random.default_rng(0).bytes(50_000))
    (folder / "giant.txt").write_text("gold river nugget " * 200_000)
    rest = _write(tmp_path / "rest.jsonl", [f"cat and dog {i}" for i in range(60)])
    model, out = str(tmp_path / "m"), tmp_path / "s.parquet"
    assert run(["topic", "train", "--positive", str(folder), "--unlabelled", rest, "--out", model]) == 0
    assert run(["topic", "score", model, str(folder), rest, "--out", str(out)]) == 0
    assert np.isfinite(pq.read_table(out)["score"].to_numpy()).all()
