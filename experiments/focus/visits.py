"""Visits of made graphs: our strategy against the others, over topics and seeds, with a paired bootstrap.

``python experiments/focus/visits.py [--pages 20000] [--graphs 4] [--regimes sections]`` makes graphs of the regimes (cluster and
islands unless others are named), learns each topic from 20 of
its pages and 2,000 of any kind, visits from three sets of seeds and writes target recall at 10 % and 25 % of the pages
and the area (Pref*), by the true topics, into `results.md`; and the differences from ours with their 95 % intervals (bootstrap
over the topics).
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from record import gains, record, table

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, Measures, TopicModel, Web, walk
from garimpo.webgen.tables import graph

NAMES = ("garimpo", "best", "best-dynamic", "hmm", "hmm-static", "context", "bfs")
TOPICS = {"cluster": 4, "islands": 1, "sections": 4}
"""Topics asked for in one graph: in the islands regime only the wanted one is scattered."""


def visits(folder: Path, regime: str, seed: int, pages: int, rows: list, names: Sequence[str] = NAMES) -> None:
    """Add the visits of one graph: regime, seed, topic, draw of seeds, strategy, recall at both budgets, area, CPU seconds."""
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
            for name in names:
                began = time.process_time()
                order = np.fromiter(walk(web, STRATEGIES[name](web, draw), starts.tolist(), pages // 4), np.int64)
                measures = Measures(labels[order], int(labels.sum()), len(web))
                figures = (measures.recall(pages // 10), measures.recall(pages // 4), measures.auc)
                rows.append((regime, seed, topic, draw, name, *figures, time.process_time() - began))


def compare(rows: list, regime: str, command: str, pages: int) -> None:
    """The section of a regime: every strategy's means, and ours minus each."""
    chosen = [row for row in rows if regime in ("both", row[0])]
    groups = sorted({row[:3] for row in chosen})
    by = {name: means(chosen, name) for name in NAMES}
    lines = []
    for name, values in by.items():
        shown = [f"{mean:.3f}" for mean in values.mean(axis=0)]
        lines.append([name, *shown, *(["", ""] if name == "garimpo" else gains((by["garimpo"] - values)[:, :2]))])
    heads = ["strategy", "recall at 10 %", "at 25 %", "area (Pref*)", "CPU s", "ours minus it, 10 %", "25 %"]
    body, count = table(heads, lines), len(chosen) // len(NAMES)
    heading = f"Visits of made graphs of {pages:,} pages: {regime}"
    record(heading, f"`{command}`; {len(groups)} topics, {count} visits each.\n\n{body}")
    print(f"\n{regime}: {len(groups)} topics, {count} visits\n{body}", flush=True)


def means(rows: list, name: str) -> np.ndarray:
    """The figures of a strategy, a row for each topic: the mean over its sets of seeds."""
    groups = sorted({row[:3] for row in rows})
    return np.array([np.mean([row[5:] for row in rows if row[:3] == group and row[4] == name], axis=0) for group in groups])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--graphs", type=int, default=4)
    parser.add_argument("--first", type=int, default=201, help="the seed of the first graph")
    parser.add_argument("--regimes", nargs="+", choices=list(TOPICS), default=["cluster", "islands"])
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.graphs = 3_000, 1
    rows: list = []
    for seed in range(given.first, given.first + given.graphs):
        for regime in given.regimes:
            with tempfile.TemporaryDirectory() as folder:
                visits(Path(folder), regime, seed, given.pages, rows)
    command = f"python experiments/focus/visits.py --pages {given.pages} --graphs {given.graphs} --first {given.first}"
    if given.regimes != parser.get_default("regimes"):
        command += f" --regimes {' '.join(given.regimes)}"
    for regime in (*given.regimes, *(["both"] if len(given.regimes) > 1 else [])):
        compare(rows, regime, command, given.pages)


if __name__ == "__main__":
    main()
