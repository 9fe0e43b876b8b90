"""A crawl on one page: what it fetched, what it saved and by which rules."""

import warnings
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Store
from garimpo.contract.errors import LeftOut
from garimpo.contract.tables import PAGES
from garimpo.crawl.state import rule_rows, skipped
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch.counters import status_of
from garimpo.report import Report, bar_plot, line_plot

COLUMNS = ["host", "status", "text_digest", "redirect", "duplicate_of"]
POINTS = 200
SHOWN_RULES = 40
SHOWN_HOSTS = 25
SHOWN_WITHDRAWN = 50


def crawl_report(folder: str | Path, title: str = "") -> Report:
    """The report of a crawl folder, finished or running."""
    with Store.open(folder, write=False, fault=find_fault) as store:
        report = Report(title or f"Crawl {Path(folder).name}")
        add_crawl(report, store)
    return report


def add_crawl(report: Report, store: Store) -> None:
    """Add all that a crawl folder tells to a report."""
    pages = pa.Table.from_batches(list(store.pages(COLUMNS)), pa.schema([PAGES.field(name) for name in COLUMNS]))
    report.heading("What was fetched")
    report.table(["figure", "value"], _figures(status_of(store), pages))
    report.figure(line_plot(_growth(pages), "pages fetched", "pages"), "Distinct texts among the pages fetched.")
    report.table(["status", "answers"], sorted(Counter(pages["status"].to_pylist()).items()), caption="answers by status")
    hosts = Counter(pages["host"].to_pylist()).most_common(SHOWN_HOSTS)
    report.figure(bar_plot(dict(hosts), "host", "pages"), f"The {len(hosts)} hosts with the most pages.")
    _add_learning(report, store)
    _add_rules(report, store)
    _add_trust(report, store)


def _figures(status: dict[str, Any], pages: pa.Table) -> list[list[Any]]:
    near = len(pages) - pages["duplicate_of"].null_count
    rows = [[name.replace("_", " "), value] for name, value in status.items() if isinstance(value, int | float)]
    rows += [[f"skipped: {reason}", count] for reason, count in sorted(status["skipped"].items())]
    if "topic" in status:
        rows.append([f"words of topic model {status['topic']['version']}", ", ".join(status["topic"].get("words", []))])
    return [*rows, ["near-duplicates of an earlier page", near]]


def _growth(pages: pa.Table) -> dict[str, list[tuple[float, float]]]:
    """Pages fetched, and how many distinct texts were among them, on the way."""
    good = pages.filter(pc.and_(pc.equal(pages["status"], 200), pc.is_null(pages["redirect"])))
    digests = good["text_digest"].to_pylist()
    step, seen, line = max(1, len(digests) // POINTS), set(), []
    for number, digest in enumerate(digests, 1):
        seen.add(number if digest is None else ("text", digest))
        if number % step == 0 or number == len(digests):
            line.append((float(number), float(len(seen))))
    return {"distinct texts": line, "pages": [(x, x) for x, _ in line]}


def _add_learning(report: Report, store: Store) -> None:
    """How far the learner is, what is in force since when, and what came of its last round."""
    studied = status_of(store)["studied"]
    report.heading("What was learned, and when")
    if not studied:
        report.paragraph("The crawl was told not to learn.")
        return
    report.paragraph(
        f"{studied['rounds']:,} rounds of learning took {studied['seconds']:,.1f} s of CPU time; "
        f"the last one saw {studied['rows']:,} answers, {studied['lag']:,} came since. "
        f"The next is due at {studied['next_due']:,}."
    )
    kinds = sorted({*store.learned.kinds(), *studied["said"]})
    rows = [
        [kind, store.learned.version(kind) or "-", store.learned.time(kind) or "-", studied["said"].get(kind, "")]
        for kind in kinds
    ]
    report.table(["kind", "version in force", "since", "what came of the last round"], rows)


def _add_rules(report: Report, store: Store) -> None:
    path = store.learned.path("rules")
    report.heading("URL rules in force")
    if path is None:
        report.paragraph("None were learned.")
        return
    try:
        rules = {rule["id"]: rule for rule in msgspec.json.decode(path.read_bytes())["rules"]}
    except (OSError, msgspec.DecodeError, UnicodeDecodeError, TypeError, KeyError):
        warnings.warn(f"{path}: damaged, left out", LeftOut, stacklevel=2)
        rules = {}
    rows = []
    for name, saved, url, owner in skipped.saved_by_rule(store.database):
        rule = rules.get(name, {})
        written = f"{rule.get('context', '?')} → {rule.get('template', '?')}"
        rows.append([rule.get("kind", "withdrawn"), written, len(rule.get("hosts", ())), saved, f"{url} is {owner}"])
    shown = rows[:SHOWN_RULES]
    caption = f"{len(rules):,} rules (version {store.learned.version('rules')}); those that saved the most fetches"
    report.table(["kind", "rule", "hosts", "fetches saved", "example"], shown, caption=caption)


def _add_trust(report: Report, store: Store) -> None:
    rows = rule_rows.withdrawn(store.database)[:SHOWN_WITHDRAWN]
    if rows:
        report.table(["rule", "host", "checks", "unequal"], rows, caption="rules withdrawn on a host after their checks failed")
