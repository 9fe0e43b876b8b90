"""The plan of a site: its sections and pages, its software, what is odd about it.

A plan is drawn from the site's `Card` alone and holds no page. `nodes` are its pages. How they are called and found again is in
`sites`.
"""

from collections.abc import Iterator
from functools import cached_property

from garimpo.webgen.language.chance import Dice, number, pick, share, shuffled, some
from garimpo.webgen.language.text import voice
from garimpo.webgen.language.words import RESERVED, plain_word
from garimpo.webgen.world import families as fam
from garimpo.webgen.world.entities import GATES, INFO_WORDS, Wording, entity_sections, wording
from garimpo.webgen.world.hosts import Card, Census
from garimpo.webgen.world.schemes import SLUG_WORDS, Address, Node, Scheme, Software

URLS_PER_PAGE = 1.8
DEFAULTS = 4
"""How many pages came with the software where they were left in place."""
TRAPS = ("param", "case", "slash", "index")
LANGUAGE_FOLDERS = ("pt", "es", "fr", "de", "it", "en2")
SUBDOMAIN_STYLES = ("wordy", "ided", "plain")
LANGUAGE_STYLES = "wordy ided plain deep flat"
TRANSLATED = 0.4


class Plan:
    """What a site consists of."""

    def __init__(self, census: Census, card: Card, software: list[Software]) -> None:
        self.census, self.card, self.seed = census, card, census.seed
        self.index, self.language = card.index, card.language
        settings = census.settings
        dice = Dice(self.seed, "plan", card.index)
        self.states = [host for host in card.hosts if host.role == "state"]
        self.subdomains = [host for host in card.hosts if host.role == "subdomain"]
        fit = [each for each in software if each.style in SUBDOMAIN_STYLES] if self.subdomains else software
        self.software = fit[min(dice.below(len(fit)), dice.below(len(fit)))]
        self.style = self.software.style
        self.brand = card.domain.partition(".")[0].replace("-", " ").title()
        pages = max(6, round(card.size / URLS_PER_PAGE))
        section_words, self.section_topics, self.section_entities = self._sections(dice, pages)
        count = len(self.section_topics)
        self.per_page = dice.one((8, 10, 12, 15, 20))
        infos = INFO_WORDS[self.language]
        self.infos = some(infos, max(2, min(len(infos), pages // 6)), self.seed, "infos", card.index)
        self.gates = [0, 1] if card.archetype == "A2" else []
        self.infos = [*(GATES[self.language] if self.gates else ()), *self.infos]
        self.items = max(count * 2, round((pages - len(self.infos) - 1 - count) / (1 + 0.7 / self.per_page)))
        words = self._words()
        names = [host.name.partition(".")[0] for host in self.subdomains]
        names += section_words or words[: count * 2]
        self.section_names = self._section_names(names, words, count)
        self.scheme = Scheme(self.seed, card.index, self.software, self.section_names, words, self.infos)
        self.trap = pick(TRAPS, self.seed, "trap", card.index) if dice.chance(settings.traps) else ""
        self.families = self._families(dice)
        self.trap_name = self._trap_name()
        multilingual = self.style in LANGUAGE_STYLES.split() and not card.archetype and dice.chance(0.12)
        self.folder = dice.one(LANGUAGE_FOLDERS) if multilingual else ""
        self.dust_rate = min(1.0, settings.dust * dice.one((0.4, 0.8, 1.2, 1.5)))
        self.calendar = not settings.static and not card.archetype and dice.chance(0.08)
        self.latin = self.language == "pt" and dice.chance(0.12)
        self.redirects = self.software.has_id and dice.chance(0.15)
        self.dynamic = not settings.static and dice.chance(settings.dynamic)
        self.canonical = dice.one(("", "", "", "self", "self", "self", "home" if dice.chance(0.1) else "self"))
        self.prints = card.kind in ("news", "manual", "blog") and dice.chance(0.25)
        self.soft_404 = dice.chance(0.1)
        self._known: dict[Node, list[tuple[Address, str]]] = {}
        self.defaults = dice.chance(0.35)

    def _sections(self, dice: Dice, pages: int) -> tuple[list[str], list[str], list[str]]:
        """Name (if it is given), topic and entity of each section; a section without entities has an empty one."""
        card = self.card
        if card.archetype and card.archetype not in ("N2", "N3", "N4"):
            return entity_sections(card, dice, self.census.settings)
        count = max(1, min(8, pages // 12))
        if card.kind == "portal":
            topics = [self._any_topic(dice) for _ in range(max(3, count))]
        else:
            topics = [card.topic if dice.chance(0.88) or not turn else self.census.neighbour(card.topic) for turn in range(count)]
        return [], topics, [""] * len(topics)

    def wording(self, entity: str) -> Wording:
        """How this site speaks of an entity."""
        return wording(self.census.settings.speech, self.seed, self.index, self.language, entity)

    def _any_topic(self, dice: Dice) -> str:
        at, shares = dice.roll() * 100.0, self.census.shares
        for topic, part in shares.items():
            at -= part
            if at < 0:
                return topic
        return self.card.topic

    def _words(self) -> list[str]:
        """The words of this site's slugs: the topic's own, in ASCII, and made ones to fill up."""
        own = [plain_word(noun) for noun in dict.fromkeys(voice(self.seed, self.card.topic, self.language).bags["w"])]
        words = list(
            dict.fromkeys(word for word in shuffled(own, self.seed, "slug", self.index) if len(word) > 2 and word not in RESERVED)
        )
        turn = 0
        while len(words) < SLUG_WORDS:
            made = plain_word(self.census.seed, self.index, turn)
            turn += 1
            if made not in words and made not in RESERVED:
                words.append(made)
        return words[:SLUG_WORDS]

    def _section_names(self, names: list[str], words: list[str], count: int) -> list[str]:
        chosen: list[str] = []
        for name in [*names, *words]:
            if name not in chosen and name not in self.infos and len(chosen) < count:
                chosen.append(name)
        return chosen

    def _families(self, dice: Dice) -> list[fam.Family]:
        """Some families come with the software, under the same names on every host that runs it; others are the site's own."""
        fitting = [family for family in fam.fitting(self.style) if fam.CLASH.get(family.name) != (self.trap or "-")]
        shared = some(fam.fitting(self.style), 2, self.seed, "software families", self.software.index)
        own = some(fitting, dice.between(0, 2), self.seed, "own families", self.index)
        made = {family.name: family(self.seed, "software", self.software.index) for family in shared if family in fitting}
        for family in own:
            made.setdefault(family.name, family(self.seed, "site", self.index))
        return sorted(made.values(), key=lambda family: (family.rank, family.name))

    def _trap_name(self) -> str:
        """A parameter that matters here, from the same names that count for nothing on other hosts."""
        ignored = {name for family in self.families for name in getattr(family, "parameters", ())}
        names = [name for name in fam.TRACKING_NAMES + fam.SHOWING_NAMES if name not in ignored]
        return pick(names, self.seed, "trap name", self.index)

    @property
    def hidden(self) -> bool:
        """Whether the listings are behind a form or a script, so that no link leads to them."""
        return self.card.archetype == "A5"

    @cached_property
    def extension(self) -> str:
        """The ending of this site's files."""
        return {"wordy": ".html", "flat": ".htm", "scripts": ".asp", "deep": ".aspx", "query": ".php"}.get(self.style, "\0")

    @cached_property
    def parameter_order(self) -> list[str]:
        names = dict(self.software.names)
        return [names["act"], names["cat"], names["idn"], names["page"]]

    # pages

    def section_of(self, node: Node) -> int:
        """The section of an item or listing; 0 for other pages."""
        if node.role == "list":
            return node.number
        return node.number * len(self.section_topics) // self.items if node.role in ("item", "print") else 0

    def items_in(self, section: int, state: int = -1) -> range:
        """The items of a section; of classifieds behind state pages, those of one state."""
        count = len(self.section_topics)
        first, last = -(-section * self.items // count), -(-(section + 1) * self.items // count)
        if state < 0:
            return range(first, last)
        return range(first + (state - first) % len(self.states), last, len(self.states))

    def pages_in(self, section: int, state: int = -1) -> int:
        """How many pages the listing of a section has."""
        return max(1, -(-len(self.items_in(section, state)) // self.per_page))

    def nodes(self, state: int = -1) -> Iterator[Node]:
        """All pages that links lead to: of the site, or of one state's host."""
        behind = bool(self.states)
        mark = f"s:{state}" if state >= 0 else ""
        yield Node("home", other=mark)
        if state < 0:
            for info in range(len(self.infos)):
                yield Node("info", info)
        if self.hidden or (behind and state < 0):
            return
        for section in range(len(self.section_topics)):
            for page in range(1, self.pages_in(section, state) + 1):
                yield Node("list", section, page, mark)
        if self.defaults and state < 0:
            yield from (Node("default", number) for number in range(DEFAULTS))
        for item in range(self.items):
            if state >= 0 and item % len(self.states) != state:
                continue
            yield Node("item", item)
            yield from self.lookalikes(item)
            if self.is_translated(item):
                yield Node("item", item, other=f"l:{self.folder}")
            if self.has_print(item):
                yield Node("print", item)

    def lookalikes(self, item: int) -> list[Node]:
        """Other pages whose URLs look like this item's."""
        if not self.trap or share(self.seed, "lookalike", self.index, item) > 0.3:
            return []
        values = some(fam.VALUES, 2, self.seed, "lookalike", self.index, item) if self.trap == "param" else ["x"]
        nodes = [Node("item", item, other=f"t:{value}") for value in values]
        return [node for node in nodes if self.can_disguise(item)]

    def can_disguise(self, item: int) -> bool:
        """Whether the item's address has a look-alike of this site's kind."""
        raise NotImplementedError

    def is_translated(self, item: int) -> bool:
        return bool(self.folder) and share(self.seed, "translated", self.index, item) < TRANSLATED

    def has_print(self, item: int) -> bool:
        return self.prints and share(self.seed, "print", self.index, item) < 0.5

    def draw(self, *what: object) -> int:
        """64 bits drawn for something on this site."""
        return number(self.seed, "on site", self.index, *what)
