"""Near-duplicates on Spark: speed-up from one core to two, overhead against this machine alone, and where the time goes. By hand.

    python benchmarks/spark/dedup.py [--documents 100000] [--words 150] [--runs arrays,local,local[1],local[2]] [--json FILE]

The same documents go through `dedup` without an engine, on the local engine, and on Spark with one core and with two; all four
must give the same rows. Each run is a process of its own. CPU seconds are those of the process and all its children (the
Java driver and the Python workers), so that they hold on a busy machine too; starting Spark is timed apart.
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

sys.path.insert(0, str(Path(__file__).parent.parent / "similarity"))

RUNS = ("arrays", "local", "local[1]", "local[2]")
THESIS = {"speedup": 39 / 4, "scaleup": 1.22, "nodes": 16}
"""DUST learning on GOV2: 39 minutes on one node, 4 on sixteen; sixteen times the data on sixteen nodes: 1.22 times as long."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=150)
    parser.add_argument("--runs", default=",".join(RUNS))
    parser.add_argument("--json", type=Path)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.run:
        print(json.dumps(one_run(given.run, given.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        _make(Path(folder), given.documents, given.words)
        results = {name: _apart(name, folder) for name in given.runs.split(",")}
    if len({result["digest"] for result in results.values()}) != 1:
        sys.exit("the runs gave different rows")
    _print(results, given.documents)
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))


def one_run(name: str, folder: Path) -> dict[str, object]:
    """The figures of one way to run the job."""
    from processes import cpu_seconds
    from steps import timed_spark

    from garimpo.engine import local
    from garimpo.similarity.batch import dedup

    documents = folder / "documents.parquet"
    dedup(pa.table({"text": ["compile the kernels before the clock starts", "and not while it runs"]}))
    begun = time.perf_counter()
    if name == "arrays":
        context, steps = None, {}
    elif name == "local":
        context, steps = local(threads=2), {}
    else:
        context, steps = timed_spark(name, folder)
    started, cpu_before = time.perf_counter(), cpu_seconds()
    if context is None:
        near = dedup(documents).near
    else:
        with context as engine:
            near = dedup(documents, engine=engine).near
            cpu = cpu_seconds()
    cpu = cpu_seconds() if context is None else cpu
    done = time.perf_counter()
    digest = hash(tuple(zip(near["id"].to_pylist(), near["kept_id"].to_pylist(), near["similarity"].to_pylist())))
    return {
        "start": started - begun, "seconds": done - started, "cpu": cpu - cpu_before, "steps": steps, "digest": digest,
    }  # fmt: skip


def _make(folder: Path, count: int, words: int) -> None:
    from _corpus import texts

    table = pa.table({"id": pa.array(np.arange(count)).cast(pa.string()), "text": texts(count, mean=words)})
    pq.write_table(table, folder / "documents.parquet", row_group_size=10_000)


def _apart(name: str, folder: str) -> dict[str, object]:
    command = [sys.executable, __file__, "--run", name, "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def _print(results: dict[str, dict], documents: int) -> None:
    print(f"{documents:,} documents\n{'run':10} {'start s':>8} {'job s':>8} {'CPU s':>8} {'CPU us/document':>16}")
    for name, result in results.items():
        each = 1e6 * result["cpu"] / documents
        print(f"{name:10} {result['start']:8.1f} {result['seconds']:8.1f} {result['cpu']:8.1f} {each:16.0f}")
    last = list(results)[-1]
    if "arrays" in results:
        print(f"CPU of {last} against arrays: {results[last]['cpu'] / results['arrays']['cpu']:.1f}x")
    total = sum(results[last]["steps"].values())
    for step, seconds in sorted(results[last]["steps"].items(), key=lambda item: -item[1]):
        print(f"  {seconds:7.1f} s {100 * seconds / total:4.0f} %  {step}")
    if "local[1]" in results and "local[2]" in results:
        _print_model(results["local[1]"], results["local[2]"])


def _print_model(one: dict, two: dict) -> None:
    """What does not shrink with the cores: the driver reads the documents and gathers the result."""
    serial = sum(s for step, s in one["steps"].items() if step.startswith("driver")) / one["seconds"]
    nodes = THESIS["nodes"]
    print(
        f"speed-up with two cores: {one['seconds'] / two['seconds']:.2f}; model: serial share {serial:.3f}, {nodes} nodes: "
        f"speed-up {1 / (serial + (1 - serial) / nodes):.1f} (thesis {THESIS['speedup']:.1f}), "
        f"scale-up {serial * nodes + 1 - serial:.2f} times as long (thesis {THESIS['scaleup']})"
    )


if __name__ == "__main__":
    main()
