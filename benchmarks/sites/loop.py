"""A crawl that collects sites against breadth-first, on the medium made web: sites found a fetch. Run by hand: a few minutes.

    python benchmarks/sites/loop.py [--pages 1000] [--seeds 6101] [--delay 0.02]

Both crawls have the same judge, learned from labelled pages of another seed, and the same number of pages. A site is found when
a page of it was taken for a listing. Prints one line a crawl, and how many times as many sites the crawl for sites found.
"""

import argparse
import tempfile
from pathlib import Path

from garimpo import sites, webgen
from garimpo.crawl import Settings, crawl
from garimpo.demo.entities import Collected, collect, examples

MEDIUM = {"profile": "medium", "stored": False}
SMALL = {"profile": "small", "stored": False, "entities": 0.8}


def run(folder: Path, web: Path, model: Path, address: str, strategy: str, given: argparse.Namespace) -> Collected:
    crawl(folder / strategy, Settings(
        seeds=(web / "seeds.txt").read_text().split(), strategy=strategy, scope="all", max_pages=given.pages, delay=given.delay,
        connections_per_address=16, learn=False, hosts=str(web / "hosts"), resolve_all=address, allow_private=True,
        sites=str(model),
    ))  # fmt: skip
    return collect(strategy, folder / strategy, web, sites.SiteModel.load(model).threshold)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[6101])
    parser.add_argument("--delay", type=float, default=0.02)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.seeds = 40, given.seeds[:1]
    for seed in given.seeds:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            web, model = folder / "web", folder / "sites.model"
            size = SMALL if given.quick else MEDIUM
            sites.train(*examples(seed + 10_000, 1, **size, words=seed)).save(model)
            webgen.make(web, seed=seed, **size)
            with webgen.serve(web) as server:
                found = [run(folder, web, model, server.address, strategy, given) for strategy in ("bfs", "garimpo")]
        for one in found:
            share = 1000 * one.found / one.pages
            print(f"seed {seed} {one.name:8} {one.found} of {one.of} sites found, {one.wrong} wrong, {one.pages:,} pages "
                  f"({share:.1f} a thousand)", flush=True)  # fmt: skip
        print(f"seed {seed} ratio {found[1].found / max(1, found[0].found):.1f}", flush=True)


if __name__ == "__main__":
    main()
