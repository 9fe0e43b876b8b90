"""One URL: what became of it, and why; and the page as it is stored."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode

from garimpo.contract.errors import BadInput
from garimpo.crawl import labels
from garimpo.crawl.watch.queries.broken import answer_words
from garimpo.crawl.watch.queries.rule_views import compared
from garimpo.crawl.watch.queries.segment_queries import query_pages
from garimpo.crawl.watch.why import why_of
from garimpo.report.pieces import Html, chip, coloured, details, escape, joined, tag
from garimpo.report.words import count
from garimpo.ui.stored import find_page
from garimpo.ui.view import Query, View, label_forms, to, url_link
from garimpo.ui.watched import Watched

KINDS = {"fetched": "good", "queued": "wait", "postponed": "wait", "skipped": "bad", "never met": ""}
MOST_TEXT = 20_000


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """All that is known of a URL; with `links`, the pages that link to it, too."""
    if not query.text("url").strip():
        raise BadInput("Paste a URL above, and see whether it was fetched, waits, was skipped or was never met, and why.")
    told = why_of(watched.store, query.text("url").strip())
    page = find_page(watched.store, told["url"]) if told["state"] == "fetched" else {}
    told["text"] = str(page["text"])[:MOST_TEXT] if page.get("text") else None
    told["content_type"], told["is_stored"] = page.get("content_type"), bool(page.get("warc_file"))
    if watched.settings.positive and told["state"] == "fetched":
        told["may_label"], told["label"] = True, labels.read(watched.store.path).get(told["url"])
    if query.text("links"):
        told["linked_from"] = [row["source"] for row in query_pages(watched.store, LINKED, url=told["url"])]
    return told


LINKED = "SELECT DISTINCT source FROM links WHERE target = $url ORDER BY 1 LIMIT 200"


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    head = tag("p", chip(told["state"], KINDS[told["state"]]), " ", told["why"] or "", class_="lead")
    facts = [*_by_rule(told), *_as_page(told), *((event["event"], _event(event)) for event in told["history"])]
    listed = tag("dl", *(joined([tag("dt", name), tag("dd", value)]) for name, value in facts), class_="facts")
    outside = tag("a", "open it on the Web ↗", href=told["url"], rel="noreferrer noopener nofollow")
    links = [to("/url", "pages that link to it", url=told["url"], links=1), to("/tree", "its host", host=told["host"]), outside]
    shown = [tag("p", coloured([(told["url"], "")])), head, listed, tag("p", joined(links, " · "))]
    if told.get("may_label"):
        back = f"/url?{urlencode({'url': told['url']})}"
        shown.append(tag("div", "On the topic? ", label_forms(told["url"], told["label"], back), class_="row"))
    return joined([*shown, _linked(told), _stored(told)])


def _by_rule(told: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """What a skip, or a check, rests on."""
    if told.get("rule"):
        said = told.get("rule_in_words") or told["rule"]
        yield "by the rule", to("/rules", said, q=told["rule"]) if told.get("reason") == "dust" else said
    if told.get("owner"):
        left, right = compared(told["url"], told["owner"])
        answer = answer_words(told["owner_status"]) if "owner_status" in told else "not fetched yet"
        both = _compare(told, told["owner"]) if told["state"] == "fetched" else ""
        yield "stands for it", joined([to("/url", coloured(right), url=told["owner"]), f" ({answer}) ", both])
        yield "what differs", coloured(left)
    if evidence := told.get("evidence"):
        same, withdrawn = evidence["checks"] - evidence["unequal"], "; withdrawn there" if evidence["withdrawn"] else ""
        passed = f"{same} of {count(evidence['checks'], 'check')} showed the same page"
        yield f"checked on {told['host']}", f"{passed}; it spoke of {count(evidence['skips'], 'URL')}{withdrawn}"


def _as_page(told: dict[str, Any]) -> Iterator[tuple[str, object]]:
    """What the page is, and what is expected of one like it."""
    if told.get("duplicate_of"):
        yield "repeats", joined([url_link(told["duplicate_of"]), " ", _compare(told, told["duplicate_of"])])
    if told.get("title"):
        yield "title", told["title"]
    if told.get("score") is not None:
        yield "score", f"{told['score']:.2f}"
    if told.get("shape"):
        new = f"{told['shape_new']} of {told['shape_fetched']} were new" if told["shape_fetched"] else "none was fetched"
        yield "URLs of its shape", joined([tag("code", told["shape"]), f": {new}; expected gain {told['expected_gain']:.2f}"])
    if told.get("host_next_at"):
        yield "its host", f"is asked every {told['host_delay']:g} s, not before {told['host_next_at']}"


def _compare(told: dict[str, Any], other: str) -> Html:
    return to("/difference", "compare the two", a=other, b=told["url"])


def _event(event: dict[str, Any]) -> Html:
    parts: list[object] = []
    for name, value in event.items():
        if name == "event" or value is None:
            continue
        parts.append(
            url_link(value) if name == "on" else escape(f"{name} {value:.2f}" if isinstance(value, float) else f"{name} {value}")
        )
    return joined(parts, ", ")


def _linked(told: dict[str, Any]) -> Html:
    if "linked_from" not in told:
        return Html("")
    rows = [tag("li", url_link(url)) for url in told["linked_from"]]
    return joined([tag("h2", f"Linked from {count(len(rows), 'page')}"), tag("ul", *rows)])


def _stored(told: dict[str, Any]) -> Html:
    shown = []
    if told["text"]:
        shown.append(details("its text", tag("pre", told["text"]), open_=True))
    if told["is_stored"]:
        frame = tag(
            "iframe", src=f"/stored?{urlencode({'url': told['url']})}", sandbox="", loading="lazy", title="the stored page"
        )
        shown.append(details("the page as it is stored (without scripts, styles of other files and pictures)", frame))
    return joined([tag("h2", "What is stored"), *shown]) if shown else Html("")


VIEW = View("/url", "Why?", data, show, live=False)
