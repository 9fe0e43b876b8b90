"""Run the quick benchmarks, one after the other: ``make bench``.

Each prints our figure, the peer's and their ratio. The others under ``benchmarks/<room>/`` take long, a lot of memory or programs
from elsewhere; each says in its first lines how it is run.
"""

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
QUICK = (
    "url/normalise.py",
    "page/parse.py",
    "page/shingles.py",
    "archive/bench_warc.py",
    "similarity/peers.py",
    "dust/apply.py",
    "mirrors/rules.py",
    "focus/judge.py",
)


def main() -> int:
    failed = 0
    for script in QUICK:
        print(f"== {script}", flush=True)
        failed += subprocess.run([sys.executable, str(HERE / script)], check=False).returncode != 0
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
