"""URLs per second: normal form, host and 64-bit key of a column, against w3lib's canonicalize_url on the same URLs.

The peer only normalises; we also take host and key. Repetitions are interleaved; CPU time of one thread.

    python benchmarks/url/normalise.py [--repeat N]
"""

import argparse
import os
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from w3lib.url import canonicalize_url

from garimpo.url import host_column, key_column, normalise_column

DATA = Path(os.environ.get("GARIMPO_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def ours(urls: pa.ChunkedArray) -> int:
    normal = normalise_column(urls)
    host_column(normal)
    key_column(normal)
    return len(normal) - normal.null_count


def theirs(urls: list[str]) -> int:
    done = 0
    for url in urls:
        try:
            canonicalize_url(url)
            done += 1
        except ValueError:
            pass
    return done


def seconds(function, argument) -> float:
    started = time.process_time()
    function(argument)
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    repeat = 1 if options.quick else options.repeat
    if not DATA.is_dir():
        print("the data sets are not here (GARIMPO_DATA names their folder): nothing was measured")
        return
    column = pq.read_table(DATA / "urls" / "top100.parquet", columns=["url"])["url"]
    urls = column.to_pylist()
    print(f"{len(urls)} URLs: garimpo parses {ours(column)}, w3lib {theirs(urls)}")
    pairs = [(seconds(ours, column), seconds(theirs, urls)) for _ in range(repeat)]
    print("garimpo  URLs/s:", *(f"{len(urls) / a:10.0f}" for a, _ in pairs))
    print("w3lib    URLs/s:", *(f"{len(urls) / b:10.0f}" for _, b in pairs))
    ratios = sorted(b / a for a, b in pairs)
    print(f"ratio median {ratios[len(ratios) // 2]:.1f} (from {ratios[0]:.1f} to {ratios[-1]:.1f}); bar 8")


if __name__ == "__main__":
    main()
