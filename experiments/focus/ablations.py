"""What each part of the strategies is worth, and how far the states of the Markov model are from the truth.

``python experiments/focus/ablations.py [--pages 20000] [--graphs 2] [--plot FILE.svg]`` visits made graphs of the islands regime
(in the other one everything is found at once), three sets of seeds each, and writes into `results.md`: target recall at 3 % and
10 % of the pages and the area without one part of ours at a time; the same of the Markov model by number of states, alpha and
models kept from an earlier visit; and, along the dynamic Markov model's visit, state and observation minus the true
distance to the topic, which ``--plot`` draws.
"""

import argparse
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from record import record, table

from garimpo.archive import import_documents
from garimpo.focus import LinkScorer, Measures, TopicModel, Web, walk
from garimpo.focus import _kernels_links as kernels
from garimpo.focus.dispensers import Dispenser, Garimpo
from garimpo.focus.thesis.markov import Markov
from garimpo.report import line_plot
from garimpo.webgen.tables import graph

BINS = 10


def unlearned(web: Web) -> LinkScorer:
    """A scorer that keeps the records of pages and hosts, and whose weights stand still."""
    scorer = LinkScorer(web.topic)
    scorer._squares[: kernels.SPARSE + kernels.DENSE] = np.inf
    return scorer


def without(web: Web, *names: str) -> Web:
    """The web with some of the words of its links taken away; `page`: those of the page a link stands on."""
    bare = Web(web.offsets, web.targets, web.quality, web.urls)
    bare.topic, links = web.topic, web.links
    nothing = np.zeros(len(links.targets) + 1, np.int64)
    parts = {name: getattr(links, name) for name in links.__slots__}
    for name in names:
        empty = (nothing[:-1], nothing[:-1]) if name in ("page", "urls") else (nothing,)
        parts[name] = (parts[name][0], *empty)
    if "anchors" in names:
        parts["anchored"] = parts["contexts"] = np.full(len(links.targets), np.nan, np.float32)
    bare.links = type(links)(**parts)
    return bare


OURS: dict[str, Callable[[Web], Dispenser]] = {
    "ours": Garimpo,
    "no page of each new host first": lambda web: Garimpo(web, LinkScorer(web.topic, explore=0.0)),
    "no host budget": lambda web: Garimpo(web, LinkScorer(web.topic, host_budget=1e9)),
    "no learning of weights": lambda web: Garimpo(web, unlearned(web)),
    "no words of the link": lambda web: Garimpo(without(web, "anchors", "urls", "around")),
    "no words of the page": lambda web: Garimpo(without(web, "page")),
    "no words at all": lambda web: Garimpo(without(web, "anchors", "urls", "around", "page")),
    "queue not scored anew": lambda web: Garimpo(web, first_order=len(web)),
}
MARKOV: dict[str, Callable[[Web], Dispenser]] = {
    "dynamic, 6 states, alpha 0.5": Markov,
    "static": lambda web: Markov(web, dynamic=False),
    **{f"{states} states": lambda web, states=states: Markov(web, states=states) for states in (4, 5, 7)},
    **{f"alpha {alpha}": lambda web, alpha=alpha: Markov(web, alpha=alpha) for alpha in (0.25, 0.75, 1.0)},
}


def kept(web: Web, starts: list[int], folder: Path, markov: bool) -> Markov:
    """The Markov model with what an earlier visit of the whole web learned: naive Bayes, or all of it."""
    first, second = Markov(web), Markov(web)
    list(walk(web, first, starts, len(web)))
    first.distances.save(folder / "distances.model")
    second.distances.load(folder / "distances.model", markov)
    return second


def distances(web: Web, labels: np.ndarray, most: int) -> np.ndarray:
    """The true distance of every page to a relevant one over all links, `most` at most."""
    far, ring = np.where(labels, 0, most), np.flatnonzero(labels)
    starts, sources = web.transpose
    for step in range(1, most):
        into = np.unique(np.concatenate([sources[starts[node] : starts[node + 1]] for node in ring] or [ring]))
        ring = into[far[into] > step]
        far[ring] = step
    return far


def off(web: Web, labels: np.ndarray, starts: list[int], pages: int) -> list[tuple[float, float]]:
    """State and observation at the time of the visit minus the true distance, in tenths of the visit."""
    made = Markov(web)
    order = np.fromiter(walk(web, made, starts, pages), np.int64)
    true, seen = distances(web, labels, made.distances.states), made.distances.observed
    found = []
    for part in np.array_split(order, BINS):
        known = part[seen[part] >= 0]
        found.append([float((made.state[known] - true[known]).mean()), float((seen[known] - true[known]).mean())])
    return found


def one_graph(folder: Path, seed: int, pages: int, rows: dict[str, list], apart: list) -> None:
    made = graph.make(folder, seed, pages, "islands")
    import_documents(folder / "docs.parquet", folder / "crawl", links=folder / "links.parquet")
    truth, texts = pq.read_table(folder / "truth.parquet"), pq.read_table(folder / "docs.parquet")["text"]
    good = np.array(truth["topic"].to_pylist()) == made["wanted"]
    chance = np.random.default_rng(seed)
    shown, some = chance.choice(np.flatnonzero(good), 20, replace=False), chance.choice(pages, 2000, replace=False)
    web = Web.load(folder / "crawl", TopicModel.train(texts.take(pa.array(shown)), texts.take(pa.array(some)), seed=seed))
    labels = np.zeros(len(web), bool)
    labels[web.numbers(truth["url"].filter(pa.array(good)))] = True
    for draw in range(3):
        starts = np.random.default_rng(100 * seed + draw).choice(np.flatnonzero(~labels), 20, replace=False).tolist()
        visits = {name: make(web) for name, make in (OURS | MARKOV).items()}
        visits["naive Bayes kept"] = kept(web, starts, folder, False)
        visits["naive Bayes and Markov model kept"] = kept(web, starts, folder, True)
        for name, dispenser in visits.items():
            order = np.fromiter(walk(web, dispenser, starts, pages // 4), np.int64)
            measures = Measures(labels[order], int(labels.sum()), len(web))
            rows.setdefault(name, []).append((measures.recall(3 * pages // 100), measures.recall(pages // 10), measures.auc))
        apart.append(off(web, labels, starts, pages // 4))


def report(heading: str, command: str, rows: dict[str, list]) -> None:
    means = {name: np.mean(values, axis=0) for name, values in rows.items()}
    first = next(iter(means.values()))
    lines = [[name, *(f"{value:.3f}" for value in mean), f"{mean[0] - first[0]:+.3f}"] for name, mean in means.items()]
    body = table(["visit", "recall at 3 %", "at 10 %", "area (Pref*)", "against the first at 3 %"], lines)
    record(heading, f"`{command}`; {len(next(iter(rows.values())))} visits each, islands regime.\n\n{body}")
    print(f"{heading}\n{body}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--graphs", type=int, default=2)
    parser.add_argument("--first", type=int, default=401, help="the seed of the first graph")
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.graphs = 3_000, 1
    rows: dict[str, list] = {}
    apart: list = []
    for seed in range(given.first, given.first + given.graphs):
        with tempfile.TemporaryDirectory() as folder:
            one_graph(Path(folder), seed, given.pages, rows, apart)
    command = f"python experiments/focus/ablations.py --pages {given.pages} --graphs {given.graphs} --first {given.first}"
    report("Ablations of ours", command, {name: rows[name] for name in OURS})
    report("Ablations of the Markov model", command, {name: rows[name] for name in rows if name not in OURS})
    mean = np.mean(apart, axis=0)
    lines = [[f"{100 * (part + 1) // BINS} %", f"{state:+.2f}", f"{seen:+.2f}"] for part, (state, seen) in enumerate(mean)]
    body = table(["up to this share of the visit", "state - true distance", "observation - true distance"], lines)
    record("States and true distances", f"`{command}`; dynamic Markov model, means over the visits.\n\n{body}")
    print(body)
    if given.plot:
        series = {
            name: [(100 * (part + 1) / BINS, mean[part][at]) for part in range(BINS)]
            for at, name in enumerate(("state", "observation"))
        }
        line_plot(series, "share of the visit, %", "minus the true distance", "How far off").save(given.plot)


if __name__ == "__main__":
    main()
