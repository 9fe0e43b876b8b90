"""Pages by the million: CPU time a row and peak memory of `mirrors find`, each size in a process of its own."""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

CHILD = """
import resource, sys, time
from garimpo.mirrors import search
began = time.process_time()
found = search(sys.argv[1])
used = time.process_time() - began
print(used, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024, found.hosts, found.pairs.num_rows)
"""


def write_pages(path, rows, hosts, seed):
    """A table of (url, digest): one host in ten copies another, all have some paths of sixty hosts."""
    random = np.random.default_rng(seed)
    writer = None
    names = pa.array([f"http://www.h{i}.example{i % 97}.org" for i in range(hosts)])
    for start in range(0, hosts, 20_000):
        host = np.arange(start, min(start + 20_000, hosts))
        host = np.repeat(host, rows // hosts)
        source = np.where(host % 10 == 1, host - 1, host)  # a copy has the pages of the host before it
        page = random.integers(0, 2 * (rows // hosts), len(host))
        common = random.random(len(host)) < 0.1
        number = np.where(common, random.integers(0, hosts // 6, len(host)), source * 1_000 + page)
        paths = pc.binary_join_element_wise(np.where(common, "/c", "/p"), pc.cast(pa.array(number), pa.string()), ".html", "/")
        urls = pc.binary_join_element_wise(names.take(pa.array(host)), paths, "")
        changing = random.random(len(host)) < 0.1
        digest = np.where(common, number, number * 31) * 2_654_435_761 + np.where(changing, host, 0)
        table = pa.table({"url": urls, "digest": pa.array(digest, pa.int64())})
        writer = writer or pq.ParquetWriter(path, table.schema)
        writer.write_table(table)
    writer.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=20_000_000)
    parser.add_argument("--doublings", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.rows, given.doublings = 20_000, 1
    before = None
    print(f"{'rows':>12} {'hosts':>9} {'pairs':>11} {'CPU s':>8} {'us a row':>9} {'growth':>7} {'peak GB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for step in range(given.doublings, -1, -1):
            rows = given.rows >> step
            path = Path(folder) / f"{rows}.parquet"
            write_pages(path, rows, rows // 100, step)
            done = subprocess.run([sys.executable, "-c", CHILD, str(path)], capture_output=True, text=True, check=True)
            used, peak, hosts, pairs = (float(x) for x in done.stdout.split())
            a_row = used / rows * 1e6
            growth = f"{a_row / before:.2f}" if before else "-"
            cells = f"{rows:>12,} {hosts:>9,.0f} {pairs:>11,.0f} {used:>8.1f} {a_row:>9.2f} {growth:>7} {peak / 1e9:>8.2f}"
            print(cells, flush=True)
            before = a_row
            path.unlink()
