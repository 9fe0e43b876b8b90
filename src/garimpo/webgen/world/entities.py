"""Sites that list things: what their sections are called, what a card of their listing says, and what looks like it and is none.

Archetypes are those of the detector's collection: A1 small agency, A2 portal, A3 classifieds behind state pages, A4 real estate
beside other goods, A5 listings behind a form or script only; N1 other goods (a furniture shop among them), N2 near misses that
speak of real estate, with its words and prices, but list none (news of the market, a notary, a magazine about homes), N3 no
entities, N4 tiny.

A world speaks a third of the words there are for an entity, and a site about half of those, in an order of words, a currency
and a kind of card of its own: two worlds share few words, and two sites of a world not all.
"""

from dataclasses import dataclass
from functools import lru_cache

from garimpo.webgen.language import names, things_en, things_pt
from garimpo.webgen.language.chance import Dice, some
from garimpo.webgen.language.words import RESERVED
from garimpo.webgen.settings import Settings
from garimpo.webgen.world.hosts import Card

OTHERS = ("cars", "jobs", "goods", "recipes", "furniture")
GATES = {"en": ("buy", "rent"), "pt": ("comprar", "alugar")}
"""The pages between a portal's home and its listings."""
INFO_WORDS = {
    "en": "about contact privacy terms help team press faq partners sitemap-page history jobs".split(),
    "pt": "quem-somos contato privacidade termos ajuda equipe imprensa faq anuncie mapa-do-site cadastro login".split(),
}
TOPIC_OF = {
    "re": "housing", "cars": "motoring", "jobs": "education", "recipes": "cooking", "goods": "computing", "furniture": "housing",
}  # fmt: skip
WORLD, SITE = 3, 2
"""A world speaks one word in so many of an entity, a site one in so many of its world's, ..."""
FEW = 4
"""... but never fewer than these."""
MIXED = 3
"""Classifieds list real estate and so many other entities, not the same everywhere."""
TITLES = (
    "{kind} {number} {feature} {deal} {place}",
    "{deal} {kind}, {number} {feature}, {place}",
    "{kind} {deal}: {number} {feature}, {second}",
    "{place}: {kind} {second}, {number} {feature}",
    "{kind} {maker}, {second}, {deal}",
    "{maker} {kind} {number} {feature}",
)
CARDS = ("title", "title", "all", "picture", "row", "bare")
PRICES = {
    "pt": ("R$ {dots},00", "R$ {dots}", "R${plain}", "{dots} reais", "BRL {dots}", "{thousands} mil", "a partir de R$ {dots}"),
    "en": ("${commas}", "£{commas}", "{commas} USD", "EUR {commas}", "€ {dots}", "{thousands}k", "from ${commas}"),
}
COSTS = {
    "re": (40, 2500, 1000), "cars": (6, 180, 1000), "jobs": (9, 120, 100), "goods": (3, 80, 100), "furniture": (2, 90, 100),
}  # fmt: skip


@dataclass(frozen=True)
class Wording:
    """How one site speaks of an entity."""

    entity: str
    kinds: list[str]
    features: list[str]
    deals: list[str]
    sections: list[str]
    title: str
    card: str
    price: str
    priced: float
    misses: tuple[str, ...]


@lru_cache(maxsize=4096)
def wording(speech: int, seed: int, site: int, language: str, entity: str) -> Wording:
    """The words and habits of a site for an entity; `speech` is the seed of the words of its world.

    >>> wording(1, 1, 2, "pt", "re").kinds == wording(1, 1, 2, "pt", "re").kinds
    True
    """
    book = things_en if language == "en" else things_pt
    spoken: list[list[str]] = []
    for place, part in enumerate(book.THINGS[entity]):
        known = part.split(",")
        of_world = some(known, max(FEW, len(known) // WORLD), speech, "spoken", language, entity, place)
        spoken.append(some(of_world, max(FEW, len(of_world) // SITE), seed, "on site", site, entity, place))
    dice = Dice(seed, "wording", site, entity)
    misses = book.MISSES[dice.one(sorted(book.MISSES))]
    price = "" if entity == "recipes" else dice.one(PRICES[language])
    kinds, features, deals, sections = spoken
    habits = dice.one(TITLES), dice.one(CARDS), price, dice.one((0.5, 0.8, 0.95))
    return Wording(entity, kinds, features, deals, sections, *habits, misses)


def entity_sections(card: Card, dice: Dice, settings: Settings) -> tuple[list[str], list[str], list[str]]:
    """Name, topic and entity of each section of an entity site."""
    entities = _listed(card.archetype, dice)
    sections: list[str] = []
    for entity in entities:
        named = wording(settings.speech, settings.seed, card.index, card.language, entity).sections
        every = (things_en if card.language == "en" else things_pt).THINGS[entity][3].split(",")
        kept = (*INFO_WORDS[card.language], *GATES[card.language], *RESERVED)
        sections.append(next(name for name in [*named, *every] if name not in sections and name not in kept))
    return sections, [TOPIC_OF[entity] for entity in entities], entities


def _listed(archetype: str, dice: Dice) -> list[str]:
    """What a site lists, section by section."""
    if archetype in ("A1", "A2", "A5"):
        return ["re"] * {"A1": dice.between(2, 3), "A2": dice.between(3, 5), "A5": 1}[archetype]
    if archetype == "N1":
        return [dice.one(OTHERS) for _ in range(dice.between(2, 3))]
    others = [name for _, name in sorted((dice.roll(), name) for name in OTHERS)]
    return [name for _, name in sorted((dice.roll(), name) for name in ("re", *others[:MIXED]))]


def headline(dice: Dice, say: Wording, seed: int) -> str:
    """The title of one entity, as its card and its page say it.

    >>> say = wording(1, 1, 2, "pt", "jobs")
    >>> headline(Dice(1, "x"), say, 1) == headline(Dice(1, "x"), say, 1)
    True
    """
    place = f"{names.town(seed, dice.below(60))} - {dice.one(names.STATES)}"
    made = say.title.format(kind=dice.one(say.kinds), number=dice.between(1, 9), feature=dice.one(say.features), place=place,
                            second=dice.one(say.features), deal=dice.one(say.deals),
                            maker=names.word(seed, "maker", dice.below(80)).capitalize())  # fmt: skip
    return made[0].upper() + made[1:]


def near_miss(dice: Dice, say: Wording, seed: int) -> str:
    """A headline that speaks of the entity and offers none."""
    costs = [price(dice, say) for _ in range(2)]
    made = dice.one(say.misses).format(kind=dice.one(say.kinds), feature=dice.one(say.features), deal=dice.one(say.deals),
                                       town=names.town(seed, dice.below(60)), price=costs[0], more=costs[1])  # fmt: skip
    return made[0].upper() + made[1:]


def price(dice: Dice, say: Wording) -> str:
    """What it costs, as the site writes it; recipes cost nothing."""
    if not say.price:
        return ""
    low, high, step = COSTS[say.entity]
    amount = dice.between(low, high) * step
    dots = f"{amount:,}".replace(",", ".")
    return say.price.format(dots=dots, commas=f"{amount:,}", plain=amount, thousands=f"{amount / 1000:g}")
