"""Near-duplicates on Spark: one worker and two, the overhead against one machine, a model of sixteen nodes. By hand; needs Java.

    python benchmarks/spark/dedup.py [--documents 100000] [--words 100] [--runs arrays,1,2] [--json FILE]

The same documents go through `dedup` in memory (`arrays`, what the command does without ``--engine``) and through a standalone
cluster of so many workers of one core, started on this machine; all runs must give the same rows. CPU seconds are told apart:
those of the driver (its Python and its Java), which do not shrink with more workers, and those of the executors (Java and
Python), which do. They hold on a busy machine too; the wall clock does not. Starting the driver is not counted.
"""

import argparse
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from runs import all_runs, print_runs, run_options

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks" / "similarity"), str(ROOT / "tests" / "spark")]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=100)
    given = run_options(parser, "arrays,1,2")
    given.documents = 500 if given.quick else given.documents
    if given.run:
        print(json.dumps(one_run(given.run, given.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        _make(Path(folder), given.documents, given.words)
        results = all_runs(__file__, given, folder)
    print_runs(results, given.documents, "document")


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
    from steps import on_cluster

    from garimpo.similarity.clusters.batch import dedup_to

    def job(engine):
        dedup_to(engine, f"viewfs://bench/out/near{workers}", None, folder / "documents.parquet")

    _, figures = on_cluster(workers, folder, job)
    return {**figures, "digest": _digest(pq.read_table(folder / f"near{workers}"))}


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


if __name__ == "__main__":
    main()
