"""Who is on this Web: every site with its kind, topic, language and size, and every host name with its address.

The census is drawn site by site until the hosts are used up. A site has a main host; it may also answer under ``www.`` or
another server name (the same site: `alias` hosts), on hosts of its sections (`subdomain`) or states (`state`), and others may
have copied it (`mirror` hosts, see `mirrors`). Only these few fields stay in memory for every site, so that a world of fifty
thousand hosts can be asked for any page without storing one.
"""

from dataclasses import dataclass, field

from garimpo.webgen.language import names
from garimpo.webgen.language.chance import Dice, number, pick, shuffled
from garimpo.webgen.language.text import TOPICS
from garimpo.webgen.settings import Settings

SHARES = (15.0, 13.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.5, 4.0, 3.0, 2.0, 1.0, 1.0, 0.5)
"""Per cent of the pages that each topic has; which topic has which is drawn."""
ARCHETYPES = (
    ("A1",) * 50
    + ("A2",) * 20
    + ("A3",) * 15
    + ("A4",) * 10
    + ("A5",) * 5
    + ("N1",) * 35
    + ("N2",) * 20
    + ("N3",) * 30
    + ("N4",) * 15
)
"""The detector's two hundred sites of the entity collection, by archetype."""
SUFFIXES = {"en": ("com", "com", "org", "net", "co.uk", "info"), "pt": ("com.br", "com.br", "org.br", "net.br", "com", "pt")}
BRANDS = {"en": ("homes", "realty", "estates"), "pt": ("imoveis", "imobiliaria", "corretora")}
"""What some agencies have in their names."""
CAUSES = ("balance", "franchise", "migration", "malicious", "suffix", "partial")
TEMPLATES = ("{a}{b}", "{a}-{b}", "{b}{a}", "{a}", "{b}-online", "portal{a}", "{a}{b}s")


@dataclass(slots=True)
class Host:
    """One host name. `prefix` is where a mirror hangs the tree; `own` marks copies whose bytes differ from the original's;
    `forward` marks an alias that only redirects to the main host."""

    name: str
    address: str
    site: int
    role: str = "main"
    cause: str = ""
    prefix: str = ""
    part: float = 1.0
    own: bool = False
    section: int = -1
    forward: bool = False


@dataclass(slots=True)
class Card:
    """What is known of a site before it is looked at closely."""

    index: int
    kind: str
    topic: str
    language: str
    size: float
    domain: str
    archetype: str = ""
    hosts: list[Host] = field(default_factory=list)


class Census:
    """All sites and hosts of a world.

    >>> from garimpo.webgen.settings import settings_for
    >>> census = Census(settings_for("small", seed=1))
    >>> len(census.hosts), census.hosts[0].role
    (60, 'main')
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, self.seed = settings, settings.seed
        self.shares = dict(zip(shuffled(TOPICS, self.seed, "shares"), SHARES))
        self.ring = shuffled(TOPICS, self.seed, "ring")
        self.cards: list[Card] = []
        self.hosts: list[Host] = []
        self.by_name: dict[str, Host] = {}
        self._made = dict.fromkeys(TOPICS, 0.0)
        rarest = sorted(TOPICS, key=lambda topic: self.shares[topic])
        self._firsts = {3 + 2 * turn: topic for turn, topic in enumerate(rarest) if 3 + 2 * turn < settings.hosts // 2}
        self._languages = pick((("pt",), ("en",), ("pt", "en")), settings.speech, "languages of entity sites")
        while len(self.hosts) < settings.hosts:
            self._add_site(len(self.cards))
        total = sum(card.size * len(card.hosts) for card in self.cards)
        for card in self.cards:
            card.size *= settings.urls / total
        self.by_topic: dict[tuple[str, str], list[Card]] = {}
        for card in self.cards:
            self.by_topic.setdefault((card.topic, card.language), []).append(card)
            self.by_topic.setdefault((card.topic, ""), []).append(card)
        self.islands = sorted(TOPICS, key=lambda topic: (self.shares[topic], topic))[:2]
        self.adopted = self._adopt()

    def _adopt(self) -> dict[int, list[Host]]:
        """Every host is linked from the home page or the links of an older site, so that the first leads to all.

        An island is never linked from its own topic, only from the topic that stands before it in the ring.
        """
        adopted: dict[int, list[Host]] = {}
        older: dict[str, list[int]] = {topic: [] for topic in TOPICS}
        elders: list[int] = []
        for card in self.cards:
            wanted = self.neighbour(card.topic, -1) if card.topic in self.islands else card.topic
            for host in card.hosts:
                draw = number(self.seed, "adopt", host.name)
                near = older[wanted]
                choice = (
                    near
                    if near and draw % 100 < 75
                    else [at for at in elders[-40:] if self.cards[at].topic != card.topic] or elders
                )
                if choice:
                    adopted.setdefault(choice[(draw >> 8) % len(choice)], []).append(host)
            if card.kind != "entity":
                older[card.topic].append(card.index)
                elders.append(card.index)
        return adopted

    def _add_site(self, index: int) -> None:
        dice = Dice(self.seed, "site", index)
        kind, archetype = self._kind(dice) if index not in self._firsts else (dice.one(("blog", "club", "news")), "")
        language = dice.one(self._languages if kind == "entity" else ("pt",) * 9 + ("en",) * 11)
        size = max(0.08, min(12.0, dice.lognormal(0.7, 1.2)))
        if kind == "entity":
            size = max(0.12, min(0.8, size)) if archetype != "N4" else 0.05
        topic = {"entity": "housing", "lyrics": "music"}.get(kind) or self._scarcest()
        if archetype in ("N1", "N3"):
            topic = self._scarcest()
        if index in self._firsts:
            topic = self._firsts[index]
            size = min(size, max(0.15, self.shares[topic] / 100.0 * self.settings.hosts * 0.8))
        self._made[topic] += size
        card = Card(index, kind, topic, language, size, "", archetype)
        card.domain = self._domain(dice, card)
        self.cards.append(card)
        self._add_hosts(dice, card)

    def _kind(self, dice: Dice) -> tuple[str, str]:
        roll = dice.roll()
        if not self.cards:
            return "portal", ""
        if roll < self.settings.entities:
            return "entity", dice.one(ARCHETYPES)
        if roll < self.settings.entities + 0.03:
            return "lyrics", ""
        if roll < self.settings.entities + 0.07:
            return "catalogue", ""
        return dice.one(("news", "news", "blog", "blog", "manual", "club", "club", "portal", "forum")), ""

    def _scarcest(self) -> str:
        total = sum(self._made.values()) + 1.0
        return max(TOPICS, key=lambda topic: (self.shares[topic] / 100.0 - self._made[topic] / total, topic))

    def _domain(self, dice: Dice, card: Card) -> str:
        first = names.word(self.seed, "brand", card.index)
        second = names.word(self.seed, "brand2", card.index % 400)
        if card.archetype in ("A1", "A2", "A5") and dice.chance(0.5):
            second = dice.one(BRANDS[card.language])
        stem = dice.one(TEMPLATES).format(a=first, b=second)
        suffix = dice.one(SUFFIXES[card.language])
        if self.cards and not card.archetype and dice.chance(0.04):
            return self._squatted(dice, card)
        if f"{stem}.{suffix}" in self.by_name or f"www.{stem}.{suffix}" in self.by_name:
            stem += str(card.index)
        return f"{stem}.{suffix}"

    def _squatted(self, dice: Dice, card: Card) -> str:
        """A domain that looks like another site's and has nothing to do with it."""
        stem, _, suffix = dice.one(self.cards).domain.partition(".")
        ends = [end for end in ("biz", "net", "org", "info", "co", "tv") if end != suffix and f"{stem}.{end}" not in self.by_name]
        return f"{stem}.{dice.one(ends)}" if ends else f"{stem}{card.index}.{suffix}"

    def _add_hosts(self, dice: Dice, card: Card) -> None:
        main = Host(self._main_name(dice, card), self._address(card.index), card.index)
        self._enter(card, main)
        if card.archetype == "A3":
            for state in dice.one((("pe", "sp"), ("rj",), ("ba", "mg", "rs"))):
                self._enter(card, Host(f"{state}.{card.domain}", main.address, card.index, "state"))
            return
        if dice.chance(self.settings.aliases):
            self._enter(card, self._twin(main, card, dice))
        if card.kind in ("news", "portal", "manual", "club") and dice.chance(0.05):
            self._enter(card, Host("", main.address, card.index, "subdomain", section=0))
        if card.kind != "lyrics" and dice.chance(self.settings.mirrors):
            self._add_mirrors(dice, card, main)

    def _main_name(self, dice: Dice, card: Card) -> str:
        """With or without www; seldom the other half of an older site's name, which is another site and no alias."""
        if self.cards[:-1] and not card.archetype and dice.chance(0.02):
            other = self.cards[dice.below(len(self.cards) - 1)]
            name = other.hosts[0].name
            twin = name.removeprefix("www.") if name.startswith("www.") else f"www.{name}"
            if twin not in self.by_name and not other.archetype:
                card.domain = other.domain
                return twin
        name = ("www." if dice.chance(0.6) else "") + card.domain
        return name if name not in self.by_name else f"{card.index}.{card.domain}"

    def _twin(self, main: Host, card: Card, dice: Dice) -> Host:
        if dice.chance(0.65):
            bare = main.name.removeprefix("www.")
            name = bare if main.name != bare else "www." + bare
            return Host(name, main.address, card.index, "alias", "www", forward=dice.chance(0.25))
        label = dice.one(("web", "srv", "www2", "home", "site", "public"))
        return Host(f"{label}.{card.domain}", main.address, card.index, "alias", "alias")

    def _add_mirrors(self, dice: Dice, card: Card, main: Host) -> None:
        cause = dice.one(CAUSES)
        count = {"balance": dice.between(1, 3), "malicious": dice.between(1, 3)}.get(cause, 1)
        for turn in range(count):
            self._enter(card, self._mirror(dice, card, main, cause, turn))

    def _mirror(self, dice: Dice, card: Card, main: Host, cause: str, turn: int) -> Host:
        stem, _, suffix = card.domain.partition(".")
        other = names.word(self.seed, "mirror", card.index, turn, syllables=3)
        network = main.address.rsplit(".", 1)[0]
        part = (0.45, 0.7, 0.9, 1.0)[dice.below(4)]
        at = self._address(("mirror", card.index, turn))
        if cause == "balance":
            return Host(f"www{turn + 1}.{card.domain}", f"{network}.{dice.between(2, 250)}", card.index, "mirror", cause)
        if cause == "franchise":
            return Host(
                f"{stem}-{dice.one(('sul', 'norte', 'city', 'group', 'centro'))}.{suffix}",
                at,
                card.index,
                "mirror",
                cause,
                part=part,
                own=True,
            )
        if cause == "migration":
            provider = names.word(self.seed, "provider", number(self.seed, card.index) % 12)
            prefix = dice.one(("", "", "/" + stem, "/site"))
            return Host(f"{stem}.{provider}.com", at, card.index, "mirror", cause, prefix, part=max(part, 0.7), own=bool(prefix))
        if cause == "suffix":
            ends = [end for end in ("net", "info", "org", "biz", "net.br") if end != suffix]
            return Host(
                f"{'www.' if main.name.startswith('www.') else ''}{stem}.{dice.one(ends)}", at, card.index, "mirror", cause
            )
        if cause == "partial":
            return Host(
                f"{other}.org",
                at,
                card.index,
                "mirror",
                cause,
                prefix=dice.one(("/mirror", "/pub/" + stem, "/copia")),
                part=part,
                own=True,
                section=0,
            )
        return Host(f"{other}.{dice.one(SUFFIXES[card.language])}", at, card.index, "mirror", cause, part=part)

    def _address(self, what: object) -> str:
        """A third of the sites share a few addresses of large hosting companies; the rest have their own."""
        bits = number(self.seed, "address", what)
        if bits % 3 == 0:
            crowd = max(2, self.settings.hosts // 60)
            place = min((bits >> 8) % crowd, (bits >> 24) % crowd)
            return f"127.{200 + place % 50}.{place // 50 % 250}.{1 + place // 12_500}"
        return f"127.{1 + (bits >> 8) % 180}.{(bits >> 16) % 250}.{2 + (bits >> 24) % 250}"

    def _enter(self, card: Card, host: Host) -> None:
        if host.role == "subdomain":
            host.name = f"{names.word(self.seed, 'subdomain', card.index)}.{card.domain}"
        if host.name in self.by_name or len(self.hosts) >= self.settings.hosts:
            return
        self.by_name[host.name] = host
        self.hosts.append(host)
        card.hosts.append(host)

    def neighbour(self, topic: str, step: int = 1) -> str:
        """The topic that stands `step` places further in this world's ring of related topics."""
        return self.ring[(self.ring.index(topic) + step) % len(self.ring)]

    def card_for(self, topic: str, language: str, *what: object) -> Card:
        """A site of the topic, popular ones more often; any site if there is none."""
        cards = self.by_topic.get((topic, language)) or self.by_topic.get((topic, "")) or self.cards
        draw = number(self.seed, "popular", *what)
        return cards[min(draw % len(cards), (draw >> 20) % len(cards))]

    def any_card(self, *what: object) -> Card:
        return pick(self.cards, self.seed, "any", *what)
