"""Thirty random `kill -9` in one crawl of the small made web; what is stored must equal an undisturbed crawl's.

    python benchmarks/crawl/kills.py [--kills 30] [--workers 0 2] [--delay 0.02]

The whole process group is killed, each time after a random while; now and then only one reader. At the end the two crawls are
compared row by row, and the access log is searched for requests that came too soon.
"""

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pyarrow.dataset as ds

from garimpo import webgen

QUIET = subprocess.DEVNULL


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "garimpo", *map(str, arguments)]


def contents(folder: Path) -> list[tuple[str, int, int]]:
    rows = ds.dataset(folder / "pages").to_table(columns=["url", "status", "digest"]).to_pylist()
    return sorted((row["url"], row["status"], row["digest"] or 0) for row in rows)


def starts(folder: Path) -> int:
    log = folder / "crawl.log"
    return log.read_text().count('"event":"start"') if log.exists() else 0


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def disturbed(flags: list[object], out: Path, kills: int, draw: random.Random) -> None:
    """A crawl killed again and again, then left to end."""
    arguments = ["crawl", *flags, "--out", out]
    for number in range(kills):
        before = starts(out)
        process = subprocess.Popen(command(*arguments), stderr=QUIET, stdout=QUIET, start_new_session=True)
        while starts(out) == before and process.poll() is None:
            time.sleep(0.01)
        time.sleep(draw.random() * 2.0)
        readers = children(process.pid) if process.poll() is None else []
        if readers and number % 3 == 0:
            os.kill(draw.choice(readers), signal.SIGKILL)
            time.sleep(draw.random())
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        arguments = ["crawl", "--resume", out]
    subprocess.run(command(*arguments), check=True, stdout=QUIET)


def shortest_gap(server: webgen.Serving, hosts: Path) -> float:
    """The shortest time between two requests to one host or one address."""
    addresses = {line.split()[1]: line.split()[0] for line in hosts.read_text().splitlines() if line.strip()}
    times: dict[str, list[float]] = defaultdict(list)
    for at, host, _, _ in server.log():
        times[host].append(at)
        times[addresses.get(host, host)].append(at)
    return min(later - sooner for several in times.values() for sooner, later in pairwise(several))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=30)
    parser.add_argument("--workers", type=int, nargs="*", default=[0, 2])
    parser.add_argument("--delay", type=float, default=0.05)
    parser.add_argument("--urls", type=int, default=None)
    options = parser.parse_args()
    failed = False
    with tempfile.TemporaryDirectory(prefix="garimpo-kills-") as temporary:
        folder = Path(temporary)
        web = folder / "web"
        webgen.make(web, "small", seed=1, static=True, urls=options.urls)
        for workers in options.workers:
            (web / "access.log").unlink(missing_ok=True)
            with webgen.serve(web) as server:
                flags: list[object] = [
                    f"@{web / 'seeds.txt'}", "--scope", "all", "--strategy", "bfs", "--no-learn", "--delay", options.delay,
                    "--resolve-all", server.address, "--hosts", web / "hosts", "--workers", workers,
                ]  # fmt: skip
                out = folder / f"killed-{workers}"
                disturbed(flags, out, options.kills, random.Random(workers))
                gap = shortest_gap(server, web / "hosts")
                calm = folder / f"calm-{workers}"
                subprocess.run(command("crawl", *flags, "--out", calm), check=True, stdout=QUIET)
            same = contents(out) == contents(calm)
            failed |= not same or gap < options.delay - 0.002
            verdict = "equal to" if same else "DIFFERENT FROM"
            print(f"{workers} readers, {options.kills} kills: {len(contents(out)):,} rows, {verdict} an undisturbed crawl's")
            print(f"shortest gap between two requests {gap:.3f} s, delay {options.delay} s", flush=True)
    sys.exit(failed)


if __name__ == "__main__":
    main()
