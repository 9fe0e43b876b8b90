"""How far a list of sites can be trusted: samples, their precision, coverage."""

from pathlib import Path

import pyarrow as pa
import pytest

from garimpo.contract import BadInput
from garimpo.contract.table_files import write_table
from garimpo.sites.analysis import Coverage, coverage, sample, sample_precision
from garimpo.sites.results import sites_table, write_report


def located(count: int) -> pa.Table:
    names = [f"{'imoveis' if i % 4 == 0 else 'site'}{i}.com.br" for i in range(count)]
    relevant = pa.array([True] * (count // 2) + [None, False] * (count // 4), pa.bool_())
    return pa.table({"site": names, "relevant": relevant, "title": names})


def test_the_two_coverages_of_the_source_are_told_apart() -> None:
    printed = Coverage("imoveis", found=6_975, found_with=2_296, missed_with=627)
    assert round(printed.as_source, 3) == 0.918 and round(printed.of_the_same, 3) == 0.785


def test_a_site_that_is_unknown_is_missed() -> None:
    found = coverage(located(40), "imoveis")
    assert (found.found, found.found_with, found.missed_with) == (20, 5, 5)


def test_a_sample_has_three_parts_and_each_site_once() -> None:
    rows = sample(located(1_000), 100, seed=1).to_pylist()
    parts = [[row["rank"] for row in rows if name in row["part"].split()] for name in ("first", "random", "last")]
    assert parts[0] == list(range(1, 101)) and parts[2] == list(range(401, 501)) and len(parts[1]) == 100
    assert len({row["site"] for row in rows}) == len(rows) and parts[1] != parts[0]


def test_a_short_list_is_sampled_whole() -> None:
    assert sample(located(40), 100).num_rows == 20


def test_the_precision_of_a_sample_counts_what_was_labelled(tmp_path: Path) -> None:
    table = sample(located(400), 50)
    write_table(table, tmp_path / "sample.csv")
    with pytest.raises(BadInput, match="no row has a label"):
        sample_precision(tmp_path / "sample.csv")
    labels = pa.array([1 if row["rank"] <= 100 else 0 if row["rank"] < 200 else None for row in table.to_pylist()], pa.int8())
    write_table(table.set_column(5, "label", labels), tmp_path / "sample.csv")
    found = sample_precision(tmp_path / "sample.csv")
    assert found["first"][:2] == (50, 50) and found["last"][:2] == (49, 0)
    assert found["first"][2] < 1 and found["last"][3] > 0


def test_a_wrong_label_is_told(tmp_path: Path) -> None:
    (tmp_path / "sample.csv").write_text("site,part,label\na.com,first,perhaps\n")
    with pytest.raises(BadInput, match="'perhaps' is neither"):
        sample_precision(tmp_path / "sample.csv")


def test_the_report_has_the_harvest_and_both_coverages(tmp_path: Path) -> None:
    empty = sites_table([])
    table = pa.Table.from_pylist(
        [{"site": "casas.com", "relevant": True, "reason": "found", "score": 0.9, "place": ["PE"], "title": "Casas"},
         {"site": "outras-casas.com", "relevant": False, "reason": "odds", "score": 0.1, "place": None, "title": ""}],
        empty.schema,
    )  # fmt: skip
    write_report(table, tmp_path / "report.html", harvest=[(1, 1), (2, 1)], host_word="casas")
    text = (tmp_path / "report.html").read_text()
    assert "0.500" in text and "outras-casas.com" in text and text.count("<svg") == 2 and "<td>AC</td>" in text
