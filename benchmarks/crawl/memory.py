"""How much memory the crawler's own structures take: 100 million seen keys, 20 million queued URLs.

    python benchmarks/crawl/memory.py [--seen 100000000] [--queued 20000000] [--hosts 2000]

Each part runs in a process of its own; what is printed is that process's largest resident size, Python and NumPy included.
"""

import argparse
import multiprocessing
import resource
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa

from garimpo.crawl.clock import SimulatedClock
from garimpo.crawl.fetch.dns import Resolver
from garimpo.crawl.frontier.frontier import Frontier
from garimpo.crawl.gate.entrance import Entrance
from garimpo.crawl.gate.gate import Gate
from garimpo.crawl.gate.guesses import Guesses
from garimpo.crawl.gate.rules import RulesInForce
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema
from garimpo.crawl.state.seen import SeenSet
from garimpo.url import key_column

BATCH = 100_000


def seen(count: int, folder: Path) -> None:
    """Add `count` random keys, logging them as commits do."""
    keys, draw = SeenSet(folder), np.random.default_rng(1)
    for _ in range(count // BATCH):
        keys.add(draw.integers(1, 1 << 63, BATCH, dtype=np.uint64))
        keys.flush()
    report(f"{len(keys):,} seen keys")


def queued(count: int, hosts: int, folder: Path) -> None:
    """Queue `count` URLs of `hosts` hosts, with a commit after each batch."""
    db = sqlite3.connect(folder / "queue.sqlite", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    schema.create(db)
    settings = Settings(scope="all", delay=0)
    keys, clock = SeenSet(folder), SimulatedClock()
    gate = Gate(Entrance(settings, []), RulesInForce(db, keys), Guesses(db), clock)
    resolver = Resolver(Settings(resolve_all="127.0.0.1:80"))  # every host is its own address
    frontier = Frontier(settings, db, keys, gate, resolver, clock)
    frontier.add_urls(["http://seed.example/"])
    parent = frontier.queues.entries_of(frontier.host("seed.example"))[0]
    for start in range(0, count, BATCH):
        numbers = range(start, start + BATCH)
        urls = pa.array([f"http://host{n % hosts}.example/section/page-{n}.html?item={n * 7}" for n in numbers])
        links = pa.table({"target": urls, "key": key_column(urls), "row": np.zeros(BATCH, np.int32)})
        frontier.add(links, np.full(BATCH, 0.5, np.float32), [parent])
        db.execute("BEGIN")
        frontier.commit(db)
        db.execute("COMMIT")
        frontier.committed()
        frontier.rest()
    report(f"{frontier.queued:,} queued URLs of {hosts:,} hosts")


def report(what: str) -> None:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    print(f"{what}: {peak:.2f} GB at most, {time.process_time():.0f} s of CPU", flush=True)


def alone(work: Callable[..., None], *arguments: object) -> None:
    with tempfile.TemporaryDirectory(prefix="garimpo-memory-") as folder:
        process = multiprocessing.get_context("spawn").Process(target=work, args=(*arguments, Path(folder)))
        process.start()
        process.join()
        if process.exitcode:
            sys.exit(f"{work.__name__} failed")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--seen", type=int, default=100_000_000)
    parser.add_argument("--queued", type=int, default=20_000_000)
    parser.add_argument("--hosts", type=int, default=2_000)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.seen, options.queued, options.hosts = 10 * BATCH, BATCH, 200
    if options.seen:
        alone(seen, options.seen)
    if options.queued:
        alone(queued, options.queued, options.hosts)


if __name__ == "__main__":
    main()
