"""Documents per second: 5-word shingle hashes of a column, against Python words + shingles + xxhash.

Documents are 300 words long, cut from 20 Newsgroups. Both give the same hashes (checked). Repetitions are interleaved; CPU
time of one thread.

    python benchmarks/page/shingles.py [--documents N] [--repeat N]
"""

import argparse
import os
import re
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import xxhash

from garimpo.page import shingle_hashes

DATA = Path(os.environ.get("GARIMPO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))
WORD = re.compile(r"\w+")
WIDTH = 5


def theirs(texts: list[str]) -> list[list[int]]:
    """Plain Python at its fastest: a regular expression, slices, the C xxhash. Right for text without NFC or CJK work."""
    found = []
    for text in texts:
        words = WORD.findall(text.lower())
        last = max(1, len(words) - WIDTH + 1)
        found.append([xxhash.xxh64_intdigest(" ".join(words[i : i + WIDTH]).encode()) for i in range(last)])
    return found


def seconds(function, argument) -> float:
    started = time.process_time()
    function(argument)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=5000)
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.documents, options.repeat = 100, 1
    if not DATA.is_dir():
        print("the data sets are not here (GARIMPO_DATA names their folder): nothing was measured")
        return
    messages = pq.read_table(DATA / "20newsgroups" / "docs.parquet", columns=["text"])["text"].to_pylist()
    words = WORD.findall(" ".join(text for text in messages if text.isascii()))
    texts = [" ".join(words[i : i + 300]) for i in range(0, min(len(words), 300 * options.documents), 300)]
    column = pa.array(texts)
    hashes, offsets = shingle_hashes(column, WIDTH)
    assert hashes[: offsets[50]].tolist() == [value for row in theirs(texts[:50]) for value in row]
    pairs = [(seconds(shingle_hashes, column), seconds(theirs, texts)) for _ in range(options.repeat)]
    print(f"{len(texts)} documents of 300 words, {len(hashes)} shingles")
    print("garimpo  documents/s:", *(f"{len(texts) / a:9.0f}" for a, _ in pairs))
    print("Python   documents/s:", *(f"{len(texts) / b:9.0f}" for _, b in pairs))
    ratios = sorted(b / a for a, b in pairs)
    print(f"ratio median {ratios[len(ratios) // 2]:.1f} (from {ratios[0]:.1f} to {ratios[-1]:.1f}); bar 6")


if __name__ == "__main__":
    main()
