"""The room's bars, on seeds that nothing was learned or tuned on.

    python experiments/sites/bars.py [--seeds 7501 7502 7503 7504 7505] [--parts ...] [--out bars.md]

1. Real estate on the made web (medium): train on labelled pages of one seed, decide all sites of another; the root may be a
   listing, pages are counted over all sites, also those decided wrongly. With `--command` the same through the command line,
   over an archive.
2. An entity from 10 good and 20 bad sites alone, no words by hand: real estate, cars, jobs, recipes.
3. The locator on its tables, with the table's `detected` as detector.

Bars: precision and recall (without sites whose listings are hidden) >= 0.97 with <= 2.5 pages a relevant and <= 5 an irrelevant
site; F1 >= 0.90; locator precision >= 0.95 over the first and >= 0.90 over the last hundred found, recall >= 0.7 of what can be
reached. Seeds used while building: 1 to 3, 101 to 105, 202 to 206, 6001 to 6010, 7404.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from reach import measure_locator
from tables import interval
from worlds import Made, Score, by_examples, decide, score

from garimpo.sites import load_filters, train

ENTITIES = ("re", "cars", "jobs", "recipes")
GOOD, BAD = 10, 20
HEAD = (
    "| {} | precision | recall | with hidden sites | F1 | pages a relevant site | pages an irrelevant site |\n"
    "|---|---|---|---|---|---|---|"
)
LOCATOR = "| tables | found | first hundred | last hundred | all | recall of what can be reached |\n|---|---|---|---|---|---|"


def row(name: str, found: Score) -> str:
    return (
        f"| {name} | {found.precision:.3f} | {found.recall:.3f} | {found.recall_of_all:.3f} | {found.f1:.3f} "
        f"| {found.relevant_pages:.2f} | {found.irrelevant_pages:.2f} |"
    )


def real_estate(seed: int) -> list[str]:
    """Trained on labelled pages of another seed, with learned priorities and with those by hand."""
    web, (pages, labels, _) = Made(seed), Made(seed + 10_000).labelled("re", 1)
    learned = train(pages, labels, structured=False)
    by_hand = train(pages, labels, filters=load_filters("imoveis-pt"), structured=False)
    models = {f"{len(pages):,} pages": learned, "filters by hand": by_hand}
    return [row(f"seed {seed}, {name}", score(web.cases, decide(model, web), "re")) for name, model in models.items()]


def from_examples(seeds: list[int], entities: list[str], say: Callable[[str], None]) -> None:
    """A row for each seed and entity, then the means."""
    runs: dict[str, list[Score]] = {entity: [] for entity in entities}
    for seed in seeds:
        web, other = Made(seed), Made(seed + 10_000)
        for entity in entities:
            runs[entity].append(by_examples(web, other, entity, GOOD, BAD))
            say(row(f"seed {seed}, {entity}", runs[entity][-1]))
    say(f"\nMeans over {len(seeds)} seeds with 95 % intervals (Student's t), and the worst seed:\n")
    say("| entity | precision | recall | F1 | worst F1 | seeds with F1 >= 0.90 |\n|---|---|---|---|---|---|")
    for entity, found in runs.items():
        means = [interval([getattr(one, of) for one in found], 2) for of in ("precision", "recall", "f1")]
        f1 = [one.f1 for one in found]
        enough = sum(value >= 0.9 for value in f1)
        say(f"| {entity} | {' | '.join(means)} | {min(f1):.3f} | {enough} of {len(f1)} |")


def by_command(seed: int) -> str:
    """The first bar as a user runs it: an archive of the web's pages, `sites train`, `sites detect --archive`."""
    web, other = Made(seed), Made(seed + 10_000)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        pages = [(page.url, label) for page, label in zip(*other.labelled("re", 1)[:2])]
        bodies = [other.world.answer(url).body for url, _ in pages]
        table = {"url": [url for url, _ in pages], "html": bodies, "label": [int(label) for _, label in pages]}
        pq.write_table(pa.table(table), folder / "pages.parquet")
        urls = sorted({url for case in web.cases for url, _ in web.urls(case)})
        kept = [(url, answer.body) for url in urls if (answer := web.world.answer(url)).status == 200]
        pq.write_table(pa.table({"url": [url for url, _ in kept], "html": [body for _, body in kept]}), folder / "web.parquet")
        (folder / "sites.txt").write_text("".join(f"{case.site}\n" for case in web.cases))
        _run("archive", "import", folder / "web.parquet", "--out", folder / "crawl")
        _run("sites", "train", folder / "pages.parquet", "--out", folder / "sites.model", "--no-structured")
        _run("sites", "detect", folder / "sites.model", f"@{folder / 'sites.txt'}", "--archive", folder / "crawl",
             "--out", folder / "sites.parquet")  # fmt: skip
        rows = {row["site"]: Row(row) for row in pq.read_table(folder / "sites.parquet").to_pylist()}
    return row(f"seed {seed}, by command, {len(kept):,} pages in the archive", score(web.cases, rows, "re"))


class Row:
    """A row of the sites table, as `score` looks at a detection."""

    def __init__(self, given: dict) -> None:
        self.relevant, self.pages_fetched = given["relevant"], given["pages_fetched"]


def _run(*arguments: object) -> None:
    subprocess.run([sys.executable, "-m", "garimpo", *map(str, arguments), "--json"], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, nargs="+", default=[7501, 7502, 7503, 7504, 7505])
    parser.add_argument("--entities", nargs="+", default=list(ENTITIES))
    parser.add_argument("--parts", nargs="+", default=["pages", "command", "examples", "locator"])
    parser.add_argument("--out", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.seeds, given.entities, given.parts = given.seeds[:1], given.entities[:1], ["locator"]
    lines: list[str] = []

    def say(line: str) -> None:
        lines.append(line)
        print(line, flush=True)
        if given.out is not None:
            given.out.write_text("\n".join(lines) + "\n")

    say(f"# The bars, on fresh seeds\n\nMade by `bars.py --seeds {' '.join(map(str, given.seeds))}`.")
    if "pages" in given.parts or "command" in given.parts:
        say("\n## Real estate from labelled pages\n\n" + HEAD.format("made web"))
    for seed in given.seeds if "pages" in given.parts else ():
        for line in real_estate(seed):
            say(line)
    if "command" in given.parts:
        say(by_command(given.seeds[0]))
    if "examples" in given.parts:
        say(f"\n## An entity from {GOOD} good and {BAD} bad sites\n\n" + HEAD.format("made web"))
        from_examples(given.seeds, given.entities, say)
    if "locator" in given.parts:
        say("\n## Locator\n\n" + LOCATOR)
        for seed in given.seeds:
            say(measure_locator(seed).row(f"seed {seed}"))
    print(json.dumps({"out": str(given.out) if given.out else None, "lines": len(lines)}))


if __name__ == "__main__":
    main()
