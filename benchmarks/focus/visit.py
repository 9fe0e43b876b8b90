"""Time and memory of visits over a large made graph: best first, the dynamic Markov model, ours. Run by hand.

``python benchmarks/focus/visit.py [PAGES]`` (default 100,000). Every page is scored anew for every strategy, as a live crawl
would; times are CPU seconds.
"""

import resource
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


def main() -> None:
    pages = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        made = graph.make(path, 1, pages, "cluster")
        import_documents(path / "docs.parquet", path / "crawl", links=path / "links.parquet")
        texts, topics = pq.read_table(path / "docs.parquet")["text"], pq.read_table(path / "truth.parquet")["topic"].to_pylist()
        good = np.flatnonzero(np.array(topics) == made["wanted"])[:20]
        model = TopicModel.train(texts.take(pa.array(good)), texts.slice(0, 2000))
        del texts
        first = 0.0
        for name in ("best", "hmm", "garimpo"):
            began = time.process_time()
            web = Web.load(path / "crawl", model)
            starts = web.numbers(pa.array(read_urls(path / "seeds.txt"))).tolist()
            order = list(walk(web, STRATEGIES[name](web, 0), starts, pages))
            seconds = time.process_time() - began
            first = first or seconds
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            shown = f"{seconds:.1f} CPU s ({seconds / first:.2f} x best first)"
            print(f"{name:<8} {len(order):,} pages in {shown}, peak {peak:.2f} GB", flush=True)


if __name__ == "__main__":
    main()
