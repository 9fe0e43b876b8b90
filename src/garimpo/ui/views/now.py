"""How far the crawl is, how it went, and when it ends."""

from typing import Any

from garimpo.crawl.watch import sections
from garimpo.crawl.watch.queries.broken import answer_words
from garimpo.crawl.watch.queries.savings import new_per_fetch, savings_words
from garimpo.report.pieces import Html, joined, tag
from garimpo.report.words import share, size
from garimpo.ui.view import Query, View, live, to, wish_form
from garimpo.ui.watched import Watched


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The status, the curves, and what learning saved."""
    status = watched.status()
    found = watched.savings(status)
    answers, types = watched.kinds
    fresh, plain = new_per_fetch(watched.journal.points, found.share)
    return {
        "status": status,
        "savings": found._asdict(),
        "savings_in_words": savings_words(found, status["stored"], status["different"], watched.settings.learn),
        "history": [point._asdict() for point in watched.journal.points],
        "new_per_fetch": {"with_learning": fresh, "without": plain},
        "answers": {str(one): count for one, count in answers.items()},
        "content_types": types,
        "notes": list(watched.journal.notes)[-12:],
        "_journal": watched.journal,
        "_savings": found,
    }


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    status, journal = told["status"], told["_journal"]
    answers = {int(one): count for one, count in told["answers"].items()}
    kinds = [
        sections.breakdown("answers", answers, lambda one: "200 a page" if one == 200 else answer_words(one)),
        sections.breakdown("content types", told["content_types"]) if len(told["content_types"]) > 1 else "",
    ]
    return joined(
        [
            _actions(status),
            live("figures", _budget(status), sections.tiles(status)),
            live("curves", sections.charts(journal, status, told["_savings"])),
            live("saved", tag("h2", "What learning saves"), tag("p", told["savings_in_words"])),
            live("kinds", tag("div", *kinds, class_="charts plain")),
            live("notes", tag("h2", "Lately"), sections.note_lines(journal)),
        ]
    )


def _budget(status: dict[str, Any]) -> Html:
    budget = status["budget"]
    if budget is None:
        return Html("")
    bar = tag("rect", width=f"{100 * budget['share']:.1f}", height=1)
    used = (
        (size(budget["used"]), size(budget["of"])) if budget["kind"] == "bytes" else (f"{budget['used']:,}", f"{budget['of']:,}")
    )
    told = f"{used[0]} of {used[1]} {'' if budget['kind'] == 'bytes' else budget['kind']} ({share(budget['used'], budget['of'])})"
    drawn = tag("svg", bar, viewBox="0 0 100 1", preserveAspectRatio="none", class_="meter", role="img", aria_label=told)
    return joined([tag("p", told, class_="quiet"), drawn])


def _actions(status: dict[str, Any]) -> Html:
    pause = wish_form("go on", "go on", "/") if status["state"] == "paused" else wish_form("pause", "pause", "/")
    field = tag(
        "input", type="number", name="pages", min=0, step=1, placeholder="pages", aria_label="pages it may store", required=True
    )
    hidden = [tag("input", type="hidden", name=name, value=value) for name, value in (("wish", "budget"), ("back", "/"))]
    budget = tag("form", *hidden, field, tag("button", "set the budget"), action="/wish", method="post", class_="actions")
    shown = [pause] if status["state"] in ("running", "paused") else []
    return tag("div", *shown, budget, to("/exclude", "exclude a pattern…"), class_="row")


VIEW = View("/", "Now", data, show)
