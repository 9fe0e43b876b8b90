"""Data sets as people have them: CSV, Markdown, other names of the text, several inputs; and the rows that stay."""

import gzip
import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import csv

from garimpo.cli.app import run
from garimpo.contract import BadInput
from garimpo.similarity import dedup
from garimpo.similarity.clusters.kept_rows import write_kept

SAME = "the very same words stand here, in the very same order"
ROWS = [
    {"key": 1, "body": SAME, "stars": 5, "note": "a, b"},
    {"key": 2, "body": "quite another text than the one before it was", "stars": 4, "note": "line\nbreak"},
    {"key": 3, "body": SAME, "stars": 3, "note": ""},
]


@pytest.fixture
def inputs(tmp_path):
    table = pa.Table.from_pylist(ROWS)
    pq.write_table(table, tmp_path / "d.parquet")
    csv.write_csv(table, tmp_path / "d.csv")
    csv.write_csv(table, tmp_path / "d.tsv", csv.WriteOptions(delimiter="\t"))
    (tmp_path / "d.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


@pytest.mark.parametrize("name", ["d.parquet", "d.csv", "d.tsv", "d.jsonl"])
@pytest.mark.parametrize("out", ["kept.parquet", "kept.csv", "kept.tsv", "kept.jsonl"])
def test_the_rows_that_stay_keep_all_columns(inputs, capsys, name, out):
    arguments = [
        "dedup",
        inputs / name,
        "--text-column",
        "body",
        "--out",
        inputs / "near.parquet",
        "--kept",
        inputs / out,
        "--json",
    ]
    assert run([str(part) for part in arguments]) == 0, capsys.readouterr().err
    summary = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert summary["kept"] == summary["kept_rows"] == 2
    if out.endswith(".parquet"):
        rows = pq.read_table(inputs / out).to_pylist()
    elif out.endswith(".jsonl"):
        rows = [json.loads(line) for line in (inputs / out).read_text().splitlines()]
    else:
        options = csv.ParseOptions(delimiter="\t" if out.endswith(".tsv") else ",", newlines_in_values=True)
        rows = csv.read_csv(inputs / out, parse_options=options).to_pylist()
    assert [{name: str(value) for name, value in row.items()} for row in rows] == [
        {name: str(value) for name, value in row.items()} for row in ROWS[:2]
    ]


LOOSE = [
    {"body": SAME, "text": "another field", "score": 1, "of": {"a": 1}, "more": {}},
    {"body": "quite another text than the one before it was", "score": "n/a", "of": [1, {"b": None}]},
    {"body": None, "large": 2**70, "more": {}},
    {"body": SAME, "score": 3},
]


def test_json_lines_that_stay_are_not_touched(tmp_path, capsys):
    lines = [json.dumps(row, indent=None, separators=(" , ", " : ")) for row in LOOSE]
    (tmp_path / "d.jsonl").write_text("\r\n".join(lines))
    arguments = ["dedup", "d.jsonl", "--text-column", "body", "--out", "near.csv", "--kept"]
    arguments = [str(tmp_path / part) if "." in part else part for part in arguments]
    assert run([*arguments, str(tmp_path / "k.jsonl")]) == 0, capsys.readouterr().err
    assert (tmp_path / "k.jsonl").read_text().splitlines() == lines[:3]
    assert run([*arguments, str(tmp_path / "k.parquet")]) == 0, capsys.readouterr().err
    rows = pq.read_table(tmp_path / "k.parquet").to_pylist()
    assert [row["body"] for row in rows] == [row["body"] for row in LOOSE[:3]]
    assert [row["score"] for row in rows] == ["1", "n/a", None] and rows[0]["text"] == "another field"
    assert [json.loads(row["of"] or "null") for row in rows] == [row.get("of") for row in LOOSE[:3]]
    assert run([*arguments, str(tmp_path / "k.csv")]) == 0, capsys.readouterr().err


def test_columns_of_several_kinds_in_several_files_become_text(tmp_path):
    (tmp_path / "a.jsonl").write_text(json.dumps({"text": "gold", "n": [1]}) + "\n")
    pq.write_table(pa.table({"text": ["river"], "n": [2]}), tmp_path / "b.parquet")
    inputs = [tmp_path / "a.jsonl", tmp_path / "b.parquet"]
    assert write_kept(tmp_path / "k.parquet", inputs, dedup(inputs).near) == 2
    assert pq.read_table(tmp_path / "k.parquet")["n"].to_pylist() == ["[1]", "2"]
    assert write_kept(tmp_path / "k.jsonl", inputs, dedup(inputs).near) == 2
    assert [json.loads(line)["n"] for line in (tmp_path / "k.jsonl").read_text().splitlines()] == [[1], 2]


def test_a_row_whose_text_is_null_is_a_text_without_words(tmp_path):
    (tmp_path / "d.jsonl").write_text('{"text": "gold"}\n{"text": null}\n{"text": null}\n')
    assert dedup(tmp_path / "d.jsonl").near["keep"].to_pylist() == [True, True, True]


def test_several_files_and_folders_with_markdown(tmp_path, capsys):
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Title\n\n" + SAME)
    (tmp_path / "b.md").write_text("# Title\n\n" + SAME)
    (tmp_path / "c.csv").write_text("id,text\nx,quite another text than the one before\n")
    inputs = [str(tmp_path / name) for name in ("notes", "b.md", "c.csv")]
    assert run(["dedup", *inputs, "--out", str(tmp_path / "near.parquet")]) == 0, capsys.readouterr().err
    near = pq.read_table(tmp_path / "near.parquet").to_pylist()
    assert [row["keep"] for row in near] == [True, False, True] and near[0]["id"] == "a.md" and near[2]["id"] == "x"


def test_lists_and_streams_in_python(tmp_path):
    assert dedup([SAME, "other words", SAME]).near["keep"].to_pylist() == [True, True, False]
    table = pa.Table.from_pylist(ROWS)
    reader = table.to_reader()
    found = dedup(reader, text_column="body")
    assert found.near["keep"].to_pylist() == [True, True, False]
    assert write_kept(tmp_path / "k.parquet", table, found.near, "body") == 2
    assert pq.read_table(tmp_path / "k.parquet").equals(table.slice(0, 2))


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".csv", ".tsv"])
def test_a_folder_of_parts(tmp_path, capsys, suffix):
    (tmp_path / "parts").mkdir()
    for number, body in enumerate([SAME, "quite another text than the one before", SAME]):
        table = pa.table({"body": [body]})
        path = tmp_path / "parts" / f"{number}{suffix}"
        if "jsonl" in suffix:
            line = json.dumps({"body": body}).encode() + b"\n"
            path.write_bytes(gzip.compress(line) if suffix.endswith("gz") else line)
        else:
            csv.write_csv(table, path, csv.WriteOptions(delimiter="\t" if suffix == ".tsv" else ","))
    (tmp_path / "parts" / "_SUCCESS").write_text("")
    arguments = [
        "dedup",
        tmp_path / "parts",
        "--text-column",
        "body",
        "--out",
        tmp_path / "near.csv",
        "--kept",
        tmp_path / "k.parquet",
    ]
    assert run([str(part) for part in arguments]) == 0, capsys.readouterr().err
    assert pq.read_table(tmp_path / "k.parquet")["body"].to_pylist() == [SAME, "quite another text than the one before"]


@pytest.mark.parametrize("name", ["data/train-00000-of-00001.parquet", "language=en/part-0.csv"])
def test_parts_in_folders_beside_a_readme(tmp_path, name):
    (tmp_path / "README.md").write_text("# What this is")
    (tmp_path / ".cache").mkdir()
    (tmp_path / ".cache" / "old.csv").write_text("text\nold\n")
    path = tmp_path / name
    path.parent.mkdir()
    table = pa.table({"text": [SAME, SAME]})
    pq.write_table(table, path) if path.suffix == ".parquet" else csv.write_csv(table, path)
    assert dedup(tmp_path).near["keep"].to_pylist() == [True, False]


def test_columns_with_one_name_are_told_apart(tmp_path):
    (tmp_path / "d.csv").write_text("text,note,note,\ngold,a,b,\n")
    assert write_kept(tmp_path / "k.jsonl", tmp_path / "d.csv", dedup(tmp_path / "d.csv").near) == 1
    assert json.loads((tmp_path / "k.jsonl").read_text()) == {"text": "gold", "note": "a", "note_2": "b", "": ""}


def test_a_column_of_lists_is_no_text():
    with pytest.raises(BadInput, match="where text should be"):
        dedup(pa.table({"text": [["gold"]]}))


def test_a_folder_of_pages_is_no_folder_of_tables(tmp_path):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "a.md").write_text("gold")
    (tmp_path / "index.jsonl").write_text('{"file": "site/a.md"}\n')
    found = dedup(tmp_path)
    assert found.near["id"].to_pylist() == ["site/a.md"] and found.counts["file that is no page"] == 1


class Views:
    """A table as Polars hands it out: strings are views, also inside lists, structures and categories."""

    def __init__(self):
        views = {
            "text": pa.array([SAME, SAME, "other words"], pa.string_view()),
            "raw": pa.array([b"a", b"b", b"c"], pa.binary_view()),
        }
        views["tags"] = pa.array([["x"], [], ["z"]], pa.large_list(pa.string_view()))
        views["of"] = pa.array([{"k": "v"}] * 3, pa.struct([("k", pa.string_view())]))
        views["kind"] = pa.DictionaryArray.from_arrays(pa.array([0, 0, 1], pa.uint32()), pa.array(["p", "q"], pa.string_view()))
        self.table = pa.table(views)

    def __arrow_c_stream__(self, requested_schema=None):
        return self.table.__arrow_c_stream__(requested_schema)


def test_views_of_strings(tmp_path):
    found = dedup(Views())
    assert found.near["keep"].to_pylist() == [True, False, True]
    assert write_kept(tmp_path / "k.parquet", Views(), found.near) == 2
    assert pq.read_table(tmp_path / "k.parquet").to_pylist() == [Views().table.to_pylist()[row] for row in (0, 2)]


@pytest.mark.parametrize("column", [pa.array([SAME, "x", SAME]), pa.chunked_array([[SAME], ["x", SAME]], pa.string_view())])
def test_a_column_of_texts(column):
    assert dedup(column).near["keep"].to_pylist() == [True, True, False]


def test_a_relation_of_duckdb():
    import duckdb

    rows = duckdb.sql(f"select 1 as id, '{SAME}' as body union all select 2, '{SAME}' order by id")
    assert dedup(rows, text_column="body").near["keep"].to_pylist() == [True, False]


def test_texts_that_could_be_no_names_are_texts():
    long = "panning for gold " * 40
    assert dedup([long, "", long]).near["keep"].to_pylist() == [True, True, False]


def test_repeated_ids_stay_once(tmp_path):
    (tmp_path / "d.jsonl").write_text('{"id": 7, "text": "gold", "n": 1}\n{"id": 7, "text": "river", "n": 2}\n')
    found = dedup(tmp_path / "d.jsonl")
    assert write_kept(tmp_path / "k.jsonl", tmp_path / "d.jsonl", found.near) == 1
    assert json.loads((tmp_path / "k.jsonl").read_text()) == {"id": 7, "text": "gold", "n": 1}


@pytest.mark.parametrize(
    ("name", "content", "column", "message"),
    [
        ("d.csv", b"id,body\n1,gold\n", None, "no column text or html"),
        ("d.csv", b"id,body\n1,gold\n", "words", "no column words"),
        ("d.csv", b"id,text\n1,\xff\xfe\n", None, "not a table of text"),
        ("d.csv", b"", None, "d.csv"),
        ("d.jsonl", b'{"id": 1, "text": "x"}\n', "words", "d.jsonl:1: no words"),
        ("d.md", b"gold", "words", "no columns"),
        ("d.xls", b"gold", None, "not a kind"),
    ],
)
def test_bad_input_is_said(tmp_path, name, content, column, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(BadInput, match=message):
        dedup(tmp_path / name, text_column=column)


def test_uneven_rows_are_counted(tmp_path):
    (tmp_path / "d.csv").write_text("id,text\n1,gold\n2,river,too many\n3,sand\n")
    found = dedup(tmp_path / "d.csv")
    assert found.near.num_rows == 2 and found.counts["row with too many or too few values"] == 1
