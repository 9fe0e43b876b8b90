"""The search inside one site: the traces of the specification, and what the Web does to it."""

from collections.abc import Callable

import pytest

from garimpo.contract import Link, Page
from garimpo.sites.detector import Detection, Judges, NotArchived, Refused, Trace, detect_breadth_first, search_site
from garimpo.sites.priority import load_filters
from garimpo.sites.search import Limits

ROOT = "http://toy.com.br/"
LINKS = {
    "/": [("/login", "Login"), ("/pe", "PE"), ("/quem-somos", "Quem somos"), ("/comprar", "Comprar"), ("/blog", "Blog")],
    "/comprar": [("/carros", "Carros"), ("/imoveis", "Imóveis"), ("/", "Início")],
    "/pe": [("/pe/empregos", "Empregos")],
    "/blog": [("/blog/1", "Um")],
}
PRIORITY = load_filters("imoveis-pt")


def get(url: str) -> Page | None:
    path = "/" + url.removeprefix(ROOT)
    links = [Link(ROOT + target.removeprefix("/"), anchor) for target, anchor in LINKS.get(path, [])]
    return Page(url, links=links, text_digest=hash(path) & 0xFFFF)


def listing(page: Page) -> float:
    return 1.0 if page.url.endswith("/imoveis") else 0.0


def nothing(page: Page) -> float:
    return 0.0


def detect(root, get, judge, priority, limits=None, odds=None) -> Detection:
    return search_site(root, get, Judges(judge, priority, odds=odds), limits)


def paths(visits) -> list[str]:
    return ["/" + visit.url.removeprefix(ROOT) for visit in visits]


@pytest.mark.parametrize(
    ("judge", "limits", "entry", "order"),
    [
        (listing, Limits(), "/imoveis", "/ /comprar /imoveis"),
        (nothing, Limits(), None, "/ /comprar /imoveis /pe /quem-somos /blog"),
        (listing, Limits(max_depth=1), None, "/ /comprar /pe /quem-somos /blog"),
        (
            nothing,
            Limits(follow_zero_everywhere=True),
            None,
            "/ /comprar /imoveis /pe /quem-somos /blog /carros /pe/empregos /blog/1",
        ),
        (nothing, Limits(max_bad_children_root=3), None, "/ /comprar /imoveis /pe /quem-somos"),
    ],
)
def test_the_traces_of_the_specification(judge, limits: Limits, entry: str | None, order: str) -> None:
    found = detect(ROOT, get, judge, PRIORITY, limits)
    assert paths(found.visits) == order.split()
    assert found.relevant == (entry is not None)
    assert found.entry_url == (ROOT + entry[1:] if entry else None)


@pytest.mark.parametrize(
    ("pages", "entry", "order"),
    [
        (20, "/imoveis", "/ /login /pe /quem-somos /comprar /blog /pe/empregos /carros /imoveis"),
        (5, None, "/ /login /pe /quem-somos /comprar"),
    ],
)
def test_the_breadth_first_baseline(pages: int, entry: str | None, order: str) -> None:
    found = detect_breadth_first(ROOT, get, listing, Limits(max_pages=pages))
    assert paths(found.visits) == order.split() and (found.entry_url is not None) == (entry is not None)


def test_the_root_counts_and_may_be_the_listing() -> None:
    def judge(page: Page) -> float:
        return 1.0 if page.url == ROOT else 0.0

    assert detect(ROOT, get, judge, PRIORITY).pages_fetched == 1
    assert detect(ROOT, get, judge, PRIORITY, Limits(root_may_be_index=False)).relevant is False


def test_a_site_that_is_down_is_unknown() -> None:
    def dead(url: str) -> Page | None:
        return None

    def forbidden(url: str) -> Page | None:
        raise Refused

    found = detect(ROOT, dead, listing, PRIORITY)
    assert (found.relevant, found.reason, found.pages_fetched) == (None, "root unreachable", 1)
    found = detect(ROOT, forbidden, listing, PRIORITY)
    assert (found.relevant, found.pages_fetched) == (None, 0)


def test_a_root_of_fifty_thousand_links_stays_within_the_limit() -> None:
    links = [Link(f"{ROOT}casas/{i}", "Casas") for i in range(50_000)]

    def huge(url: str) -> Page | None:
        return Page(url, links=links)

    found = detect(ROOT, huge, nothing, PRIORITY, Limits(max_bad_children_root=None))
    assert found.pages_fetched == 10 and found.reason == "budget"


def test_links_of_other_sites_are_never_followed() -> None:
    def away(url: str) -> Page | None:
        return Page(url, links=[Link("http://imoveis.outro.com.br/", "Imóveis"), Link("http://pe.toy.com.br/", "Imóveis")])

    found = detect(ROOT, away, nothing, PRIORITY)
    assert [visit.url for visit in found.visits] == [ROOT, "http://pe.toy.com.br/"]


class Falling:
    """A stop rule that loses hope with every page."""

    give_up_below = 0.5

    def __call__(self, trace: Trace) -> float:
        return 1.0 / (1 + len(trace.visits))


def test_the_search_gives_up_when_the_odds_are_clear() -> None:
    found = detect(ROOT, get, nothing, PRIORITY, odds=Falling())
    assert found.reason == "odds" and found.pages_fetched == 2


def test_a_link_met_again_with_a_better_anchor_rises() -> None:
    def page(url: str) -> Page | None:
        links = [Link(ROOT + "x", ""), Link(ROOT + "y", "Busca"), Link(ROOT + "x", "Imóveis")]
        return Page(url, links=links if url == ROOT else [])

    assert paths(detect(ROOT, page, nothing, PRIORITY).visits) == ["/", "/x", "/y"]


def test_a_link_of_the_root_counts_by_the_best_anchor_of_any_page() -> None:
    """The root links to its listing with a picture; an inner page names it."""
    links = {"/": [("/privacy", ""), ("/busca", "Busca")], "/busca": [("/privacy", "Imóveis, casas e apartamentos")]}

    def page(url: str) -> Page:
        return Page(url, links=[Link(ROOT + to[1:], anchor) for to, anchor in links.get("/" + url.removeprefix(ROOT), [])])

    assert paths(detect(ROOT, page, nothing, PRIORITY).visits) == ["/", "/busca", "/privacy"]


def test_promising_links_that_are_not_archived_leave_the_site_unknown() -> None:
    """A root alone, whose menu leads to what the archive does not have."""

    def get(anchor: str) -> Callable[[str], Page]:
        def page(url: str) -> Page:
            if url != ROOT:
                raise NotArchived("not in the archive")
            return Page(url, links=[Link(ROOT + "x", anchor)])

        return page

    found = detect(ROOT, get("Imóveis"), nothing, PRIORITY)
    assert (found.relevant, found.reason) == (None, "promising links not in the archive")
    assert detect(ROOT, get("Blog"), nothing, PRIORITY).relevant is False


def test_documents_and_pictures_cost_no_page() -> None:
    def page(url: str) -> Page:
        return Page(url, links=[Link(ROOT + name, "Imóveis") for name in ("tabela.pdf", "foto.JPG?x=1", "imoveis")])

    assert paths(detect(ROOT, page, nothing, PRIORITY).visits) == ["/", "/imoveis"]


def test_a_search_begins_at_another_page_where_there_is_no_root() -> None:
    def page(url: str) -> Page:
        if url == ROOT:
            raise NotArchived("not in the archive")
        return get(url)

    found = search_site(ROOT, page, Judges(listing, PRIORITY), starts=[ROOT + "quem-somos", ROOT + "comprar", ROOT + "blog"])
    assert found.entry_url == ROOT + "imoveis" and paths(found.visits) == ["/quem-somos", "/comprar", "/imoveis"]
