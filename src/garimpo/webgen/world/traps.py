"""Pages without end and pages that are gone."""

import re

from garimpo.webgen.language.chance import number
from garimpo.webgen.world.schemes import Address, Node
from garimpo.webgen.world.sites import Site

CALENDAR = re.compile(r"/calendar/(\d{4})/(\d\d)/")
DEAD = 3
"""How many addresses of pages that are gone a site still links to."""


def month(path: str) -> tuple[int, int] | None:
    """The year and month of a calendar page.

    >>> month("/calendar/2015/02/"), month("/calendar/2015/13/")
    ((2015, 2), None)
    """
    found = CALENDAR.fullmatch(path)
    return (int(found[1]), int(found[2])) if found and 1 <= int(found[2]) <= 12 else None


def calendar(site: Site, prefix: str, year: int, number: int) -> bytes:
    """A month with nothing in it and links to the next and the one before, for ever."""
    after = (year + 1, 1) if number == 12 else (year, number + 1)
    before = (year - 1, 12) if number == 1 else (year, number - 1)
    links = "".join(f'<a href="{prefix}/calendar/{y:04d}/{m:02d}/">{m:02d}/{y}</a> ' for y, m in (before, after) if 0 < y < 9999)
    days = "".join(f"<td>{day}</td>" for day in range(1, 29))
    title = f"<title>{number:02d}/{year} {site.brand}</title>"
    return f"<html>{title}<body><table><tr>{days}</tr></table>{links}</body></html>\n".encode()


def dead(site: Site) -> list[Address]:
    """Addresses that look like items and lead to none."""
    if site.states or site.hidden:
        return []
    last = len(site.section_topics) - 1
    return [site.scheme.write(Node("item", site.items + 5 + turn), last) for turn in range(DEAD)]


def dead_status(site: Site) -> tuple[int, str]:
    """How the site answers for what is gone, and what the truth calls that."""
    if site.soft_404:
        return 200, "soft404"
    roll = number(site.seed, "dead", site.index) % 10
    return (410, "gone") if roll < 2 else (500, "broken") if roll == 2 else (404, "missing")
