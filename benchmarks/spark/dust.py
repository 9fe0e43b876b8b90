"""DUST learning on Spark: one worker and two, beside the local engine, and a model of sixteen nodes. By hand; needs Java.

    python benchmarks/spark/dust.py [--urls 1000000] [--method dustlin] [--runs local,1,2] [--json FILE]

Clusters come from ``garimpo web tables``. All runs read the same file and must give the same rules. CPU of the driver (its
Python and its Java) are told apart from those of the executors. They hold on a busy machine too; the wall clock does not.
Starting the driver is not counted.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

from runs import all_runs, print_runs, run_options

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "spark"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--urls", type=int, default=1_000_000)
    parser.add_argument("--method", default="dustlin")
    given = run_options(parser, "local,1,2")
    given.urls = 2_000 if given.quick else given.urls
    if given.run:
        print(json.dumps(one_run(given.run, given.folder)))
        return
    with tempfile.TemporaryDirectory() as folder:
        made = _make(folder, given.urls)
        (Path(folder) / "method").write_text(given.method)
        results = all_runs(__file__, given, folder)
    print(f"{next(iter(results.values()))['rules']:,} rules, the same in all runs")
    print_runs(results, made, "URL")


def _make(folder: str, urls: int) -> int:
    """Clusters of about so many URLs (4.4 a cluster); how many there are."""
    make = [sys.executable, "-m", "garimpo", "web", "tables", f"{folder}/made", "--kind", "dust", "--seed", "3", "--json"]
    told = subprocess.run([*make, "--clusters", str(urls * 10 // 44)], check=True, capture_output=True).stdout.splitlines()[-1]
    return int(json.loads(told)["urls"])


def one_run(name: str, folder: Path) -> dict[str, object]:
    """The figures of one way to run the job."""
    file, method = folder / "made" / "clusters.tsv", (folder / "method").read_text()
    return _here(file, method) if name == "local" else _on_cluster(int(name), file, method, folder)


def _here(file: Path, method: str) -> dict[str, object]:
    from processes import cpu_seconds

    from garimpo.dust import learn
    from garimpo.dust.inputs.files import read_clusters

    begun, cpu = time.perf_counter(), cpu_seconds()
    rules = learn(read_clusters(file), method)
    seconds, cpu = time.perf_counter() - begun, cpu_seconds() - cpu
    return {"seconds": seconds, "driver": cpu, "executors": 0.0, "steps": {}, **_told(rules)}


def _on_cluster(workers: int, file: Path, method: str, folder: Path) -> dict[str, object]:
    from steps import on_cluster

    from garimpo.contract import Counts
    from garimpo.dust import learn
    from garimpo.dust.engine.clusters import read_spread

    def job(engine):
        return learn(read_spread(engine, file, Counts())[0], method, engine=engine)

    rules, figures = on_cluster(workers, folder, job)
    return {**figures, **_told(rules)}


def _told(rules) -> dict[str, int]:
    return {"rules": len(rules), "digest": zlib.crc32(rules.to_json())}


if __name__ == "__main__":
    main()
