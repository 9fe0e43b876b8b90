"""Visits of made graphs: our strategy against the others, over topics and seeds, with a paired bootstrap.

``python experiments/focus/visits.py [--pages 20000] [--graphs 4]`` makes graphs of both regimes, learns each topic from 20 of
its pages and 2,000 of any kind, visits from three sets of seeds and prints target recall at 10 % and 25 % of the pages
and the area (Pref*), by the true topics; then the differences from ours with their 95 % intervals.
"""

import argparse
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, walk
from garimpo.webgen.tables import graph

NAMES = ("garimpo", "best", "best-dynamic", "hmm", "hmm-static", "context", "bfs")
TOPICS = {"cluster": 4, "islands": 1}
"""Topics asked for in one graph: in the islands regime only the wanted one is scattered."""


def visits(folder: Path, regime: str, seed: int, pages: int, rows: list) -> None:
    made = graph.make(folder, seed, pages, regime)
    import_documents(folder / "docs.parquet", folder / "crawl", links=folder / "links.parquet")
    truth, texts = pq.read_table(folder / "truth.parquet"), pq.read_table(folder / "docs.parquet")["text"]
    topic_of = np.array(truth["topic"].to_pylist())
    sizes = {topic: int((topic_of == topic).sum()) for topic in set(topic_of)}
    rare = sorted((t for t in sizes if 60 <= sizes[t] <= 0.05 * pages and t != made["wanted"]), key=lambda t: sizes[t])
    for topic in [made["wanted"], *rare][: TOPICS[regime]]:
        chance = np.random.default_rng(seed)
        good = np.flatnonzero(topic_of == topic)
        shown, any_kind = chance.choice(good, 20, replace=False), chance.choice(pages, 2000, replace=False)
        model = TopicModel.train(texts.take(pa.array(shown)), texts.take(pa.array(any_kind)), seed=seed)
        web = Web.load(folder / "crawl", model)
        labels = np.zeros(len(web), bool)
        labels[web.numbers(truth["url"].filter(pa.array(topic_of == topic)))] = True
        for draw in range(3):
            starts = np.random.default_rng(100 * seed + draw).choice(np.flatnonzero(~labels), 20, replace=False)
            for name in NAMES:
                began = time.process_time()
                order = np.fromiter(walk(web, STRATEGIES[name](web, draw), starts.tolist(), pages // 4), np.int64)
                measures = Measures(labels[order], int(labels.sum()), len(web))
                figures = (measures.recall(pages // 10), measures.recall(pages // 4), measures.auc)
                rows.append((regime, seed, topic, draw, name, *figures, time.process_time() - began))


def table(rows: list, regime: str) -> None:
    chosen = [row for row in rows if regime in ("both", row[0])]
    cases = sorted({row[:4] for row in chosen})
    print(f"\n{regime}: {len(cases)} visits (topics x seeds)")
    print(f"{'strategy':<13} {'recall 10 %':>11} {'25 %':>7} {'Pref*':>7} {'CPU s':>7}")
    by = {name: np.array([row[5:] for case in cases for row in chosen if row[:4] == case and row[4] == name]) for name in NAMES}
    for name, values in by.items():
        mean = values.mean(axis=0)
        print(f"{name:<13} {mean[0]:>11.3f} {mean[1]:>7.3f} {mean[2]:>7.3f} {mean[3]:>7.2f}")
    chance = np.random.default_rng(0)
    groups = sorted({case[:3] for case in cases})
    member = {group: [i for i, case in enumerate(cases) if case[:3] == group] for group in groups}
    for name in NAMES[1:]:
        gain = by["garimpo"] - by[name]
        draws = [np.concatenate([gain[member[groups[g]]] for g in chance.integers(len(groups), size=len(groups))]).mean(axis=0)
                 for _ in range(2000)]  # fmt: skip
        low, high = np.quantile(draws, [0.025, 0.975], axis=0)
        shown = zip(("10 %", "25 %", "Pref*"), gain.mean(axis=0), low, high)
        line = "  ".join(f"{what} {mean:+.3f} [{least:+.3f}, {most:+.3f}]" for what, mean, least, most in shown)
        print(f"  ours - {name:<13} {line}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--graphs", type=int, default=4)
    parser.add_argument("--first", type=int, default=201, help="the seed of the first graph")
    given = parser.parse_args()
    rows: list = []
    for seed in range(given.first, given.first + given.graphs):
        for regime in TOPICS:
            with tempfile.TemporaryDirectory() as folder:
                visits(Path(folder), regime, seed, given.pages, rows)
    for regime in (*TOPICS, "both"):
        table(rows, regime)


if __name__ == "__main__":
    main()
