"""The engine on Spark gives the rows of the local one."""

import sys
from types import ModuleType

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.engine import local, open_engine
from garimpo.engine.connected import components_here
from garimpo.engine.on_spark.session import check_java, check_master, explained

PAIRS = pa.schema([("k", pa.int64()), ("v", pa.int64())])


def double(table: pa.Table) -> pa.Table:
    return pa.table({"k": table["k"], "v": pa.array(table["v"].to_numpy() * 2)})


def sums(table: pa.Table) -> pa.Table:
    result = table.group_by("k", use_threads=False).aggregate([("v", "sum")])
    return pa.table({"k": result["k"], "v": result["v_sum"]})


def refuse(table: pa.Table) -> pa.Table:
    raise BadInput("rows.parquet: not what I wanted")


def rows(table: pa.Table) -> list[tuple]:
    return sorted(zip(*(table[name].to_pylist() for name in table.column_names)))


@pytest.fixture(scope="module")
def numbers() -> pa.Table:
    random = np.random.default_rng(5)
    return pa.table({"k": random.integers(0, 300, 40_000), "v": random.integers(0, 9, 40_000)})


def test_both_engines_give_the_same_rows(spark, numbers) -> None:
    query = "select k, sum(v) as v from a join b using (k) group by k having count(*) > 3"
    results = []
    with local() as here:
        for engine in (here, spark):
            data = engine.table(numbers)
            doubled = engine.map(data, double, PAIRS)
            grouped = engine.group_map(doubled, ["k"], sums, PAIRS, order=["v"])
            joined = engine.sql(query.replace("sum(v)", "cast(sum(a.v) as bigint)"), a=grouped, b=doubled)
            results.append([rows(engine.collect(part)) for part in (doubled, grouped, joined)])
            assert engine.count(grouped) == 300
    assert results[0] == results[1]


def test_components_are_equal(spark, monkeypatch) -> None:
    edges = pa.table({"a": [9, 4, 4, 20, 7], "b": [4, 3, 2, 21, 7]})
    with local() as here:
        expected = rows(here.collect(here.components(here.table(edges))))
    assert rows(spark.collect(spark.components(spark.table(edges)))) == expected
    monkeypatch.setattr("garimpo.engine.on_spark.engine.SMALL_GRAPH", 0)
    assert rows(spark.collect(spark.components(spark.table(edges)))) == expected


def test_a_small_graph_gives_the_components_of_the_rounds() -> None:
    random = np.random.default_rng(7)
    edges = pa.table({"a": random.integers(0, 400, 300), "b": random.integers(0, 400, 300)})
    with local() as here:
        assert rows(components_here(edges)) == rows(here.collect(here.components(here.table(edges))))
    assert components_here(edges.slice(0, 0)).num_rows == 0


def test_a_step_that_gives_nothing_and_unsigned_integers_of_a_file(spark, tmp_path) -> None:
    empty = spark.map(spark.table(pa.table({"k": [1], "v": [2]})), lambda table: PAIRS.empty_table(), PAIRS)
    assert spark.count(spark.group_map(empty, ["k"], sums, PAIRS)) == 0
    assert spark.write(empty, tmp_path / "none.parquet", PAIRS) == 0
    pq.write_table(pa.table({"u": pa.array([2**64 - 1, None], pa.uint64())}), tmp_path / "unsigned.parquet")
    read = spark.table(tmp_path / "unsigned.parquet")
    assert read.schema.field("u").type == pa.uint64()
    assert spark.collect(read)["u"].to_pylist() == [2**64 - 1, None]


def test_a_stream_and_files_are_read_and_written(spark, numbers, tmp_path) -> None:
    stream = spark.table((numbers.schema, lambda: iter(numbers.to_batches(max_chunksize=1000))))
    assert spark.write(stream, tmp_path / "out.parquet", PAIRS) == numbers.num_rows
    assert rows(pq.read_table(tmp_path / "out.parquet")) == rows(numbers)
    again = spark.table(tmp_path / "out.parquet", columns=["k"])
    assert spark.count(again) == numbers.num_rows
    with pytest.raises(BadInput, match="no column"):
        spark.table(tmp_path / "out.parquet", columns=["absent"])


def test_errors_of_a_step_arrive_as_they_were_said(spark, numbers) -> None:
    with pytest.raises(BadInput, match=r"rows\.parquet: not what I wanted"):
        spark.collect(spark.map(spark.table(numbers), refuse, PAIRS))


def test_bad_input(spark, tmp_path) -> None:
    with pytest.raises(BadInput, match="no such file"):
        spark.table(tmp_path / "absent.parquet")
    with pytest.raises(GarimpoError, match="unsigned"):
        spark.map(spark.table(pa.table({"k": [1]})), double, pa.schema([("k", pa.uint64())]))


def test_a_worker_without_the_package(spark, numbers, monkeypatch) -> None:
    only_here = ModuleType("only_on_the_driver")
    monkeypatch.setitem(sys.modules, "only_on_the_driver", only_here)
    exec("def step(table): return table", only_here.__dict__)
    with pytest.raises(GarimpoError, match="workers cannot import only_on_the_driver: install it on each"):
        spark.collect(spark.map(spark.table(numbers), only_here.step, PAIRS))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("java.io.FileNotFoundException: /data/b.parquet (Permission denied)", "/data/b.parquet: no permission"),
        ("org.apache.hadoop.security.AccessControlException: Permission denied: user=ana", "a.parquet: no permission"),
        (
            "[FAILED_READ_FILE.NO_HINT] Encountered error while reading file file:///data/b%20c.gz.  SQLSTATE: KD001\n"
            "\tat x\nCaused by: java.io.IOException: not a gzip file\n\t... 1 more",
            r"/data/b c.gz: damaged \(not a gzip file\)",
        ),
        (
            "[FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER] Encountered error while reading file hdfs://n:1/b.parquet. Could not",
            "hdfs://n:1/b.parquet: not a Parquet file",
        ),
        ("java.net.UnknownHostException: nowhere", "a.parquet: no host nowhere"),
        ("[PATH_NOT_FOUND] Path does not exist: file:/data/a.parquet", "a.parquet: no such file"),
    ],
)
def test_paths_that_cannot_be_read(said: str, told: str) -> None:
    from pyspark.errors import AnalysisException

    with pytest.raises(BadInput, match=told), explained("a.parquet"):
        raise AnalysisException(said)


@pytest.mark.parametrize("master", ["nonsense", "spark://", "spark://h:x", "http://127.0.0.1:7077"])
def test_a_master_that_is_none(master: str) -> None:
    with pytest.raises(BadInput, match="not a Spark master"):
        check_master(master)


def test_a_master_that_does_not_answer() -> None:
    with pytest.raises(BadInput, match="nobody answers"):
        check_master("spark://127.0.0.1:1")


def test_no_java(monkeypatch, tmp_path) -> None:
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(BadInput, match="needs Java 17"):
        check_java()
    (tmp_path / "bin").mkdir()
    java = tmp_path / "bin" / "java"
    java.write_text("#!/bin/sh\necho 'openjdk version \"11.0.1\"' >&2\n")
    java.chmod(0o755)
    with pytest.raises(BadInput, match="is version 11"):
        check_java()


def test_an_engine_that_does_not_exist() -> None:
    with pytest.raises(BadInput, match="no engine 'flink'"):
        open_engine("flink")
