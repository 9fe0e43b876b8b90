"""Learning from growing cluster tables: seconds, CPU and memory a URL. Run by hand (minutes): ``scale.py [clusters]``.

Each size is learned in a process of its own. Linear means that time a URL grows at most 1.2 times a doubling. With ``--twin N``
the counting of operations and DustLin's alignments are done by plain-Python twins on N URLs and the ratio of CPU time is printed.
"""

import argparse
import json
import math
import resource
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def learn_once(file: str, method: str) -> None:
    from garimpo.dust import learn
    from garimpo.dust.inputs.files import read_clusters
    from garimpo.engine import local

    table = read_clusters(file)
    learn(table.slice(0, 2000), method)  # load the compiled kernels
    with local(memory_limit="1GB") as engine:
        started, cpu = time.perf_counter(), time.process_time() + _children()
        rules = learn(table, method, engine=engine)
        wall, used = time.perf_counter() - started, time.process_time() - cpu
    used += _children()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss + resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 2
    print(json.dumps({"urls": table.num_rows, "rules": len(rules), "wall": wall, "cpu": used, "peak_gb": peak / 2**20}))


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def scale(largest: int, method: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        sizes = [largest // 10, largest * 3 // 10, largest]
        before = 0.0
        rows = 0
        for size in sizes:
            place = Path(folder) / str(size)
            make = [sys.executable, "-m", "garimpo", "web", "tables", str(place), "--kind", "dust", "--clusters", str(size)]
            subprocess.run([*make, "--seed", "3"], check=True, stdout=subprocess.DEVNULL)
            run = [sys.executable, __file__, "--one", str(place / "clusters.tsv"), "--method", method]
            told = json.loads(subprocess.run(run, check=True, capture_output=True).stdout.splitlines()[-1])
            each = told["cpu"] / told["urls"] * 1e6
            growth = f"{(each / before) ** (1 / math.log2(told['urls'] / rows)):.2f}x a doubling" if before else "-"
            before, rows = each, told["urls"]
            took = f"{told['wall']:6.1f} s wall, {told['cpu']:6.1f} s CPU"
            print(
                f"{method} {size:>8,} clusters {told['urls']:>9,} URLs: {took}, "
                f"{each:6.1f} us/URL ({growth}), {told['rules']:,} rules, peak {told['peak_gb']:.2f} GB",
                flush=True,
            )


def twins(urls: int) -> None:
    sys.path.insert(0, str(ROOT / "tests"))
    import numpy as np

    import dust.twin as twin
    import garimpo.dust.thesis.methods as alignment
    from garimpo.dust import learn, prepare
    from garimpo.dust.inputs.files import read_clusters
    from garimpo.dust.method.candidates import proposed
    from garimpo.dust.method.learner import by_site, whole_sites
    from garimpo.dust.method.trial import HostRows, Trial
    from garimpo.dust.thesis.emission import rule_of

    with tempfile.TemporaryDirectory() as folder:
        make = [sys.executable, "-m", "garimpo", "web", "tables", folder + "/t", "--kind", "dust", "--clusters", str(urls // 4)]
        subprocess.run(make, check=True, stdout=subprocess.DEVNULL)
        table = read_clusters(folder + "/t/clusters.tsv").slice(0, urls)
    learn(table.slice(0, 500))
    learn(table.slice(0, 500), "dustlin")
    ours = theirs = 0.0
    same = True
    for _, site in whole_sites(by_site(prepare(table))):
        host = HostRows(np.arange(len(site.clusters)), site.clusters)
        texts = site.urls.to_pylist()
        ways = [way for way in proposed(host, texts, 10) if not way.renames]
        counted: list[dict] = []
        ours += _cpu(lambda: counted.append(Trial(host, site.data, site.offsets).each(ways)))  # noqa: B023
        theirs += _cpu(lambda: counted.append(twin.each(ways, list(zip(texts, site.clusters.tolist())))))  # noqa: B023
        same = same and counted[0] == counted[1]
    took = f"kernels {ours:.2f} s, plain twin {theirs:.2f} s CPU: {theirs / ours:.1f}x"
    print(f"what is proposed counted on {urls:,} URLs: {took}; the same counts: {same}")
    settings = alignment.Settings()
    rows, starts = alignment.sample_rows(table, 10, 0)
    names = table.column("url").take(rows).to_pylist()
    groups = [names[a:b] for a, b in pairwise(starts)]
    ours = _cpu(lambda: alignment.propose(table, settings))
    theirs = _cpu(lambda: [rule_of(twin.chain(group)) for group in groups])
    print(f"DustLin alignment, {len(groups):,} clusters: {ours:.2f} s, plain twin {theirs:.2f} s CPU: {theirs / ours:.1f}x")


def _cpu(work) -> float:  # type: ignore[no-untyped-def]
    started = time.process_time()
    work()
    return time.process_time() - started


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("clusters", nargs="?", type=int, default=200_000)
    parser.add_argument("--one")
    parser.add_argument("--method", default="garimpo")
    parser.add_argument("--twin", type=int)
    options = parser.parse_args()
    if options.one:
        learn_once(options.one, options.method)
    elif options.twin:
        twins(options.twin)
    else:
        scale(options.clusters, options.method)
