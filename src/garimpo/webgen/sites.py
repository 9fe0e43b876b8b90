"""One site looked at closely: its sections and pages, the URLs of each page, and the page behind any URL.

A `Site` is drawn from its `Card` alone and holds no page. `nodes` are its pages; `urls` gives a page all its URLs (the plain
one first, each with the family that made it) and `find` is the inverse: it undoes the families and reads what is left. Every
URL that `urls` gives is found again as the same page, and an address that nobody made is found as none.
"""

from collections.abc import Iterator
from functools import cached_property

from garimpo.webgen import families as fam
from garimpo.webgen.chance import Dice, number, pick, share, shuffled, some
from garimpo.webgen.entities import ENTITY_SECTIONS, INFO_WORDS, entity_sections
from garimpo.webgen.hosts import Card, Census
from garimpo.webgen.schemes import SLUG_WORDS, Address, Node, Scheme, Software
from garimpo.webgen.text import voice
from garimpo.webgen.words import RESERVED, plain_word

URLS_PER_PAGE = 1.8
MOST_URLS = 10
TRAPS = ("param", "case", "slash", "index")
LANGUAGE_FOLDERS = ("pt", "es", "fr", "de", "it", "en2")
SUBDOMAIN_STYLES = ("wordy", "ided", "plain")
LANGUAGE_STYLES = "wordy ided plain deep flat"
TRANSLATED = 0.4


class Site:
    """The plan of one site."""

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
        self.section_topics, self.section_entities = self._sections(dice, pages)
        count = len(self.section_topics)
        self.per_page = dice.one((8, 10, 12, 15, 20))
        infos = INFO_WORDS[self.language]
        self.infos = some(infos, max(2, min(len(infos), pages // 6)), self.seed, "infos", card.index)
        self.items = max(count * 2, round((pages - len(self.infos) - 1 - count) / (1 + 0.7 / self.per_page)))
        words = self._words()
        names = [host.name.partition(".")[0] for host in self.subdomains]
        names += ENTITY_SECTIONS.get(card.archetype) or words[: count * 2]
        self.section_names = self._section_names(names, words, count)
        self.scheme = Scheme(self.seed, card.index, self.software, self.section_names, words, self.infos)
        self.trap = pick(TRAPS, self.seed, "trap", card.index) if dice.chance(settings.traps) else ""
        self.families = self._families(dice)
        self.trap_name = self._trap_name()
        multilingual = self.style in LANGUAGE_STYLES.split() and not card.archetype and dice.chance(0.12)
        self.folder = dice.one(LANGUAGE_FOLDERS) if multilingual else ""
        self.dust_rate = min(1.0, settings.dust * dice.one((0.4, 0.8, 1.2, 1.5)))
        self.redirects = self.software.has_id and dice.chance(0.15)
        self.dynamic = not settings.static and dice.chance(settings.dynamic)
        self.canonical = dice.one(("", "", "", "self", "self", "self", "home" if dice.chance(0.1) else "self"))
        self.prints = card.kind in ("news", "manual", "blog") and dice.chance(0.25)
        self.soft_404 = dice.chance(0.1)
        self.defaults = dice.chance(0.35)

    def _sections(self, dice: Dice, pages: int) -> tuple[list[str], list[str]]:
        """Topic and entity of each section; a section without entities has an empty one."""
        card = self.card
        if card.archetype and card.archetype not in ("N2", "N3", "N4"):
            return entity_sections(card, dice)
        count = max(1, min(8, pages // 12))
        if card.kind == "portal":
            topics = [self._any_topic(dice) for _ in range(max(3, count))]
        else:
            topics = [
                card.topic if dice.chance(0.88) or not turn else self.census.neighbour(card.topic) for turn in range(count)
            ]
        return topics, [""] * len(topics)

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
            dict.fromkeys(
                word for word in shuffled(own, self.seed, "slug", self.index) if len(word) > 2 and word not in RESERVED
            )
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
        if behind and state < 0:
            return
        for section in range(len(self.section_topics)):
            for page in range(1, self.pages_in(section, state) + 1):
                yield Node("list", section, page, mark)
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
        return [node for node in nodes if self._disguise(self.plain(Node("item", item)), node.other[2:]) is not None]

    def is_translated(self, item: int) -> bool:
        return bool(self.folder) and share(self.seed, "translated", self.index, item) < TRANSLATED

    def has_print(self, item: int) -> bool:
        return self.prints and share(self.seed, "print", self.index, item) < 0.5

    # URLs

    def plain(self, node: Node) -> Address:
        """The address that the site itself would call the right one."""
        base = self.scheme.write(node if node.role != "print" else Node("item", node.number), self.section_of(node))
        if node.role == "print":
            return base._replace(path="/print" + base.path)
        if node.other.startswith("l:"):
            return base._replace(path=f"/{node.other[2:]}{base.path}")
        if node.other.startswith("t:"):
            return self._disguise(base, node.other[2:]) or base
        return base

    def _disguise(self, base: Address, value: str) -> Address | None:
        if self.trap == "param":
            return base._replace(params=(*base.params, (self.trap_name, value)))
        if self.trap == "case":
            head, _, tail = base.path.rpartition("/")
            changed = f"{head}/{tail.capitalize()}" if tail else f"{head.title()}/"
            return base._replace(path=changed) if changed != base.path else None
        if self.trap == "slash" and "." not in base.path:
            return base._replace(path=base.path[:-1] if base.path.endswith("/") else base.path + "/")
        if self.trap == "index" and base.path.endswith("/"):
            return base._replace(path=base.path + "index.html")
        return None

    def urls(self, node: Node) -> list[tuple[Address, str]]:
        """The addresses of a page on its host, the plain one first, each with the family that made it."""
        plain = self.plain(node)
        if node.other[:2] in ("t:", "l:") or node.role == "print":
            return [(plain, "unique")]
        made = {plain: ""}
        if node.role == "item" and self.folder and not self.is_translated(node.number):
            made[plain._replace(path=f"/{self.folder}{plain.path}")] = "language_fallback"
        if node.role == "item" and self.redirects and share(self.seed, "go", self.index, node.number) < 0.3:
            made[Address(f"/go/{self.scheme.id_of(node.number)}")] = "redirect"
        if self.families and share(self.seed, "dust", self.index, *node) < self.dust_rate:
            self._vary(node, plain, made)
        first = "plain" if len(made) > 1 else "unique"
        return [(address, family or first) for address, family in made.items()]

    def _vary(self, node: Node, plain: Address, made: dict[Address, str]) -> None:
        dice = Dice(self.seed, "vary", self.index, *node)
        count = 1
        while count < MOST_URLS - 1 and dice.chance(0.4):
            count += 1
        for _ in range(count):
            chosen = [dice.one(self.families)]
            if len(self.families) > 1 and dice.chance(0.15):
                second = dice.one(self.families)
                chosen = [chosen[0]] if second.rank == chosen[0].rank else sorted([*chosen, second], key=lambda f: -f.rank)
            address: Address | None = plain
            for family in chosen:
                address = family.apply(self, node, address, dice) if address else None
            if address is not None:
                made.setdefault(address, "+".join(family.name for family in chosen))

    def find(self, target: Address, state: int = -1) -> tuple[Node, bool] | None:
        """The page at an address (on a state's host: of that state), and whether it redirects to the plain address."""
        if target.path.startswith("/go/") and self.redirects and not target.params:
            number = target.path[4:]
            item = self.scheme.item_of_id(number) if number.isdecimal() and len(number) < 12 else None
            found = Node("item", item) if item is not None and item < self.items else None
        else:
            found = self._find(target)
        found = None if found is None else self._here(found, state)
        return None if found is None else (found, target.path.startswith("/go/"))

    def _here(self, node: Node, state: int) -> Node | None:
        """The page as it stands on this host, if it is there: classifieds behind state pages keep theirs apart."""
        if not self.states:
            return node
        if state < 0:
            return node if node.role in ("home", "info") else None
        if node.role == "item":
            return node if node.number % len(self.states) == state else None
        if node.role == "list" and node.page <= self.pages_in(node.number, state):
            return node._replace(other=f"s:{state}")
        return node._replace(other=f"s:{state}") if node.role == "home" else None

    def _find(self, target: Address) -> Node | None:
        if target.path.startswith("/print/") and self.prints:
            item = self._exact(target._replace(path=target.path[6:]))
            return Node("print", item.number) if item and item.role == "item" and self.has_print(item.number) else None
        folder = f"/{self.folder}/"
        if self.folder and target.path.startswith(folder):
            item = self._exact(target._replace(path=target.path[len(folder) - 1 :]))
            if item is None or item.role != "item":
                return None
            return item._replace(other=f"l:{self.folder}") if self.is_translated(item.number) else item
        hidden = self._unmask(target)
        if hidden is not None:
            return hidden
        for family in self.families:
            target = family.undo(self, target)
        return self._exact(target)

    def _unmask(self, target: Address) -> Node | None:
        """The look-alike at this address, if it is one."""
        if not self.trap:
            return None
        value, base = "x", target
        if self.trap == "param":
            value = dict(target.params).get(self.trap_name, "")
            base = target._replace(params=tuple(pair for pair in target.params if pair[0] != self.trap_name))
        elif self.trap == "case":
            base = target._replace(path=target.path.lower())
        elif self.trap == "slash":
            base = target._replace(path=target.path[:-1] if target.path.endswith("/") else target.path + "/")
        else:
            base = target._replace(path=target.path.removesuffix("index.html"))
        item = self._exact(base)
        if item is None or item.role != "item":
            return None
        node = item._replace(other=f"t:{value}")
        return node if self._disguise(base, value) == target and node in self.lookalikes(item.number) else None

    def _exact(self, target: Address) -> Node | None:
        found = self.scheme.read(target)
        if found is None:
            return None
        node = found[0]
        if node.role == "item" and node.number >= self.items:
            return None
        if node.role == "list" and not (
            0 <= node.number < len(self.section_topics) and 1 <= node.page <= self.pages_in(node.number)
        ):
            return None
        return node if self.scheme.write(node, self.section_of(node)) == target else None

    def draw(self, *what: object) -> int:
        """64 bits drawn for something on this site."""
        return number(self.seed, "on site", self.index, *what)
