"""Hosts: what was fetched of each, what waits, and when it may be asked again."""

import time
from typing import Any

from garimpo.crawl.state import host_rows, queued
from garimpo.crawl.watch.queries.tallies import HOST_ORDERS
from garimpo.report.pieces import Html, chip, joined, table, tag
from garimpo.report.words import duration, size
from garimpo.ui.view import ROWS, Query, View, host_link, live, search_form, to
from garimpo.ui.watched import Watched


def data(watched: Watched, query: Query) -> dict[str, Any]:
    """The hosts asked for, with what the state knows of each."""
    db, now = watched.store.database, time.time()
    order = query.text("order") if query.text("order") in HOST_ORDERS else "fetched"
    folded = {fold["host"]: fold["keep_host"] for fold in watched.folds if not fold["withdrawn"]}
    rows = watched.tallies.hosts(order, 2 * ROWS, query.text("q"))
    for row in rows:
        known = host_rows.named(db, row["host"])
        row["queued"], row["postponed"] = queued.count_of(db, known.id) if known is not None else (0, 0)
        row["delay"], row["next_at"] = (known.delay, known.next_at) if known is not None else (None, None)
        row["in_trouble"] = known.errors if known is not None else 0
        row["folded_into"] = folded.get(row["host"])
        row["state"] = _state(row, now)
    return {"hosts": rows, "order": order, "q": query.text("q"), "focused": watched.status()["focused"], "now": now}


def _state(row: dict[str, Any], now: float) -> str:
    if row["folded_into"]:
        return "folded"
    if not row["queued"]:
        return "done"
    if row["next_at"] and row["next_at"] > now + 10:
        return "waiting"
    return "in trouble" if row["in_trouble"] else "ready"


KINDS = {"folded": "", "done": "", "waiting": "wait", "in trouble": "bad", "ready": "good"}


def show(told: dict[str, Any]) -> Html:
    """As a page."""
    rows = []
    for row in told["hosts"]:
        wait = f"in {duration(row['next_at'] - told['now'])}" if row["next_at"] and row["next_at"] > told["now"] else "now"
        state = joined([chip(row["state"], KINDS[row["state"]]), f" into {row['folded_into']}" if row["folded_into"] else ""])
        rows.append(
            [host_link(row["host"]), row["fetched"], row["queued"] or None, row["repeated"] or None, row["errors"] or None,
             *([row["wanted"] or None] if told["focused"] else []), size(row["bytes"]),
             f"{row['delay']:g} s" if row["delay"] is not None else None, wait if row["queued"] else None, state]
        )  # fmt: skip
    heads = [
        "host",
        "fetched",
        "queued",
        "repeated",
        "errors",
        *(["on topic"] if told["focused"] else []),
        "size",
        "delay",
        "next",
    ]
    orders = [
        tag("span", to("/hosts", chip(order), order=order, q=told["q"]), aria_current="true" if order == told["order"] else None)
        for order in HOST_ORDERS
    ]
    shown = table([*heads, "state"], rows, nothing="No host was asked yet.")
    return joined(
        [
            search_form("/hosts", told["q"], "a part of a host's name", order=told["order"]),
            tag("p", "most of: ", joined(orders, " "), class_="filters"),
            live("hosts", shown),
        ]
    )


VIEW = View("/hosts", "Hosts", data, show)
