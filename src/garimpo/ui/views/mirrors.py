"""Hosts that are taken for copies of others."""

from typing import Any

from garimpo.crawl.watch.sections import fold_table
from garimpo.report.pieces import Html, joined, tag
from garimpo.ui.view import Query, View, live, wish_form
from garimpo.ui.watched import Watched


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The folds in force, and on what evidence."""
    return {"folds": watched.folds, "evidence": watched.store.learned.evidence("folds")}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    evidence = told["evidence"]
    said = "A page of a copy is looked for on the host that is kept. Some are fetched from the copy all the same, as checks."
    if evidence.get("pairs"):
        said += (
            f" Of {evidence['pairs']:,} pairs of hosts that share something, {evidence.get('copies', 0):,} are judged copies, "
            f"by {evidence['pages']:,} pages."
        )
    return joined([tag("p", said), live("folds", fold_table(told["folds"], _actions))])


def _actions(view: dict[str, Any]) -> Html:
    if not view["checks"] and not view["saved"]:
        return Html("")
    wish = "restore" if view["withdrawn"] else "withdraw"
    return wish_form(wish, wish, "/mirrors", "" if view["withdrawn"] else "danger", rule=view["rule"], host=view["host"])


VIEW = View("/mirrors", "Mirrors", data, show)
