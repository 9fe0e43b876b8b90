"""Crawls with and without learning over the real web: a line for each application, also where learning loses."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from realweb.application import Application
from realweb.crawls import read_links, run_crawl
from realweb.measures import Measures, Scale, first_with, upper_bound
from realweb.oracle import greedy_order
from realweb.packages import Missing
from realweb.upstream import Source, open_source

MOST = 10_000
"""Requests within which the documents of `n90` are counted."""
HEADING = "application seed mode requests documents duplicates n90 skipped right unfetched wrong left"


@dataclass(frozen=True)
class Goal:
    """Fixed once: how many documents are 90 % of an application's, and what a crawl that does not learn needs for them."""

    documents: int
    of: int
    requests: int
    oracle: int


def snapshot(applications: Sequence[Application], data: Path, requests: int) -> None:
    """A plain crawl of each application: keeps its answers, and fixes its goal."""
    for application in applications:
        source = open_source(application, data)
        try:
            goal = _fix_goal(source, data, requests)
            print(f"{application.name}: {len(source.answers):,} answers kept, {goal}", flush=True)
        except Missing as error:
            print(f"{application.name}: skipped: {error}", flush=True)
        finally:
            source.close()


def bench(applications: Sequence[Application], data: Path, requests: int, seeds: int, live: bool = False) -> None:
    """All crawls; then sums over seeds, and over all."""
    everything = Measures()
    print(HEADING.replace(" ", "\t"))
    for application in applications:
        source = open_source(application, data)
        try:
            everything += _bench_one(source, data, requests, seeds, live)
        except Missing as error:
            print(f"# {application.name}: skipped: {error}", flush=True)
        finally:
            source.close()
    bound = upper_bound(everything.wrong, everything.claimed)
    print(
        f"all that learn: {everything.claimed:,} skipped as known, {everything.wrong} wrong (95 % bound {bound:.2%}), "
        f"{everything.unfetched} whose page still waits; {everything.avoided:.0%} of the duplicates avoided after 400 "
        f"requests to a host ({everything.avoided_on_one_host:.0%} without second names)"
    )


def _bench_one(source: Source, data: Path, requests: int, seeds: int, live: bool) -> Measures:
    name = source.application.name
    goal, scale = _goal_of(source, data, requests), Scale(source)
    folder = data / "crawls" / name
    runs = {
        (seed, learn): run_crawl(source, folder / f"{seed}-{'learn' if learn else 'plain'}", requests, learn, seed, live)
        for seed in range(seeds)
        for learn in (False, True)
    }
    for run in runs.values():  # all are judged before one is counted: what is a document must be known by then
        scale.measure(run)
    sums = {False: Measures(), True: Measures()}
    for (seed, learn), run in runs.items():
        found = scale.measure(run)
        sums[learn] += found
        needed = first_with(scale.growth(run.asked), goal.documents)
        print(_line(name, str(seed), learn, found, str(needed or "-")), flush=True)
    plain, learned = sums[False], sums[True]
    print(
        f"# {name}: documents {learned.documents / max(1, plain.documents):.2f} of those without learning, duplicates "
        f"{learned.duplicates / max(1, plain.duplicates):.2f}, avoided {learned.avoided:.0%} "
        f"({learned.avoided_on_one_host:.0%} without second names); "
        f"n90 {goal.requests}, oracle {goal.oracle}, {goal.documents} of {goal.of} documents",
        flush=True,
    )
    return learned


def _line(name: str, seed: str, learn: bool, found: Measures, n90: str) -> str:
    values = [found.requests, found.documents, found.duplicates, n90]
    values += [found.claimed, found.duplicates_skipped, found.unfetched, found.wrong, found.left]
    return "\t".join([name, seed, "learn" if learn else "plain", *map(str, values)])


def _goal_of(source: Source, data: Path, requests: int) -> Goal:
    """The goal that was fixed, or a new one by a snapshot of three times the budget."""
    kept = _goals(data).get(source.application.name)
    return Goal(**kept) if kept else _fix_goal(source, data, 3 * requests)


def _fix_goal(source: Source, data: Path, requests: int) -> Goal:
    """Crawl without learning, keep the crawl's folder, and count."""
    name = source.application.name
    folder = data / "snapshots" / name
    run = run_crawl(source, folder, requests, learn=False, seed=0)
    scale = Scale(source)
    scale.measure(run)
    counts = scale.growth(run.asked[:MOST])
    total = scale.growth(run.asked)[-1]
    wanted = min(-(-total * 9 // 10), counts[-1])
    if not wanted:
        raise Missing(f"{name}: a crawl of {len(run.asked)} requests found no document")
    documents = {url: page for url, page in zip(run.asked, scale.pages(run.asked)) if page in scale.judge.documents()}
    order = greedy_order(source.application.seeds(), read_links(folder), documents, wanted)
    goal = Goal(wanted, total, first_with(counts, wanted) or len(counts), len(order))
    path = data / "goals.json"
    path.write_text(json.dumps({**_goals(data), name: asdict(goal)}, indent=1, sort_keys=True))
    return goal


def _goals(data: Path) -> dict[str, dict[str, int]]:
    path = data / "goals.json"
    return json.loads(path.read_text()) if path.exists() else {}
