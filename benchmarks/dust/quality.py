"""Rules learned on a made web against its truth, beside R_fanout-10. Run by hand: ``quality.py FOLDER``.

FOLDER comes from ``garimpo web make``.

A third of the pages is the test and never seen. Precision: of the URLs a crawler would skip, the share whose content is that of
the first with their key, unique pages and traps counted. Coverage: of the duplicate URLs of the test, the share skipped.
"""

import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from garimpo import webgen
from garimpo.dust import learn
from garimpo.dust.inputs.preparation import cluster_hash, prepare
from garimpo.dust.learning import split
from garimpo.url import host_column

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "experiments" / "dust"))
import fanout

ENOUGH = 20


def report(name: str, keys: list[str], rules: int, test: pa.Table, big: set[str], seconds: float) -> None:
    content, page = test["content"].to_pylist(), test["key"].to_pylist()
    hosts = host_column(test["url"]).to_pylist()
    first: dict[str, int] = {}
    skipped = wrong = 0
    for key, shows in zip(keys, content):
        if key in first:
            skipped += 1
            wrong += first[key] != shows
        first.setdefault(key, shows)
    everywhere, large = coverage(keys, page, [True] * len(keys)), coverage(keys, page, [host in big for host in hosts])
    original, left = len(keys), len(set(keys))
    print(f"{name}: {rules:,} rules; precision {100 * (1 - wrong / max(skipped, 1)):.3f} % ({wrong} of {skipped:,} skips wrong); "
          f"coverage {100 * everywhere:.1f} %, on {len(big)} hosts with {ENOUGH} training clusters {100 * large:.1f} %; "
          f"compression {100 * (1 - left / original):.1f} %; {seconds:.1f} s CPU")  # fmt: skip


def coverage(keys: list[str], pages: list[str], chosen: list[bool]) -> float:
    count: Counter[str] = Counter()
    forms: dict[str, set[str]] = defaultdict(set)
    for key, page, counts in zip(keys, pages, chosen):
        if counts:
            count[page] += 1
            forms[page].add(key)
    duplicates = sum(count.values()) - len(count)
    return 1 - (sum(map(len, forms.values())) - len(forms)) / max(duplicates, 1)


def main(folder: Path) -> None:
    table = pq.read_table(folder / "truth" / "dust.parquet")
    part = cluster_hash(table["content"].to_numpy(), 5) % np.uint64(3) == 0
    test, known = table.filter(pa.array(part)), table.filter(pa.array(~part))
    training = prepare(pa.table({"cluster": known["content"], "url": known["url"]}))
    sizes: dict[str, Counter[int]] = defaultdict(Counter)
    for host, cluster in zip(host_column(training["url"]).to_pylist(), training["cluster"].to_pylist()):
        sizes[host][cluster] += 1
    big = {host for host, clusters in sizes.items() if sum(n > 1 for n in clusters.values()) >= ENOUGH}
    started = time.process_time()
    rules = learn(training)
    seconds = time.process_time() - started
    report("garimpo", rules.keys(test["url"])[0].to_pylist(), len(rules), test, big, seconds)
    started = time.process_time()
    halves = []
    for half in split(training):
        found: dict[int, list[str]] = defaultdict(list)
        for cluster, url in zip(half["cluster"].to_pylist(), half["url"].to_pylist()):
            found[cluster].append(url)
        halves.append(found)
    baseline, _ = fanout.learn(*halves)
    seconds = time.process_time() - started
    report("R_fanout-10", [baseline.key(url)[0] for url in test["url"].to_pylist()], len(baseline.rules), test, big, seconds)


if __name__ == "__main__":
    if "--quick" in sys.argv:
        with tempfile.TemporaryDirectory() as scratch:
            webgen.make(Path(scratch) / "web", "small", seed=1)
            main(Path(scratch) / "web")
    else:
        main(Path(sys.argv[1]))
