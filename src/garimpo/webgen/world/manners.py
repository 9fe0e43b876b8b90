"""What a host says to crawlers: robots.txt, kind, odd or hostile, and sitemaps."""

import gzip
from typing import NamedTuple

from garimpo.webgen.language.chance import Dice, share
from garimpo.webgen.world.hosts import Host
from garimpo.webgen.world.schemes import Node
from garimpo.webgen.world.sites import Site

ON_A_MAP = 2_000


class File(NamedTuple):
    """An answer that is no page."""

    status: int
    body: bytes
    kind: str = "text/plain; charset=utf-8"
    location: str = ""


def robots(site: Site, host: Host) -> File:
    """The robots.txt of a host."""
    dice = Dice(site.seed, "robots", host.name)
    if site.card.archetype == "N4" and dice.chance(0.3):
        return File(200, b"User-agent: *\nDisallow: /\n")
    roll = dice.roll()
    if roll < 0.2:
        return File(404, b"no robots.txt here\n")
    if roll < 0.9:
        return File(200, _plain(site, host, dice))
    return dice.one((_html, _marked, _empty, _long, _returns, _several, _broken, _moved))(site, host, dice)


def _plain(site: Site, host: Host, dice: Dice) -> bytes:
    lines = ["User-agent: *", "Disallow: /print/", "Disallow: /cgi-bin/"]
    if site.calendar:
        lines.append("Disallow: /calendar/" if dice.chance(0.3) else "# the calendar is open")
    if dice.chance(0.15):
        lines.append("Crawl-delay: 0.05")
    if dice.chance(0.2):
        lines.append(f"Disallow: /*?*{site.trap_name}_all=")
    lines += ["", "User-agent: BadBot", "Disallow: /"]
    if has_map(site):
        lines += ["", f"Sitemap: http://{host.name}/sitemap.xml"]
    return ("\n".join(lines) + "\n").encode()


def _html(site: Site, host: Host, dice: Dice) -> File:
    return File(200, f"<html><body><h1>{site.brand}</h1></body></html>".encode(), "text/html")


def _marked(site: Site, host: Host, dice: Dice) -> File:
    return File(200, b"\xef\xbb\xbf" + _plain(site, host, dice))


def _empty(site: Site, host: Host, dice: Dice) -> File:
    return File(200, b"")


def _long(site: Site, host: Host, dice: Dice) -> File:
    rules = "".join(f"Disallow: /never/{number}/\n" for number in range(30_000))
    return File(200, b"User-agent: *\n" + rules.encode())


def _returns(site: Site, host: Host, dice: Dice) -> File:
    return File(200, _plain(site, host, dice).replace(b"\n", b"\r"))


def _several(site: Site, host: Host, dice: Dice) -> File:
    rules = b"disallow: /nowhere\nUSER-AGENT : *\nDisallow:/print/ # not these\nAllow: /print/open$\n"
    return File(200, rules + b"\xff\xfe\nUser-agent: x\n")


def _broken(site: Site, host: Host, dice: Dice) -> File:
    return File(200 if site.census.settings.static else 503, b"")


def _moved(site: Site, host: Host, dice: Dice) -> File:
    return File(301, b"", location=f"http://{host.name}/robots2.txt")


def has_map(site: Site) -> bool:
    """Whether the site publishes a sitemap."""
    return share(site.seed, "map", site.index) < 0.5 and not site.states


def sitemap(site: Site, host: Host, path: str) -> File | None:
    """The sitemap of a host: one file, or an index of packed ones."""
    if not has_map(site):
        return None
    packed = share(site.seed, "packed map", site.index) < 0.3
    if path == "/sitemap.xml" and packed:
        inner = f"<sitemap><loc>http://{host.name}/sitemap-1.xml.gz</loc></sitemap>"
        return _xml("sitemapindex", inner)
    if path != ("/sitemap-1.xml.gz" if packed else "/sitemap.xml"):
        return None
    nodes = [Node("home"), *(Node("list", number) for number in range(len(site.section_topics)))]
    nodes += [Node("item", item) for item in range(min(site.items, ON_A_MAP)) if not site.hidden]
    urls = (str(site.plain(node)).replace("&", "&amp;") for node in nodes)
    made = _xml("urlset", "".join(f"<url><loc>http://{host.name}{host.prefix}{url}</loc></url>\n" for url in urls))
    return File(200, gzip.compress(made.body, 1, mtime=0), "application/gzip") if packed else made


def _xml(tag: str, inner: str) -> File:
    space = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    return File(200, f'<?xml version="1.0" encoding="UTF-8"?>\n<{tag} {space}>\n{inner}</{tag}>\n'.encode(), "application/xml")
