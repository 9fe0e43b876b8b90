"""The index of a running crawl: time a page, anonymous memory, disk. Run by hand for many pages.

    python benchmarks/similarity/index.py [--pages 200000] [--shingles 40] [--folder DIR]

Pages are made as shingle sets (a tenth are near-duplicates of recent ones), asked and added in batches of 200, and committed
every 2,000 pages, as a crawl does. Anonymous memory is what the index costs a machine; mapped files can be dropped.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from garimpo.similarity import Index, Sets, Sketcher

BATCH, COMMIT = 200, 2_000


def anonymous_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024


def batch(chance: np.random.Generator, shingles: int) -> Sets:
    """Random sets; every tenth repeats the one before it but for one hash."""
    values = chance.integers(0, 1 << 64, (BATCH, shingles), dtype=np.uint64)
    values[9::10, 1:] = values[8::10, 1:]
    return Sets.from_hashes(values.ravel(), np.arange(BATCH + 1, dtype=np.int64) * shingles)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--shingles", type=int, default=40)
    parser.add_argument("--folder", type=Path)
    options = parser.parse_args()
    sketcher, chance = Sketcher(), np.random.default_rng(3)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        index = Index.open(folder, sketcher)
        found, peak, spent, slowest = 0, 0.0, 0.0, 0.0
        for at in range(0, options.pages, BATCH):
            sets = batch(chance, options.shingles)
            sketches = sketcher.sketch(sets)
            began = time.process_time()
            answers = index.ask_add([f"http://a.example/{at + i}" for i in range(BATCH)], sketches, sets)
            if (at + BATCH) % COMMIT == 0:
                pause = time.perf_counter()
                index.commit()
                slowest = max(slowest, time.perf_counter() - pause)
            spent += time.process_time() - began
            found += sum(answer is not None for answer in answers)
            if at % (50 * COMMIT) == 0:
                peak = max(peak, anonymous_mb())
        disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
        report = {
            "pages": options.pages,
            "near-duplicates": found,
            "microseconds a page": round(1e6 * spent / options.pages, 1),
            "slowest commit, seconds": round(slowest, 2),
            "anonymous MB": round(max(peak, anonymous_mb())),
            "disk bytes a page": round(disk / options.pages),
        }
        index.close()
    print(json.dumps(report))


if __name__ == "__main__":
    main()
