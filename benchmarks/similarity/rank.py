"""Ranking: exact, from a stored collection, and BM25 beside its peers, side by side in one run.

    python benchmarks/similarity/rank.py [--queries 1000] [--documents 1000000] [--bm25-documents 20000] [--quick]

Queries are rewritten documents: from a tenth to six tenths of the words of each are changed. CPU time of one thread.
`rank_bm25` and `bm25s` are compared if they are installed; the figures of those that are not are left out.
"""

import argparse
import importlib.util
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pyarrow as pa
from _corpus import texts, vocabulary

from garimpo.similarity import Collection, Sketcher, rank

TOP, LEAST, WIDTH = 10, 0.3, 3


def table(column: pa.Array, prefix: str) -> pa.Table:
    return pa.table({"id": [f"{prefix}{i}" for i in range(len(column))], "text": column})


def corpora(queries: int, documents: int) -> tuple[pa.Table, pa.Table]:
    """Documents in parts that fit memory, and rewritten ones of the first part."""
    chance = np.random.default_rng(1)
    words = vocabulary(50_000, chance)
    parts = [texts(min(50_000, documents - at), seed=at, words=words) for at in range(0, documents, 50_000)]
    asked = []
    for row in chance.choice(len(parts[0]), queries, replace=queries > len(parts[0])).tolist():
        tokens = np.array(parts[0][row].as_py().split(), object)
        changed = chance.random(tokens.size) < chance.uniform(0.1, 0.6)
        tokens[changed] = chance.choice(words, int(changed.sum()))
        asked.append(" ".join(tokens))
    return table(pa.array(asked, pa.large_string()), "q"), table(pa.chunked_array(parts), "d")


def measured(call):
    began = time.process_time()
    result = call()
    return result, time.process_time() - began


def stored(queries: pa.Table, corpus: pa.Table) -> dict[str, float]:
    """The collection against the exact ranking: time, and what it finds of the top 10 from `LEAST` on."""
    rank(queries.slice(0, 2), corpus.slice(0, 20), measure="jaccard", shingle=WIDTH)  # kernels are loaded
    exact, exact_time = measured(lambda: rank(queries, corpus, measure="jaccard", shingle=WIDTH, top=TOP))
    with tempfile.TemporaryDirectory() as folder, Collection.open(Path(folder) / "c", Sketcher(shingle=WIDTH)) as collection:

        def build() -> None:
            for batch in corpus.to_batches(10_000):
                collection.add(batch.column("id").to_pylist(), batch.column("text"))
            collection.commit()

        _, build_time = measured(build)
        column = queries["text"].combine_chunks()
        collection.nearest(column[:70], TOP)  # kernels are loaded
        best, ask_time = measured(lambda: collection.nearest(column, TOP))
        rows, places = np.nonzero(best.documents >= 0)
        names = queries["id"].take(pa.array(rows)).to_pylist()
        found = set(zip(names, collection.names(best.documents[rows, places])))
        crowded = collection.crowded
    wanted = {(row["query"], row["id"]) for row in exact.to_pylist() if row["similarity"] >= LEAST}
    return {
        "exact_seconds": round(exact_time, 3),
        "build_seconds": round(build_time, 3),
        "stored_seconds": round(ask_time, 4),
        "times_faster": round(exact_time / ask_time, 1),
        "wanted": len(wanted),
        "recall": round(len(wanted & found) / max(1, len(wanted)), 4),
        "crowded_buckets": crowded,
    }


def bm25(queries: pa.Table, corpus: pa.Table) -> dict[str, object]:
    """Seconds of each, from words to the ten best of all queries; words of more than half the documents are left out, because
    the peers' formulas part ways there."""
    lists = [[text.split() for text in side["text"].to_pylist()] for side in (queries, corpus)]
    common = {word for word, count in Counter(w for row in lists[1] for w in set(row)).items() if 2 * count > len(lists[1])}
    asked, stored_words = ([[word for word in row if word not in common] for row in side] for side in lists)
    sides = [
        table(pa.array([" ".join(row) for row in side], pa.large_string()), p) for side, p in ((asked, "q"), (stored_words, "d"))
    ]
    ours, seconds = measured(lambda: rank(*sides, measure="bm25-robertson", shingle=1, top=TOP))
    out: dict[str, object] = {"garimpo_seconds": round(seconds, 3)}
    scores = ours["similarity"].to_numpy().reshape(len(asked), TOP)
    if importlib.util.find_spec("rank_bm25"):
        from rank_bm25 import BM25Okapi

        def peer() -> np.ndarray:
            model = BM25Okapi(stored_words, k1=1.2)
            return np.array([np.sort(model.get_scores(row))[::-1][:TOP] for row in asked])

        theirs, spent = measured(peer)
        out.update(rank_bm25_seconds=round(spent, 3), rank_bm25_times=round(spent / seconds, 1))
        out["equal_to_rank_bm25"] = bool(np.allclose(scores, theirs, rtol=1e-6))
    if importlib.util.find_spec("bm25s"):
        import bm25s

        def second() -> np.ndarray:
            model = bm25s.BM25(method="robertson", k1=1.2, b=0.75)
            model.index(
                bm25s.tokenize([" ".join(r) for r in stored_words], stopwords=[], show_progress=False), show_progress=False
            )
            tokens = bm25s.tokenize([" ".join(row) for row in asked], stopwords=[], show_progress=False)
            return model.retrieve(tokens, k=TOP, show_progress=False, n_threads=1).scores

        _, spent = measured(second)
        out.update(bm25s_seconds=round(spent, 3), bm25s_times=round(spent / seconds, 2))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=1_000_000)
    parser.add_argument("--bm25-documents", type=int, default=20_000)
    parser.add_argument("--quick", action="store_true", help="100 queries against 4,000 documents")
    options = parser.parse_args()
    if options.quick:
        options.queries, options.documents, options.bm25_documents = 100, 4_000, 2_000
    queries, corpus = corpora(options.queries, options.documents)
    figures = {"queries": options.queries, "documents": options.documents, "jaccard": stored(queries, corpus)}
    few = queries.slice(0, min(100, options.queries))
    figures["bm25"] = {
        "documents": options.bm25_documents,
        "queries": few.num_rows,
        **bm25(few, corpus.slice(0, options.bm25_documents)),
    }
    print(json.dumps(figures, indent=1))


if __name__ == "__main__":
    main()
