"""Crawl speed in the steady state: CPU a page and pages a second, against Scrapy, Crawlee, wget2 and other code of Garimpo.

    python benchmarks/crawl/speed.py --peers PYTHON_WITH_SCRAPY_AND_CRAWLEE [--pages 20000] [--rounds 3] [--against SRC]

Every crawler crawls two webs, one of a tenth of the pages; the difference of the two runs counts. So neither its start nor what
it does only once is in the figure (`benchmarks/start.py` has that of Garimpo). The crawlers take turns, on one core; nginx has
the other. Where other jobs share the machine the ratio of CPU times is the one to read: a crawler that is given one core makes as
many pages a second as its CPU time allows. Peers that are not installed are left out, and said so. wget2 only saves files: it
keeps no order, no state and no tables, and is the limit to look at rather than a peer.
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
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from sites import served

HERE = Path(__file__).parent
SHAPES = {"one host": 1, "200 hosts": 200}
SIZES = {"6 KB": (5_000, 7_000), "60-85 KB": (60_000, 85_000)}
CRAWL, SERVE = 0, 1
"""The cores of crawlers and of nginx."""


class Cost(NamedTuple):
    """What a crawl took, in seconds, and the pages it got."""

    wall: float
    cpu: float
    pages: int


Crawler = Callable[[str, Path], Cost]


def timed(command: Sequence[str], src: Path | None = None) -> tuple[float, float, str]:
    """Wall seconds, CPU seconds, and the last line of output of a command pinned to one core."""
    environment = {**os.environ, "PYTHONPATH": str(src)} if src else None
    before, start = os.times(), time.perf_counter()
    done = subprocess.run(["taskset", "-c", str(CRAWL), *command], capture_output=True, text=True, env=environment)
    wall, after = time.perf_counter() - start, os.times()
    if done.returncode:
        sys.exit(f"{command}: {done.stderr[-2000:]}")
    cpu = after.children_user + after.children_system - before.children_user - before.children_system
    return wall, cpu, (done.stdout.strip().splitlines() or [""])[-1]


def garimpo(src: Path | None, seed: str, folder: Path) -> Cost:
    command = [sys.executable, "-m", "garimpo", "crawl", seed, "--out", str(folder / "crawl"), "--allow-private",
               "--scope", "all", "--strategy", "bfs", "--no-learn", "--delay", "0", "--connections", "64",
               "--connections-per-address", "64", "--workers", "0", "--json"]  # fmt: skip
    wall, cpu, line = timed(command, src)
    return Cost(wall, cpu, json.loads(line)["pages"])


def in_python(python: str, script: str, seed: str, folder: Path) -> Cost:
    wall, cpu, line = timed([python, str(HERE / script), seed, str(folder / "bodies.gz")])
    return Cost(wall, cpu, int(line.split()[-1]))


def wget2(seed: str, folder: Path) -> Cost:
    command = ["wget2", "--no-config", "--quiet", "--recursive", "--level=0", "--span-hosts", "--max-threads=64",
               "--user-agent=bench/1", f"--directory-prefix={folder / 'files'}", seed]  # fmt: skip
    wall, cpu, _ = timed(command)
    return Cost(wall, cpu, sum(1 for _ in (folder / "files").rglob("*.html")))


def crawlers(options: argparse.Namespace) -> dict[str, Crawler]:
    """Those that are here."""
    found: dict[str, Crawler] = {"garimpo": partial(garimpo, None)}
    if options.against:
        found["garimpo, against"] = partial(garimpo, options.against)
    for module, script in (("scrapy", "scrapy_spider.py"), ("crawlee", "crawlee_crawler.py")):
        if not subprocess.run([options.peers, "-c", f"import {module}"], capture_output=True).returncode:
            found[module] = partial(in_python, options.peers, script)
    if shutil.which("wget2"):
        found["wget2"] = wget2
    wanted = {name: found[name] for name in found if not options.crawlers or name.split(",")[0] in ("garimpo", *options.crawlers)}
    print(f"compared: {', '.join(wanted)}", flush=True)
    return wanted


def steady(crawler: Crawler, small: str, large: str) -> Cost:
    """What the pages cost that the large web has more than the small one."""
    costs = []
    for seed in (small, large):
        with tempfile.TemporaryDirectory(prefix="garimpo-speed-") as folder:
            costs.append(crawler(seed, Path(folder)))
    return Cost(*(more - less for less, more in zip(*costs)))


def compare(name: str, count: int, sizes: tuple[int, int], options: argparse.Namespace) -> None:
    small, large = (tuple(f"{kind}{number:03d}.bench.example" for number in range(count)) for kind in ("small", "site"))
    per_host = options.pages // count
    runs: dict[str, list[Cost]] = {}
    with served({small: max(per_host // 10, 1), large: per_host}, sizes, SERVE):
        taking_part = crawlers(options)
        for _ in range(options.rounds):
            for crawler, crawl in taking_part.items():
                runs.setdefault(crawler, []).append(steady(crawl, f"http://{small[0]}/0.html", f"http://{large[0]}/0.html"))
    ours = statistics.median(run.cpu / run.pages for run in runs["garimpo"])
    for crawler, costs in runs.items():
        cpu = statistics.median(run.cpu / run.pages for run in costs)
        rate = statistics.median(run.pages / run.wall for run in costs)
        print(
            f"{name:20} {crawler:18} {costs[0].pages:7,} pages {rate:8,.0f} pages/s {1000 * cpu:8.3f} CPU ms a page  "
            f"{cpu / ours:6.2f} of ours",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--peers", default=sys.executable)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--crawlers", nargs="*", default=[], help="only these peers: scrapy, crawlee, wget2")
    parser.add_argument("--sizes", nargs="*", default=list(SIZES))
    parser.add_argument("--shapes", nargs="*", default=list(SHAPES))
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if shutil.which("nginx") is None or shutil.which("taskset") is None:
        print("nginx or taskset is not here: nothing was measured")
        return
    if options.quick:
        options.pages, options.rounds, options.crawlers = 200, 1, ["none"]
        options.sizes, options.shapes = options.sizes[:1], options.shapes[:1]
    for size in options.sizes:
        for shape in options.shapes:
            compare(f"{shape}, {size}", SHAPES[shape], SIZES[size], options)


if __name__ == "__main__":
    main()
