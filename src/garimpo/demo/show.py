"""The demonstration as a table for the terminal and as one HTML page."""

from typing import Any

from garimpo.archive import Store
from garimpo.crawl.watch.report import add_crawl
from garimpo.demo.crawls import Demo, Run
from garimpo.report import Report, line_plot
from garimpo.report.words import share

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
    """The screen: what was crawled, and what each kind of learning found beside a plain crawl."""
    made = demo.web
    lines = [
        f"A made web of {made['hosts']:,} hosts and {made['urls']:,} URLs; its truth is known, so every crawl can be judged."
    ]
    for title, heads, figures in _sections(demo):
        lines += ["", title, *_aligned(heads, figures)]
    return lines


def _sections(demo: Demo) -> list[tuple[str, list[str], list[tuple[str, list[int], str]]]]:
    """Title, names of the crawls, and of each figure its name, its values and what they come to."""
    return [_saved(demo), *_topic(demo), *_sites(demo)]


def _saved(demo: Demo) -> tuple[str, list[str], list[tuple[str, list[int], str]]]:
    plain, learning = demo.runs[0].measures, demo.runs[-1].measures
    figures = [
        ("pages fetched", [plain.fetched, learning.fetched], ""),
        ("different pages among them", [plain.unique, learning.unique], change(plain.unique, learning.unique)),
        ("avoidable: a rule tells the URL repeats a page", [plain.avoidable, learning.avoidable],
         change(plain.avoidable, learning.avoidable)),
        ("  of these in the last third", [plain.avoidable_late, learning.avoidable_late],
         change(plain.avoidable_late, learning.avoidable_late)),
        ("pages lost to a wrong rule", [plain.false_skips, learning.false_skips], ""),
        ("hosts taken for copies (of these wrongly)", [demo.runs[0].mirrors.folded, demo.runs[-1].mirrors.folded],
         f"({demo.runs[-1].mirrors.wrong:,})"),
    ]  # fmt: skip
    return "1. Never the same page twice: URL rules and copies of hosts, learned while crawling", ["plain", "learning"], figures


def _topic(demo: Demo) -> list[tuple[str, list[str], list[tuple[str, list[int], str]]]]:
    if not demo.harvests:
        return []
    found = [one.found for one in demo.harvests]
    figures = [("pages fetched", [one.fetched for one in demo.harvests], ""),
               (f"different pages about {demo.harvests[0].topic}", found, change(found[0], found[-1]))]  # fmt: skip
    return [("2. Pages about a topic: learned from 20 examples", [one.name for one in demo.harvests], figures)]


def _sites(demo: Demo) -> list[tuple[str, list[str], list[tuple[str, list[int], str]]]]:
    if not demo.collected:
        return []
    found = [one.found for one in demo.collected]
    figures = [("pages fetched", [one.pages for one in demo.collected], ""),
               (f"sites that list real estate, of {demo.collected[0].of:,}", found, change(found[0], found[-1])),
               ("sites wrongly taken for such", [one.wrong for one in demo.collected], "")]  # fmt: skip
    return [("3. Whole sites about an entity, each decided by a few pages", [one.name for one in demo.collected], figures)]


def change(before: int, after: int) -> str:
    """A change in words that fit its size.

    Args:
        before: the figure of the plain crawl.
        after: the figure of the other.

    >>> change(600, 300), change(20, 30), change(2, 50), change(7, 7), change(0, 3)
    ('50 % fewer', '50 % more', '25 times', 'the same', '')
    """
    if before == after:
        return "the same"
    if not before:
        return ""
    if after >= 3 * before:
        return f"{after / before:.0f} times"
    return f"{abs(after - before) / before:.0%} {'more' if after > before else 'fewer'}".replace("%", " %")


def _aligned(heads: list[str], figures: list[tuple[str, list[int], str]]) -> list[str]:
    names = max(len(name) for name, _, _ in figures)
    width = max(8, *(len(head) for head in heads)) + 2
    lines = [" " * (names + 3) + "".join(head.rjust(width) for head in heads)]
    for name, values, told in figures:
        lines.append(f"   {name.ljust(names)}" + "".join(f"{value:,}".rjust(width) for value in values) + f"  {told}".rstrip())
    return lines


def write_report(demo: Demo) -> str:
    """The page with the table, the curves, and what the learning crawl tells of itself; its path."""
    report = Report("Garimpo: a crawl that learns while it runs")
    made = demo.web
    size = f"{made['hosts']:,} hosts and {made['urls']:,} URLs"
    report.lead(claim(demo))
    report.tiles(_tiles(demo))
    report.paragraph(f"A made web of {size}, crawled breadth-first with the same budget; its truth is known.")
    for title, heads, figures in _sections(demo):
        report.heading(title)
        report.table(["", *heads, ""], [(name, *values, told) for name, values, told in figures])
        if title.startswith("1."):
            _add_curves(report, demo)
    report.heading("The crawl that learns, told by itself")
    with Store.open(demo.runs[-1].folder, write=False) as store:
        add_crawl(report, store)
    path = demo.folder / "report.html"
    report.write(path)
    return str(path)


def claim(demo: Demo) -> str:
    """What learning did, in a sentence that follows the numbers: also where it did not help.

    Args:
        demo: the demonstration.
    """
    plain, learning = demo.runs[0].measures, demo.runs[-1].measures
    fewer, more = plain.avoidable - learning.avoidable, learning.unique - plain.unique
    pages = f"{learning.unique:,} different pages instead of {plain.unique:,} with the same budget"
    if fewer > 0 and more >= 0:
        return f"Learning saved {share(fewer, plain.avoidable)} of the avoidable fetches, and found {pages}."
    if fewer > 0:
        return f"Learning saved {share(fewer, plain.avoidable)} of the avoidable fetches, but found {pages}."
    return (
        f"Learning did not help in this run: {learning.avoidable:,} avoidable fetches ({plain.avoidable:,} without it), {pages}."
    )


def _tiles(demo: Demo) -> list[tuple[str, object, object]]:
    plain, learning = demo.runs[0].measures, demo.runs[-1].measures
    figures = [("avoidable fetches", plain.avoidable, learning.avoidable), ("different pages", plain.unique, learning.unique)]
    figures += [(f"about {demo.harvests[0].topic}", demo.harvests[0].found, demo.harvests[-1].found)] if demo.harvests else []
    figures += [("sites found", demo.collected[0].found, demo.collected[-1].found)] if demo.collected else []
    return [(name, f"{before:,} → {after:,}", change(before, after)) for name, before, after in figures]


def _add_curves(report: Report, demo: Demo) -> None:
    unique = {run.name: [(float(n), float(u)) for n, u, _ in run.measures.curve] for run in demo.runs}
    wasted = {run.name: [(float(n), float(a)) for n, _, a in run.measures.curve] for run in demo.runs}
    plain, learning = demo.runs[0].measures, demo.runs[-1].measures
    told = f"Different pages found: {learning.unique:,} by the crawl that learns, {plain.unique:,} by the plain one."
    report.figure(line_plot(unique, "pages fetched", "different pages"), told)
    told = f"Fetches that the right URL rules would have saved: {learning.avoidable:,} and {plain.avoidable:,}."
    report.figure(line_plot(wasted, "pages fetched", "avoidable fetches"), told)
