"""Crawls into spaces without end over made answers: what they spend there, and what they find all the same."""

import random
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

import pytest

from garimpo.contract import Fetched
from garimpo.crawl import Settings, crawl, default_components, skipped
from garimpo.crawl.clock import SimulatedClock

SITE = "http://shop.example"
WORDS = [f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in "aeiou" for c in ("ra", "lo", "ti", "nu", "mes")]
ITEMS = 200


def prose(seed: str, words: int = 120) -> str:
    """Text that is the same for the same seed."""
    draw = random.Random(seed)
    return " ".join(draw.choice(WORDS) for _ in range(words))


def item(number: int) -> str:
    return f"<h1>{prose(f'title {number}', 4)}</h1><p>{prose(f'item {number}')}</p><a href='/'>home</a>"


def teaser(number: int, query: str = "") -> str:
    """The entry of an item in a list: words that stand on its page, too."""
    return f"<li><a href='/item/{number}{query}'>{prose(f'title {number}', 4)}</a></li>"


def links(urls: list[str]) -> str:
    """Links whose words tell them apart no better than those of a template."""
    return "".join(f"<a href='{url}'>{url.rpartition('=')[2] if '=' in url else 'more'}</a> " for url in urls)


NAMES = ["brand", "colour", "price", "size", "sort", "view"]


def catalogue(path: str, query: dict[str, str]) -> str | None:
    """Two hundred items in pages of ten, behind filters, orders and views: 10 to the power of six combinations."""
    if path.startswith("/item/"):
        return item(int(path.rpartition("/")[2]))
    if path != "/":
        return None
    page = int(query.get("page", "1"))
    chosen = {name: value for name, value in query.items() if name in NAMES}
    shown = [number for number in range(ITEMS) if all(_value(number, *one) for one in chosen.items())]
    if "sort" in chosen:
        random.Random(chosen["sort"]).shuffle(shown)
    more = [{**chosen, name: str(value)} for name in NAMES for value in range(10) if chosen.get(name) != str(value)]
    facets = ["/?" + "&".join(f"{name}={value}" for name, value in sorted(one.items())) for one in more]
    following = [f"/?page={page + 1}"] if not chosen and page * 10 < ITEMS else []
    return "".join(teaser(number) for number in shown[(page - 1) * 10 : page * 10]) + links(following + facets)


def _value(number: int, name: str, value: str) -> bool:
    """Whether an item has a value; orders and views are for all."""
    return name in ("sort", "view") or random.Random(f"{number} {name}").randrange(10) == int(value)


def calendar(path: str, query: dict[str, str]) -> str | None:
    """Items, and a calendar whose months have no end and mostly no entry."""
    if path.startswith("/item/"):
        return item(int(path.rpartition("/")[2])) + "<a href='/calendar/2026/1'>calendar</a>"
    if path.startswith("/calendar/"):
        year, month = (int(part) for part in path.split("/")[2:4])
        after, before = (year + month // 12, month % 12 + 1), (year - (month == 1), (month - 2) % 12 + 1)
        days = [f"/calendar/{year}/{month}?day={day}" for day in range(1, 29)]
        around = [f"/calendar/{year}/{month}" for year, month in (after, before)]
        return f"<p>Nothing happens on this day</p><p>{query.get('day', '')} {month} {year}</p>" + links(around + days)
    return _list(path, query)


def sessions(path: str, query: dict[str, str]) -> str | None:
    """Items under a session number that every page draws anew."""
    number = int(query.get("s", "0"))
    inner = item(int(path.rpartition("/")[2])) if path.startswith("/item/") else _list(path, query)
    if inner is None or not number:
        return None if inner is None else inner + links([f"{path}?s={1 + len(path)}"])
    draw = random.Random(f"{path} {number}")
    shown = [(draw.randrange(ITEMS), draw.randrange(10**9)) for _ in range(20)]
    return inner + "".join(teaser(other, f"?s={session}") for other, session in shown)


def random_ids(path: str, query: dict[str, str]) -> str | None:
    """Items, and ways to share each: links with random ids, which show it again."""
    if path.startswith(("/item/", "/ref/")):
        number = int(path.rpartition("/")[2], 16 if path.startswith("/ref/") else 10) % ITEMS
        draw = random.Random(path)
        return item(number) + links([f"/ref/{draw.getrandbits(50) * ITEMS + number:015x}" for _ in range(10)])
    return _list(path, query)


def _list(path: str, query: dict[str, str]) -> str | None:
    if path != "/":
        return None
    page = int(query.get("page", "1"))
    following = [f"/?page={page + 1}"] if page * 10 < ITEMS else []
    return "".join(teaser(number) for number in range((page - 1) * 10, min(page * 10, ITEMS))) + links(following)


def pagination(path: str, query: dict[str, str]) -> str | None:
    """Five hundred pages of a list, each with two items."""
    if path.startswith("/item/"):
        return item(int(path.rpartition("/")[2]))
    page = int(query.get("page", "1"))
    following = [f"/?page={page + 1}"] if page < 500 else []
    return "".join(teaser(number) for number in (2 * page, 2 * page + 1)) + links(following)


class Site:
    """A `Fetcher` over a function, which remembers what it was asked for."""

    def __init__(self, page: Callable[[str, dict[str, str]], str | None]) -> None:
        self._page = page
        self.asked: list[str] = []

    def get(self, url: str) -> Fetched:
        self.asked.append(url)
        parts = urlsplit(url)
        body = None if parts.path == "/robots.txt" else self._page(parts.path, dict(parse_qsl(parts.query)))
        if body is None:
            return Fetched(url, 404)
        page = f"<html><body><nav>welcome to the shop of all things</nav>{body}</body></html>"
        return Fetched(url, 200, page.encode(), [("Content-Type", "text/html; charset=utf-8")])


def run(folder: Path, site: Site, **given: object) -> dict[str, object]:
    """A crawl that learns what fetches are worth, and nothing else: no process learns beside it."""
    settings = Settings(seeds=[f"{SITE}/"], delay=0.0, **given)  # type: ignore[arg-type]
    components = default_components(settings)
    components.fetcher, components.clock, components.learner = site, SimulatedClock(1_000.0), None
    return crawl(folder, settings, components)


def spent_in(asked: list[str], is_space: Callable[[str], bool], items: int = ITEMS) -> tuple[float, int]:
    """The share of fetches lost in the space up to the one that finds 95 % of the items, and how many items were found."""
    found: set[str] = set()
    lost, at = 0, None
    for place, url in enumerate(asked, 1):
        path = urlsplit(url).path
        is_new = path.startswith("/item/") and path not in found
        found |= {path} if is_new else set()
        if at is None:
            lost += is_space(url) and not is_new
            at = place if len(found) >= 0.95 * items else None
    return lost / (at or len(asked)), len(found)


@pytest.mark.parametrize(
    ("page", "is_space"),
    [
        (calendar, lambda url: "/calendar/" in url),
        (sessions, lambda url: "s=" in url),
        (random_ids, lambda url: "/ref/" in url),
    ],
    ids=["calendar", "sessions", "random ids"],
)
def test_little_is_spent_in_a_space_without_end(page: Callable, is_space: Callable, tmp_path: Path) -> None:
    site = Site(page)
    status = run(tmp_path / "crawl", site, max_requests=3_000)
    share, found = spent_in(site.asked, is_space)
    assert found >= 0.95 * ITEMS and share <= 0.1
    assert status["ended"] == "nothing left" and len(site.asked) < 2_000


def test_a_list_is_read_before_its_facets(tmp_path: Path) -> None:
    """Facets show items that were not met before, as the pages of the list do; but those go on where others end."""
    site = Site(catalogue)
    status = run(tmp_path / "crawl", site, max_requests=3_000)
    share, found = spent_in(site.asked, lambda url: "=" in url and "/?page=" not in url)
    assert found == ITEMS and share <= 0.15
    assert status["ended"] == "nothing left" and len(site.asked) < 1_000


def tracker(path: str, query: dict[str, str]) -> str | None:
    """Issues that show their messages, and a page for each message: nothing of it is new, but it is a page of its own."""
    messages = [[3 * number + one for one in range(3)] for number in range(ITEMS)]
    if path.startswith("/issue"):
        shown = messages[int(path[6:])]
        return "".join(f"<p>{prose(f'message {one}', 30)}</p><a href='/msg{one}'>{one}</a>" for one in shown)
    if path.startswith("/msg"):
        return f"<h1>message {path[4:]}</h1><p>{prose(f'message {path[4:]}', 30)}</p>"
    return links([f"/issue{number}" for number in range(ITEMS)]) if path == "/" else None


def test_pages_that_others_quote_are_read_to_their_end(tmp_path: Path) -> None:
    site = Site(tracker)
    status = run(tmp_path / "crawl", site)
    asked = [url for url in site.asked if "/msg" in url]
    assert len(asked) == 3 * ITEMS and "shape" not in status["skipped"]
    assert site.asked.index(asked[200]) > ITEMS  # what is new comes first


def test_a_list_of_five_hundred_pages_is_followed_to_its_end(tmp_path: Path) -> None:
    site = Site(pagination)
    run(tmp_path / "crawl", site)
    assert f"{SITE}/?page=500" in site.asked and spent_in(site.asked, lambda url: False, 1_000)[1] == 1_000


def test_what_is_left_aside_is_listed_by_its_shape(tmp_path: Path) -> None:
    site = Site(random_ids)
    status = run(tmp_path / "crawl", site)
    rows = [row for batch in skipped(tmp_path / "crawl") for row in batch.to_pylist() if row["reason"] == "shape"]
    assert status["skipped"]["shape"] == len(rows) > 0 and {row["rule"] for row in rows} <= {"/ref/0x", "/ref/*"}


def test_pages_that_others_quote_are_new_pages_to_the_end_of_a_crawl(tmp_path: Path) -> None:
    """Nothing of a message is new, but it has a name of its own, and no other page is the same."""
    site = Site(tracker)
    status = run(tmp_path / "crawl", site, stop_when="new<1%")
    assert status["ended"] == "nothing left" and len({url for url in site.asked if "/msg" in url}) == 3 * ITEMS


def test_a_crawl_ends_when_hardly_anything_is_new(tmp_path: Path) -> None:
    site = Site(catalogue)
    status = run(tmp_path / "crawl", site, stop_when="new<1%")
    assert spent_in(site.asked, lambda url: False)[1] == ITEMS
    assert status["ended"] != "nothing left" and len(site.asked) < 450
