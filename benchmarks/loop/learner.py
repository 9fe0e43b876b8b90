"""What the learner costs as a crawl grows: CPU time a new page at each doubling, and memory. Run by hand: at full size, an hour.

    python benchmarks/loop/learner.py [--pages 1600000] [--first 100000] [--pages-a-site 200] [--rules-only] [--folder DIR]

Made segments of 2,000 pages without texts go to a crawl folder; the learner reads them as in a crawl, in this process, with a
round whenever one is due. Only its own CPU time is counted. A third of the pages repeat others of their site, by session
numbers, slashes, host names, redirects and near-duplicates. Bars: at most 1.2 times the CPU a page at each doubling, 600 MB.
"""

import argparse
import random
import resource
import tempfile
import time
from pathlib import Path

import pyarrow as pa

from garimpo.archive import Store
from garimpo.contract.tables import PAGES
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.learner import Rounds
from garimpo.crawl.learning.pace import next_due
from garimpo.crawl.learning.rule_study import RuleStudy
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema

SEGMENT = 2_000
START = 1_900_000_000_000_000


class MadePages:
    """Pages of sites that grow side by side; a new site begins with each so many pages."""

    def __init__(self, pages_a_site: int, seed: int) -> None:
        self._chance, self._each = random.Random(seed), pages_a_site
        self._sizes: list[int] = []
        self._count = 0

    def segment(self, rows: int) -> pa.Table:
        """The next rows."""
        made = [self._row() for _ in range(rows)]
        columns = [[row.get(field.name) for row in made] for field in PAGES]
        return pa.table([pa.array(values, field.type) for values, field in zip(columns, PAGES)], schema=PAGES)

    def _row(self) -> dict[str, object]:
        chance = self._chance
        self._count += 1
        if not self._sizes or chance.random() < 1 / self._each:
            self._sizes.append(0)
        site = chance.randrange(len(self._sizes))
        host, number = f"s{site}.example", self._sizes[site]
        form = chance.randrange(12) if number else 6
        if form > 4:
            self._sizes[site] += 1
        else:
            number = chance.randrange(number)
        row: dict[str, object] = {"url": f"http://{host}/{'abc'[site % 3]}/{number}", "host": host, "status": 200}
        row |= {"depth": 1, "ip": f"10.0.{site % 250}.1"}
        row |= {"fetched_at": START + self._count, "digest": (site << 24) + number + 1, "title": f"Page {number}"}
        first = str(row["url"])
        if form == 0:
            row |= {"url": f"{first}?sid={self._count}", "duplicate_of": first}
        elif form == 1:
            row |= {"url": f"{first}/", "duplicate_of": first}
        elif form == 2 and site % 2:
            row |= {"url": first.replace("//", "//www."), "host": f"www.{host}", "duplicate_of": first}
        elif form == 3:
            row |= {"url": f"http://{host}/old/{number}", "status": 301, "digest": None, "title": None, "redirect": first}
        elif form == 4:
            row |= {"url": f"{first}?print=1", "digest": (1 << 60) + self._count, "duplicate_of": first}
        elif form == 5:
            row |= {"url": f"{first}?page={chance.randrange(9)}", "digest": (1 << 61) + self._count}
        return row


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=1_600_000)
    parser.add_argument("--first", type=int, default=100_000, help="the first figure is for so many pages")
    parser.add_argument("--pages-a-site", type=int, default=200)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--rules-only", action="store_true", help="URL rules and guesses, without folds")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.first, given.pages_a_site = 4_000, 2_000, 50
    folder = (given.folder or Path(tempfile.mkdtemp(prefix="garimpo-learner-"))) / "crawl"
    made, shown, before, spent, cost = MadePages(given.pages_a_site, given.seed), given.first, (0, 0.0), 0.0, 0.0
    with Store.create(folder) as store, Corpus(Store.open(folder, write=False), Settings()) as corpus:
        schema.create(store.database)
        rounds = Rounds(corpus, [RuleStudy(corpus)] if given.rules_only else None)
        studied = 0
        for end in range(SEGMENT, given.pages + 1, SEGMENT):
            with store.commit(made.segment(SEGMENT)):
                pass
            store.merge()
            began = time.process_time()
            rounds.grow()
            while next_due(studied) <= corpus.rows:
                rounds.run()
                studied = corpus.rows
            spent += time.process_time() - began
            if end >= shown or end == given.pages:
                last, cost = cost, 1e6 * (spent - before[1]) / (end - before[0])
                before, shown = (end, spent), 2 * shown
                memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
                growth = f"{cost / last:.2f} times" if last else ""
                versions = {kind: corpus.learned.version(kind) for kind in corpus.learned.kinds()}
                figures = f"{cost:>6,.0f} us of CPU a new page  {growth:>10}  {memory:,.0f} MB"
                print(f"{end:>9,} pages  {figures}  {versions}", flush=True)


if __name__ == "__main__":
    main()
