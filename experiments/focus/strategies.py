"""Every strategy in one table: on the harder made graphs, on manuals that Debian ships, on the universities of WebKB.

``python experiments/focus/strategies.py [--trees python django] [--graphs 4]`` does the visits of `visits.py` (regime sections),
`debian.py` and `webkb.py` with all strategies there are, and writes recall at 10 % and 25 % and ours minus the other at 10 %
(95 %, bootstrap over topics, cases and trees) into `results.md`.
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import debian
import numpy as np
import visits
import webkb
from record import gains, record, table

from garimpo.focus import STRATEGIES


def graph(names: Sequence[str], seed: int, pages: int) -> np.ndarray:
    """By topic and strategy the recall at both budgets, on a graph of the sections regime."""
    rows: list = []
    with tempfile.TemporaryDirectory() as folder:
        visits.visits(Path(folder), "sections", seed, pages, rows, names)
    return np.stack([visits.means(rows, name)[:, :2] for name in names], axis=1)


def manual(names: Sequence[str], tree: str) -> np.ndarray:
    """The same on a manual, in the mean of its sections."""
    return debian.tree(tree, names)[1][None, :, :2]


def universities(names: Sequence[str]) -> np.ndarray:
    """The same of each university and class."""
    return np.array([figures for _, figures in webkb.cases(names)])[:, :, :2]


def compare(names: Sequence[str], heading: str, script: str, description: str | None) -> None:
    """Write the table of these strategies; the first of them is ours."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--graphs", type=int, default=4)
    parser.add_argument("--first", type=int, default=901, help="the seed of the first graph")
    parser.add_argument("--trees", nargs="+", choices=list(debian.TREES), default=list(debian.TREES))
    parser.add_argument("--parts", type=Path, help="a file that keeps what is done, so that another run goes on there")
    parser.add_argument("--quick", action="store_true", help="the smallest run that shows that it works")
    given = parser.parse_args()
    if given.quick:
        given.pages, given.graphs, given.trees = 3_000, 1, given.trees[:1]
    done = json.loads(given.parts.read_text()) if given.parts and given.parts.exists() else {}

    def part(key: str, make: Callable[[], np.ndarray]) -> np.ndarray:
        if key not in done:
            done[key] = make().tolist()
            means = np.mean(done[key], axis=0)
            print(key, *(f"{what} {a:.3f} / {b:.3f}" for what, (a, b) in zip(names, means)), sep="; ", flush=True)
            if given.parts:
                given.parts.write_text(json.dumps(done))
        return np.array(done[key])

    seeds = range(given.first, given.first + given.graphs)
    made = [part(f"graph {seed} of {given.pages}", partial(graph, names, seed, given.pages)) for seed in seeds]
    found = {
        "made graphs": np.concatenate(made),
        "WebKB": part("WebKB", partial(universities, names)),
        "Debian manuals": np.concatenate([part(tree, partial(manual, names, tree)) for tree in given.trees]),
    }
    lines = []
    for at, name in enumerate(names):
        line = [name]
        for figures in found.values():
            ten, quarter = figures[:, at].mean(axis=0)
            line += [f"{ten:.3f} / {quarter:.3f}", gains(figures[:, 0] - figures[:, at])[0] if at else ""]
        lines.append(line)
    body = table(["strategy", *(head for name in found for head in (name, "ours minus it at 10 %"))], lines)
    best = list(names).index("best-dynamic")
    quarter = ", ".join(f"{gains(each[:, 0] - each[:, best])[1]} on {name}" for name, each in found.items())
    body += f"\n\nOurs minus dynamic best first at 25 %: {quarter}."
    more = f" --trees {' '.join(given.trees)}" if len(given.trees) < len(debian.TREES) else ""
    command = f"python experiments/focus/{script} --pages {given.pages} --graphs {given.graphs} --first {given.first}{more}"
    groups = ", ".join(f"{len(figures)} {what}" for what, figures in zip(("topics", "cases", "trees"), found.values()))
    record(heading, f"`{command}`; recall at 10 % / 25 %; means over {groups}.\n\n{body}")
    print(body)


if __name__ == "__main__":
    compare(tuple(STRATEGIES), "Every strategy", "strategies.py", __doc__)
