"""The report of a run: what was found, and for the surest and the most doubtful pairs the pages they share and the votes."""

import os

import pyarrow as pa
import pyarrow.compute as pc

from garimpo import engine as engines
from garimpo.mirrors.explanation import explain
from garimpo.mirrors.page_scan import Pages
from garimpo.mirrors.pair_features import SOURCE
from garimpo.mirrors.prefixes import Places, places
from garimpo.mirrors.search import Found
from garimpo.report import Report, bar_plot

SHOWN = 12
PAGES_SHOWN = 15


def write_report(found: Found, pages: Pages, path: str | os.PathLike[str]) -> None:
    """Write the report as one HTML page."""
    pairs = found.pairs
    copies = pairs.filter(pairs["replica"])
    report = Report("Hosts that are copies of each other")
    report.paragraph(
        f"{found.hosts:,} hosts, {pairs.num_rows:,} pairs that share something, {copies.num_rows:,} pairs of copies. "
        f"{sum(found.suppressed.values()):,} pairs were left out because all they share stands on too many hosts. {found.counts}"
    )
    groups = pc.value_counts(copies["keep_host"]).to_pylist()
    report.figure(bar_plot(_by_score(pairs), "score", "pairs", "Pairs by score"), "How sure the method is.")
    report.table(["kept host", "pairs in its group"], [[g["values"], g["counts"]] for g in groups[:50]], "Groups of copies")
    doubtful = _most_doubtful(pairs)
    chosen = pa.concat_tables([copies.slice(0, SHOWN), doubtful]).to_pylist()
    with engines.local() as engine:
        known = places(engine, pages, {row[side] for row in chosen for side in ("host_a", "host_b")})
    for number, row in enumerate(chosen):
        if number == min(SHOWN, copies.num_rows):
            report.heading("The most doubtful pairs")
        _pair(report, pairs, row, known.get(row["host_a"], {}), known.get(row["host_b"], {}))
    report.write(path)


def _by_score(pairs: pa.Table) -> dict[str, float]:
    tenths = pc.min_element_wise(pc.floor(pc.multiply(pairs["score"].cast(pa.float64()), 10.0)), 9.0)
    counted = {row["values"]: row["counts"] for row in pc.value_counts(tenths).to_pylist()}
    return {f"{tenth / 10:.1f}": counted.get(float(tenth), 0) for tenth in range(10)}


def _most_doubtful(pairs: pa.Table) -> pa.Table:
    distance = pc.abs(pc.subtract(pairs["score"].cast(pa.float64()), 0.5))
    order = pc.sort_indices(pa.table({"d": distance}), sort_keys=[("d", "ascending")])
    return pairs.take(order[: SHOWN // 2])


def _pair(report: Report, pairs: pa.Table, row: dict[str, object], a: Places, b: Places) -> None:
    told = explain(pairs, str(row["host_a"]), str(row["host_b"]))
    report.heading(f"{row['host_a']} and {row['host_b']}")
    report.paragraph(told.lines()[0])
    report.table(list(SOURCE), [[float(told.pair[name]) for name in SOURCE]])
    report.table(["evidence", "bits", "what it says"], [[r.what, r.weight, r.meaning] for r in told.reasons])
    common = sorted(a.keys() & b.keys())
    said = [[path, _said(a[path], b[path])] for path in common[:PAGES_SHOWN]]
    report.table(["path on both", "contents"], said, f"{len(common):,} common paths")


def _said(a: int | None, b: int | None) -> str:
    if a is None or b is None:
        return "not fetched on both"
    return "equal" if a == b else "different"
