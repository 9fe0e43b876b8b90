"""Pages, the latest first, with what was thought of each."""

from pathlib import Path
from typing import Any

from garimpo.archive.folder.segments import count_rows
from garimpo.crawl.watch.queries.broken import answer_words
from garimpo.crawl.watch.queries.segment_queries import connect, view
from garimpo.report.pieces import Html, chip, joined, table, tag
from garimpo.report.words import moment
from garimpo.ui.view import ROWS, Query, View, live, pager, search_form, to, url_link
from garimpo.ui.watched import Watched

KINDS = {
    "all": "true", "new": "status = 200 AND duplicate_of IS NULL", "repeated": "duplicate_of IS NOT NULL",
    "errors": "status = 0 OR status >= 400", "redirects": "redirect IS NOT NULL AND status BETWEEN 300 AND 399",
}  # fmt: skip
COLUMNS = ("url", "host", "status", "error", "title", "score", "duplicate_of", "redirect", "depth", "length")


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The rows asked for."""
    kind = query.text("kind") if query.text("kind") in KINDS else "all"
    q, offset = query.text("q"), query.number("offset")
    files = watched.store.page_files()
    if kind == "all" and not q:
        files = _newest(files, offset + ROWS)
    where = "(contains(lower(url), lower($q)) OR contains(lower(coalesce(title, '')), lower($q)))" if q else "$q = ''"
    sql = f"""SELECT {", ".join(COLUMNS)}, epoch(fetched_at) AS "at" FROM pages WHERE ({KINDS[kind]}) AND {where}
              ORDER BY fetched_at DESC, url LIMIT {ROWS} OFFSET {offset}"""
    with connect() as database:
        view(database, "pages", files)
        found = database.execute(sql, {"q": q}).fetchall()
    rows = [dict(zip((*COLUMNS, "at"), row)) for row in found]
    return {"pages": rows, "kind": kind, "q": q, "offset": offset, "focused": watched.status()["focused"]}


def _newest(files: list[Path], rows: int) -> list[Path]:
    """The last segments that hold so many rows: a commit's pages are newer than those before."""
    chosen: list[Path] = []
    for file in reversed(files):
        chosen.append(file)
        rows -= count_rows(file)
        if rows <= 0:
            break
    return chosen


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    rows = [
        [moment(row["at"])[11:], _verdict(row), *([row["score"]] if told["focused"] else []),
         joined([tag("b", row["title"] or ""), tag("br") if row["title"] else "", url_link(row["url"])])]
        for row in told["pages"]
    ]  # fmt: skip
    heads = ["at (UTC)", "verdict", *(["score"] if told["focused"] else []), "page"]
    kinds = [
        tag("span", to("/pages", chip(kind), kind=kind, q=told["q"]), aria_current="true" if kind == told["kind"] else None)
        for kind in KINDS
    ]
    shown = table(heads, rows, nothing="There is no such page.")
    more = pager("/pages", told["offset"], len(rows), kind=told["kind"], q=told["q"])
    form = search_form("/pages", told["q"], "a part of a URL or title", kind=told["kind"])
    return joined([form, tag("p", joined(kinds, " "), class_="filters"), live("pages", shown, more)])


def _verdict(row: dict[str, Any]) -> Html:
    if row["duplicate_of"]:
        return to("/difference", chip("repeats another", "wait"), a=row["duplicate_of"], b=row["url"])
    if row["redirect"] and 300 <= row["status"] < 400:
        return chip(f"{row['status']} leads on")
    if row["status"] in (200, 304):
        return chip("new" if row["status"] == 200 else "unchanged", "good")
    return chip(answer_words(row["status"], row["error"]), "bad")


VIEW = View("/pages", "Pages", data, show)
