"""The closed loop on the medium made web: avoidable duplicates with learning against without. Run by hand: about ten minutes.

    python benchmarks/loop/medium.py [--pages 50000] [--seed 7] [--busy 0] [--folder DIR]

Prints for each crawl the avoidable duplicates per 1,000 fetches, over all and in its last third, the false skips, the pages
a second, and the different pages per CPU second of loop, readers and learner together; an oracle that skips by the true keys is
counted beside, from the plain crawl's own order. `--busy` runs so many processes beside it that do nothing but count.
"""

import argparse
import contextlib
import itertools
import multiprocessing
import resource
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from garimpo import webgen
from garimpo.crawl import Settings, crawl
from garimpo.demo.measures import Ledger, Measures, measure_folder


def cpu_seconds() -> float:
    """CPU time of this process and of those it has waited for; a server that still runs is none of them."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def count_for_ever() -> None:
    for _ in itertools.count():
        pass


@contextlib.contextmanager
def busy(count: int) -> Iterator[None]:
    """So many busy processes beside what is measured."""
    processes = [multiprocessing.get_context("spawn").Process(target=count_for_ever, daemon=True) for _ in range(count)]
    for process in processes:
        process.start()
    yield
    for process in processes:
        process.kill()


def run(folder: Path, web: Path, address: str, pages: int, learn: bool, seed: int) -> tuple[Measures, float, float]:
    settings = Settings(
        seeds=(web / "seeds.txt").read_text().split(),
        strategy="bfs",
        scope="all",
        max_pages=pages,
        delay=0.0,
        connections_per_address=4,
        learn=learn,
        hosts=str(web / "hosts"),
        resolve_all=address,
        allow_private=True,
        seed=seed,
    )
    started, used = time.perf_counter(), cpu_seconds()
    crawl(folder, settings)
    seconds, used = time.perf_counter() - started, cpu_seconds() - used
    return measure_folder(folder, Ledger.read(web)), seconds, used


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--busy", type=int, default=0, help="busy processes beside the crawls")
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages = 200
    folder = given.folder or Path(tempfile.mkdtemp(prefix="garimpo-loop-"))
    web = folder / "web"
    if not (web / "web.json").exists():
        webgen.make(web, profile="small" if given.quick else "medium", seed=given.seed)
    results = {}
    with webgen.serve(web) as server, busy(given.busy):
        for name, learn in (("plain", False), ("learning", True)):
            results[name] = run(folder / f"{name}-{time.time_ns()}", web, server.address, given.pages, learn, given.seed)
    plain = results["plain"][0]
    for name, (found, seconds, used) in results.items():
        fall = 1 - found.avoidable_rate / plain.avoidable_rate
        late = 1 - found.avoidable_rate_late / plain.avoidable_rate_late
        print(
            f"{name:9} fetched {found.fetched:,} unique {found.unique:,} avoidable/1000 {found.avoidable_rate:.1f} (-{fall:.1%}) "
            f"last third {found.avoidable_rate_late:.1f} (-{late:.1%}) skipped {found.avoided:,} postponed {found.postponed:,} "
            f"false skips {found.false_skips} ({found.false_skip_share:.2%}) {found.fetched / seconds:.0f} pages/s "
            f"{found.unique / used:.1f} different pages a CPU second"
        )
    print("oracle    avoidable/1000 0.0 (-100.0%): every avoidable fetch has a true key that was met before")
    print(f"speed with the loop on: {results['plain'][1] / results['learning'][1]:.2f} of the plain crawl's")


if __name__ == "__main__":
    main()
