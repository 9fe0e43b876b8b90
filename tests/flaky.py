"""Find tests that fail now and then: ``make test-flaky`` (takes hours; not part of ``make test``).

    python tests/flaky.py [--rounds 10] [--times 12] [--busy 2] [PATH...]

First all tests run in a random order, once for each round, every second round beside processes that keep the cores busy. Then
each test runs alone, many times, again with and without company. Prints every test that failed and how often; exits 1 where one
did. The end of the output of each failure goes to out/flaky.txt as it is met.
"""

import argparse
import contextlib
import multiprocessing
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPORT = ROOT / "out" / "flaky.txt"


def spin() -> None:
    while True:
        pass


@contextlib.contextmanager
def company(count: int) -> Iterator[None]:
    """Processes that do nothing but take time, while the block runs."""
    busy = [multiprocessing.get_context("spawn").Process(target=spin, daemon=True) for _ in range(count)]
    for process in busy:
        process.start()
    try:
        yield
    finally:
        for process in busy:
            process.kill()
            process.join()


def collect(paths: Sequence[str]) -> list[str]:
    """The ids of all tests."""
    quiet = ["-o", "addopts=--import-mode=importlib", "-q", "--no-header", "--collect-only"]  # one id a line
    listed = subprocess.run([sys.executable, "-m", "pytest", *quiet, *paths], capture_output=True, text=True, cwd=ROOT)
    return [line for line in listed.stdout.splitlines() if "::" in line]


def run(tests: Sequence[str], *flags: str) -> tuple[list[str], str]:
    """The ids of those that failed, and the end of what pytest said."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", delete=False) as file:
        file.write("\n".join(tests))
    try:
        command = [sys.executable, "-m", "pytest", "-q", "-rfE", "-p", "no:cacheprovider", *flags, f"@{file.name}"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    finally:
        Path(file.name).unlink()
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    failed = [line.split(" ", 1)[1].split(" - ")[0] for line in lines]
    if done.returncode not in (0, 1) and not failed:  # pytest itself broke down
        failed = ["(the run)"]
    return failed, done.stdout[-4000:] + done.stderr[-2000:]


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("paths", nargs="*", default=["tests"])
    parser.add_argument("--rounds", type=int, default=10, help="runs of all tests in a random order")
    parser.add_argument("--times", type=int, default=12, help="runs of each test alone (0: none)")
    parser.add_argument("--busy", type=int, default=2, help="busy processes beside every second run")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    tests = [test for test in collect(options.paths) if not test.startswith("tests/spark/")]
    print(f"{len(tests):,} tests", flush=True)
    failures: Counter[str] = Counter()

    def note(failed: Sequence[str], how: str, said: str) -> None:
        for test in failed:
            failures[test] += 1
            print(f"FAILED {test} ({how})", flush=True)
        if failed:
            REPORT.parent.mkdir(exist_ok=True)
            with REPORT.open("a", encoding="utf-8") as report:
                report.write(f"==== {how}\n{said}\n")

    for turn in range(options.rounds):
        order = list(tests)
        random.Random(options.seed + turn).shuffle(order)
        with company(options.busy if turn % 2 else 0):
            failed, said = run(order, "-n", "2")
        note(failed, f"all, order {options.seed + turn}, {'beside busy processes' if turn % 2 else 'alone'}", said)
    for test in tests:
        for busy in (0, options.busy):
            with company(busy):
                for _ in range((options.times + 1) // 2):
                    failed, said = run([test])
                    note(failed, f"alone{', beside busy processes' if busy else ''}", said)
    for test, count in failures.most_common():
        print(f"{count:4} failures: {test}")
    print(f"{len(failures)} of {len(tests):,} tests failed at least once")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
