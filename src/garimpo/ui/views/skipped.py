"""What was not fetched, why, and the page that stands for it."""

from typing import Any

from garimpo.crawl.state import skipped
from garimpo.crawl.watch.queries.rule_words import reason_words
from garimpo.crawl.watch.sections import skipped_table
from garimpo.report.pieces import Html, bars, chip, joined, tag
from garimpo.ui.view import ROWS, Query, View, live, pager, search_form, to, url_link
from garimpo.ui.watched import Watched

REASONS = ("dust", "mirror", "trap", "scope", "robots", "shape")


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """How many for which reason, and the rows asked for."""
    db = watched.store.database
    asked = {name: query.text(name) for name in ("reason", "rule", "q")}
    rows = skipped.newest(db, asked["reason"], asked["rule"], asked["q"], ROWS, query.number("offset"))
    parts = [{"reason": reason, "part": part, "count": count} for reason, part, count in skipped.count_by_part(db)]
    words = {view["id"]: view["words"] for view in watched.rules}
    for row in rows:
        row["why"] = words.get(row["rule"] or "") or reason_words(row["reason"], row["rule"])
    return {"parts": parts, "skipped": rows, **asked, "offset": query.number("offset"), "_words": words}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    values = {reason_words(one["reason"], one["part"]): one["count"] for one in told["parts"]}
    reasons = list(dict.fromkeys(one["reason"] for one in told["parts"]))
    filters = [
        tag("span", to("/skipped", chip(reason or "all"), reason=reason, q=told["q"]),
            aria_current="true" if reason == told["reason"] else None)
        for reason in ("", *reasons)
    ]  # fmt: skip
    kept = {"reason": told["reason"], "rule": told["rule"]}
    about = tag("p", "only what ", tag("code", told["rule"]), " skipped: ", to("/skipped", "show all")) if told["rule"] else ""
    return joined(
        [
            tag("p", "URLs that were met and not fetched. What a learned rule or fold skips was checked on a sample: see ",
                to("/rules", "Rules"), "."),
            live("sums", bars(values)),
            search_form("/skipped", told["q"], "a part of a URL", **kept),
            tag("p", joined(filters, " "), class_="filters"),
            about,
            live("rows", skipped_table(told["skipped"], url_link, told["_words"]),
                 pager("/skipped", told["offset"], len(told["skipped"]), q=told["q"], **kept)),
        ]
    )  # fmt: skip


VIEW = View("/skipped", "Skipped and why", data, show)
