"""One writer of tables: the suffix decides, and is checked before any work."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.contract import BadInput
from garimpo.contract.table_files import FORMATS, check_format, write_table, write_tables

TABLE = pa.table(
    {"site": ["a.org", "b.org"], "score": [0.5, 1.0], "place": pa.array([["SP", "RJ"], None], pa.list_(pa.string()))}
)


def test_parquet_keeps_every_type(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "t.parquet")
    assert pq.read_table(tmp_path / "t.parquet").equals(TABLE)


@pytest.mark.parametrize(("suffix", "mark"), [(".csv", ","), (".tsv", "\t")])
def test_text_tables_have_a_heading_and_join_lists(tmp_path: Path, suffix: str, mark: str) -> None:
    write_table(TABLE, tmp_path / f"t{suffix}")
    lines = (tmp_path / f"t{suffix}").read_text().splitlines()
    assert lines == [
        mark.join(row) for row in (['"site"', '"score"', '"place"'], ['"a.org"', "0.5", '"SP RJ"'], ['"b.org"', "1", ""])
    ]


def test_json_lines_keep_lists(tmp_path: Path) -> None:
    write_table(TABLE, tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").read_text().splitlines()[0] == '{"site":"a.org","score":0.5,"place":["SP","RJ"]}'


def test_what_text_tables_cannot_hold_is_json(tmp_path: Path) -> None:
    write_table(pa.table({"of": [{"a": [1, 2]}, None], "list": [[{"b": 1}], []]}), tmp_path / "t.tsv")
    assert (tmp_path / "t.tsv").read_text().splitlines()[1:] == ['"{""a"":[1,2]}"\t"[{""b"":1}]"', '\t""']


def test_json_lines_cut_times_to_microseconds(tmp_path: Path) -> None:
    write_table(pa.table({"at": pa.array([1_000_000_123], pa.timestamp("ns", "UTC"))}), tmp_path / "t.jsonl")
    assert (tmp_path / "t.jsonl").read_text() == '{"at":"1970-01-01T00:00:01Z"}\n'


@pytest.mark.parametrize("suffix", FORMATS)
def test_pieces_make_one_file_and_none_make_an_empty_one(tmp_path: Path, suffix: str) -> None:
    assert write_tables([TABLE, TABLE], TABLE.schema, tmp_path / f"two{suffix}") == 4
    assert write_tables([], TABLE.schema, tmp_path / f"none{suffix}") == 0
    assert (tmp_path / f"none{suffix}").is_file()


def test_an_unknown_suffix_is_refused_and_nothing_is_left(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"\.parquet, \.csv, \.tsv or \.jsonl"):
        check_format(tmp_path / "t.xlsx")
    with pytest.raises(BadInput):
        write_table(TABLE, tmp_path / "t")
    assert not list(tmp_path.iterdir())
