"""Damaged and ill-typed input: one line that names the file, exit code 2, nothing that a terminal or a spreadsheet obeys."""

import csv
import io
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from archive.made import START, answer, row
from garimpo.archive import Store
from garimpo.cli.app import run
from garimpo.contract import model
from garimpo.contract.errors import BadInput
from garimpo.contract.tables import PAGES


def fails(arguments: list[object], name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(argument) for argument in arguments]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1 and name in told and "Traceback" not in told


def test_a_damaged_gzip_of_documents_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import gzip

    data = bytearray(gzip.compress(b'{"id": "a", "text": "one two three four five six"}\n' * 300))
    data[40:60] = bytes(20)
    (tmp_path / "docs.jsonl.gz").write_bytes(data)
    fails(["dedup", tmp_path / "docs.jsonl.gz", "--out", tmp_path / "near.parquet"], "docs.jsonl.gz", capsys)


@pytest.mark.parametrize("column", ["url", "digest", "text"])
def test_a_table_of_other_types_is_named(tmp_path: Path, column: str, capsys: pytest.CaptureFixture[str]) -> None:
    good = {"id": ["a"], "url": ["http://a.org/"], "ip": ["10.0.0.1"], "digest": pa.array([1], pa.uint64()), "text": ["one two"]}
    pq.write_table(pa.table({**good, column: [{"x": [1]}]}), tmp_path / "odd.parquet")
    for command in (["dedup"], ["dust", "clusters"], ["mirrors", "find"]):
        code = run([*command, str(tmp_path / "odd.parquet"), "--out", str(tmp_path / "o.parquet")])
        told = capsys.readouterr().err
        assert code in (0, 2) and "Traceback" not in told
        assert code == 0 or "odd.parquet" in told


def test_import_of_an_ill_typed_row_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "in.jsonl").write_text('{"url": "http://a.org/", "text": "x", "depth": {}}\n')
    code = run(["archive", "import", str(tmp_path / "in.jsonl"), "--out", str(tmp_path / "c")])
    told = capsys.readouterr().err
    assert code in (0, 2) and "Traceback" not in told


def test_a_model_is_measured_before_it_is_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "large.model"
    model.save_model(path, model.Model("topic", "x", arrays={"zeros": np.zeros(1_000_000)}))
    assert path.stat().st_size < 100_000
    monkeypatch.setattr(model, "MOST_BYTES", 1_000_000)
    monkeypatch.setattr(np, "load", lambda *given, **more: pytest.fail("it was loaded"))
    with pytest.raises(BadInput, match="unpacked"):
        model.load_model(path, "topic")


@pytest.mark.parametrize("seed", range(40))
def test_a_damaged_model_is_bad_input(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "m.model"
    model.save_model(path, model.Model("topic", "x", {"a": 1}, {"weights": np.arange(50.0)}))
    draw = np.random.default_rng(seed)
    data = bytearray(path.read_bytes())
    for _ in range(3):
        data[draw.integers(len(data))] = draw.integers(256)
    path.write_bytes(data[: draw.integers(len(data) // 2, len(data) + 1)])
    try:
        model.load_model(path, "topic")
    except BadInput as error:
        assert "m.model" in str(error)


def test_a_model_without_its_facts_is_bad_input(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.model", "w") as archive:
        archive.writestr("model.json", '{"format": "garimpo-model", "version": 1}')
    with pytest.raises(BadInput, match="lacks kind"):
        model.load_model(tmp_path / "m.model", "topic")


def test_links_that_are_no_table_are_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "docs.jsonl").write_text('{"url": "http://a.org/", "text": "x"}\n')
    pq.write_table(pa.table({"source": ["http://a.org/"] * 99, "target": ["http://a.org/x"] * 99}), tmp_path / "links.parquet")
    data = bytearray((tmp_path / "links.parquet").read_bytes())
    data[-40:-8] = b"\xff" * 32  # in the footer
    (tmp_path / "links.parquet").write_bytes(data)
    arguments = ["archive", "import", tmp_path / "docs.jsonl", "--links", tmp_path / "links.parquet", "--out", tmp_path / "c"]
    fails(arguments, "links.parquet", capsys)
    (tmp_path / "links.parquet").unlink()
    (tmp_path / "links.parquet").mkdir()
    fails(arguments, "links.parquet", capsys)


@pytest.mark.parametrize("column", ["weight_paths", "ip3", "score"])
def test_host_pairs_of_other_types_are_named(tmp_path: Path, column: str, capsys: pytest.CaptureFixture[str]) -> None:
    numbers = {name: [1] for name in ("ndist", "nmatch", "ip4", "ip3", "fullpath", "pu", "nu", "score", "weight_paths")}
    good = {"host_a": ["a.org"], "host_b": ["b.org"], **numbers, "replica": [True], "keep_host": ["a.org"]}
    pq.write_table(pa.table({**good, column: [b"x"]}), tmp_path / "pairs.parquet")
    fails(["mirrors", "explain", tmp_path / "pairs.parquet", "a.org", "b.org"], "pairs.parquet", capsys)


@pytest.mark.parametrize("column", ["query", "id", "similarity"])
def test_a_ranking_with_holes_is_named(tmp_path: Path, column: str, capsys: pytest.CaptureFixture[str]) -> None:
    good = {"query": ["q"], "id": ["a"], "similarity": [0.5]}
    pq.write_table(pa.table({**good, column: pa.nulls(1, pa.string())}), tmp_path / "ranking.parquet")
    (tmp_path / "truth.csv").write_text("query,id\nq,a\n")
    fails(["evaluate", tmp_path / "ranking.parquet", tmp_path / "truth.csv"], "ranking.parquet", capsys)


def test_a_damaged_crawl_is_no_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Store.create(tmp_path / "c") as store, store.commit(pa.Table.from_pylist([row(answer(1), ("w", 0), START)], PAGES)):
        pass
    (tmp_path / "c/pages/00000001.parquet").write_bytes(b"")
    assert run(["dedup", str(tmp_path / "c"), "--out", str(tmp_path / "o.parquet")]) == 1
    assert "damaged, left out" in capsys.readouterr().err


def test_a_mistake_of_ours_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from garimpo.cli import app

    def breaks(arguments: object) -> None:
        raise ZeroDivisionError("by\x1bnought")

    monkeypatch.setattr(app, "call", breaks)
    with pytest.raises(ZeroDivisionError):
        run(["status", "x"])
    monkeypatch.setenv("GARIMPO_FENCE", "1")
    assert run(["status", "x"]) == 1
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1 and "ZeroDivisionError: by" in told and "test_bad_data.py:" in told and "\x1b" not in told


def test_no_control_character_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["dedup", "x\x1b[31m.jsonl", "--out", str(tmp_path / "o.parquet")]) == 2
    told = capsys.readouterr().err
    assert "\x1b" not in told and "\\x1b[31m.jsonl" in told


def test_no_cell_of_a_csv_is_a_formula(tmp_path: Path) -> None:
    from garimpo.archive import export

    titles = ["=HYPERLINK(1)", "+1", "-1", "@x", " =1", "a\x1b[31mb", "plain, and = inside"]
    rows = [row(answer(n), ("w", 0), START, title=title) for n, title in enumerate(titles)]
    with Store.create(tmp_path / "c") as store:
        with store.commit(pa.Table.from_pylist(rows, PAGES)):
            pass
        out = io.BytesIO()
        export(store, "csv", out)
    got = [line["title"] for line in csv.DictReader(io.StringIO(out.getvalue().decode()))]
    assert got == ["'=HYPERLINK(1)", "'+1", "'-1", "'@x", "' =1", "a [31mb", "plain, and = inside"]
