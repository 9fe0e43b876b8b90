"""What the crawl is for: the words it goes by, how much it found, and the best pages."""

from typing import Any

from garimpo.crawl import labels
from garimpo.crawl.watch.queries.topic_views import best_pages, best_sites, topic_words
from garimpo.report.curves import Curve, curves
from garimpo.report.page import drawn
from garimpo.report.pieces import Html, bars, joined, table, tag
from garimpo.report.words import count, share
from garimpo.ui.view import Query, View, host_link, label_forms, live, to, url_link
from garimpo.ui.watched import Watched


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The topic of the crawl, if it has one."""
    status = watched.status()
    harvest = [(point.stored, point.on_topic) for point in watched.journal.points]
    by_examples = bool(watched.settings.positive) and not watched.settings.topic
    told = {
        "by_examples": by_examples,
        "labels": labels.read(watched.store.path),
        "focused": status["focused"],
        "on_topic": status["on_topic"],
        "stored": status["stored"],
        "harvest": harvest,
    }
    if not status["focused"]:
        return {**told, "words": [], "pages": [], "sites": []}
    sites = best_sites(watched.store, 50) if watched.settings.sites else []
    return {**told, "words": topic_words(watched.store), "pages": best_pages(watched.store, 50), "sites": sites}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    if not told["focused"]:
        flags = tag("code", "--positive"), ", or a model with ", tag("code", "--topic"), " or ", tag("code", "--sites"), "."
        return tag("p", "This crawl has no topic. Show it a few good pages with ", *flags)
    said = f"{count(told['on_topic'], 'page')} on topic, {share(told['on_topic'], told['stored'])} of what is stored."
    lines = [Curve("on topic", [(float(a), float(b)) for a, b in told["harvest"]])]
    figure = drawn(curves("harvest", lines, time=False), "Pages on topic over answers stored.")
    buttons = told["by_examples"]
    rows = [
        [row["score"], joined([tag("b", row["title"] or ""), tag("br"), url_link(row["url"])])]
        + ([label_forms(row["url"], told["labels"].get(row["url"]), "/topic")] if buttons else [])
        for row in told["pages"]
    ]
    heads = ["score", "page", *(["on the topic?"] if buttons else [])]
    words = dict(told["words"])
    return joined(
        [
            live("found", tag("p", said), tag("div", figure, class_="charts")),
            tag("h2", "The words it goes by") if words else "",
            bars(words, dict.fromkeys(words, "")) if words else "",
            live("sites", *_sites(told["sites"])),
            live("best", tag("h2", "The best pages"), table(heads, rows, nothing="No page was judged yet.")),
            tag("p", "All pages, the latest first: ", to("/pages", "Pages"), ".") if rows else "",
        ]
    )


def _sites(found: list[dict[str, Any]]) -> list[Html]:
    """Of a crawl that collects sites: its hosts, and the page of each that speaks most for it."""
    if not found:
        return []
    rows = [[host_link(one["host"]), one["pages"], one["listings"], one["score"], url_link(one["url"])] for one in found]
    return [tag("h2", "The sites"), table(["host", "pages read", "listings", "best score", "its best page"], rows)]


VIEW = View("/topic", "Topic", data, show)
