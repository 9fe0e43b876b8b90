"""The engine on this machine: its steps, its order, its limits."""

import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

import garimpo.engine.groups as groups
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.engine import Engine, local
from garimpo.engine.local_engine import LocalEngine

NUMBERS = pa.schema([("n", pa.int64())])


def double(table: pa.Table) -> pa.Table:
    return pa.table({"n": pa.array(table["n"].to_numpy() * 2)})


def sums(table: pa.Table) -> pa.Table:
    """One row a group, so a group that was cut would show."""
    result = table.group_by("k", use_threads=False).aggregate([("v", "sum")])
    return pa.table({"k": result["k"], "v": result["v_sum"]})


@pytest.mark.parametrize("threads", [1, 2])
def test_map_keeps_order(threads: int) -> None:
    numbers = pa.table({"n": np.arange(200_000)})
    with local(threads=threads) as engine:
        result = engine.collect(engine.map(engine.table(numbers), double, NUMBERS))
    assert result["n"].to_numpy().tolist() == (np.arange(200_000) * 2).tolist()


def test_python_bound_work_runs_in_spawned_processes(tmp_path) -> None:
    (tmp_path / "steps.py").write_text(
        "import os, pyarrow as pa\ndef where(table):\n    return pa.table({'n': pa.array([os.getpid()], pa.int64())})\n"
    )
    script = """
import os, pyarrow as pa, steps
from garimpo.engine import local
if __name__ == "__main__":
    schema = pa.schema([("n", pa.int64())])
    with local(threads=2) as engine:
        rows = engine.table(pa.table({"n": list(range(300_000))}))
        pids = set(engine.collect(engine.map(rows, steps.where, schema, python_bound=True))["n"].to_pylist())
    assert pids and os.getpid() not in pids
"""
    (tmp_path / "job.py").write_text(script)
    done = subprocess.run([sys.executable, "job.py"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_group_map_gets_whole_groups() -> None:
    random = np.random.default_rng(1)
    keys = random.integers(0, 500, 150_000)
    table = pa.table({"k": keys, "v": np.ones(150_000, np.int64)})
    schema = pa.schema([("k", pa.int64()), ("v", pa.int64())])
    with local() as engine:
        result = engine.collect(engine.group_map(engine.table(table), ["k"], sums, schema))
    assert result["k"].to_pylist() == list(range(500))
    assert result["v"].to_pylist() == np.bincount(keys).tolist()


@given(st.lists(st.tuples(st.integers(0, 5), st.sampled_from([None, "a", "b"])), max_size=60), st.integers(1, 7))
@settings(max_examples=60, deadline=None)
def test_cuts_only_where_the_key_changes(rows: list[tuple[int, str | None]], size: int) -> None:
    rows.sort(key=lambda row: (row[0], row[1] is None, row[1] or ""))
    table = pa.table({"a": pa.array([r[0] for r in rows], pa.int64()), "b": pa.array([r[1] for r in rows], pa.string())})
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(groups, "ENOUGH_ROWS", 4)
        parts = list(groups.whole_groups(table.to_batches(max_chunksize=size), ["a", "b"]))
    assert sum(part.num_rows for part in parts) == len(rows)
    seen: set[tuple[int, str | None]] = set()
    for part in parts:
        keys = set(zip(part["a"].to_pylist(), part["b"].to_pylist()))
        assert not keys & seen
        seen |= keys


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 30)), min_size=1, max_size=40))
@settings(max_examples=10, deadline=None)
def test_components_equal_scipy(edges: list[tuple[int, int]]) -> None:
    a, b = np.array(edges).T
    with local(threads=1) as engine:
        found = engine.collect(engine.components(engine.table(pa.table({"a": a, "b": b}))))
    _, labels = connected_components(coo_matrix((np.ones(len(a)), (a, b)), shape=(31, 31)), directed=False)
    smallest = {label: min(np.flatnonzero(labels == label)) for label in set(labels)}
    assert set(found["node"].to_pylist()) == {node for edge in edges for node in edge}
    for node, component in zip(found["node"].to_pylist(), found["component"].to_pylist()):
        assert component == smallest[labels[node]]


def test_a_table_larger_than_the_memory_limit_is_sorted(tmp_path) -> None:
    """About 250 MB of rows through an engine that may hold 120."""

    def batches():
        random = np.random.default_rng(3)
        for _ in range(40):
            keys = random.integers(0, 1 << 40, 50_000)
            yield pa.record_batch({"n": keys, "filler": pa.array([f"{key:0100d}" for key in keys])})

    schema = pa.schema([("n", pa.int64()), ("filler", pa.string())])
    with local(memory_limit="120MB", temp=tmp_path) as engine:
        ordered = engine.sql("select n, filler from t order by n", t=engine.table((schema, batches)))
        last = -1
        for batch in engine.rows(ordered):
            column = batch.column(0).to_numpy()
            assert column[0] >= last and (np.diff(column) >= 0).all()
            last = column[-1]
        assert engine.count(ordered) == 2_000_000
    assert list(tmp_path.iterdir()) == []


def test_write_is_checked_and_atomic(tmp_path) -> None:
    with local() as engine:
        good = engine.table(pa.table({"n": [1, 2]}))
        assert engine.write(good, tmp_path / "n.parquet", NUMBERS) == 2
        with pytest.raises(GarimpoError, match="lacks"):
            engine.write(good, tmp_path / "bad.parquet", pa.schema([("m", pa.int64())]))
    assert [path.name for path in tmp_path.iterdir()] == ["n.parquet"]
    assert pq.read_table(tmp_path / "n.parquet")["n"].to_pylist() == [1, 2]


def test_bad_input(tmp_path) -> None:
    (tmp_path / "x.parquet").write_text("no")
    with local() as engine:
        with pytest.raises(BadInput, match="no such file"):
            engine.table(tmp_path / "absent.parquet")
        with pytest.raises(BadInput, match="not a Parquet file"):
            engine.table(tmp_path / "x.parquet")
    with pytest.raises(BadInput):
        local(memory_limit="much")


def test_sql_without_rows_keeps_its_columns() -> None:
    with local() as engine:
        empty = engine.sql("select n from t where n > 5", t=engine.table(pa.table({"n": [1]})))
        assert empty.schema.names == ["n"] and engine.count(empty) == 0


def test_an_interrupted_job_leaves_nothing(tmp_path) -> None:
    script = f"""
import os, signal, pyarrow as pa
from garimpo.engine import local
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
SCHEMA = pa.schema([("n", pa.int64())])
def step(table):
    os.kill(os.getpid(), signal.SIGINT)
    return table
with local(temp={str(tmp_path)!r}) as engine:
    rows = engine.table(pa.table({{"n": list(range(300000))}}))
    engine.write(engine.map(rows, step, SCHEMA), {str(tmp_path / "out.parquet")!r}, SCHEMA)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.returncode != 0 and "KeyboardInterrupt" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_the_local_engine_has_the_face_of_an_engine() -> None:
    public = {name for name in vars(Engine) if not name.startswith("_")}
    assert public and all(hasattr(LocalEngine, name) for name in public)
