"""Folds as a person may give them: a table of four columns, and nothing else."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.contract import BadInput
from garimpo.crawl.gate.folds import Folds


def written(path, **columns):
    usual = {"host": ["b.org"], "prefix": ["/old/"], "keep_host": ["a.org"], "keep_prefix": ["/"]}
    pq.write_table(pa.table({**usual, **columns}), path)
    return path


def test_a_table_of_mirrors_find_is_read(tmp_path):
    folds = Folds.read(written(tmp_path / "f.parquet", score=[0.9], evidence=["paths"]), 3)
    assert folds.fold("http://b.org/old/x", "b.org") == "http://a.org/x" and folds.version == 3
    assert folds.fold("http://b.org/x", "b.org") is None


@pytest.mark.parametrize("wrong", [{"prefix": ["old/"]}, {"keep_host": ["b.org"]}, {"host": [None]}, {"keep_prefix": [""]}])
def test_a_row_that_is_no_fold_is_bad_input(tmp_path, wrong):
    columns = {name: pa.array(values, pa.string()) for name, values in wrong.items()}
    with pytest.raises(BadInput, match="row 1 is no fold"):
        Folds.read(written(tmp_path / "f.parquet", **columns), 1)
