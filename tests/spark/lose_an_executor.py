"""A job on a cluster, in a program of its own (a process has one Spark session): an executor is killed in its middle.

Called with the master's address, the cluster's folder and where to write the result.
"""

import os
import signal
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

sys.path.insert(0, str(Path(__file__).parent))
from cluster import SMALL_JAVA, executors

from garimpo.engine import spark

ROWS = pa.schema([("k", pa.int64()), ("v", pa.int64())])
SETTINGS = {
    "spark.sql.shuffle.partitions": "4",
    "spark.executor.memory": "512m",
    "spark.executor.cores": "1",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.extraJavaOptions": SMALL_JAVA,
    "spark.driver.extraJavaOptions": SMALL_JAVA,
    "spark.sql.files.maxPartitionBytes": "2000",
}


def main(master: str, folder: Path, out: Path) -> None:
    begun = folder / "begun"

    def slow(table: pa.Table) -> pa.Table:
        """Says that it runs; the first to do so is then killed."""
        begun.touch()
        time.sleep(0.3)
        return table

    def sums(table: pa.Table) -> pa.Table:
        added = table.group_by("k", use_threads=False).aggregate([("v", "sum")])
        return pa.table([added["k"], added["v_sum"]], schema=ROWS)

    for part in range(8):
        pq.write_table(pa.table({"k": [n % 5 for n in range(100)], "v": [*range(100)]}), folder / f"in{part}.parquet")
    pid = os.fork()
    if pid == 0:
        _kill_one(folder, begun)
    with spark(master, temp=str(folder / "temp"), settings=SETTINGS) as engine:
        data = engine.table([folder / f"in{part}.parquet" for part in range(8)])
        grouped = engine.group_map(engine.map(data, slow, ROWS), ["k"], sums, ROWS)
        engine.write(grouped, out, ROWS)
    os.waitpid(pid, 0)


def _kill_one(folder: Path, begun: Path) -> None:
    while not begun.exists():
        time.sleep(0.05)
    victim = executors(folder)[0]
    os.kill(victim, signal.SIGKILL)
    (folder / "killed").write_text(str(victim))
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
