"""Time and memory of visits over a large made graph: best first, the dynamic Markov model, ours. Run by hand.

``python benchmarks/focus/visit.py [PAGES] [--turns 1]`` (default 100,000). Each visit goes over all pages in a process of its own
and scores every page anew, as a live crawl would; times are CPU seconds from the opened folder to the last page.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.archive import import_documents
from garimpo.focus import STRATEGIES, TopicModel, Web, read_urls, walk
from garimpo.webgen.tables import graph

NAMES = ("best", "hmm", "garimpo")


def make(path: Path, pages: int) -> None:
    """The graph as a crawl folder, and the topic of twenty of its pages."""
    made = graph.make(path, 1, pages, "cluster")
    import_documents(path / "docs.parquet", path / "crawl", links=path / "links.parquet")
    topics = np.array(pq.read_table(path / "truth.parquet")["topic"].to_pylist())
    texts = pq.ParquetFile(path / "docs.parquet").read(columns=["text"])["text"]
    good = np.flatnonzero(topics == made["wanted"])[:20]
    TopicModel.train(texts.take(pa.array(good)), texts.slice(0, 2000)).save(path / "topic.model")


def visit(path: Path, name: str) -> dict[str, float]:
    """One visit of everything."""
    model = TopicModel.load(path / "topic.model")
    model.score(["compile before the clock starts"])
    began = time.process_time()
    web = Web.load(path / "crawl", model)
    starts = web.numbers(pa.array(read_urls(path / "seeds.txt"))).tolist()
    visited = sum(1 for _ in walk(web, STRATEGIES[name](web, 0), starts, len(web)))
    seconds = time.process_time() - began
    return {"visited": visited, "seconds": seconds, "peak": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="?", default=100_000)
    parser.add_argument("--turns", type=int, default=1)
    parser.add_argument("--visit", nargs=2, metavar=("FOLDER", "STRATEGY"), help="one visit of a folder made before, as JSON")
    given = parser.parse_args()
    if given.visit:
        print(json.dumps(visit(Path(given.visit[0]), given.visit[1])))
        return
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), given.pages)
        found: dict[str, list[dict[str, float]]] = {}
        for _ in range(given.turns):
            for name in NAMES:
                command = [sys.executable, __file__, "--visit", folder, name]
                shown = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                found.setdefault(name, []).append(json.loads(shown.splitlines()[-1]))
    first = min(one["seconds"] for one in found["best"])
    for name, turns in found.items():
        seconds, peak = min(one["seconds"] for one in turns), max(one["peak"] for one in turns)
        ratio = f"{seconds:.1f} CPU s ({seconds / first:.2f} x best first)"
        print(f"{name:<8} {turns[0]['visited']:,} pages in {ratio}, peak {peak:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
