"""The tables of the source once more, on made and real data, with our own method beside.

    python experiments/sites/run.py [--seeds 7301 7302 7303] [--out experiments/sites/results.md]

Webs for training and for tests have different seeds, so they share no site and no template, only the words of what is listed.
Schema.org types are not used. Means over the seeds with 95 % intervals (Student's t). Made data can support the direction of a
claim only; the source's own figures, on other data, stand in the last columns for orientation. Entities learned from example
sites are in `bars.md`.
"""

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from reach import Located, measure_locator
from swde import PAGES, left_out
from tables import LIMITS, interval, learners, searches
from worlds import Made, Score

from garimpo.sites import LEARNERS

SOURCE_41 = {"svm": "0.90 0.97 0.93 0.93", "naive_bayes": "0.78 0.87 0.82 0.81", "tree": "0.90 0.54 0.68 0.74",
             "logistic": "0.98 0.54 0.70 0.77"}  # fmt: skip
SOURCE_42 = {20: "0.91 0.93 3.84 16.38", 13: "0.92 0.90 3.40 11.29", 10: "0.92 0.85 2.92 8.86", 7: "0.93 0.82 2.71 6.36",
             5: "0.93 0.78 2.50 4.62"}  # fmt: skip
SOURCE_43 = {20: "0.92 0.90 2.33 8.02", 13: "0.92 0.90 2.33 7.33", 10: "0.92 0.90 2.33 7.28", 7: "0.93 0.89 2.26 6.35",
             5: "0.93 0.89 2.26 4.61"}  # fmt: skip
FIFTHS = 5


class Page:
    """The results, written anew after every part, so that a run that is cut short leaves what it has."""

    def __init__(self, path: Path, head: str) -> None:
        self._path, self._lines = path, [head]

    def part(self, title: str, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
        columns = list(columns)
        self._lines += ["", f"## {title}", "", "| " + " | ".join(columns) + " |", "|" + "---|" * len(columns)]
        self._lines += ["| " + " | ".join(map(str, row)) + " |" for row in rows]
        self._path.write_text("\n".join(self._lines) + "\n")
        print(f"{title}: done", flush=True)


def table_learners(page: Page, pairs: list[tuple[Made, Made]]) -> None:
    runs = [learners(*pair) for pair in pairs]
    rows = [
        [
            name,
            *(interval([run[name][of] for run in runs]) for of in ("precision", "recall", "F1", "accuracy")),
            SOURCE_41.get(name, ""),
        ]
        for name in LEARNERS
    ]
    page.part(
        "Learners on pages of unseen sites (table 4.1)", ("learner", "precision", "recall", "F1", "accuracy", "source"), rows
    )


def table_searches(page: Page, pairs: list[tuple[Made, Made]]) -> None:
    runs = [searches(*pair) for pair in pairs]
    of: dict[str, Callable[[Score], float]] = {
        "precision": lambda s: s.precision, "recall": lambda s: s.recall, "F1": lambda s: s.f1,
        "pages a relevant site": lambda s: s.relevant_pages, "pages an irrelevant site": lambda s: s.irrelevant_pages,
    }  # fmt: skip
    for way, title, source in (
        ("breadth-first", "Breadth-first (table 4.2)", SOURCE_42),
        ("priorities", "Filters and limits (table 4.3)", SOURCE_43),
    ):
        rows = [
            [limit, *(interval([get(run[way, limit]) for run in runs], 2) for get in of.values()), source[limit]]
            for limit in LIMITS
        ]
        page.part(title, ("pages, at most", *of, "source: P R pages"), rows)


def table_locator(page: Page, seeds: list[int]) -> None:
    runs: list[Located] = [measure_locator(seed) for seed in seeds]
    rows = [
        ["first hundred", interval([run.precision(slice(100)) for run in runs], 2), "0.95"],
        *_fifths(runs),
        ["last hundred", interval([run.precision(slice(-100, None)) for run in runs], 2), "0.67"],
        ["recall of what can be reached", interval([run.recall for run in runs], 2), ""],
        ["found, of sites tried", interval([len(run.true) / run.tried for run in runs], 2), "0.104"],
    ]  # fmt: skip
    page.part("Locator: precision by order of discovery", ("part", "precision", "source"), rows)


def _fifths(runs: list[Located]) -> Iterable[list[str]]:
    for part in range(FIFTHS):
        yield [f"{part + 1}. fifth of those found", interval([_fifth(run, part) for run in runs], 2), "0.82 over the middle"]


def _fifth(run: Located, part: int) -> float:
    size = len(run.true) / FIFTHS
    return run.precision(slice(int(part * size), int((part + 1) * size)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[7301, 7302, 7303])
    parser.add_argument("--hosts", type=int, default=1_500, help="the size of each made web")
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results.md"))
    given = parser.parse_args()
    size = {"hosts": given.hosts, "urls": given.hosts * 130}
    pairs = [(Made(seed + 10_000, **size, words=seed), Made(seed, **size)) for seed in given.seeds]
    asked = f"run.py --seeds {' '.join(map(str, given.seeds))} --hosts {given.hosts}"
    told = (__doc__ or "").split("\n\n", 2)[2].strip()
    page = Page(given.out, f"# Sites: the tables of the source, run again\n\n{told}\n\nMade with `{asked}`.")
    table_locator(page, given.seeds)
    table_learners(page, pairs)
    table_searches(page, pairs)
    if PAGES.exists():
        found = left_out()
        rows = [[vertical, f"{pages:.3f}", f"{whole:.2f}"] for vertical, (pages, whole) in found.items()]
        page.part("Real pages (SWDE): vertical of an unseen site", ("vertical", "pages right", "sites right"), rows)


if __name__ == "__main__":
    main()
