"""The tables of the thesis once more, on made and real data, with our own method beside: ``run.py --out results.md``.

Clusters are split in three by a hash; two thirds are learned from (half of them to propose, half to validate), one third is the
test; the parts rotate. Pages known to be unique are in all parts. Intervals are of the first fold, by drawing clusters.
"""

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

import data
import fanout
import numpy as np
import pyarrow as pa
import thesis
import tree
from measures import interval, measure

from garimpo.dust import learn, prepare
from garimpo.dust.inputs.files import read_clusters
from garimpo.dust.inputs.preparation import cluster_hash
from garimpo.dust.learning import split

Learned = tuple[Callable[[list[str]], list[str]], int, int]
"""How URLs get keys, the number of rules, the number of candidates (0: not counted)."""


def as_clusters(table: pa.Table) -> dict[int, list[str]]:
    found: dict[int, list[str]] = defaultdict(list)
    for number, url in zip(table["cluster"].to_pylist(), table["url"].to_pylist()):
        found[number].append(url)
    return found


def by_rules(method: str) -> Callable[..., Learned]:
    def run(table: pa.Table, fpr_max: float = 0.0, **settings: int) -> Learned:
        rules = learn(table, method, fpr_max=fpr_max, normalise=False, **settings)
        return lambda urls: rules.keys(pa.array(urls, pa.string()))[0].to_pylist(), len(rules), 0

    return run


def by_fanout(table: pa.Table, fpr_max: float = 0.0) -> Learned:
    training, validation = map(as_clusters, split(table))
    rules, candidates = fanout.learn(training, validation, fpr_max=fpr_max)
    return lambda urls: [rules.key(url)[0] for url in urls], len(rules.rules), candidates


def by_tree(table: pa.Table, fpr_max: float = 0.0) -> Learned:
    training, validation = map(as_clusters, split(table))
    rules, candidates = tree.learn(training, validation, fpr_max=fpr_max)

    def key(url: str) -> str:
        values = fanout.parts(url)
        made = (rule.apply(values) for rule in rules.get(values["host"], ()))
        return next((form for form in made if form is not None), url)

    return lambda urls: [key(url) for url in urls], sum(map(len, rules.values())), candidates


METHODS: dict[str, Callable[..., Learned]] = {
    "R_fanout-10": by_fanout, "R_tree": by_tree, "DUSTER": by_rules("duster"), "DustLin": by_rules("dustlin"),
    "garimpo": by_rules("garimpo"),
}  # fmt: skip


def folds(table: pa.Table) -> list[tuple[pa.Table, pa.Table]]:
    part = cluster_hash(table["cluster"].to_numpy(), 77) % np.uint64(3)
    return [(table.filter(pa.array(part != fold)), table.filter(pa.array(part == fold))) for fold in range(3)]


def compare(name: str, table: pa.Table, fpr_max: float = 0.0, count: int = 3, methods: list[str] | None = None) -> list[str]:
    """A table of all methods on one set of clusters, means over folds."""
    lines = [
        "| data | fpr_max | method | rules | CR % | coverage % [95 %] | skip precision % [95 %] | pair precision % "
        "| saved a rule | CPU s |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for method in methods or METHODS:
        found, seconds, bounds = [], 0.0, {}
        for training, test in folds(table)[:count]:
            started = time.process_time()
            keys_of, rules, _ = METHODS[method](training, fpr_max=fpr_max)
            seconds += time.process_time() - started
            urls, numbers = test["url"].to_pylist(), test["cluster"].to_pylist()
            keys = keys_of(urls)
            found.append(measure(urls, numbers, keys, rules))
            bounds = bounds or interval(numbers, keys)
        mean = {key: sum(f[key] for f in found) / len(found) for key in found[0]}
        cover, exact = bounds["coverage"], bounds["skip_precision"]
        lines.append(
            f"| {name} | {fpr_max:g} | {method} | {mean['rules']:,.0f} | {100 * mean['compression']:.2f} "
            f"| {100 * mean['coverage']:.2f} [{100 * cover[0]:.1f}, {100 * cover[1]:.1f}] "
            f"| {100 * mean['skip_precision']:.3f} [{100 * exact[0]:.2f}, {100 * exact[1]:.2f}] "
            f"| {100 * mean['pair_precision']:.3f} | {mean['saved_per_rule']:.1f} | {seconds / len(found):.1f} |"
        )
        print(lines[-1], flush=True)
    return [*lines, ""]


def per_family(size: int) -> list[str]:
    """Of each family, the share of test URLs that get the key of another URL of their page."""
    table, family = data.families(size, 5)
    training, test = folds(table)[0]
    urls, numbers = test["url"].to_pylist(), test["cluster"].to_pylist()
    methods = ["R_fanout-10", "DustLin", "garimpo"]
    share: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for method in methods:
        keys = METHODS[method](training)[0](urls)
        seen: dict[tuple[int, str], int] = defaultdict(int)
        total: dict[int, int] = defaultdict(int)
        for number, key in zip(numbers, keys):
            seen[number, key] += 1
            total[number] += 1
        for url, number, key in zip(urls, numbers, keys):
            if total[number] > 1:
                share[family.get(url, "?")][method].append(seen[number, key] > 1)
    lines = ["| family | URLs | " + " | ".join(methods) + " |", "|---|---|" + "---|" * len(methods)]
    for name, found in sorted(share.items(), key=lambda entry: -len(entry[1]["garimpo"])):
        if len(found["garimpo"]) >= 30:
            cells = " | ".join(f"{100 * sum(found[m]) / len(found[m]):.0f} %" for m in methods)
            lines.append(f"| {name} | {len(found['garimpo'])} | {cells} |")
    return [*lines, ""]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=Path(__file__).with_name("results.md"))
    parser.add_argument("--clusters", type=int, default=2_000)
    parser.add_argument("--file", type=Path, action="append", default=[], help="a cluster file of your own; may be repeated")
    options = parser.parse_args()
    started = time.process_time()
    sets = {"made, GOV2-like": data.made("gov", options.clusters, 1), "made, WBR10-like": data.made("wbr", options.clusters, 2)}
    real = data.real()
    real |= {path.name: prepare(read_clusters(path)) for path in options.file}
    lines = [
        "# URL rules: the tables of the thesis, run again",
        "",
        __doc__ or "",
        f"Made with `run.py --clusters {options.clusters}`.",
    ]
    lines += ["", "## The sets (tables 6.1, 6.2)", "", *thesis.sizes({**sets, **real})]
    lines += ["## Order of alignment (table 5.1)", "", *thesis.alignment_order(sets)]
    lines += ["## Methods at fpr_max 0 (tables 6.7, 6.9, 6.11)", ""]
    for name, table in sets.items():
        lines += compare(name, table)
    lines += ["## Allowed false positives (table 6.7)", ""]
    for name, table in sets.items():
        for fpr in (0.05, 0.1, 0.2):
            lines += compare(name, table, fpr, 1)
    lines += ["## Thresholds of DustLin (tables 6.3, 6.4, 6.5)", "", *thesis.thresholds(sets, folds)]
    lines += ["## Candidates and redundancy (tables 6.6, 6.9, 6.10)", "", *thesis.candidates(sets, folds)]
    lines += ["## Samples or whole clusters (table 6.12)", "", *thesis.samples(sets, folds)]
    lines += ["## Workers (tables 6.13, 6.14)", "", *thesis.workers(sets)]
    lines += ["## Lost examples (claim 23)", "", *thesis.lost_examples(sets, folds, METHODS)]
    lines += ["## Noisy labels", "", *thesis.noise(options.clusters, data.made, folds)]
    lines += ["## By family of duplicate", "", *per_family(options.clusters)]
    lines += ["## Real data", ""]
    for name, table in real.items():
        lines += compare(name, table, methods=["R_fanout-10", "R_tree", "DustLin", "garimpo"])
    lines += [f"All of this took {time.process_time() - started:.0f} s of CPU."]
    options.out.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
