"""What the driver holds while the workers work: peak memory of its Python and of its Java, at two sizes. By hand; needs Java.

    python benchmarks/spark/driver.py [--jobs dedup,topic,dustlin,garimpo,mirrors] [--sizes 100000,400000]

Each command is run as a person does, on a standalone cluster of one worker on this machine, so that the driver's memory is
not the executors'. Java's heap gives back what it does not need (a serial collector), and is limited to 512 MB.
"""

import argparse
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "benchmarks" / "similarity"), str(ROOT / "tests" / "spark")]
GARIMPO = [sys.executable, "-m", "garimpo"]
DEFAULTS = """spark.driver.memory 512m
spark.driver.host 127.0.0.1
spark.driver.extraJavaOptions -XX:+UseSerialGC -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20
spark.executor.memory 1500m
spark.executor.cores 1
spark.sql.shuffle.partitions 4
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--jobs", default=",".join(JOBS))
    parser.add_argument("--sizes", default="100000,400000")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.jobs, given.sizes = given.jobs.split(",")[0], "1000"
        if importlib.util.find_spec("pyspark") is None or shutil.which("java") is None:
            print("PySpark or Java is not here: nothing was measured")
            return
    from cluster import standalone

    print(f"{'job':10} {'rows':>10} {'driver, Python MB':>18} {'driver, Java MB':>16} {'seconds':>8}")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "spark-defaults.conf").write_text(DEFAULTS)
        with standalone(folder, 1, "2g") as master:
            for job in given.jobs.split(","):
                for size in map(int, given.sizes.split(",")):
                    command = JOBS[job](folder, size)
                    python, java, seconds = _watched([*GARIMPO, *command, "--engine", "spark", "--master", master], folder)
                    print(f"{job:10} {size:>10,} {python:>18,.0f} {java:>16,.0f} {seconds:>8.0f}", flush=True)


def _dedup(folder: Path, size: int) -> list[str]:
    return ["dedup", str(_documents(folder, size)), "--out", str(folder / "near.parquet")]


def _topic(folder: Path, size: int) -> list[str]:
    documents, model = _documents(folder, size), folder / "topic.model"
    if not model.exists():
        (folder / "good.jsonl").write_text('{"text": "gold in the river"}\n{"text": "river gold"}\n')
        subprocess.run([*GARIMPO, "topic", "train", "--positive", str(folder / "good.jsonl"), "--out", str(model)], check=True,
                       stdout=subprocess.DEVNULL)  # fmt: skip
    return ["topic", "score", str(model), str(documents), "--out", str(folder / "scores.parquet")]


def _dust(method: str) -> Callable[[Path, int], list[str]]:
    def command(folder: Path, size: int) -> list[str]:
        place = folder / f"dust{size}"
        _make(place, "dust", "--clusters", str(size * 10 // 44))  # 4.4 URLs a cluster
        return ["dust", "learn", str(place / "clusters.tsv"), "--method", method, "--out", str(folder / "rules.json")]

    return command


def _mirrors(folder: Path, size: int) -> list[str]:
    place = folder / f"mirrors{size}"
    _make(place, "mirrors", "--hosts", str(size // 56))
    return ["mirrors", "find", str(place / "pages.parquet"), "--out", str(folder / "pairs.parquet")]


JOBS = {"dedup": _dedup, "topic": _topic, "dustlin": _dust("dustlin"), "garimpo": _dust("garimpo"), "mirrors": _mirrors}


def _documents(folder: Path, size: int) -> Path:
    from _corpus import texts

    path = folder / f"documents{size}.parquet"
    if not path.exists():
        column = texts(size, mean=100)
        table = pa.table({"id": pa.array(range(size)).cast(pa.string()), "text": column.cast(pa.string())})
        pq.write_table(table, path, row_group_size=20_000)
    return path


def _make(place: Path, kind: str, *options: str) -> None:
    if not place.exists():
        make = [*GARIMPO, "web", "tables", str(place), "--kind", kind, *options]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)


def _watched(command: list[str], folder: Path) -> tuple[float, float, float]:
    """Peak memory in MB of a command's own process and of the Java it starts, and its seconds."""
    begun, peaks = time.perf_counter(), {"python": 0.0, "java": 0.0}
    environment = {**os.environ, "SPARK_CONF_DIR": str(folder), "SPARK_LOCAL_IP": "127.0.0.1"}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while process.poll() is None:
        peaks["python"] = max(peaks["python"], _peak(process.pid))
        for child in _children(process.pid):
            peaks["java"] = max(peaks["java"], _peak(child))
        time.sleep(0.2)
    if process.returncode:
        sys.exit(f"{' '.join(command)}: {process.stderr.read()[-2000:] if process.stderr else ''}")
    return peaks["python"], peaks["java"], time.perf_counter() - begun


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _peak(pid: int) -> float:
    try:
        found = re.search(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0.0
    return int(found[1]) / 1024 if found else 0.0


if __name__ == "__main__":
    main()
