"""Input is read kindly."""

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import xxhash

from garimpo.contract import BadInput, Counts, read_table
from garimpo.contract.reading import as_digests, as_strings, first_of_each


def test_ids_of_any_kind_become_text() -> None:
    assert as_strings(pa.array([1, 2, None])).to_pylist() == ["1", "2", None]
    assert as_strings(pa.array([b"ok", b"\xff"])).to_pylist() == ["ok", "�"]
    assert as_strings(pa.array(["a", "a"]).dictionary_encode()).to_pylist() == ["a", "a"]


def test_digests_of_any_kind_become_uint64() -> None:
    assert as_digests(pa.array([5], pa.uint64())).to_pylist() == [5]
    assert as_digests(pa.array([-1, None], pa.int64())).to_pylist() == [2**64 - 1, None]
    assert as_digests(pa.array([7], pa.int16())).to_pylist() == [7]
    assert as_digests(pa.array(["sha1:x", None])).to_pylist() == [xxhash.xxh64_intdigest(b"sha1:x"), None]
    assert as_digests(pa.array([b"sha1:x"])).to_pylist() == [xxhash.xxh64_intdigest(b"sha1:x")]
    others = ["007", str(2**64), "\u0664", "", "1.5"]
    assert as_digests(pa.array(["18446744073709551615", "0"])).to_pylist() == [2**64 - 1, 0]
    assert as_digests(pa.array(others)).to_pylist() == [xxhash.xxh64_intdigest(text.encode()) for text in others]


def test_of_repeated_ids_the_first_row_counts() -> None:
    counts = Counts()
    table = pa.table({"id": ["a", "b", "a", "c", "b"], "n": [0, 1, 2, 3, 4]})
    kept = first_of_each(table, "id", counts, "repeated id")
    assert kept["n"].to_pylist() == [0, 1, 3] and counts["repeated id"] == 2


def test_files_that_cannot_be_read(tmp_path) -> None:
    good = tmp_path / "good.parquet"
    pq.write_table(pa.table({"url": ["u"], "extra": [1]}), good)
    assert read_table(good, ["url"]).column_names == ["url"]
    assert read_table(good, ["url"], optional=["extra", "absent"]).column_names == ["url", "extra"]
    with pytest.raises(BadInput, match="no column cluster"):
        read_table(good, ["cluster"])
    with pytest.raises(BadInput, match="no such file"):
        read_table(tmp_path / "absent.parquet", ["url"])
    with pytest.raises(BadInput, match="not a Parquet file"):
        read_table(tmp_path, ["url"])
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 no")
    with pytest.raises(BadInput, match="not a Parquet file"):
        read_table(tmp_path / "bad.parquet", ["url"])
