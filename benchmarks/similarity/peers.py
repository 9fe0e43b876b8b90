"""Text to verified clusters, and text to signatures: garimpo, datasketch and rensa, side by side on one thread.

    python benchmarks/similarity/peers.py [--documents 20000] [--repetitions 3] [--threshold 0.7]

All engines run in one process in an order that changes with each repetition; CPU time; the medians and their ratios are
printed. Quality is made equal: each peer gets the bands that reach a recall of 0.99 and an exact Jaccard check on its
shingle sets, as a careful user writes it; the truth is every pair of the corpus, from an inverted index.
"""

import argparse
import importlib.util
import json
import os
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pyarrow as pa
from _corpus import texts

from garimpo.similarity import Sets, Sketcher, dedup

SLOTS, WIDTH = 128, 5
Pair = tuple[int, int]


def shingle_strings(column: list[str]) -> list[list[str]]:
    """What a user of the peers writes: words, then shingles, in Python."""
    out = []
    for text in column:
        words = text.split()
        out.append([" ".join(words[i : i + WIDTH]) for i in range(max(1, len(words) - WIDTH + 1))])
    return out


def jaccard(a: set[str], b: set[str]) -> float:
    common = len(a & b)
    return common / (len(a) + len(b) - common)


def with_garimpo(column: pa.Array, threshold: float) -> set[Pair]:
    table = pa.table({"id": [f"{i:09}" for i in range(len(column))], "text": column})
    pairs = dedup(table, threshold).pairs()
    return set(zip(map(int, pairs["a"].to_pylist()), map(int, pairs["b"].to_pylist())))


def with_datasketch(column: list[str], threshold: float) -> set[Pair]:
    from datasketch import MinHash, MinHashLSH

    shingles = shingle_strings(column)
    sets = [set(row) for row in shingles]
    sketches = MinHash.bulk([[s.encode() for s in row] for row in shingles], num_perm=SLOTS)
    index = MinHashLSH(num_perm=SLOTS, params=(25, 5))
    found = set()
    for i, sketch in enumerate(sketches):
        found.update((j, i) for j in index.query(sketch) if jaccard(sets[i], sets[j]) >= threshold)
        index.insert(i, sketch)
    return found


def with_rensa(column: list[str], threshold: float) -> set[Pair]:
    import rensa

    shingles = shingle_strings(column)
    sets = [set(row) for row in shingles]
    sketches = rensa.RMinHash.from_token_sets(shingles, SLOTS, 42)
    index = rensa.RMinHashLSH(threshold=threshold, num_perm=SLOTS, num_bands=32)
    index.insert_many(sketches)
    met = enumerate(index.query_all(sketches))
    return {(i, j) for i, others in met for j in others if j > i and jaccard(sets[i], sets[j]) >= threshold}


def sign_with_rensa(column: list[str]) -> None:
    import rensa

    rensa.RMinHash.from_token_sets(shingle_strings(column), SLOTS, 42)


def sign_with_datasketch(column: list[str]) -> None:
    from datasketch import MinHash

    MinHash.bulk([[s.encode() for s in row] for row in shingle_strings(column)], num_perm=SLOTS)


def truth(column: pa.Array, threshold: float) -> set[Pair]:
    """Every pair at or above the threshold, by counting shared shingles."""
    sets = Sets.from_texts(column, WIDTH)
    owner = np.repeat(np.arange(len(sets)), sets.sizes)
    order = np.argsort(sets.values, kind="stable")
    values, owner = sets.values[order], owner[order]
    begins = np.flatnonzero(np.concatenate([[True], values[1:] != values[:-1], [True]]))
    shared: Counter[Pair] = Counter()
    for start, stop in pairwise(begins):
        if stop - start > 1:
            group = owner[start:stop].tolist()
            shared.update((a, b) for i, a in enumerate(group) for b in group[i + 1 :])
    sizes = sets.sizes
    return {(a, b) for (a, b), n in shared.items() if n / (sizes[a] + sizes[b] - n) >= threshold}


def timed(jobs: dict[str, Callable[[], object]], repetitions: int) -> tuple[dict[str, list[float]], dict[str, object]]:
    """CPU seconds of each job in each repetition, and its last result."""
    seconds: dict[str, list[float]] = {name: [] for name in jobs}
    results: dict[str, object] = {}
    for repetition in range(repetitions):
        names = list(jobs)
        random.Random(repetition).shuffle(names)
        for name in names:
            began = time.process_time()
            results[name] = jobs[name]()
            seconds[name].append(time.process_time() - began)
    return seconds, results


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--threshold", type=float, default=0.7)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.documents, options.repetitions = 300, 1
    if any(importlib.util.find_spec(peer) is None for peer in ("datasketch", "rensa")):
        print("datasketch or rensa is not here (pip install datasketch rensa): nothing was compared")
        return
    os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "RAYON_NUM_THREADS"), "1"))  # before a peer is imported
    pa.set_cpu_count(1)
    column = texts(options.documents)
    plain = column.to_pylist()
    sketcher = Sketcher(slots=SLOTS, shingle=WIDTH)
    dedup(pa.table({"text": column.slice(0, 50)}), options.threshold).pairs()  # kernels are loaded outside the timing
    jobs: dict[str, Callable[[], object]] = {
        "garimpo clusters": lambda: with_garimpo(column, options.threshold),
        "datasketch clusters": lambda: with_datasketch(plain, options.threshold),
        "rensa clusters": lambda: with_rensa(plain, options.threshold),
        "garimpo signatures": lambda: sketcher.read(column),
        "datasketch signatures": lambda: sign_with_datasketch(plain),
        "rensa signatures": lambda: sign_with_rensa(plain),
    }
    seconds, results = timed(jobs, options.repetitions)
    expected = truth(column, options.threshold)
    report: dict[str, object] = {"documents": options.documents, "true_pairs": len(expected)}
    for kind in ("clusters", "signatures"):
        ours = seconds[f"garimpo {kind}"]
        for engine in ("garimpo", "datasketch", "rensa"):
            mine = seconds[f"{engine} {kind}"]
            ratio = statistics.median(peer / our for peer, our in zip(mine, ours))
            line = f"{engine + ' ' + kind:24} {statistics.median(mine):8.3f} s  {ratio:6.1f} times garimpo's time"
            found = results[f"{engine} {kind}"]
            if isinstance(found, set):
                right = len(found & expected)
                line += f"  recall {right / max(1, len(expected)):.4f}  precision {right / max(1, len(found)):.4f}"
            report[f"{engine} {kind}"] = round(ratio, 2)
            print(line)
    print(json.dumps(report))


if __name__ == "__main__":
    sys.exit(main())
