"""The rules that the crawl believes: in words, with what they saved and how their checks went."""

from typing import Any

from garimpo.crawl.watch.queries.savings import savings_words
from garimpo.crawl.watch.sections import rule_table
from garimpo.report.pieces import Html, joined, tag
from garimpo.report.words import count
from garimpo.ui.view import Query, View, live, search_form, to, url_link, wish_form
from garimpo.ui.watched import Watched

MOST = 300


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The rules asked for, and what all of them saved."""
    status = watched.status()
    rules, q = watched.rules, query.text("q").lower()
    chosen = [view for view in rules if q in " ".join([view["id"], view["words"], *view["hosts"]]).lower()]
    words = savings_words(watched.savings(status), status["stored"], status["different"], watched.settings.learn)
    version = status["learned"].get("rules")
    return {"rules": chosen[:MOST], "of": len(rules), "version": version, "savings_in_words": words, "q": query.text("q")}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    version = f" (version {told['version']})" if told["version"] else ""
    said = f"{count(told['of'], 'rule')}{version} about URLs that show one page. Marked red is what a rule leaves out, green "
    said += "what stands in the URL that was fetched instead. A rule that fails its checks on a host is withdrawn there."
    return joined(
        [
            tag("p", said),
            live("saved", tag("p", told["savings_in_words"])),
            search_form("/rules", told["q"], "a word, a host, a parameter"),
            live("rules", rule_table(told["rules"], url_link, _actions)),
        ]
    )


def _actions(view: dict[str, Any]) -> Html:
    shown = [to("/skipped", "what it skipped", rule=view["id"])] if view["saved"] else []
    met, gone = len(view["record"]), view["withdrawn"]
    shown += [wish_form("withdraw", "withdraw", "/rules", "danger", rule=view["id"])] if met > gone else []
    shown += [wish_form("restore", "restore", "/rules", rule=view["id"])] if gone else []
    return joined(shown, " ")


VIEW = View("/rules", "Rules", data, show)
