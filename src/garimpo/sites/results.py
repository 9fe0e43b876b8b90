"""What was found, for people and programs: a table of sites, and one offline page with a bar chart of places."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.contract.table_files import write_table
from garimpo.contract.tables import SITES, check
from garimpo.report import Report, bar_plot, line_plot
from garimpo.sites.analysis import coverage
from garimpo.sites.detector import Detection
from garimpo.sites.locator import Location
from garimpo.sites.places import states
from garimpo.sites.site_text import STATES, words

__all__ = ["located_table", "sites_table", "write_report", "write_table"]

TITLE_WORDS = 30
ANSWERS = {True: "yes", False: "no", None: "unknown"}
DOUBTFUL = "found, but what links to it names few good sites"
"""Why a site that the detector said yes to does not count as found."""
LOCATED = pa.schema([*SITES, ("title", pa.string()), ("rank", pa.int32()), ("via", pa.string())])


def sites_table(detections: Sequence[Detection]) -> pa.Table:
    """One row a site, with the title of the first page read as an extra column.

    Args:
        detections: The answers.
    """
    pages = [[visit.page for visit in found.visits if visit.page is not None] for found in detections]
    table = pa.table({
        "site": [found.site for found in detections],
        "relevant": pa.array([found.relevant for found in detections], pa.bool_()),
        "reason": [found.reason for found in detections],
        "entry_url": pa.array([found.entry_url for found in detections], pa.string()),
        "pages_fetched": pa.array([found.pages_fetched for found in detections], pa.int32()),
        "score": pa.array([found.score for found in detections], pa.float64()),
        "place": pa.array([states(seen) if found.relevant else None for found, seen in zip(detections, pages)],
                          pa.list_(pa.string())),
        "title": pa.array([seen[0].title if seen else None for seen in pages], pa.string()),
    })  # fmt: skip
    return check(table, SITES)


def located_table(end: Location, rows: Mapping[str, dict[str, Any]]) -> pa.Table:
    """The end of a search for sites: those found in order of discovery, then all others that were decided.

    Args:
        end: How the search ended.
        rows: The row of the sites table of each site decided.
    """
    found = {one.site: one for one in end.found}
    ordered = [*found, *(site for site in rows if site not in found)]
    made = []
    for site in ordered:
        row, one = dict(rows[site]), found.get(site)
        if one is not None:
            row["score"] = one.confidence
        elif row["relevant"]:
            row |= {"relevant": None, "reason": DOUBTFUL, "entry_url": None}
        made.append({**row, "rank": one.rank if one is not None else None, "via": end.via.get(site)})
    return check(pa.Table.from_pylist(made, LOCATED), SITES)


def write_report(
    table: pa.Table,
    path: Path,
    title: str = "Sites found",
    harvest: Sequence[tuple[int, int]] | None = None,
    host_word: str | None = None,
) -> None:
    """One HTML page: how many, where, and which.

    Args:
        table: A table of sites.
        path: The page to write.
        title: Its title.
        harvest: How many sites were found after so many decided.
        host_word: What the name of a relevant site often has in it; says how many of those with it were found.
    """
    rows = [row for row in table.to_pylist() if row["relevant"]]
    report = Report(title)
    report.paragraph(f"{len(rows):,} of {table.num_rows:,} sites are relevant{_unknown(table)}.")
    if host_word:
        _coverage(report, table, host_word)
    if harvest:
        curve = {"found": [(float(n), float(f)) for n, f in [(0, 0), *harvest]]}
        report.figure(line_plot(curve, "sites decided", "found"), "The harvest.")
        report.table(("sites decided", "found", "share"), [(f"{n:,}", f"{f:,}", f"{f / n:.3f}") for n, f in harvest])
    places = Counter(place for row in rows for place in row["place"] or ())
    if places:
        report.figure(bar_plot(dict(places.most_common()), "place", "sites"), "Sites by the places they name.")
        report.table(("state", "sites"), [(state, f"{places[state]:,}") for state in sorted(STATES)])
    spoken = Counter(word for row in rows for word in words(row["title"] or ""))
    if spoken:
        report.table(("word of the title", "sites"), [(word, f"{count:,}") for word, count in spoken.most_common(TITLE_WORDS)])
    shown = [(row["site"], row["title"] or "", row["entry_url"] or "", f"{row['score']:.3f}", " ".join(row["place"] or ()))
             for row in rows]  # fmt: skip
    report.table(("site", "title", "entry", "confidence", "places"), shown)
    report.write(path)


def _coverage(report: Report, table: pa.Table, word: str) -> None:
    """How many of the sites with a word in their name were found, by both ways to count, and which they are."""
    found = coverage(table, word)
    report.heading(f"Sites with {word} in their name")
    report.table(
        ("coverage", "found", "missed, with the word", "share"),
        [("among sites with the word", f"{found.found_with:,}", f"{found.missed_with:,}", f"{found.of_the_same:.3f}"),
         ("all sites found against those missed (as the source counts)", f"{found.found:,}", f"{found.missed_with:,}",
          f"{found.as_source:.3f}")],
    )  # fmt: skip
    named = [(row["site"], ANSWERS[row["relevant"]], row["reason"]) for row in table.to_pylist() if word.lower() in row["site"]]
    report.table(("site", "found", "reason"), named)


def _unknown(table: pa.Table) -> str:
    """How many sites were not decided, and why."""
    reasons = Counter(row["reason"] for row in table.select(["relevant", "reason"]).to_pylist() if row["relevant"] is None)
    if not reasons:
        return ""
    told = ", ".join(
        f"{reason or 'no reason'} {count:,}" for reason, count in sorted(reasons.items(), key=lambda one: (-one[1], one[0]))
    )
    return f"; {reasons.total():,} are unknown ({told})"
