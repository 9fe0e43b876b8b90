"""A host graph on disk: time and memory to take in many edges, and to answer. Run by hand: a few minutes.

    python benchmarks/sites/graph.py [--edges 20_000_000] [--hosts 1_000_000]

Prints one line: seconds to build, milliseconds a question, and the most memory used.
"""

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

import numpy as np

from garimpo.sites.disk_links import DiskLinks


def write_graph(folder: Path, hosts: int, edges: int) -> tuple[Path, Path]:
    """Hosts of which few are named often."""
    dice = np.random.default_rng(1)
    names, arcs = folder / "vertices.txt", folder / "edges.txt"
    with names.open("w") as file:
        file.writelines(f"{i}\tcom.host{i}\n" for i in range(hosts))
    with arcs.open("w") as file:
        for start in range(0, edges, 1 << 20):
            count = min(1 << 20, edges - start)
            sources, targets = dice.integers(hosts, size=count), (hosts * dice.random(count) ** 3).astype(int)
            file.writelines(f"{a}\t{b}\n" for a, b in zip(sources.tolist(), targets.tolist()))
    return names, arcs


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--edges", type=int, default=20_000_000)
    parser.add_argument("--hosts", type=int, default=1_000_000)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.edges, given.hosts = 20_000, 2_000
    with tempfile.TemporaryDirectory() as place:
        files = write_graph(Path(place), given.hosts, given.edges)
        began = time.perf_counter()
        with DiskLinks(graph=files) as links:
            built, dice = time.perf_counter() - began, random.Random(1)
            asked = [f"host{dice.randrange(given.hosts)}.com" for _ in range(50)]
            began = time.perf_counter()
            named = sum(len(links.outlinks(page)) for site in asked for page in links.backlinks(site, 15))
            each = (time.perf_counter() - began) / len(asked)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{given.edges:,} edges of {given.hosts:,} hosts: built in {built:.0f} s, {1000 * each:.0f} ms a site and its hubs "
          f"({named:,} sites named), {most:,.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main()
