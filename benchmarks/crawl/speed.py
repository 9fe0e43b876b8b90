"""Pages a second and CPU per 1,000 pages against Scrapy and Crawlee, one core for the crawler, nginx on the other.

    python benchmarks/crawl/speed.py --peers PYTHON_WITH_SCRAPY_AND_CRAWLEE [--pages 5000] [--rounds 3]

The crawlers take turns. Where other jobs share the machine the ratio of CPU times is the one to read: a crawler that is
given one core makes as many pages a second as its CPU time allows.
"""

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sites import served

HERE = Path(__file__).parent
SHAPES = {"one host": 1, "200 hosts": 200}
SIZES = {"6 KB": (5_000, 7_000), "60-85 KB": (60_000, 85_000)}


def timed(command: Sequence[str], core: int) -> tuple[float, float, str]:
    """Wall seconds, CPU seconds, and the last line of output of a command pinned to one core."""
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(["taskset", "-c", str(core), *command], capture_output=True, text=True)
    after = os.times()
    if done.returncode:
        sys.exit(f"{command}: {done.stderr[-2000:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return time.perf_counter() - start, cpu, done.stdout.strip().splitlines()[-1]


def garimpo(seeds: list[str], folder: Path, core: int, flags: Sequence[str] = ()) -> tuple[float, float, int]:
    out = folder / "garimpo"
    command = [sys.executable, "-m", "garimpo", "crawl", *seeds, "--out", str(out), "--allow-private", "--scope", "all",
               "--strategy", "bfs", "--no-learn", "--delay", "0", "--connections", "64", "--connections-per-address", "64",
               "--workers", "0", "--json", *flags]  # fmt: skip
    wall, cpu, line = timed(command, core)
    shutil.rmtree(out)
    return wall, cpu, json.loads(line)["pages"]


def peer(python: str, script: str, seeds: list[str], folder: Path, core: int) -> tuple[float, float, int]:
    wall, cpu, line = timed([python, str(HERE / script), ",".join(seeds), str(folder / "bodies.gz")], core)
    return wall, cpu, int(line.split()[-1])


def compare(name: str, hosts: list[str], per_host: int, sizes: tuple[int, int], options: argparse.Namespace) -> None:
    with served(hosts, per_host, sizes, 1), tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        seeds = [f"http://{hosts[0]}/0.html"]
        rows: dict[str, list[tuple[float, float, int]]] = {}
        for _ in range(options.rounds):
            rows.setdefault("garimpo", []).append(garimpo(seeds, folder, 0))
            for script in options.crawlers:
                rows.setdefault(script, []).append(peer(options.peers, script, seeds, folder, 0))
    ours = rows["garimpo"]
    for crawler, runs in rows.items():
        wall, cpu = statistics.median(run[0] for run in runs), statistics.median(run[1] for run in runs)
        pages = runs[0][2]
        per_thousand = 1000 * cpu / pages
        ratio = per_thousand / (1000 * statistics.median(run[1] for run in ours) / ours[0][2])
        print(
            f"{name:20} {crawler:22} {pages:6,} pages  {pages / wall:8,.0f} pages/s  "
            f"{per_thousand:7.2f} CPU s/1,000 pages  garimpo is {ratio:5.1f}x",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--pages", type=int, default=5_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--crawlers", nargs="*", default=["scrapy_spider.py", "crawlee_crawler.py"])
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES))
    options = parser.parse_args()
    for size in options.sizes:
        for shape in options.shapes:
            count = SHAPES[shape]
            hosts = [f"site{number:03d}.bench.example" for number in range(count)]
            compare(f"{shape}, {size}", hosts, options.pages // count, SIZES[size], options)


if __name__ == "__main__":
    main()
