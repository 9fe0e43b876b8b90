"""The paths of a host as a tree: what was fetched, repeated, failed, skipped and waits in each folder."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from garimpo.contract.errors import BadInput
from garimpo.crawl.state import fetched, host_rows, queued, skipped
from garimpo.report.pieces import Html, joined, table, tag
from garimpo.ui.view import Query, View, live, search_form, to, url_link
from garimpo.ui.watched import Watched

MOST = 200_000
"""URLs of a host that are looked at."""
SHOWN = 300
COUNTED = ("new", "repeated", "errors", "skipped", "queued")


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """What lies right under a path of a host."""
    name, path = query.text("host").lower(), query.text("path") or "/"
    if not name:
        raise BadInput("host: say which")
    host = host_rows.named(watched.store.database, name)
    if host is None:
        raise BadInput(f"{name}: the crawl has not met this host")
    branches: dict[str, dict[str, Any]] = {}
    for url, kind in _urls(watched, host.id):
        parts = urlsplit(url)
        if not parts.path.startswith(path):
            continue
        step, slash, _ = parts.path[len(path) :].partition("/")
        key = f"{path}{step}{slash}" if slash else url
        branch = branches.setdefault(key, {"folder": bool(slash), "urls": 0, **dict.fromkeys(COUNTED, 0)})
        branch["urls"] += 1
        branch[kind] += 1
    rows = [{"name": key, **branch} for key, branch in branches.items()]
    rows.sort(key=lambda row: (not row["folder"], -row["urls"], row["name"]))
    return {"host": name, "path": path, "branches": rows[:SHOWN], "more": max(0, len(rows) - SHOWN)}


def _urls(watched: Watched, host: int) -> Iterator[tuple[str, str]]:
    """The URLs of a host, each with what became of it."""
    db = watched.store.database
    for url, status, repeats in fetched.outcomes(db, host, MOST):
        yield url, "errors" if status == 0 or status >= 400 else "repeated" if repeats else "new"
    for url in queued.some_of(db, host, MOST):
        yield url, "queued"
    for url in skipped.left_out(db, host, MOST):
        yield url, "skipped"


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    host, path = told["host"], told["path"]
    crumbs, grown = [to("/tree", host, host=host)], "/"
    for step in [one for one in path.split("/") if one]:
        grown += f"{step}/"
        crumbs.append(to("/tree", step, host=host, path=grown))
    rows = []
    for row in told["branches"]:
        name = to("/tree", f"{row['name'][len(path) :]}", host=host, path=row["name"]) if row["folder"] else url_link(row["name"])
        rows.append([name, *(row[kind] or None for kind in COUNTED)])
    shown = table(["path", *COUNTED], rows, nothing="Nothing is known under this path.")
    more = tag("p", f"and {told['more']:,} more", class_="quiet") if told["more"] else ""
    find = search_form("/pages", "", "a part of a URL or title")
    return joined([tag("p", to("/hosts", "hosts"), " / ", joined(crumbs, " / ")), live("tree", shown, more), find])


VIEW = View("/tree", "Paths of a host", data, show, listed=False)
