"""What all views are made of: the query of a request, links between them, and the frame around each."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlencode

from garimpo.contract.errors import BadInput
from garimpo.crawl.watch.sections import Parts, as_code
from garimpo.report.pieces import Html, joined, tag
from garimpo.ui.watched import Watched

ROWS = 100
"""A page of a long table."""


class Query(dict[str, str]):
    """What a request asks for beside its path."""

    def text(self, name: str) -> str:
        """A word of the query; nothing if it is not there."""
        return self.get(name, "")[:4000]

    def number(self, name: str, usual: int = 0) -> int:
        """A number of the query, not below zero."""
        value = self.get(name, "")
        if not value:
            return usual
        if not value.isdigit() or len(value) > 9:
            raise BadInput(f"{name}: {value!r} is no number")
        return int(value)


class View(NamedTuple):
    """One page of the dashboard: where it is, what it is called, what it asks, how it is shown."""

    path: str
    title: str
    data: Callable[[Watched, Query], dict[str, Any]]
    show: Callable[[dict[str, Any]], Html]
    live: bool = True
    """Whether it is shown anew while the crawl runs."""
    listed: bool = True
    """Whether the menu has it."""


def to(path: str, text: object, /, **query: object) -> Html:
    """A link to a view.

    Args:
        path: of the view.
        text: what is to be clicked.
        query: what it is asked for.
    """
    asked = {name: value for name, value in query.items() if value not in ("", None)}
    return tag("a", text, href=f"{path}?{urlencode(asked)}" if asked else path)


def url_link(url: str, parts: Parts | None = None) -> Html:
    """A URL that leads to all that is known of it.

    Args:
        url: the URL.
        parts: it in parts, some of them marked.
    """
    return to("/url", as_code(url, parts), url=url)


def host_link(host: str) -> Html:
    """A host that leads to the tree of its paths.

    Args:
        host: its name.
    """
    return to("/tree", host, host=host)


def search_form(path: str, value: str, label: str, /, **kept: object) -> Html:
    """A field to search by.

    Args:
        path: of the view that answers.
        value: what was asked for.
        label: what can be asked.
        kept: other parts of the query.
    """
    hidden = [tag("input", type="hidden", name=name, value=one) for name, one in kept.items() if one not in ("", None)]
    field = tag("input", type="search", name="q", value=value, placeholder=label, aria_label=label)
    return tag("form", field, *hidden, tag("button", "search"), action=path, method="get", class_="search")


def wish_form(label: str, wish: str, back: str, kind: str = "", **fields: object) -> Html:
    """A button that asks the crawl for something.

    Args:
        label: what the button says.
        wish: what is wanted.
        back: the view to come back to.
        kind: how the button looks.
        fields: what belongs to the wish.
    """
    values: Mapping[str, object] = {"wish": wish, "back": back, **fields}
    hidden = [tag("input", type="hidden", name=name, value=value) for name, value in values.items()]
    return tag("form", *hidden, tag("button", label, class_=kind or None), action="/wish", method="post", class_="actions")


def label_forms(url: str, said: bool | None, back: str) -> Html:
    """Buttons that say of a page whether it is on the topic.

    Args:
        url: of the page.
        said: what was said of it before.
        back: the view to come back to.
    """
    told = "" if said is None else tag("span", "you said: good" if said else "you said: not", class_="quiet")
    choices = ((True, "good"), (False, "not"))
    forms = [wish_form(name, "label", back, url=url, good=int(good)) for good, name in choices if good is not said]
    return joined([*forms, told], " ")


def pager(path: str, offset: int, shown: int, /, **query: object) -> Html:
    """Links to the rows before and after.

    Args:
        path: of the view.
        offset: how many rows were left out.
        shown: how many are shown.
        query: what else was asked for.
    """
    links = [to(path, "← newer", offset=max(0, offset - ROWS) or None, **query)] if offset else []
    links += [to(path, "older →", offset=offset + ROWS, **query)] if shown >= ROWS else []
    return tag("p", joined(links, " "), class_="pager") if links else Html("")


def live(name: str, *pieces: object) -> Html:
    """A part of a page that is shown anew while the crawl runs.

    Args:
        name: by which it is found.
        pieces: what it holds.
    """
    return tag("div", *pieces, id=name, data_live=True)
