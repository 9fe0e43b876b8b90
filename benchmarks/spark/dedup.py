"""Near-duplicates on Spark: one worker and two, the overhead against one machine, a model of sixteen nodes. By hand; needs Java.

    python benchmarks/spark/dedup.py [--documents 100000] [--words 100] [--runs arrays,1,2] [--json FILE]

The same documents go through `dedup` in memory (`arrays`, what the command does without ``--engine``) and through a standalone
cluster of so many workers of one core, started on this machine; all runs must give the same rows. CPU seconds are told apart:
those of the driver (its Python and its Java), which do not shrink with more workers, and those of the executors (Java and
Python), which do. They hold on a busy machine too; the wall clock does not. Starting the driver is not counted.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks" / "similarity"), str(ROOT / "tests" / "spark")]

NODES = 16
THESIS = {"speedup": 39 / 4, "scaleup": 1.22}
"""DUST learning on GOV2: 39 minutes on one node, 4 on sixteen; sixteen times the data on sixteen nodes: 1.22 times as long."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=100)
    parser.add_argument("--runs", default="arrays,1,2")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        print(json.dumps(one_run(given.run, given.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        _make(Path(folder), given.documents, given.words)
        results = {}
        for name in given.runs.split(","):
            results[name] = _apart(name, folder)
            print(f"{name}: {results[name]['seconds']:.1f} s", file=sys.stderr, flush=True)
    if len({result["digest"] for result in results.values()}) != 1:
        sys.exit("the runs gave different rows")
    _print(results, given.documents)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))


def one_run(name: str, folder: Path) -> dict[str, object]:
    """The figures of one way to run the job."""
    from garimpo.similarity import dedup

    dedup(pa.table({"text": ["compile the kernels before the clock starts", "and not while it runs"]}))
    return _arrays(folder) if name == "arrays" else _on_cluster(int(name), folder)


def _arrays(folder: Path) -> dict[str, object]:
    from processes import cpu_seconds

    from garimpo.similarity import dedup

    begun, cpu = time.perf_counter(), cpu_seconds()
    near = dedup(folder / "documents.parquet").near
    pq.write_table(near, folder / "arrays.parquet")
    seconds, cpu = time.perf_counter() - begun, cpu_seconds() - cpu
    return {"seconds": seconds, "driver": cpu, "executors": 0.0, "steps": {}, "digest": _digest(near)}


def _on_cluster(workers: int, folder: Path) -> dict[str, object]:
    from cluster import executors, standalone
    from processes import cpu_seconds
    from steps import timed_spark

    from garimpo.similarity.batch import dedup_to

    home = folder / f"cluster{workers}"
    home.mkdir()
    with standalone(home, workers, "2g") as master:
        engine, steps = timed_spark(master, folder)
        with engine:
            started, driver, others = time.perf_counter(), cpu_seconds(), cpu_seconds(executors(home))
            dedup_to(engine, f"viewfs://bench/out/near{workers}", None, folder / "documents.parquet")
            seconds = time.perf_counter() - started
            used = cpu_seconds(executors(home)) - others
            driver = cpu_seconds() - driver - used  # the daemons are of this process, and the executors of theirs
    near = pq.read_table(folder / f"near{workers}")
    return {"seconds": seconds, "driver": driver, "executors": used, "steps": steps, "digest": _digest(near)}


def _digest(near: pa.Table) -> int:
    return hash(tuple(sorted(zip(near["id"].to_pylist(), near["kept_id"].to_pylist(), near["similarity"].to_pylist()))))


def _make(folder: Path, count: int, words: int) -> None:
    from _corpus import texts

    with pq.ParquetWriter(folder / "documents.parquet", pa.schema([("id", pa.string()), ("text", pa.string())])) as writer:
        column = texts(count, mean=words)
        for start in range(0, count, 10_000):
            part = column.slice(start, 10_000)
            ids = pa.array(np.arange(start, start + len(part))).cast(pa.string())
            writer.write_table(pa.table([ids, part.cast(pa.string())], names=["id", "text"]))


def _apart(name: str, folder: str) -> dict[str, object]:
    command = [sys.executable, __file__, "--run", name, "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def _print(results: dict[str, dict], documents: int) -> None:
    print(f"{documents:,} documents")
    print(f"{'run':10} {'job s':>8} {'driver CPU s':>13} {'executors CPU s':>16} {'CPU us/document':>16}")
    for name, result in results.items():
        each = 1e6 * (result["driver"] + result["executors"]) / documents
        label = name if name == "arrays" else f"{name} workers"
        print(f"{label:10} {result['seconds']:8.1f} {result['driver']:13.1f} {result['executors']:16.1f} {each:16.0f}")
    spark = {name: result for name, result in results.items() if name != "arrays"}
    if not spark:
        return
    last = list(spark.values())[-1]
    if "arrays" in results:
        cpu = last["driver"] + last["executors"]
        print(f"CPU against arrays: {cpu / results['arrays']['driver']:.1f}x")
    total = sum(last["steps"].values())
    for step, seconds in sorted(last["steps"].items(), key=lambda item: -item[1]):
        print(f"  {seconds:7.1f} s {100 * seconds / total:4.0f} %  {step}")
    if "1" in spark and "2" in spark:
        print(f"speed-up of the wall clock with two workers: {spark['1']['seconds'] / spark['2']['seconds']:.2f}")
    _print_model(last)


def _print_model(run: dict) -> None:
    """The driver's CPU is serial, the executors' is divided by the nodes: Amdahl; Gustafson for a size that grows with them."""
    one = run["driver"] + run["executors"]
    speedup = {nodes: one / (run["driver"] + run["executors"] / nodes) for nodes in (2, NODES)}
    longer = (run["driver"] * NODES + run["executors"]) / one
    print(
        f"model by CPU: serial share {run['driver'] / one:.3f}, 2 nodes: {speedup[2]:.2f}x, {NODES} nodes: {speedup[NODES]:.1f}x "
        f"(thesis {THESIS['speedup']:.1f}x), {NODES} times the data on {NODES} nodes: {longer:.2f} times as long "
        f"(thesis {THESIS['scaleup']})"
    )


if __name__ == "__main__":
    main()
