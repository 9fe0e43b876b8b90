"""What a pattern would take out of the queue, before it does."""

import re
from typing import Any

from garimpo.contract.errors import BadInput
from garimpo.crawl.state import queued
from garimpo.report.pieces import Html, joined, tag
from garimpo.report.words import count
from garimpo.ui.view import Query, View, to, url_link, wish_form
from garimpo.ui.watched import Watched

SHOWN = 100


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The queued URLs that a pattern matches."""
    pattern = query.text("pattern")
    told: dict[str, Any] = {"pattern": pattern, "excluded": watched.settings.exclude, "matches": 0, "queued": 0, "urls": []}
    if not pattern:
        return told
    try:
        matches = re.compile(pattern).search
    except re.error as error:
        raise BadInput(f"{pattern}: no regular expression ({error})") from None
    found: list[str] = []
    for _, url in queued.urls_with_host_names(watched.store.database):
        told["queued"] += 1
        if matches(url):
            told["matches"] += 1
            if len(found) < SHOWN:
                found.append(url)
    return {**told, "urls": sorted(found)}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    field = tag(
        "input", type="search", name="pattern", value=told["pattern"], placeholder="a regular expression", aria_label="a pattern"
    )
    form = tag("form", field, tag("button", "show what it would remove"), action="/exclude", class_="search")
    patterns = joined([tag("code", one) for one in told["excluded"]], ", ")
    kept = tag("p", "Excluded already: ", patterns) if patterns else ""
    told_so = "URLs that match are taken out of the queue, and not queued again. What was fetched stays. "
    said = tag("p", told_so, to("/skipped", "Skipped"), " lists them afterwards.")
    if not told["pattern"]:
        return joined([said, form, kept])
    head = tag("p", f"{told['matches']:,} of {count(told['queued'], 'queued URL')} match.", class_="lead")
    ask = wish_form("exclude them", "exclude", "/", "danger", pattern=told["pattern"])
    return joined([said, form, head, ask, tag("ul", *(tag("li", url_link(url)) for url in told["urls"])), kept])


VIEW = View("/exclude", "Exclude a pattern", data, show, live=False, listed=False)
