"""Whether a long crawl's memory stays flat: its resident size over many pages of the large made web.

    python benchmarks/crawl/flat.py [--pages 200000] [--web FOLDER] [--crawl-flags no-learn ...]

Prints the size at every tenth part, and how much the largest one after the first tenth exceeds the largest up to there: of the
loop, without the pages of mapped files, which the system takes back when it needs them, and with them; and of the
learner, which is a process of its own.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from garimpo import webgen
from garimpo.contract.errors import GarimpoError
from garimpo.crawl import status


def resident(pid: int) -> tuple[float, float]:
    """Resident megabytes of a process that no file stands behind, and all of them; none of one that is gone."""
    if not Path(f"/proc/{pid}/status").exists():
        return 0.0, 0.0
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    sizes = {line.split(":")[0]: int(line.split()[1]) / 1024 for line in lines if line.startswith(("RssAnon", "VmRSS"))}
    return sizes.get("RssAnon", 0.0), sizes.get("VmRSS", 0.0)


def learner_of(pid: int) -> int:
    """The largest of a process's children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return max(map(int, children), key=lambda child: resident(child)[0], default=0)


def stored(folder: Path) -> int:
    try:
        return int(status(folder)["stored"])
    except (GarimpoError, OSError, KeyError):
        return 0


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--pages", type=int, default=200_000)
    parser.add_argument("--web", type=Path)
    parser.add_argument("--crawl-flags", nargs="*", default=[])
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    options = parser.parse_args()
    if options.quick:
        options.pages = 200
    with tempfile.TemporaryDirectory(prefix="garimpo-flat-") as folder:
        web, out = options.web or Path(folder) / "web", Path(folder) / "crawl"
        if options.web is None:
            webgen.make(web, "small" if options.quick else "large", seed=11)
        with webgen.serve(web) as serving:
            command = [sys.executable, "-m", "garimpo", "crawl", f"@{web / 'seeds.txt'}", "--out", str(out), "--scope", "all",
                       "--strategy", "bfs", "--delay", "0", "--resolve-all", serving.address, "--hosts", str(web / "hosts"),
                       "--max-pages", str(options.pages), *(f"--{flag.lstrip('-')}" for flag in options.crawl_flags)]  # fmt: skip
            watch(subprocess.Popen(command), out, options.pages)


def watch(crawl: subprocess.Popen[bytes], out: Path, pages: int) -> None:
    """Measure now and then until the crawl ends."""
    sizes: list[tuple[int, float, float, float]] = []
    shown = turn = count = learner = 0
    while crawl.poll() is None:
        time.sleep(0.1)
        turn += 1
        try:
            if turn % 10 == 0:
                count, learner = stored(out), learner_of(crawl.pid)
            sizes.append((count, *resident(crawl.pid), resident(learner)[0]))
        except OSError:
            break
        if count >= shown + pages // 10:
            shown = count
            print(f"{shown:8,} pages: {sizes[-1][1]:6.0f} MB, the learner {sizes[-1][3]:.0f} MB", flush=True)
    crawl.wait()
    if stored(out) < pages // 2:
        sys.exit(f"the crawl ended after {stored(out):,} pages")
    for column, what in ((1, "anonymous"), (2, "with mapped files"), (3, "the learner, anonymous")):
        first = max((row[column] for row in sizes if row[0] <= pages // 10), default=0.0)
        later = max((row[column] for row in sizes if row[0] > pages // 10), default=0.0)
        change = f": {later / first - 1:+.1%}" if first and later else ""
        print(f"{what}: {first:.0f} MB at most in the first tenth, {later:.0f} MB later{change}")


if __name__ == "__main__":
    main()
