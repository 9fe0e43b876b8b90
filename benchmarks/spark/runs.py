"""Runs of one job in processes of their own, side by side: one machine, one worker, two; and the model of sixteen nodes."""

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path

NODES = 16
THESIS = {"speedup": 39 / 4, "scaleup": 1.22}
"""DUST learning on GOV2: 39 minutes on one node, 4 on sixteen; sixteen times the data on sixteen nodes: 1.22 times as long."""


def run_options(parser: argparse.ArgumentParser, runs: str) -> argparse.Namespace:
    """What every benchmark of this folder can be told; ``--run`` is how it calls itself."""
    parser.add_argument("--runs", default=runs)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--run", help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works: without Spark")
    given = parser.parse_args()
    given.runs = given.runs.split(",")[0] if given.quick else given.runs
    return given


def all_runs(program: str, given: argparse.Namespace, folder: str) -> dict[str, dict]:
    """The figures of each run; all must have the same digest of what they made."""
    results = {}
    for name in given.runs.split(","):
        results[name] = _apart(program, name, folder)
        print(f"{name}: {results[name]['seconds']:.1f} s", file=sys.stderr, flush=True)
    if len({result["digest"] for result in results.values()}) != 1:
        sys.exit("the runs gave different rows")
    if given.json:
        given.json.write_text(json.dumps(results, indent=1))
    return results


def _apart(program: str, name: str, folder: str) -> dict:
    command = [sys.executable, program, "--run", name, "--folder", folder]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        sys.exit(f"{name}: {done.stderr[-3000:]}")
    return json.loads(done.stdout.splitlines()[-1])


def print_runs(results: dict[str, dict], rows: int, what: str) -> None:
    """The figures of all runs, where the time goes in the last, and the model of sixteen nodes."""
    print(f"{rows:,} {what}s")
    print(f"{'run':10} {'job s':>8} {'driver CPU s':>13} {'executors CPU s':>16} {f'CPU us/{what}':>16}")
    for name, result in results.items():
        each = 1e6 * (result["driver"] + result["executors"]) / rows
        label = f"{name} workers" if name.isdigit() else name
        print(f"{label:10} {result['seconds']:8.1f} {result['driver']:13.1f} {result['executors']:16.1f} {each:16.0f}")
    spark = {name: result for name, result in results.items() if name.isdigit()}
    if not spark:
        return
    last = list(spark.values())[-1]
    for name in results.keys() - spark.keys():
        print(f"CPU against {name}: {(last['driver'] + last['executors']) / results[name]['driver']:.1f}x")
    total = sum(last["steps"].values())
    for step, seconds in sorted(last["steps"].items(), key=lambda item: -item[1]):
        print(f"  {seconds:7.1f} s {100 * seconds / total:4.0f} %  {step}")
    if "1" in spark and "2" in spark:
        print(f"speed-up of the wall clock with two workers: {spark['1']['seconds'] / spark['2']['seconds']:.2f}")
    _print_model(last)


def _print_model(run: dict) -> None:
    """The driver's CPU is serial, the executors' is divided by the nodes: Amdahl; Gustafson for a size that grows with them."""
    one = run["driver"] + run["executors"]
    speedup = {nodes: one / (run["driver"] + run["executors"] / nodes) for nodes in (2, NODES)}
    longer = (run["driver"] * NODES + run["executors"]) / one
    print(
        f"model by CPU: serial share {run['driver'] / one:.3f}, 2 nodes: {speedup[2]:.2f}x, {NODES} nodes: {speedup[NODES]:.1f}x "
        f"(thesis {THESIS['speedup']:.1f}x), {NODES} times the data on {NODES} nodes: {longer:.2f} times as long "
        f"(thesis {THESIS['scaleup']})"
    )
