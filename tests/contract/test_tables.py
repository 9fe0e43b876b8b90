"""Schemas are checked at every write."""

import pyarrow as pa
import pytest

from garimpo.contract import BadInput, GarimpoError, check
from garimpo.contract.tables import NEAR, NEAR_PAIRS, PAGES, SCHEMAS, require


def test_the_pages_table_has_the_columns_of_the_contract() -> None:
    assert PAGES.names[:5] == ["url", "host", "ip", "fetched_at", "status"]
    assert PAGES.field("status").type == pa.int16() and not PAGES.field("depth").nullable
    assert PAGES.field("digest").type == pa.uint64() and PAGES.field("digest").nullable


def test_every_schema_checks_its_own_empty_table() -> None:
    for schema in SCHEMAS.values():
        assert check(schema.empty_table(), schema).schema.equals(schema)


def test_columns_are_ordered_cast_and_extras_kept() -> None:
    table = pa.table({"more": [1], "jaccard": pa.array([1], pa.int64()), "b": ["y"], "a": ["x"]})
    checked = check(table, NEAR_PAIRS)
    assert checked.column_names == ["a", "b", "jaccard", "more"]
    assert checked.schema.field("jaccard").type == pa.float64()


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (pa.table({"a": ["x"], "b": ["y"]}), "lacks the column.*jaccard"),
        (pa.table({"a": [None], "b": ["y"], "jaccard": [1.0]}), "column a has 1 null"),
        (pa.table({"a": ["x"], "b": ["y"], "jaccard": ["many"]}), "jaccard is string"),
    ],
)
def test_a_wrong_table_is_refused(table: pa.Table, message: str) -> None:
    with pytest.raises(GarimpoError, match=message):
        check(table, NEAR_PAIRS)


def test_a_missing_input_column_names_file_and_columns() -> None:
    with pytest.raises(BadInput, match=r"x.parquet: no column cluster \(it has: id\)"):
        require(["id"], ["id", "cluster"], "x.parquet")
    require(NEAR.names, ["id"], "x.parquet")
