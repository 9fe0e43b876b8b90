"""A crawl in rounds that learns between them, beside the loop that learns while it runs: avoidable fetches at equal pages.

    python benchmarks/spark/rounds.py [--pages 10000] [--rounds 10] [--seed 303] [--master 'local[2]']

Three crawls of one made web: the loop without learning, the loop with it, and rounds of equal size with it. Rounds run on the
engine of this machine, or on Spark with `--master`.
"""

import argparse
import tempfile
import time
from pathlib import Path

import msgspec

from garimpo import webgen
from garimpo.crawl import Settings, crawl, status
from garimpo.crawl.rounds.driver import crawl_rounds, resume_rounds
from garimpo.demo.measures import Ledger, measure_folder
from garimpo.engine import open_engine

OVER = ("nothing left", "what is left must wait")


def in_rounds(folder: Path, settings: Settings, rounds: int, master: str | None) -> None:
    """So many rounds, each with its share of the pages."""
    shares = [settings.max_pages * number // rounds for number in range(1, rounds + 1)]
    with open_engine("spark" if master else "local", master) as engine:
        crawl_rounds(folder, msgspec.structs.replace(settings, max_pages=shares[0]), 1, engine, print)
        for share in shares[1:]:
            while status(folder)["stored"] < share:
                if resume_rounds(folder, 1, engine, print, {"max_pages": share})["ended"] in OVER:
                    return


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=303)
    parser.add_argument("--master", help="a Spark master; without one the engine of this machine")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.rounds = 300, 3
    with tempfile.TemporaryDirectory(prefix="garimpo-rounds-") as home:
        web = Path(home) / "web"
        webgen.make(web, profile="small" if given.quick else "medium", seed=given.seed)
        truth = Ledger.read(web)
        with webgen.serve(web) as server:
            settings = Settings(
                seeds=(web / "seeds.txt").read_text().split(), strategy="bfs", scope="all", max_pages=given.pages, delay=0.0,
                connections_per_address=4, hosts=str(web / "hosts"), resolve_all=server.address, allow_private=True,
                seed=given.seed,
            )  # fmt: skip
            for name, learn in (("loop, plain", False), ("loop", True), ("rounds", True)):
                folder, began = Path(home) / name.replace(", ", "-"), time.perf_counter()
                chosen = msgspec.structs.replace(settings, learn=learn)
                if name == "rounds":
                    in_rounds(folder, chosen, given.rounds, given.master)
                else:
                    crawl(folder, chosen)
                found = measure_folder(folder, truth)
                print(
                    f"{name:12} fetched {found.fetched:,} different {found.unique:,} avoidable/1000 {found.avoidable_rate:.1f} "
                    f"skipped {found.avoided:,} false skips {found.false_skips} ({time.perf_counter() - began:.0f} s)",
                    flush=True,
                )


if __name__ == "__main__":
    main()
