"""Every strategy in one table: on the harder made graphs, on manuals that Debian ships, on the universities of WebKB.

``python experiments/focus/strategies.py [--trees python django] [--graphs 4]`` does the visits of `visits.py` (regime sections),
`debian.py` and `webkb.py` with all strategies there are, and writes recall at 10 % and 25 % and ours minus the other at 10 %
(95 %, bootstrap over topics, trees and cases) into `results.md`.
"""

import argparse
import tempfile
from pathlib import Path

import debian
import numpy as np
import visits
import webkb
from record import gains, record, table

from garimpo.focus import STRATEGIES

NAMES = tuple(STRATEGIES)


def graphs(count: int, first: int, pages: int) -> np.ndarray:
    """By topic and strategy the recall at both budgets, on graphs of the sections regime."""
    rows: list = []
    for seed in range(first, first + count):
        with tempfile.TemporaryDirectory() as folder:
            visits.visits(Path(folder), "sections", seed, pages, rows, NAMES)
    found = np.stack([visits.means(rows, name)[:, :2] for name in NAMES], axis=1)
    gained = gains(found[:, 0] - found[:, NAMES.index("best-dynamic")])
    print("made graphs: ours", found[:, 0].mean(axis=0), "minus best-dynamic", *gained, flush=True)
    return found


def manuals(trees: list[str]) -> np.ndarray:
    """By tree and strategy the same on manuals."""
    found = []
    for name in trees:
        found.append(debian.tree(name, NAMES)[1][:, :2])
        print(name, *(f"{what} {a:.3f} / {b:.3f}" for what, (a, b) in zip(NAMES, found[-1])), sep="; ", flush=True)
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--graphs", type=int, default=4)
    parser.add_argument("--first", type=int, default=901, help="the seed of the first graph")
    parser.add_argument("--trees", nargs="+", choices=list(debian.TREES), default=list(debian.TREES))
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.graphs, given.trees = 3_000, 1, given.trees[:1]
    found = {
        f"{given.graphs} made graphs of {given.pages:,} pages": graphs(given.graphs, given.first, given.pages),
        f"{len(given.trees)} Debian manuals": manuals(given.trees),
        "WebKB": np.array([figures for _, figures in webkb.cases(NAMES)])[:, :, :2],
    }
    lines = []
    for at, name in enumerate(NAMES):
        line = [name]
        for figures in found.values():
            ten, quarter = figures[:, at].mean(axis=0)
            line += [f"{ten:.3f} / {quarter:.3f}", gains(figures[:, 0] - figures[:, at])[0] if at else ""]
        lines.append(line)
    body = table(["strategy", *(head for name in found for head in (name, "ours minus it at 10 %"))], lines)
    more = f" --trees {' '.join(given.trees)}" if len(given.trees) < len(debian.TREES) else ""
    command = f"python experiments/focus/strategies.py --pages {given.pages} --graphs {given.graphs} --first {given.first}{more}"
    groups = ", ".join(f"{len(figures)} {what}" for what, figures in zip(("topics", "trees", "cases"), found.values()))
    record("Every strategy", f"`{command}`; recall at 10 % / 25 %; means over {groups}.\n\n{body}")
    print(body)


if __name__ == "__main__":
    main()
