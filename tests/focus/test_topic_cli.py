"""`garimpo topic` as a person calls it."""

import json

import pyarrow.parquet as pq

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
