"""The index of a running crawl: time a page, memory, disk and recall as it grows. Run by hand for many pages.

    python benchmarks/similarity/index.py [--pages 200000] [--words 60] [--folder DIR]

Pages are made as hashes of words in six blocks, a thousand to a host; they are asked and added in batches of 200, and
committed every 2,000 pages, as a crawl does. Every tenth page repeats one of any age but for its last word, so what should be
found is known without comparing all with all. A line at each power of ten and at the end. Anonymous memory is what the index
costs a machine; mapped files can be dropped.
"""

import argparse
import json
import tempfile
import time
from pathlib import Path

import numpy as np

from garimpo.page.text.blocks import Blocks
from garimpo.similarity import Sketcher
from garimpo.similarity.stores.page_index import PageIndex, ReadPages, masked_sets

BATCH, COMMIT, BLOCKS, A_HOST = 200, 2_000, 6, 1_000
COPIES = BATCH // 10


def anonymous_mb() -> float:
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("RssAnon")).split()[1]) / 1024


def url(page: int) -> str:
    return f"http://host{page // A_HOST}.example/page/{page}"


def new_words(number: int, words: int) -> np.ndarray:
    """The words of a batch before some of its pages become copies; the same ones whenever they are asked for."""
    return np.random.default_rng(number).integers(1, 1 << 32, (BATCH, BLOCKS, words // BLOCKS), dtype=np.uint32)


def batch(number: int, words: int, sketcher: Sketcher) -> tuple[ReadPages, int]:
    """A batch whose last pages repeat the first ones of an earlier batch but for one word, and which batch that is."""
    said, earlier = new_words(number, words), 0
    if number:
        earlier = int(np.random.default_rng([number, 1]).integers(number))
        last = said[-COPIES:, -1, -1].copy()
        said[-COPIES:] = new_words(earlier, words)[:COPIES]
        said[-COPIES:, -1, -1] = last
    powers = np.random.default_rng(1).integers(1, 1 << 64, said.shape[2], dtype=np.uint64) | np.uint64(1)
    hashes = (said.astype(np.uint64) * powers).sum(axis=2, dtype=np.uint64)
    offsets, flat = np.arange(BATCH + 1, dtype=np.int64) * BLOCKS, said.ravel()
    word_offsets = np.arange(BATCH * BLOCKS + 1, dtype=np.int64) * said.shape[2]
    as_is, lettered = hashes.ravel(), np.ones(hashes.size, np.uint8)
    blocks = Blocks(offsets, as_is, np.zeros_like(as_is), lettered, word_offsets, flat, flat)
    hosts = (np.arange(number * BATCH, (number + 1) * BATCH, dtype=np.uint64) // np.uint64(A_HOST)) * powers[0]
    texts = hashes.sum(axis=1, dtype=np.uint64)
    return ReadPages(hosts, texts, texts, blocks, sketcher.sketch(masked_sets(blocks))), earlier


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--words", type=int, default=60)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.pages = 4 * COMMIT
    sketcher, batches = Sketcher(), options.pages // BATCH
    told = {10**power // BATCH for power in range(4, 12)} | {batches}
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        index = PageIndex.open(Path(folder), sketcher)
        right, wrong, spent, slowest, peak, last = 0, 0, 0.0, 0.0, 0.0, (0, 0.0)
        for number in range(batches):
            pages, earlier = batch(number, options.words, sketcher)
            urls = [url(number * BATCH + row) for row in range(BATCH)]
            began = time.process_time()
            answers = index.ask_add(urls, pages)
            if (number + 1) * BATCH % COMMIT == 0:
                pause = time.perf_counter()
                index.commit()
                slowest = max(slowest, time.perf_counter() - pause)
            spent += time.process_time() - began
            if number:
                expected = [None] * (BATCH - COPIES) + [url(earlier * BATCH + row) for row in range(COPIES)]
                right += sum(found is not None and found == true for found, true in zip(answers, expected))
                wrong += sum(found is not None and found != true for found, true in zip(answers, expected))
            if number % (50 * COMMIT // BATCH) == 0:
                peak = max(peak, anonymous_mb())
            if number + 1 in told:
                done = (number + 1) * BATCH
                disk = sum(path.stat().st_size for path in Path(folder).rglob("*") if path.is_file())
                report = {
                    "pages": done,
                    "microseconds a page": round(1e6 * spent / done, 1),
                    "since the line before": round(1e6 * (spent - last[1]) / (done - last[0]), 1),
                    "slowest commit, seconds": round(slowest, 2),
                    "anonymous MB": round(max(peak, anonymous_mb())),
                    "disk bytes a page": round(disk / done),
                    "recall": round(right / max(number * COPIES, 1), 5),
                    "wrong": wrong,
                }
                print(json.dumps(report), flush=True)
                last = (done, spent)
        index.close()


if __name__ == "__main__":
    main()
