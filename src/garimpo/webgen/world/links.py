"""Which pages a page links to, and with which words.

Inside a site: the menu, the crumbs, the listing's items and further pages, and for an item its neighbours and related items.
Related items are those at fixed distances drawn for the site, and the k-th of them is linked under its k-th URL, so every URL
of every page is linked from somewhere. Outside: mostly sites of the same topic, then of the next one, then any; sites of the
island topics are linked only from the topic before theirs.
"""

from typing import NamedTuple

from garimpo.webgen.language.chance import Dice, share
from garimpo.webgen.world.families import Session
from garimpo.webgen.world.hosts import Card, Host
from garimpo.webgen.world.schemes import Address, Node
from garimpo.webgen.world.sites import MOST_URLS, Site
from garimpo.webgen.world.stories import short_title, title_of
from garimpo.webgen.world.traps import dead

SLOT = "0000000000000000"
"""The place on a page that the server fills anew for every request."""
WORDS = {
    "en": {"home": "Home", "next": "Next page", "print": "Print version", "related": "Related", "links": "Friends and links",
           "translation": "Other language", "version": "Other version", "about": "See also"},
    "pt": {"home": "Início", "next": "Próxima página", "print": "Versão para impressão", "related": "Relacionados",
           "links": "Amigos e links", "translation": "Outro idioma", "version": "Outra versão", "about": "Veja também"},
}  # fmt: skip


class Anchor(NamedTuple):
    """A link on a page."""

    href: str
    text: str


class Linker:
    """Writes the links of one site as they stand on one of its hosts."""

    def __init__(self, site: Site, host: Host) -> None:
        self.site, self.host = site, host
        self.words = WORDS[site.language]
        self._base = f"http://{site.card.hosts[0].name}" if site.subdomains and host.role != "mirror" else ""

    def href(self, address: Address) -> str:
        """An address as this host's pages write it."""
        return f"{self._base}{self.host.prefix}{address}"

    def to(self, node: Node, text: str, turn: int = 0) -> Anchor:
        """A link to a page of the site, under the turn-th of its URLs."""
        urls = self.site.urls(node)
        return Anchor(self.href(urls[turn % len(urls)][0]), text)

    def menu(self) -> list[Anchor]:
        """Home, the sections and the single pages."""
        site = self.site
        made = [self.to(Node("home"), self.words["home"])]
        if not (site.hidden or site.gates) and (not site.states or self.host.role == "state"):
            made += [self.to(Node("list", number), name.capitalize()) for number, name in enumerate(site.section_names)]
        if self.host.role != "state":
            made += [self.to(Node("info", number), name.replace("-", " ").capitalize()) for number, name in enumerate(site.infos)]
        return made

    def sections(self) -> list[Anchor]:
        """The listings, where the menu does not lead to them."""
        return [self.to(Node("list", number), name.capitalize()) for number, name in enumerate(self.site.section_names)]

    def oddities(self, node: Node) -> list[Anchor]:
        """What a home page links to besides: the software's own pages, a calendar, itself with a fresh session."""
        site, made = self.site, []
        if node.role == "home" and not node.other:
            if site.defaults and not self.host.prefix:
                made.append(self.to(Node("default"), "Powered by " + site.software.style.capitalize()))
            if site.calendar:
                made.append(Anchor(f"{self._base}{self.host.prefix}/calendar/2015/01/", "Agenda"))
            for family in site.families:
                if site.dynamic and isinstance(family, Session) and family.form == "param":
                    made.append(Anchor(f"{self._base}{self.host.prefix}/?{family.parameter}={SLOT}", self.words["home"]))
        if node.role == "item" and node.number % 17 == 3 and self.host.role != "state":
            gone = dead(site)
            made += [Anchor(self.href(gone[node.number % len(gone)]), self.words["version"])] if gone else []
        return made

    def listing(self, node: Node) -> list[int]:
        """The items that one page of a listing shows."""
        state = int(node.other[2:]) if node.other.startswith("s:") else -1
        items = self.site.items_in(node.number, state)
        return list(items[(node.page - 1) * self.site.per_page : node.page * self.site.per_page])

    def pages(self, node: Node) -> list[Anchor]:
        """The other pages of a listing."""
        state = int(node.other[2:]) if node.other.startswith("s:") else -1
        last = self.site.pages_in(node.number, state)
        near = [page for page in range(max(1, node.page - 2), min(last, node.page + 3) + 1) if page != node.page]
        made = [self.to(node._replace(page=page), str(page), node.page) for page in near]
        if node.page < last:
            made.append(self.to(node._replace(page=node.page + 1), self.words["next"]))
        return made

    def related(self, node: Node) -> list[Anchor]:
        """Items at the site's distances, each under another of its URLs."""
        site, made = self.site, []
        dice = Dice(site.seed, "related", site.index, node.number)
        for turn in range(MOST_URLS):
            step = 1 + site.draw("distance", turn) % max(1, min(40, site.items - 1))
            target = Node("item", (node.number + step) % site.items)
            if not self.here(target) or target.number == node.number:
                continue
            known = len(site.urls(target))
            if turn < known if known > 1 else dice.chance(0.2):
                made.append(self.to(target, short_title(site, target), turn))
        return made

    def crumbs(self, node: Node) -> list[Anchor]:
        """Home, the section and a single page, each under another URL on every item."""
        site = self.site
        section = Node("list", site.section_of(node), other=f"s:{site.states.index(self.host)}" if site.states else "")
        made = [self.to(Node("home"), self.words["home"], node.number)]
        made.append(self.to(section, site.section_names[section.number].capitalize(), node.number))
        if not site.states:
            info = node.number % len(site.infos)
            made.append(self.to(Node("info", info), site.infos[info].capitalize(), node.number // len(site.infos)))
        return made

    def versions(self, node: Node) -> list[Anchor]:
        """The printed and translated versions of an item and the pages that look like it."""
        site, item = self.site, node.number
        if node.other or node.role == "print":
            return [self.to(Node("item", item), title_of(site, Node("item", item)))]
        made = [self.to(other, self.words["version"]) for other in site.lookalikes(item)]
        if site.is_translated(item):
            made.append(self.to(Node("item", item, other=f"l:{site.folder}"), self.words["translation"]))
        if site.has_print(item):
            made.append(self.to(Node("print", item), self.words["print"]))
        return made

    def here(self, node: Node) -> bool:
        """Whether a page is on this host at all, as far as the site's own structure says."""
        return self.host.role != "state" or node.number % len(self.site.states) == self.site.states.index(self.host)

    def outside(self, node: Node, sites: "SiteBook") -> list[Anchor]:
        """Links to other sites."""
        site = self.site
        dice = Dice(site.seed, "outside", site.index, *node)
        count = self._count(node, dice)
        topic = site.section_topics[site.section_of(node)]
        made = [self._one(dice, topic, sites) for _ in range(count)]
        adopted = site.census.adopted.get(site.index, []) if node.role in ("home", "info") and node.number == 0 else []
        on_home = node.role == "home"
        for place, host in enumerate(adopted):
            if (place % 2 == 0) == on_home:
                card = site.census.cards[host.site]
                made.append(Anchor(f"http://{host.name}{host.prefix}/", card.domain.partition(".")[0].capitalize()))
        return made

    def _count(self, node: Node, dice: Dice) -> int:
        if node.role == "home":
            return dice.between(2, 5)
        if node.role == "info":
            return dice.between(6, 14) if self.site.infos[node.number] in ("partners", "imprensa", "press", "ajuda") else 0
        return sum(dice.chance(0.25) for _ in range(3)) if node.role == "item" else 0

    def _one(self, dice: Dice, topic: str, sites: "SiteBook") -> Anchor:
        census, roll = self.site.census, dice.roll()
        wanted = topic if roll < 0.6 else census.neighbour(topic, 1 if roll < 0.8 else -1) if roll < 0.88 else ""
        if wanted in census.islands and topic == wanted:
            wanted = census.neighbour(topic, 2)
        if wanted:
            card = census.card_for(wanted, self.site.language if dice.chance(0.8) else "", dice.roll())
        else:
            card = census.any_card(dice.roll())
        if card.topic in census.islands and census.neighbour(topic) != card.topic:
            card = census.cards[0]
        return self._towards(dice, card, sites)

    def _towards(self, dice: Dice, card: Card, sites: "SiteBook") -> Anchor:
        host = card.hosts[0] if dice.chance(0.8) else dice.one(card.hosts)
        name = card.domain.partition(".")[0].capitalize()
        if host.role not in ("main", "alias") or host.prefix or dice.chance(0.6):
            return Anchor(f"http://{host.name}{host.prefix}/", name if dice.chance(0.6) else f"{card.topic.capitalize()} {name}")
        site = sites.site(card.index)
        item = Node("item", int(site.items * share(site.seed, "deep", dice.roll())))
        if site.states:
            return Anchor(f"http://{host.name}/", name)
        urls = site.urls(item)
        return Anchor(f"http://{host.name}{urls[dice.below(len(urls))][0]}", title_of(site, item))


class SiteBook:
    """Where a site is looked up by its number."""

    def site(self, index: int) -> Site:
        raise NotImplementedError
