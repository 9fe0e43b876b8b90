"""Folds in a crawl of the made web `medium` that learns on the way, against the truth.

    python benchmarks/mirrors/loop.py [--pages 20000] [--round 2000] [--seed 41] [--folder DIR]

The crawl stops after every round of pages, what it kept is studied, and it goes on: so the figures do not depend on how much of
a busy machine the learner's own process gets. Prints how many copies were met and folded, what was fetched from them after
their fold was learned and what was avoided, and every fold that stands and is wrong. With --folder web and crawl stay there.
"""

import argparse
import tempfile
import time
from pathlib import Path

from garimpo import webgen
from garimpo.archive import Store
from garimpo.crawl import Settings, crawl, resume
from garimpo.crawl.gate.folds import rule_of_fold
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.defaults import components_for
from garimpo.crawl.learning.fold_study import FoldStudy, read_folds
from garimpo.crawl.learning.learner import Rounds
from garimpo.crawl.learning.rule_study import RuleStudy
from garimpo.demo.mirrors import is_right, measure_mirrors, trees_of


def run(web, folder, pages, each, seed):
    with webgen.serve(web) as server:
        settings = Settings(
            seeds=(web / "seeds.txt").read_text().split(),
            strategy="bfs",
            scope="all",
            max_pages=each,
            delay=0.0,
            connections_per_address=4,
            hosts=str(web / "hosts"),
            resolve_all=server.address,
            allow_private=True,
            seed=seed,
        )
        components = components_for(settings)
        components.learner = None
        crawl(folder, settings, components)
        for budget in range(2 * each, pages + 1, each):
            study(folder)
            resume(folder, {"max_pages": budget}, components)


def study(folder):
    """One round of the learner."""
    with Corpus.open(folder) as corpus:
        Rounds(corpus, [RuleStudy(corpus), FoldStudy(corpus)]).run()


def wrong_folds(folder, web):
    trees = trees_of(webgen.truth(web)["mirrors"])
    with Store.open(folder, write=False) as store:
        folds = read_folds(store.learned, store.learned.version("folds"))
        failed = {rule for (rule,) in store.database.execute("select rule from trust where withdrawn = 1")}
    return [fold for fold in folds if rule_of_fold(fold.host) not in failed and not is_right(fold, trees)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--round", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=41)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.round = 200, 100
    folder = given.folder or Path(tempfile.mkdtemp(prefix="garimpo-mirrors-"))
    web, out = folder / "web", folder / f"crawl-{time.time_ns()}"
    if not (web / "web.json").exists():
        webgen.make(web, profile="small" if given.quick else "medium", seed=given.seed)
    began = time.perf_counter()
    run(web, out, given.pages, given.round, given.seed)
    found = measure_mirrors(out, web)
    print(f"{given.pages:,} pages in {time.perf_counter() - began:.0f} s; copies met: {found.copies:,} hosts")
    print(f"folded {found.folded:,} hosts, wrong {found.wrong}, withdrawn {found.withdrawn}")
    print(f"after a fold was learned: {found.avoided:,} fetches avoided, {found.late:,} made (checks too): {found.share:.3f}")
    print(f"of all fetches on copies, also before and without folds: {found.share_of_all:.3f} avoided")
    for fold in wrong_folds(out, web):
        print("wrong:", *fold)


if __name__ == "__main__":
    main()
