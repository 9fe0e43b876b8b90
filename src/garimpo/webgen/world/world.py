"""The world: from any URL to the page behind it, computed and never stored.

`World.answer` is what a server says to a request; `World.identify` is the truth about a URL; `World.urls` lists all the URLs
that pages link to, with the truth about each.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from garimpo.webgen.language.chance import identity, share
from garimpo.webgen.settings import Settings
from garimpo.webgen.world.hosts import Census, Host
from garimpo.webgen.world.links import SLOT, Linker, SiteBook
from garimpo.webgen.world.manners import File, robots, sitemap
from garimpo.webgen.world.render import Renderer, kind_of_hiding
from garimpo.webgen.world.schemes import Address, Node, address, software
from garimpo.webgen.world.sites import Site
from garimpo.webgen.world.stories import near_of, raw_of
from garimpo.webgen.world.traps import calendar, dead, dead_status, month

HTML, LATIN = "text/html; charset=utf-8", "text/html; charset=iso-8859-1"


class Answer(NamedTuple):
    """What the server says: a body in which the `SLOT` is still empty, or a redirect.

    Attributes:
        status: of HTTP.
        body: the bytes.
        location: where a redirect leads.
        kind: the content type.
    """

    status: int
    body: bytes
    location: str = ""
    kind: str = HTML


class Truth(NamedTuple):
    """What is known about a URL.

    Attributes:
        url: the URL.
        content: equal for equal pages.
        near: equal for pages of one story.
        topic: of the page.
        kind: of page.
        key: equal for duplicates of one site.
        family: what made the URL.
    """

    url: str
    content: int
    near: int
    topic: str
    kind: str
    key: str
    family: str


class World(SiteBook):
    """A small Internet, a function of its settings.

    Args:
        settings: what it is made of.

    >>> from garimpo.webgen.settings import settings_for
    >>> world = World(settings_for("small", seed=1))
    >>> first = next(world.urls())
    >>> world.identify(first.url).content == first.content, world.answer(first.url).status
    (True, 200)
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, self.seed = settings, settings.seed
        self.census = Census(settings)
        self.software = software(self.seed, max(8, min(40, settings.hosts // 30)))
        self.site = lru_cache(maxsize=2_000)(self._site)  # type: ignore[method-assign]
        self._renderer = lru_cache(maxsize=256)(self._make_renderer)

    def _site(self, index: int) -> Site:
        return Site(self.census, self.census.cards[index], self.software)

    def _make_renderer(self, name: str) -> Renderer:
        host = self.census.by_name[name]
        site = self.site(host.site)
        return Renderer(site, Linker(site, host), self)

    def faulty(self, index: int) -> bool:
        """Whether something is wrong with the hosts of a site."""
        return not self.settings.static and index > 0 and share(self.seed, "faulty", index) < self.settings.faults

    # where pages stand

    def _state(self, site: Site, host: Host) -> int:
        return site.states.index(host) if host.role == "state" else -1

    def _stands(self, site: Site, host: Host, node: Node) -> bool:
        """Whether a mirror has copied this page."""
        if host.role != "mirror":
            return True
        if host.section >= 0 and (node.role not in ("list", "item", "print") or site.section_of(node) != host.section):
            return False
        if node.role == "default" and host.prefix:
            return False
        return node.role not in ("item", "print") or share(self.seed, "part", host.name, node.number) < host.part

    def placed(self, host: Host) -> Iterator[tuple[Node, Address, str]]:
        """The pages on a host, each under all its addresses, with the family of each."""
        site = self.site(host.site)
        if host.role == "subdomain":
            yield from self._on_subdomain(site, host)
            return
        for node in site.nodes(self._state(site, host)):
            if self._stands(site, host, node):
                for target, family in site.urls(node):
                    yield node, target._replace(path=host.prefix + target.path), "redirect" if host.forward else family

    def _on_subdomain(self, site: Site, host: Host) -> Iterator[tuple[Node, Address, str]]:
        folder = f"/{site.section_names[host.section]}"
        for node in site.nodes():
            if node.role in ("list", "item") and not node.other and site.section_of(node) == host.section:
                plain = site.plain(node)
                if plain.path.startswith(folder):
                    yield node, plain._replace(path=plain.path[len(folder) :] or "/"), "subdomain"

    def find(self, host: Host, target: Address) -> tuple[Node, bool] | None:
        """The page at an address of a host, and whether the server redirects to its plain address."""
        site = self.site(host.site)
        if not target.path.startswith(host.prefix):
            return None
        target = target._replace(path=target.path[len(host.prefix) :])
        if host.role == "subdomain":
            folder = f"/{site.section_names[host.section]}"
            bare = folder if target.path == "/" and site.style == "ided" else folder + target.path
            found = site.find(target._replace(path=bare))
            return (
                found if found and found[0].role in ("list", "item") and site.plain(found[0]) == (bare, target.params) else None
            )
        found = site.find(target, self._state(site, host))
        return found if found and self._stands(site, host, found[0]) else None

    # truth

    def content(self, host: Host, node: Node) -> int:
        """The name of a page's bytes."""
        site = self.site(host.site)
        if node.role == "default":
            return identity(self.seed, "default", site.software.index, node.number)
        raw = raw_of(site, node)
        if raw is not None:
            return identity(self.seed, "raw", *raw[:4])
        return identity(self.seed, "content", host.name if host.own else host.site, *node)

    def truth(self, host: Host, node: Node, target: Address, family: str) -> Truth:
        """What is true of a page under one of its URLs."""
        site = self.site(host.site)
        section = site.section_of(node)
        topic = site.section_topics[section] if node.role in ("item", "list", "print") else site.card.topic
        if node.role == "default":
            topic = "computing"
        entity = site.section_entities[section]
        if node.role in ("item", "print") and not entity:
            near = near_of(site, node)
        else:
            near = identity(self.seed, "page", site.index, *node) if node.role != "default" else self.content(host, node)
        owner = site.card.hosts[0].name if host.role in ("main", "alias", "subdomain") else host.name
        key = f"{owner}{host.prefix}{site.plain(node)}"
        return Truth(f"http://{host.name}{target}", self.content(host, node), near, topic, kind_of(site, node), key, family)

    def urls(self) -> Iterator[Truth]:
        """Every URL that pages of this world link to."""
        for host in self.census.hosts:
            if host.prefix:
                yield self._front(host)
            for node, target, family in self.placed(host):
                yield self.truth(host, node, target, family)
            if host.role == "main":
                yield from (self._gone(host, target) for target in dead(self.site(host.site)))

    def _front(self, host: Host) -> Truth:
        """The bare page of a host that hangs its copy in a directory."""
        name = identity(self.seed, "front", host.name)
        return Truth(f"http://{host.name}/", name, name, self.census.cards[host.site].topic, "home", f"{host.name}/", "unique")

    def _gone(self, host: Host, target: Address) -> Truth:
        """The truth about a page that is gone; it is no duplicate of anything, so it has no key."""
        site = self.site(host.site)
        name = identity(self.seed, "dead", site.index)
        return Truth(f"http://{host.name}{target}", name, name, site.card.topic, dead_status(site)[1], "", "")

    def identify(self, url: str) -> Truth | None:
        """The truth about any URL, or nothing if it leads to no page."""
        host, target = self.split(url)
        if host and host.prefix and target == ("/", ()):
            return self._front(host)
        found = self.find(host, target) if host else None
        if host is None:
            return None
        if found is None:
            return self._gone(host, target) if host.role == "main" and target in dead(self.site(host.site)) else None
        family = next(
            (family for known, family in self.site(host.site).urls(found[0]) if host.prefix + str(known) == str(target)), ""
        )
        return self.truth(host, found[0], target, family)

    def split(self, url: str) -> tuple[Host | None, Address]:
        """The host and the address of a URL."""
        name, slash, rest = url.partition("://")[2].partition("/")
        return self.census.by_name.get(name.partition(":")[0].lower()), address(slash + rest or "/")

    # answers

    def answer(self, url: str) -> Answer:
        """What the server says to a request for this URL."""
        host, target = self.split(url)
        if host is None:
            return Answer(404, b"<html><title>404</title><p>No such host</p></html>\n")
        site = self.site(host.site)
        file = self._file(site, host, target)
        if file is not None:
            return Answer(file.status, file.body, file.location, file.kind)
        if host.forward:
            return Answer(301, b"", f"http://{site.card.hosts[0].name}{target}")
        found = self.find(host, target)
        if found is None:
            return self.missing(host, target)
        node, redirect = found
        if redirect:
            return Answer(301, b"", f"http://{host.name}{host.prefix}{site.plain(node)}")
        return Answer(200, self.render(host, node), kind=LATIN if site.latin and not self._bare(site, node) else HTML)

    def _file(self, site: Site, host: Host, target: Address) -> File | None:
        """What is served beside pages: robots.txt, sitemaps, the endless calendar."""
        if target.path in ("/robots.txt", "/robots2.txt"):
            return robots(site, host) if target.path == "/robots.txt" else File(200, b"User-agent: *\nDisallow: /print/\n")
        if target.path.startswith("/sitemap"):
            return sitemap(site, host, target.path)
        if site.calendar and target.path.startswith(f"{host.prefix}/calendar/"):
            when = month(target.path[len(host.prefix) :])
            return File(200, calendar(site, host.prefix, *when), HTML) if when else None
        return None

    def _bare(self, site: Site, node: Node) -> bool:
        """Whether the page stands without the site's frame, in the same bytes on other sites."""
        return node.role == "default" or raw_of(site, node) is not None

    def render(self, host: Host, node: Node) -> bytes:
        """The bytes of a page."""
        owner = host if host.own or host.role == "state" else self.census.cards[host.site].hosts[0]
        made = self._renderer(owner.name).html(node)
        if host.own and not host.prefix:
            made = made.replace(self.site(host.site).brand, host.name.partition(".")[0].title())
        site = self.site(host.site)
        if site.latin and not self._bare(site, node):
            return made.replace('charset="utf-8"', 'charset="iso-8859-1"', 1).encode("latin-1", "xmlcharrefreplace")
        return made.encode()

    def missing(self, host: Host, target: Address) -> Answer:
        """The answer where no page is."""
        if host.prefix and target == ("/", ()):
            home = f'<html><title>{host.name}</title><p><a href="{host.prefix}/">{host.prefix}</a></p></html>\n'
            return Answer(200, home.encode())
        site = self.site(host.site)
        words = "Page not found" if site.language == "en" else "Página não encontrada"
        body = f'<html><title>{words}</title><body><h1>{words}</h1><p><a href="/">{site.brand}</a></p></body></html>\n'.encode()
        return Answer(dead_status(site)[0] if target in dead(site) else 200 if site.soft_404 else 404, body)


def kind_of(site: Site, node: Node) -> str:
    """What part a page plays, in the words of the entity-sites collection where it has one."""
    entity = site.section_entities[site.section_of(node)] if node.role in ("item", "list") else ""
    if entity:
        return ("index_" if node.role == "list" else "entity_") + ("re" if entity == "re" else "other")
    if node.role == "home" and site.hidden:
        return kind_of_hiding(site)
    if node.role == "home":
        return "gateway" if site.states and not node.other else "home"
    return {"item": "article", "info": "institutional", "list": "listing"}.get(node.role, node.role)


__all__ = ["SLOT", "Answer", "Truth", "World"]
