"""Broken links: what could not be fetched, and which page links to it."""

from typing import Any

from garimpo.crawl.watch.queries.broken import broken
from garimpo.crawl.watch.sections import error_table
from garimpo.report.pieces import Html, joined, tag
from garimpo.report.words import count
from garimpo.ui.view import Query, View, live, search_form, url_link
from garimpo.ui.watched import Watched

MOST = 1000


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """What failed."""
    return {"broken": broken(watched.store, MOST, query.text("q")), "errors": watched.status()["errors"], "q": query.text("q")}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    said = f"{count(told['errors'], 'request')} failed. Listed is what a URL answered last, at most {MOST:,} of them."
    form = search_form("/broken", told["q"], "a part of a URL")
    return joined([tag("p", said), form, live("broken", error_table(told["broken"], url_link))])


VIEW = View("/broken", "Broken links", data, show)
