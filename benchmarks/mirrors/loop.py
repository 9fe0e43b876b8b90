"""Folds in a crawl of the made web `medium` that learns while it runs, against the truth.

    python benchmarks/mirrors/loop.py [--pages 20000] [--seed 41] [--folder DIR]

Prints how many copies were met and folded, what was fetched from them after their fold was learned and what was avoided, and
every fold that stands and is wrong. With --folder the web and the crawl stay there.
"""

import argparse
import tempfile
import time
from pathlib import Path

from garimpo import webgen
from garimpo.archive import Store
from garimpo.crawl import Settings, crawl
from garimpo.crawl.fold_study import read_folds
from garimpo.crawl.keys import rule_of_fold
from garimpo.demo.mirrors import _groups, is_right, measure_mirrors


def run(web, folder, pages, seed):
    with webgen.serve(web) as server:
        settings = Settings(
            seeds=(web / "seeds.txt").read_text().split(),
            strategy="bfs",
            scope="all",
            max_pages=pages,
            delay=0.0,
            connections_per_address=4,
            learn=True,
            learn_pages=1_000,
            hosts=str(web / "hosts"),
            resolve_all=server.address,
            allow_private=True,
            seed=seed,
        )
        crawl(folder, settings)


def wrong_folds(folder, web):
    groups = _groups(webgen.truth(web)["mirrors"])
    with Store.open(folder, write=False) as store:
        folds = read_folds(store.learned, store.learned.version("folds"))
        failed = {rule for (rule,) in store.database.execute("select rule from trust where withdrawn = 1")}
    return [fold for fold in folds if rule_of_fold(fold.host) not in failed and not is_right(fold, groups)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--folder", type=Path)
    given = parser.parse_args()
    folder = given.folder or Path(tempfile.mkdtemp(prefix="garimpo-mirrors-"))
    web, out = folder / "web", folder / f"crawl-{time.time_ns()}"
    if not (web / "web.json").exists():
        webgen.make(web, profile="medium", seed=given.seed)
    began = time.perf_counter()
    run(web, out, given.pages, given.seed)
    found = measure_mirrors(out, web)
    print(f"{given.pages:,} pages in {time.perf_counter() - began:.0f} s; copies met: {found.copies:,} hosts")
    print(f"folded {found.folded:,} hosts, wrong {found.wrong}, withdrawn {found.withdrawn}")
    print(f"after a fold was learned: {found.avoided:,} fetches avoided, {found.late:,} made (checks too): {found.share:.3f}")
    print(f"of all fetches on copies, also before and without folds: {found.share_of_all:.3f} avoided")
    for fold in wrong_folds(out, web):
        print("wrong:", *fold)


if __name__ == "__main__":
    main()
