"""The demonstration as a table for the terminal and as one HTML page."""

from typing import Any

from garimpo.archive import Store
from garimpo.crawl.summary import add_crawl
from garimpo.demo.run import Demo, Run
from garimpo.report import Report, line_plot

COLUMNS = (
    "crawl", "fetched", "unique", "duplicates", "avoidable", "in the last third", "avoided", "postponed", "false skips",
    "hosts folded", "avoided by folds", "wrong folds", "pages/s",
)  # fmt: skip


def rows(demo: Demo) -> list[tuple[Any, ...]]:
    """One row a crawl, in the order of `COLUMNS`."""
    return [_row(run) for run in demo.runs]


def _row(run: Run) -> tuple[Any, ...]:
    m = run.measures
    return (
        run.name,
        m.fetched,
        m.unique,
        m.duplicates,
        m.avoidable,
        m.avoidable_late,
        m.avoided,
        m.postponed,
        m.false_skips,
        run.mirrors.folded,
        run.mirrors.avoided,
        run.mirrors.wrong,
        round(run.pages_a_second, 1),
    )


def as_text(demo: Demo) -> list[str]:
    """The table, names to the left and numbers to the right."""
    table = [COLUMNS, *((row[0], *(f"{value:,}" for value in row[1:])) for row in rows(demo))]
    widths = [max(len(row[i]) for row in table) for i in range(len(COLUMNS))]
    return ["  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]) for row in table]


def topic_lines(demo: Demo) -> list[str]:
    """What crawls to a topic found, one line a strategy."""
    return [
        f"{one.name:>13}: {one.found:,} different pages on {one.topic} among {one.fetched:,} fetched" for one in demo.harvests
    ]


def site_lines(demo: Demo) -> list[str]:
    """What crawls for sites found, one line a strategy."""
    return [
        f"{one.name:>13}: {one.found:,} of {one.of:,} real-estate sites found, {one.wrong:,} wrong, {one.pages:,} pages spent"
        for one in demo.collected
    ]


def write_report(demo: Demo) -> str:
    """The page with the table, the curves, and what the learning crawl tells of itself; its path."""
    report = Report("Garimpo: a crawl that learns while it runs")
    made = demo.web
    size = f"{made['hosts']} hosts and {made['urls']:,} URLs"
    report.paragraph(f"A made web of {size}, crawled breadth-first with the same budget.")
    report.table(COLUMNS, rows(demo))
    unique = {run.name: [(float(n), float(u)) for n, u, _ in run.measures.curve] for run in demo.runs}
    wasted = {run.name: [(float(n), float(a)) for n, _, a in run.measures.curve] for run in demo.runs}
    report.figure(line_plot(unique, "pages fetched", "unique pages"), "Unique pages found: more with the same fetches.")
    caption = "Fetches that the right URL rules would have saved."
    report.figure(line_plot(wasted, "pages fetched", "avoidable duplicates"), caption)
    if demo.harvests:
        report.heading(f"A topic learned from 20 pages: {demo.harvests[0].topic}")
        report.table(("crawl", "fetched", "different pages on topic"), [(h.name, h.fetched, h.found) for h in demo.harvests])
    if demo.collected:
        report.heading("Sites that list real estate")
        report.table(
            ("crawl", "sites found", "of", "wrong", "pages spent"),
            [(one.name, one.found, one.of, one.wrong, one.pages) for one in demo.collected],
        )
    report.heading(f"The crawl named {demo.runs[-1].name}")
    with Store.open(demo.runs[-1].folder, write=False) as store:
        add_crawl(report, store)
    path = demo.folder / "report.html"
    report.write(path)
    return str(path)
