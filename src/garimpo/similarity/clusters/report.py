"""The report of a run: its figures, the S-curve, and clusters side by side with their differences marked."""

import os
from collections.abc import Iterable
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import Counts
from garimpo.report import Report, line_plot
from garimpo.similarity.clusters.batch import Clusters
from garimpo.similarity.inputs.batches import Documents, batches_of

SHOWN = 50
LONGEST = 1500
"""Characters of a text that are shown around its first difference."""


def write_report(clusters: Clusters, documents: Documents, path: str | os.PathLike[str]) -> None:
    """One offline HTML page: what was found, and examples of it."""
    report = Report("Near-duplicates")
    summary = clusters.summary()
    report.table(["figure", "value"], [[name.replace("_", " "), value] for name, value in summary.items()])
    points = np.linspace(0, 1, 101)
    curve = clusters.bands.curve(points)
    report.figure(
        line_plot({"becomes a candidate": list(zip(points, curve))}, "Jaccard similarity", "probability"),
        f"The chance that a pair is compared, by its similarity; the threshold is {summary['threshold']:g}.",
    )
    shown = _examples(clusters.near)
    texts = _texts_of({row[name] for row in shown for name in ("id", "kept_id")}, documents)
    report.heading(f"Removed documents beside the ones kept ({len(shown)} of {summary['removed']:,} shown)")
    for row in shown:
        kept, removed = _around(texts.get(row["kept_id"], ""), texts.get(row["id"], ""))
        report.diff(kept, removed, (f"kept: {row['kept_id']}", f"removed: {row['id']} (similarity {row['similarity']:.3f})"))
    report.write(path)


def _examples(near: pa.Table) -> list[dict[str, Any]]:
    """Removed documents, one of each cluster first, the least similar of them first: these are what a reader checks."""
    removed = near.filter(pc.invert(near["keep"])).sort_by([("similarity", "ascending"), ("id", "ascending")])
    rows = removed.to_pylist() if removed.num_rows <= 100_000 else removed.slice(0, 100_000).to_pylist()
    seen: set[int] = set()
    first: list[dict[str, Any]] = []
    rest: list[dict[str, Any]] = []
    for row in rows:
        (rest if row["cluster"] in seen else first).append(row)
        seen.add(row["cluster"])
    return [*first, *rest][:SHOWN]


def _texts_of(ids: Iterable[str], documents: Documents) -> dict[str, str]:
    wanted = pa.array(sorted(ids), pa.string())
    texts: dict[str, str] = {}
    for batch in batches_of(documents, (), Counts()):
        found = batch.filter(pc.is_in(batch.column("id"), value_set=wanted))
        for name, text in zip(found.column("id").to_pylist(), found.column("text").to_pylist()):
            texts.setdefault(name, text or "")
    return texts


def _around(a: str, b: str) -> tuple[str, str]:
    """The parts of two long texts where they begin to differ."""
    if max(len(a), len(b)) <= LONGEST:
        return a, b
    equal = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
    start = max(0, equal - LONGEST // 3)
    start = a.rfind(" ", 0, start) + 1 if start else 0
    lead = "… " if start else ""
    return lead + a[start : start + LONGEST], lead + b[start : start + LONGEST]
