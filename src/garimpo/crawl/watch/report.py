"""A crawl on one page: what happened in a sentence, then in figures, then down to the rows."""

import time
from pathlib import Path
from typing import Any

import garimpo
from garimpo.archive import Store
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema, skipped
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch import sections
from garimpo.crawl.watch.counters import status_of
from garimpo.crawl.watch.journal import Journal
from garimpo.crawl.watch.outlook import ended_because
from garimpo.crawl.watch.queries.broken import answer_words, broken
from garimpo.crawl.watch.queries.rule_views import fold_views, rule_views
from garimpo.crawl.watch.queries.rule_words import reason_words
from garimpo.crawl.watch.queries.savings import savings, savings_words
from garimpo.crawl.watch.queries.tallies import Tallies
from garimpo.crawl.watch.queries.topic_views import best_pages, topic_words
from garimpo.crawl.watch.sections import as_code
from garimpo.crawl.watch.stored_settings import settings_of
from garimpo.report import Report
from garimpo.report.pieces import Html, bars, details, table, tag
from garimpo.report.words import count, duration, listed, moment, share

SHOWN_RULES, MORE_RULES = 12, 200
SHOWN_ERRORS, MORE_ERRORS = 10, 500
SHOWN_HOSTS, MORE_HOSTS = 12, 500
SHOWN_SKIPS = 8
SECRET = ("headers", "cookies", "sign-key", "proxy")
"""Settings whose values do not go into a page that people send around."""


def crawl_report(folder: str | Path, title: str = "") -> Report:
    """The report of a crawl folder, finished or running.

    Args:
        folder: the crawl folder.
        title: stands above, if not the seeds.
    """
    with Store.open(folder, write=False, fault=find_fault, quick=True) as store:
        seeds = store.settings.get("seeds", [])
        named = f"Crawl of {_seeds(seeds)}" if seeds else f"Crawl {Path(folder).name}"
        report = Report(title or named)
        add_crawl(report, store)
    return report


def add_crawl(report: Report, store: Store) -> None:
    """Add all that a crawl folder tells to a report.

    Args:
        report: the report.
        store: the crawl folder.
    """
    if store.database_is_made_up:
        schema.create(store.database)
    journal = Journal(store.path).read()
    status = {**status_of(store, journal), "now": time.time()}
    settings = settings_of(store)
    found = savings(store.database, sum(status["skipped"].get(reason, 0) for reason in ("dust", "mirror")))
    tallies = Tallies(store).update()
    report.lead(lead(status, settings))
    report.add(sections.tiles(status))
    report.heading("How it went")
    report.add(sections.charts(journal, status, found))
    _add_kinds(report, tallies)
    report.heading("What learning saved")
    report.paragraph(savings_words(found, status["stored"], status["different"], settings.learn))
    _add_learning(report, store, status["studied"])
    _add_rules(report, store)
    if status["focused"]:
        _add_topic(report, store)
    _add_errors(report, store, status["errors"])
    _add_skipped(report, store)
    _add_hosts(report, tallies, status)
    _add_run(report, status, settings)
    tallies.close()


def lead(status: dict[str, Any], settings: Settings) -> str:
    """What happened, in a sentence or two.

    Args:
        status: the record of `status`.
        settings: the settings of the crawl.
    """
    saved = sum(status["skipped"].get(reason, 0) for reason in ("dust", "mirror"))
    took = duration(status["crawl_seconds"])
    told = f"{count(status['stored'], 'answer')} from {count(status['hosts'], 'host')} in {took}: "
    parts = [count(status["different"], "different page")]
    parts += [f"{count(status['duplicates'], 'repeat')}"] if status["duplicates"] else []
    parts += [count(status["errors"], "error")] if status["errors"] else ["no errors"]
    told += f"{listed(parts)}."
    if status["focused"]:
        told += f" {count(status['on_topic'], 'page')} ({share(status['on_topic'], status['stored'])}) are on topic."
    if saved:
        told += f" What was learned on the way saved {count(saved, 'fetch', 'fetches')}."
    if status["state"] == "ended":
        because = ended_because(status["ended"], status["folder"], status["queued"], settings)
        told += f" It ended because {because.partition('. Go on')[0]}."
    elif status["state"] in ("running", "paused"):
        told += f" It is still {status['state']}."
    elif status["state"] == "cut off":
        told += " It was cut off and can be resumed."
    return told


def _add_kinds(report: Report, tallies: Tallies) -> None:
    """Small multiples of what was answered; a kind that all share is no figure."""
    kinds = [
        ("answers", tallies.by("status", 8), lambda status: "200 a page" if status == 200 else answer_words(status)),
        ("links from a seed", dict(sorted(tallies.by("depth", 10).items())), str),
        ("languages", tallies.by("language", 8), str),
        ("content types", tallies.by("type", 8), str),
    ]
    shown = [sections.breakdown(title, values, name) for title, values, name in kinds if len(values) > 1]  # type: ignore[arg-type]
    report.add(tag("div", *shown, class_="charts plain"))


def _add_learning(report: Report, store: Store, studied: dict[str, Any]) -> None:
    """How far the learner is, what is in force since when, and what came of its last round."""
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
    views, folds = rule_views(store), fold_views(store)
    useful = [view for view in views if view["saved"] or view["checks"]]
    if not views and not folds:
        return
    report.heading("Rules it believes")
    told = f"{count(len(views), 'rule')} about URLs that show one page, {len(useful):,} of them used so far"
    report.paragraph(f"{told}. Marked red: what a rule leaves out; green: what stands in the URL that was fetched instead.")
    first, more = (useful or views)[:SHOWN_RULES], [*(useful or views)[SHOWN_RULES:], *(views[len(useful) :] if useful else [])]
    report.add(sections.rule_table(first, as_code))
    if more:
        rest = sections.rule_table(more[:MORE_RULES], as_code)
        report.add(details(f"{count(len(more), 'more rule')}", rest))
    if folds:
        report.heading("Hosts that are copies")
        report.add(sections.fold_table(folds))


def _add_topic(report: Report, store: Store) -> None:
    report.heading("On topic")
    words = topic_words(store)
    if words:
        report.paragraph("The words that speak most for the topic:")
        report.add(bars(dict(words[:15]), dict.fromkeys([word for word, _ in words], "")))
    rows = [[row["score"], row["title"], as_code(row["url"])] for row in best_pages(store, 15)]
    report.add(table(["score", "page", "URL"], rows, caption="the best pages", nothing="No page was judged yet."))


def _add_errors(report: Report, store: Store, errors: int) -> None:
    report.heading("What failed")
    if not errors:
        report.paragraph("Nothing: every request was answered, and no answer was an error.")
        return
    rows = broken(store, MORE_ERRORS)
    report.add(sections.error_table(rows[:SHOWN_ERRORS], as_code))
    if len(rows) > SHOWN_ERRORS:
        shown = sections.error_table(rows[SHOWN_ERRORS:], as_code)
        report.add(details(count(len(rows) - SHOWN_ERRORS, "more broken link"), shown))


def _add_skipped(report: Report, store: Store) -> None:
    parts = skipped.count_by_part(store.database)
    if not parts:
        return
    report.heading("What was not fetched, and why")
    words = {view["id"]: view["words"] for view in rule_views(store)}
    for reason, part, number in parts:
        rows = skipped.newest(store.database, reason, part or "", limit=SHOWN_SKIPS)
        shown = sections.skipped_table(rows, as_code, words)
        report.add(details(f"{count(number, 'URL')}: {reason_words(reason, part)}", shown))


def _add_hosts(report: Report, tallies: Tallies, status: dict[str, Any]) -> None:
    rows = tallies.hosts(limit=MORE_HOSTS)
    if len(rows) < 2:
        return
    report.heading("Hosts")
    report.add(sections.host_table(rows[:SHOWN_HOSTS], str, status["focused"]))
    if len(rows) > SHOWN_HOSTS:
        shown = sections.host_table(rows[SHOWN_HOSTS:], str, status["focused"])
        report.add(details(count(len(rows) - SHOWN_HOSTS, "more host"), shown))


def _add_run(report: Report, status: dict[str, Any], settings: Settings) -> None:
    report.heading("The run")
    rows = [["folder", Path(status["folder"]).name], *sections.times(status), ["work", duration(status["crawl_seconds"])]]
    rows += [["Garimpo", garimpo.__version__], ["report made", f"{moment(status['now'])} UTC"]]
    report.table(["", ""], rows)
    report.add(
        details(count(len(settings.seeds), "seed"), tag("ul", *(tag("li", as_code(seed)) for seed in settings.seeds[:200])))
    )
    shown = {name: value for name, value in settings.to_dict().items() if name != "seeds"}
    if shown:
        report.add(details("settings that are not the usual ones", _settings_table(shown)))


def _settings_table(settings: dict[str, Any]) -> Html:
    return table(["setting", "value"], [[name, "(set)" if name in SECRET else str(value)] for name, value in settings.items()])


def _seeds(seeds: list[str]) -> str:
    from garimpo.url import host

    names = list(dict.fromkeys(host(seed) or seed for seed in seeds))
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"
