"""Live crawls to rare topics of the made web: ours beside breadth-first and best-first with the same classifier.

``python benchmarks/focus/live.py [--web DIR | --seeds 1 2] [--topics 3] [--budget 10000]``. Topics have at most 2 % of the
pages. Twenty example pages are drawn at random from the topic's hosts by turns (*spread*), or from its one largest host
(*one host*); the unlabelled pages are those of the breadth-first crawl. Counted are different pages by the truth; the area is
that of target recall over the budget. Intervals: bootstrap over the crawls, paired.
"""

import argparse
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from garimpo import webgen
from garimpo.archive import Store
from garimpo.crawl import Settings, crawl
from garimpo.focus import TopicModel, page_text
from garimpo.page import read
from garimpo.url import host

EXAMPLES, UNLABELLED, RARE = 20, 2000, 0.02


class Truth(NamedTuple):
    """Of every URL the topic and the content; of every topic its URLs, one a content."""

    topic: dict[str, str]
    content: dict[str, int]
    urls: dict[str, dict[int, str]]


class Found(NamedTuple):
    """Different relevant pages of a crawl, and the area of target recall."""

    pages: int
    area: float
    seconds: float


def truth_of(web: Path) -> Truth:
    rows = webgen.truth(web)["pages"].to_pylist()
    urls: dict[str, dict[int, str]] = {}
    for row in rows:
        urls.setdefault(row["topic"], {}).setdefault(row["content"], row["url"])
    return Truth({r["url"]: r["topic"] for r in rows}, {r["url"]: r["content"] for r in rows}, urls)


def examples(web: Path, urls: list[str], one_host: bool, seed: int) -> list[str]:
    """The texts of example pages, as the crawl would read them."""
    chance, by_host = np.random.default_rng(seed), {}
    for url in chance.permutation(sorted(urls)).tolist():
        by_host.setdefault(host(url), []).append(url)
    world, groups = webgen.open_world(web), sorted(by_host.values(), key=len, reverse=True)
    if one_host:
        return next(texts for group in groups if len(texts := _texts(world, group)) == EXAMPLES)
    return _texts(world, [group[turn] for turn in range(len(groups[0])) for group in groups if turn < len(group)])


def _texts(world: webgen.World, urls: list[str]) -> list[str]:
    """The texts of the first of these URLs that are answered."""
    texts: list[str] = []
    for url in urls:
        answer = world.answer(url) if len(texts) < EXAMPLES else None
        if answer is not None and answer.status == 200:
            page = read(answer.body, url, content_type=answer.kind)
            texts.append(page_text(page.title, page.text))
    return texts


def rows_of(folder: Path) -> Iterator[dict[str, Any]]:
    with Store.open(folder, write=False) as store:
        for batch in store.pages(["url", "status", "title", "text"]):
            yield from (row for row in batch.to_pylist() if row["status"] == 200)


def run(web: Path, server: webgen.Serving, out: Path, budget: int, **settings: Any) -> float:
    """Crawl; the CPU seconds of the loop."""
    began = time.process_time()
    crawl(out, Settings(
        seeds=(web / "seeds.txt").read_text().split(), scope="all", delay=0.05, learn=False, hosts=str(web / "hosts"),
        max_pages=budget, resolve_all=server.address, allow_private=True, connections_per_address=16, workers=1, **settings,
    ))  # fmt: skip
    return time.process_time() - began


def measure(folder: Path, topic: str, truth: Truth, budget: int, seconds: float) -> Found:
    seen: set[int] = set()
    curve = np.zeros(budget)
    for place, row in enumerate(rows_of(folder)):
        if truth.topic.get(row["url"]) == topic:
            seen.add(truth.content[row["url"]])
        curve[min(place, budget - 1) :] = len(seen)
    return Found(len(seen), float(curve.mean()) / len(truth.urls[topic]), seconds)


def compare(web: Path, given: argparse.Namespace, seed: int) -> Iterator[tuple[str, str, dict[str, Found]]]:
    """(topic, case, what each strategy found) of one web."""
    truth = truth_of(web)
    pages = sum(map(len, truth.urls.values()))
    sizes = sorted((len(urls), topic) for topic, urls in truth.urls.items())
    rare = [topic for size, topic in sizes if size <= RARE * pages][-given.topics :]
    with webgen.serve(web) as server, tempfile.TemporaryDirectory() as temp:
        folder = Path(temp)
        seconds = run(web, server, folder / "bfs", given.budget, strategy="bfs")
        blind = [page_text(row["title"], row["text"]) for row in rows_of(folder / "bfs")]
        some = np.random.default_rng(seed).choice(len(blind), min(UNLABELLED, len(blind)), replace=False)
        for topic in rare:
            for case in given.cases:
                shown = examples(web, list(truth.urls[topic].values()), case == "one host", seed)
                TopicModel.train(shown, [blind[i] for i in some]).save(folder / "topic.model")
                found = {"bfs": measure(folder / "bfs", topic, truth, given.budget, seconds)}
                for name in given.strategies:
                    out = folder / f"{topic}-{case}-{name}"
                    seconds = run(web, server, out, given.budget, strategy=name, topic=str(folder / "topic.model"))
                    found[name] = measure(out, topic, truth, given.budget, seconds)
                yield topic, case, found


def interval(values: list[float]) -> str:
    chance = np.random.default_rng(0)
    means = np.mean(chance.choice(values, (2000, len(values))), axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    return f"{np.mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--web", type=Path, help="a made web, instead of making one for each seed")
    parser.add_argument("--seeds", type=int, nargs="+", default=[1])
    parser.add_argument("--profile", default="medium")
    parser.add_argument("--topics", type=int, default=3)
    parser.add_argument("--budget", type=int, default=10_000)
    parser.add_argument("--strategies", nargs="+", default=["best", "garimpo"])
    parser.add_argument("--cases", nargs="+", default=["spread", "one host"])
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.seeds, given.profile, given.topics, given.budget = given.seeds[:1], "small", 1, 150
        given.cases, given.strategies = given.cases[:1], ["garimpo"]
    table: list[tuple[str, dict[str, Found]]] = []
    for seed in given.seeds:
        with tempfile.TemporaryDirectory() as temp:
            web = given.web or Path(temp) / "web"
            if not given.web:
                webgen.make(web, profile=given.profile, seed=seed)
            for topic, case, found in compare(web, given, seed):
                table.append((case, found))
                shown = "; ".join(f"{name} {f.pages} (area {f.area:.3f}, {f.seconds:.0f} CPU s)" for name, f in found.items())
                print(f"web {seed}, {topic}, {case}: {shown}", flush=True)
    for case in given.cases:
        rows = [found for name, found in table if name == case]
        ratio = [found["garimpo"].pages / max(1, found["bfs"].pages) for found in rows]
        print(f"{case}: ours finds {np.mean(ratio):.2f} times the pages of breadth-first (least {min(ratio):.2f})")
        for name in given.strategies:
            if name != "garimpo":
                best = [found["garimpo"].pages / max(1, found[name].pages) for found in rows]
                print(f"  {np.mean(best):.2f} times the pages of {name} (least {min(best):.2f})")
                print(f"  area minus {name}: {interval([f['garimpo'].area - f[name].area for f in rows])}")


if __name__ == "__main__":
    main()
