"""Pages that repeat others, in groups, and two of them side by side with their differences marked."""

from typing import Any
from urllib.parse import urlencode

from garimpo.contract.errors import BadInput
from garimpo.crawl.watch.queries.segment_queries import query_pages
from garimpo.report.pieces import Html, details, difference, joined, table, tag
from garimpo.report.words import count
from garimpo.ui.stored import find_page
from garimpo.ui.view import ROWS, Query, View, live, pager, search_form, to, url_link
from garimpo.ui.watched import Watched

SHOWN = 5
MOST_WORDS = 1500


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The pages that were repeated most often, with some of those that repeat them."""
    sql = f"""SELECT duplicate_of AS page, count(*) AS repeats, list(url ORDER BY fetched_at)[1:{SHOWN}] AS urls FROM pages
              WHERE duplicate_of IS NOT NULL AND (contains(url, $q) OR contains(duplicate_of, $q))
              GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT {ROWS} OFFSET {query.number("offset")}"""
    rows = query_pages(watched.store, sql, q=query.text("q"))
    return {"groups": rows, "q": query.text("q"), "offset": query.number("offset"), "repeated": watched.status()["duplicates"]}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    rows = []
    for row in told["groups"]:
        pairs = [tag("li", to("/difference", tag("code", url, class_="url"), a=row["page"], b=url)) for url in row["urls"]]
        more = tag("li", f"and {row['repeats'] - SHOWN:,} more", class_="quiet") if row["repeats"] > SHOWN else ""
        rows.append([row["repeats"], joined([url_link(row["page"]), tag("ul", *pairs, more)])])
    said = f"{count(told['repeated'], 'page')} showed what a page fetched before had shown. "
    said += "A URL below a page leads to both, side by side."
    form = search_form("/repeats", told["q"], "a part of a URL")
    shown = table(["repeated", "page, and what repeats it"], rows, nothing="No page repeats another.")
    return joined([tag("p", said), form, live("groups", shown, pager("/repeats", told["offset"], len(rows), q=told["q"]))])


def compare(watched: Watched, query: Query) -> dict[str, Any]:
    """The texts of two pages."""
    urls = (query.text("a"), query.text("b"))
    if not all(urls):
        raise BadInput("a and b: give the two URLs")
    found = [find_page(watched.store, url) for url in urls]
    return {
        "a": urls[0],
        "b": urls[1],
        "texts": [one.get("text") for one in found],
        "titles": [one.get("title") for one in found],
    }


def show_difference(told: dict[str, Any]) -> Html:
    """As a page."""
    if None in told["texts"]:
        return tag("p", "One of the two has no text that is stored.", class_="quiet")
    texts = [" ".join(text.split()[:MOST_WORDS]) for text in told["texts"]]
    urls = (told["a"], told["b"])
    heads = [joined([tag("b", title or ""), tag("br"), url_link(url)]) for title, url in zip(told["titles"], urls)]
    same = " ".join(told["texts"][0].split()) == " ".join(told["texts"][1].split())
    said = "The texts are equal, word by word." if same else "Red: only on the left; green: only on the right."
    frames = [tag("iframe", src=f"/stored?{urlencode({'url': url})}", sandbox="", title=f"stored: {url}") for url in urls]
    both = details("as the pages look", tag("div", *(tag("div", frame) for frame in frames), class_="diff"))
    return joined([tag("p", said), difference(texts[0], texts[1], (heads[0], heads[1])), both])


VIEW = View("/repeats", "Near-duplicates", data, show)
DIFFERENCE = View("/difference", "Two pages", compare, show_difference, live=False, listed=False)
