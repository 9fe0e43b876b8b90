"""The page around a view: its head, the menu, and the line that says where the crawl stands."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import garimpo
from garimpo.report.look import STYLE
from garimpo.report.pieces import Html, chip, tag
from garimpo.ui.view import View

STATIC = Path(__file__).with_name("static")
KINDS = {"running": "good", "paused": "wait", "ended": "", "cut off": "bad", "not begun": "wait"}


def stylesheet() -> str:
    """The style of reports, and what only the dashboard has."""
    return STYLE + (STATIC / "ui.css").read_text(encoding="utf-8")


def page(view: View, body: Html, menu: Sequence[View], status: dict[str, Any], said: str = "") -> str:
    """A whole page.

    Args:
        view: what it shows.
        body: the view itself.
        menu: all views.
        status: of the crawl.
        said: an answer to what was asked for last.
    """
    name = Path(status["folder"]).name
    head = [
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", f"{view.title} – {name}"),
        tag("link", rel="icon", href="data:,"),
        tag("link", rel="stylesheet", href="/style.css"),
        tag("script", src="/ui.js", type="module"),
    ]
    entries = [
        tag(
            "a",
            tag("kbd", number, aria_hidden="true"),
            one.title,
            href=one.path,
            aria_current="page" if one.path == view.path else None,
        )
        for number, one in enumerate((one for one in menu if one.listed), 1)
    ]
    sentence = status["sentence"].removeprefix(status["state"])
    state = tag("span", chip(status["state"], KINDS[status["state"]]), " ", sentence, id="state", data_live=True)
    ask = tag(
        "form",
        tag("input", type="search", name="url", placeholder="why? paste any URL", aria_label="a URL to ask about", id="ask"),
        action="/url",
        class_="ask",
    )
    top = tag("header", tag("a", tag("b", "garimpo"), " ", name, href="/", class_="brand"), state, ask)
    note = tag("p", said, class_="said", role="status") if said else ""
    foot = tag(
        "footer",
        f"Garimpo {garimpo.__version__}. The same as JSON: ",
        tag("code", f"/api{view.path if view.path != '/' else '/now'}"),
    )
    main = tag("main", note, tag("h1", view.title), body, foot, data_view=view.path if view.live else None)
    shown = tag("body", top, tag("div", tag("nav", *entries, aria_label="views"), main, class_="columns"))
    return f'<!doctype html>\n<html lang="en">{tag("head", *head)}{shown}</html>\n'
