"""Time and memory of `garimpo dedup` at 100,000 and 1,000,000 documents. Run by hand: it takes some minutes and 3 GB of disk.

    python benchmarks/similarity/scale.py [--documents 100000 1000000] [--folder DIR]

The corpus (about 300 words a document, a fifth near-duplicates) is written as Parquet first; then the real command runs
in a process of its own. CPU time and peak resident memory (mapped files included) are divided by the documents.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from _corpus import texts, vocabulary

CHUNK = 20_000


def write_corpus(path: Path, documents: int) -> None:
    """Chunks of `CHUNK` documents, each with near-duplicates inside it, over one vocabulary."""
    words = vocabulary(50_000, np.random.default_rng(1))
    with pq.ParquetWriter(path, pa.schema([("id", pa.string()), ("text", pa.large_string())])) as writer:
        for start in range(0, documents, CHUNK):
            count = min(CHUNK, documents - start)
            ids = pa.array([f"{i:08}" for i in range(start, start + count)])
            writer.write_table(pa.table({"id": ids, "text": texts(count, seed=start, words=words)}))


def measure(path: Path, out: Path, threshold: float) -> dict[str, float]:
    """One run of the command: CPU seconds, wall seconds and peak memory."""
    command = [sys.executable, "-m", "garimpo", "dedup", str(path), "--out", str(out), "--threshold", str(threshold), "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        summary = json.loads(process.stdout.read().splitlines()[-1])
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    documents = summary["documents"]
    return {
        "documents": documents,
        "removed": summary["removed"],
        "microseconds a document": round(1e6 * (usage.ru_utime + usage.ru_stime) / documents, 2),
        "KB a document": round(usage.ru_maxrss / documents, 2),
        "peak MB": usage.ru_maxrss // 1024,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--threshold", type=float, default=0.8)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.documents = [1_000]
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        rows = []
        for documents in options.documents:
            path = Path(folder) / f"{documents}.parquet"
            write_corpus(path, documents)
            rows.append(measure(path, Path(folder) / "near.parquet", options.threshold))
            path.unlink()
            print(json.dumps(rows[-1]), flush=True)
        ratio = rows[-1]["microseconds a document"] / rows[0]["microseconds a document"]
        print(f"time a document, largest against smallest: {ratio:.2f}")


if __name__ == "__main__":
    main()
