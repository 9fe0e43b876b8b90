"""Pages as HTML: a site's own frame (menu, crumbs, footer, counters) around what the page says.

Every site draws a template: which tags and class names stand where, what the footer says, in which order the blocks come. What
changes with every request (a counter, a token) stands in one place of fixed width, `SLOT`, which the server fills.
"""

from html import escape

from garimpo.webgen.language import names
from garimpo.webgen.language.chance import Dice, pick
from garimpo.webgen.language.text import voice
from garimpo.webgen.world.entities import Wording, headline, near_miss, price
from garimpo.webgen.world.links import SLOT, Anchor, Linker, SiteBook
from garimpo.webgen.world.plans import DEFAULTS
from garimpo.webgen.world.schemes import Node
from garimpo.webgen.world.sites import Site
from garimpo.webgen.world.stories import raw_of, tell, title_of

FOOT = {
    "en": ("All rights reserved", "Visitors since", "Last update", "Contact us", "comments"),
    "pt": ("Todos os direitos reservados", "Visitas desde", "Última atualização", "Fale conosco", "comentários"),
}


TODAY = {"en": "Today", "pt": "Hoje"}
SEE = {"en": "See more", "pt": "Ver mais"}
HIDDEN = {
    "form_only": '<form action="/busca"><input name="bairro"><select name="tipo"><option>casa</option></select>'
    "<button>Buscar</button></form>",
    "js_only": '<div id="lista"></div><script>fetch("/busca.json").then(r => r.json()).then(show)</script>',
}


def kind_of_hiding(site: Site) -> str:
    """What stands between a home page and listings that no link leads to."""
    return ("form_only", "js_only")[site.index % 2]


class Frame:
    """The template of one site."""

    def __init__(self, site: Site) -> None:
        dice = Dice(site.seed, "frame", site.index)
        self.site = site
        self.block = dice.one(("div", "section", "div", "table"))
        self.classes = [names.word(site.seed, "class", site.index, turn) for turn in range(6)]
        self.menu_tag = dice.one(("ul", "div", "nav"))
        self.menu_first = dice.chance(0.7)
        town, state = names.town(site.seed, dice.below(60)), dice.one(names.STATES)
        rights, since, update, contact, _ = FOOT[site.language]
        place = (
            f"{town} - {state} {names.phone(dice, state)}"
            if site.language == "pt"
            else f"{town}, {dice.between(10, 900)} {names.town(site.seed, dice.below(90))} street"
        )
        slogan = voice(site.seed, site.card.topic, site.language).sentence(dice)
        self.footer = f"{rights} {site.brand} {dice.between(2005, 2020)}. {contact}: {place}. {slogan}"
        self.dated = f"{update}: {dice.between(1, 28):02d}/{dice.between(1, 12):02d}/{dice.between(2012, 2020)}"
        self.since = f"{since} {dice.between(1998, 2015)}"

    def page(self, title: str, head: str, menu: list[Anchor], main: str, sides: list[str]) -> str:
        """The whole document."""
        kind = self.classes
        items = "".join(f"<li>{link(each)}</li>" if self.menu_tag == "ul" else link(each) + " " for each in menu)
        bar = f'<{self.menu_tag} class="{kind[0]}">{items}</{self.menu_tag}>'
        body = f'<div class="{kind[1]}">\n{main}\n</div>'
        side = "\n".join(sides)
        counter = f'<p class="{kind[4]}">{self.since}: <span>{SLOT}</span></p>' if self.site.dynamic else ""
        order = (bar, body, side) if self.menu_first else (body, side, bar)
        inner = "\n".join(order)
        return (
            f'<!DOCTYPE html>\n<html lang="{self.site.language}">\n'
            f'<head><meta charset="utf-8"><title>{escape(title)} | {self.site.brand}</title>\n{head}</head>\n'
            f'<body>\n<h2 class="{kind[5]}">{self.site.brand}</h2>\n{inner}\n'
            f'<div class="{kind[3]}"><p>{self.footer}</p><p>{self.dated}</p>{counter}</div>\n</body></html>\n'
        )


def link(anchor: Anchor) -> str:
    """A link as HTML."""
    return f'<a href="{escape(anchor.href)}">{escape(anchor.text)}</a>'


def links(anchors: list[Anchor], heading: str) -> str:
    """A headed list of links, or nothing."""
    if not anchors:
        return ""
    return f"<h4>{heading}</h4><ul>" + "".join(f"<li>{link(each)}</li>" for each in anchors) + "</ul>"


def plain_list(items: list[str]) -> str:
    """A list without links, or nothing."""
    return f"<ul>{''.join(f'<li>{escape(item)}</li>' for item in items)}</ul>" if items else ""


def paragraphs(text: list[list[str]]) -> str:
    return "\n".join(f"<p>{escape(' '.join(sentences), quote=False)}</p>" for sentences in text)


class Renderer:
    """Writes any page of one site as it stands on one of its hosts."""

    def __init__(self, site: Site, linker: Linker, sites: SiteBook) -> None:
        self.site, self.linker, self.sites = site, linker, sites
        self.frame = Frame(site)
        self.menu = linker.menu()

    def html(self, node: Node) -> str:
        """The page."""
        if node.role == "default":
            return self._default(node)
        if node.role in ("item", "print"):
            return self._item(node)
        if node.role == "list":
            return self._list(node)
        return self._info(node) if node.role == "info" else self._home(node)

    def _head(self, node: Node) -> str:
        canonical = self.site.canonical
        if not canonical or (node.role == "home" and canonical == "home"):
            return ""
        target = self.site.plain(
            Node("home") if canonical == "home" else Node("item", node.number) if node.role == "print" else node
        )
        base = "" if any(host.role == "mirror" for host in self.site.card.hosts) else f"http://{self._right_host(node)}"
        return f'<link rel="canonical" href="{escape(base + self.linker.host.prefix + str(target))}">\n'

    def _right_host(self, node: Node) -> str:
        return self.linker.host.name if self.linker.host.role == "state" else self.site.card.hosts[0].name

    def _outside(self, node: Node) -> str:
        anchors = self.linker.oddities(node) + self.linker.outside(node, self.sites)
        return links(anchors, self.linker.words["about" if node.role == "item" else "links"])

    def _item(self, node: Node) -> str:
        site, linker = self.site, self.linker
        section = site.section_of(node)
        if site.section_entities[section]:
            return self._entity(node, section)
        told = tell(site, node)
        if raw_of(site, node) is not None:
            return f"<html><head><title>{escape(told.title)}</title></head><body>{paragraphs(told.text)}</body></html>\n"
        main = f"<h1>{escape(told.title)}</h1>\n{self._byline(node)}{paragraphs(told.text)}"
        if node.role == "print":
            head = f"<head><title>{escape(told.title)}</title>\n{self._head(node)}</head>"
            back = link(linker.versions(node)[0])
            return f'<html lang="{site.language}">{head}<body>{main}<p>{back}</p></body></html>\n'
        crumbs = linker.crumbs(node)
        sides = [
            links(linker.related(node), linker.words["related"]),
            links(linker.versions(node), linker.words["version"]),
            self._outside(node),
        ]
        if told.edit == "frame":
            sides.append(
                f"<div>{voice(site.seed, site.card.topic, site.language).sentence(Dice(site.seed, 'side', node.number))}</div>"
            )
        return self.frame.page(
            told.title, self._head(node), self.menu, f"<p>{' &gt; '.join(map(link, crumbs))}</p>\n{main}", sides
        )

    def _byline(self, node: Node) -> str:
        dice = Dice(self.site.seed, "byline", self.site.index, node.number)
        comments = FOOT[self.site.language][4]
        who, day = names.person(self.site.seed, dice.below(4000)), f"{dice.between(1, 28)}/{dice.between(1, 12)}"
        return f"<p>{who}, {day}/{dice.between(2008, 2020)}, {dice.below(60)} {comments}</p>\n"

    def _entity(self, node: Node, section: int) -> str:
        site, linker = self.site, self.linker
        words = site.wording(site.section_entities[section])
        dice = Dice(site.seed, "entity", site.index, node.number, node.other)
        title = title_of(site, node)
        say = voice(site.seed, site.section_topics[section], site.language).sentence
        text = [[say(dice) for _ in range(3)] for _ in range(dice.between(4, 8))]
        photo = f'<img src="/img/{node.number}.jpg">'
        facts = plain_list([f"{dice.between(1, 9)} {fact}" for fact in words.features if dice.chance(0.6)])
        main = f"<h1>{escape(title)}</h1>{photo}<p><b>{price(dice, words)}</b></p>\n{facts}{paragraphs(text)}"
        sides = [
            links(linker.related(node), linker.words["related"]),
            links(linker.versions(node), linker.words["version"]),
            self._outside(node),
        ]
        return self.frame.page(title, self._head(node), self.menu, main, sides)

    def _cards(self, items: list[int], section: int) -> str:
        site, linker = self.site, self.linker
        entity = site.section_entities[section]
        made = []
        for item in items:
            node = Node("item", item)
            title = title_of(site, node)
            anchor = linker.to(node, title, site.draw("listed as", item) % 4 // 3)
            made.append(f"<li>{self._card(anchor, item, site.wording(entity)) if entity else link(anchor)}</li>")
        return "<ul>" + "\n".join(made) + "</ul>"

    def _card(self, anchor: Anchor, item: int, words: Wording) -> str:
        """One entity of a listing, linked by its title, by all that is said of it, or by its picture only."""
        site = self.site
        dice = Dice(site.seed, "card", site.index, item)
        shown = dice.chance(words.priced)
        cost = price(Dice(site.seed, "entity", site.index, item, ""), words) if shown else ""
        picture = f'<img src="/img/{item}.jpg">'
        if words.card == "picture":
            return f'<a href="{escape(anchor.href)}">{picture}</a> {escape(anchor.text)} <b>{cost}</b>'
        if words.card == "all":
            when = f"{TODAY[site.language]} {dice.between(7, 22)}:{dice.between(10, 59)}"
            return picture + link(Anchor(anchor.href, f"{anchor.text} {cost} {when}"))
        if words.card == "row":
            facts = ", ".join(f"{dice.between(1, 9)} {dice.one(words.features)}" for _ in range(2))
            more = link(Anchor(anchor.href, SEE[site.language]))
            return f"{picture}<h3>{escape(anchor.text)}</h3> {escape(facts)} <i>{cost}</i> {more}"
        return f"{picture if words.card == 'title' else ''}{link(anchor)} <b>{cost}</b>"

    def _list(self, node: Node) -> str:
        site, linker = self.site, self.linker
        name = site.section_names[node.number].capitalize()
        dice = Dice(site.seed, "list", site.index, *node)
        intro = voice(site.seed, site.section_topics[node.number], site.language).sentence(dice)
        main = f"<h1>{name} {node.page}</h1><p>{escape(intro)}</p>{self._cards(linker.listing(node), node.number)}"
        return self.frame.page(
            f"{name} {node.page}",
            self._head(node),
            self.menu,
            main,
            [links(linker.pages(node), linker.words["next"]), self._outside(node)],
        )

    def _info(self, node: Node) -> str:
        site = self.site
        dice = Dice(site.seed, "info", site.index, node.number)
        say = voice(site.seed, site.card.topic, site.language)
        text = [[say.sentence(dice) for _ in range(4)] for _ in range(dice.between(4, 7))]
        name = site.infos[node.number].replace("-", " ").capitalize()
        gate = links(self.linker.sections(), name) if node.number in site.gates else ""
        if site.card.archetype in ("A1", "A2", "N2"):
            words = site.wording("re")
            said = (near_miss if site.card.archetype == "N2" else headline)(dice, words, site.seed)
            text[0].append(f"{said}: {price(dice, words)}.")
        main = f"<h1>{name}</h1>{gate}{paragraphs(text)}"
        return self.frame.page(name, self._head(node), self.menu, main, [self._outside(node)])

    def _default(self, node: Node) -> str:
        """A page of the software: the same on every host that runs it."""
        software = self.site.software
        dice = Dice(self.site.seed, "default", software.index, node.number)
        say = voice(self.site.seed, "computing", "en")
        text = [[say.sentence(dice) for _ in range(5)] for _ in range(4)]
        further = Node("default", (node.number + 1) % DEFAULTS)
        name = f"{software.style.capitalize()} {software.index} manual, part {node.number}"
        after = f'<a href="{escape(str(self.site.plain(further)))}">next part</a>'
        return f"<html><head><title>{name}</title></head><body><h1>{name}</h1>{paragraphs(text)}<p>{after}</p></body></html>\n"

    def _home(self, node: Node) -> str:
        site = self.site
        dice = Dice(site.seed, "home", site.index, node.other)
        main = [f"<h1>{site.brand}</h1>"]
        if site.states and not node.other:
            gates = [Anchor(f"http://{host.name}/", host.name[:2].upper()) for host in site.states]
            main.append(links(gates, "Estados"))
        elif site.hidden:
            main.append(HIDDEN[kind_of_hiding(site)])
        say = voice(site.seed, site.card.topic, site.language)
        main.append(paragraphs([[say.sentence(dice) for _ in range(3)] for _ in range(3)]))
        if not site.states and self._shows_items(dice):
            shown = sorted({dice.below(site.items) for _ in range(8)})
            main.append(self._cards([item for item in shown if site.section_of(Node("item", item)) == 0], 0))
        return self.frame.page(site.brand, self._head(node), self.menu, "\n".join(main), [self._outside(node)])

    def _shows_items(self, dice: Dice) -> bool:
        archetype = self.site.card.archetype
        return (
            pick((True, False), self.site.seed, "featured", self.site.index)
            if archetype in ("A1", "N1", "N2")
            else archetype not in ("A2", "A5")
        )
