"""The room's bars, on seeds that nothing was learned or tuned on.

    python experiments/sites/bars.py [--seeds 8101 8102 ...] [--parts rule pages ...] [--hosts 1500] [--out bars.md]

Every seed draws the words of what is listed, so the web that examples come from speaks those of the web that is decided, but has
no site in common with it: what can be learned is what the examples show.

1. The rule that must not do: a word for real estate (of all that any web may speak) and three prices, on pages and on sites.
2. Real estate: train on labelled pages, decide all sites of the other web; the root may be a listing, pages are counted over all
   sites, also those decided wrongly. `strangers`: the same from a web of its own words, of which a third are shared.
3. The same through the command line, over an archive.
4. An entity from 10 good and 20 bad sites alone, no words by hand.
5. The locator on its tables, with the table's `detected` as detector, 2 % and 8 % of it false alarms.

Bars: the rule below F1 0.7; precision and recall (without sites whose listings are hidden) >= 0.95 with <= 2.5 pages a relevant
and <= 5 an irrelevant site; F1 >= 0.90 in the mean for each entity; locator precision >= 0.95 over the first and >= 0.90 over the
last hundred found, >= 0.6 with the false alarms of the source's detector. Seeds used while
building: below 7000, 7404, 8001 to 8004, 9201 to 9206.
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

from garimpo.sites import train
from garimpo.sites.site_text import words
from garimpo.url import site as site_of
from garimpo.webgen.language import things_en, things_pt

ENTITIES = ("re", "cars", "jobs", "recipes", "goods")
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


def real_estate(seed: int, hosts: int, urls: int, words: int) -> str:
    """Trained on labelled pages of another web, with these words."""
    web, (pages, labels, _) = Made(seed, hosts, urls), Made(seed + 10_000, hosts, urls, words).labelled("re", 1)
    found = score(web.cases, decide(train(pages, labels, structured=False), web), "re")
    return row(f"seed {seed}, {len(pages):,} pages{' of strangers' if words < 0 else ''}", found)


def rule(seed: int, hosts: int, urls: int) -> str:
    """F1 of "a word for real estate and three prices" over pages, and over sites with such a page."""
    web = Made(seed, hosts, urls)
    known = {word for book in (things_en, things_pt) for kind in book.THINGS["re"][0].split(",") for word in words(kind)}
    pages, labels, _ = web.labelled("re", 4)
    said = [page.prices >= 3 and not known.isdisjoint(words(page.text)) for page in pages]
    by_rule = {site_of(page.url) for page, yes in zip(pages, said) if yes}
    good = {case.site for case in web.cases if "re" in case.entities}
    both = f1(sum(map(all, zip(said, labels))), sum(said), sum(labels)), f1(len(by_rule & good), len(by_rule), len(good))
    return f"| seed {seed} | {both[0]:.3f} | {both[1]:.3f} |"


def f1(right: int, said: int, true: int) -> float:
    return 2 * right / max(1, said + true)


def from_examples(seeds: list[int], entities: list[str], hosts: int, urls: int, say: Callable[[str], None]) -> None:
    """A row for each seed and entity, then the means."""
    runs: dict[str, list[Score]] = {entity: [] for entity in entities}
    for seed in seeds:
        web, other = Made(seed, hosts, urls), Made(seed + 10_000, hosts, urls, words=seed)
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
    web, other = Made(seed), Made(seed + 10_000, words=seed)
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
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(8101, 8111)))
    parser.add_argument("--hosts", type=int, default=1_500)
    parser.add_argument("--entities", nargs="+", default=list(ENTITIES))
    parser.add_argument("--parts", nargs="+", default=["rule", "pages", "strangers", "command", "examples", "locator"])
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

    seeds, size = given.seeds, (given.hosts, given.hosts * 133)
    say(f"# The bars, on fresh seeds\n\nMade by `bars.py --seeds {' '.join(map(str, seeds))} --hosts {given.hosts}`.")
    if "rule" in given.parts:
        say("\n## A word for real estate and three prices\n\n| made web | F1 of pages | F1 of sites |\n|---|---|---|")
        for seed in seeds:
            say(rule(seed, *size))
    if {"pages", "strangers", "command"} & set(given.parts):
        say("\n## Real estate from labelled pages\n\n" + HEAD.format("made web"))
    for part in ("pages", "strangers"):
        for seed in seeds if part in given.parts else ():
            say(real_estate(seed, *size, seed if part == "pages" else -1))
    if "command" in given.parts:
        say(by_command(seeds[0]))
    if "examples" in given.parts:
        say(f"\n## An entity from {GOOD} good and {BAD} bad sites\n\n" + HEAD.format("made web"))
        from_examples(seeds, given.entities, *size, say)
    if "locator" in given.parts:
        say("\n## Locator\n\n" + LOCATOR)
        for alarms in (0.008, 0.035):  # four times as many among those that look alike: 2 % and 8 % of all
            for seed in seeds:
                say(measure_locator(seed, false_alarm=alarms).row(f"seed {seed}, {alarms:.1%} to {4 * alarms:.1%} false alarms"))
    print(json.dumps({"out": str(given.out) if given.out else None, "lines": len(lines)}))


if __name__ == "__main__":
    main()
