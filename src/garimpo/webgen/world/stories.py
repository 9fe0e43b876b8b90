"""What a page says and which other pages say nearly the same.

An item's text is its own, or an edited copy of an earlier item of its site, or a wire story that several sites print. Two
pages are near-duplicates (`near` is equal) when they tell the same story: an edited, re-ordered, re-framed or printed version,
a syndicated copy, a mirror's copy. Pages with the same `content` are the same bytes.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from garimpo.webgen.language.chance import Dice, identity, share
from garimpo.webgen.language.text import Story, Voice, edited, reordered, story, voice
from garimpo.webgen.world.entities import headline, near_miss
from garimpo.webgen.world.schemes import Node
from garimpo.webgen.world.sites import Site

EDITS = ("edit", "edit", "reorder", "frame", "excerpt")
SONGS, PRODUCTS = 307, 401
"""How many songs and products the world's archives and shops share, for each language and topic."""


class Work(NamedTuple):
    """A song or product that several sites have; `raw` ones are the same bytes everywhere."""

    kind: str
    topic: str
    language: str
    number: int
    raw: bool


def work(site: Site, item: int) -> Work | None:
    """The shared work that an item of a lyrics archive or a shop shows, if it does."""
    kind = site.card.kind
    if kind not in ("lyrics", "catalogue"):
        return None
    pool = SONGS if kind == "lyrics" else PRODUCTS
    part, raw_part = (0.6, 1.0) if kind == "lyrics" else (0.9, 0.15)
    roll = share(site.seed, "work", site.index, item)
    if item >= pool or roll >= part:
        return None
    topic = site.section_topics[site.section_of(Node("item", item))]
    chosen = ((1 + site.draw("step") % (pool - 1)) * item + site.draw("first")) % pool
    return Work(kind, topic, site.language, chosen, roll < part * raw_part)


@dataclass(slots=True)
class Telling:
    """The text of one page, its title, and the name of the story it tells."""

    title: str
    text: Story
    near: int
    edit: str = ""


def original(site: Site, item: int) -> tuple[int, str]:
    """The item that this one was copied from and how it was changed; the item itself and nothing if it is its own."""
    if item == 0 or not _copied(site, item):
        return item, ""
    back = 1 + site.draw("copied from", item) % min(item, 12)
    base = item - back
    if (
        _copied(site, base)
        or wire(site, base) is not None
        or site.section_of(Node("item", base)) != site.section_of(Node("item", item))
    ):
        return item, ""
    return base, EDITS[site.draw("edit", item) % len(EDITS)]


def _copied(site: Site, item: int) -> bool:
    entity = site.section_entities[site.section_of(Node("item", item))]
    rate = 0.0 if entity or site.card.kind in ("lyrics", "catalogue") else site.census.settings.near
    return wire(site, item) is None and share(site.seed, "copied", site.index, item) < rate


def wire(site: Site, item: int) -> int | None:
    """The number of the wire story that an item prints, if it does."""
    rate = {"news": 1.0, "portal": 0.6, "blog": 0.3}.get(site.card.kind, 0.0) * site.census.settings.syndicated
    if rate == 0.0 or share(site.seed, "wire", site.index, item) >= rate:
        return None
    topic = site.section_topics[site.section_of(Node("item", item))]
    settings, shares = site.census.settings, site.census.shares
    stories = max(3, int(settings.urls * shares[topic] * settings.syndicated / 4_500))
    return site.draw("story", item) % stories


def _shown(site: Site, node: Node) -> Work | None:
    return None if node.other else work(site, node.number)


def raw_of(site: Site, node: Node) -> Work | None:
    """The work that a page shows without any frame, so that it is the same bytes on every site."""
    shown = _shown(site, node) if node.role == "item" else None
    return shown if shown is not None and shown.raw else None


def _frame(site: Site, node: Node) -> tuple[str, str, int | None, int, str]:
    """Topic, language, wire story, item copied from, and kind of edit of an item."""
    topic, language = site.section_topics[site.section_of(node)], site.language
    if node.other.startswith("l:"):
        language = "pt" if language == "en" else "en"
    number = wire(site, node.number) if not node.other else None
    base, edit = (node.number, "") if node.other or number is not None else original(site, node.number)
    return topic, language, number, base, edit


@lru_cache(maxsize=65_536)
def _title(seed: int, topic: str, language: str, *what: object) -> str:
    return voice(seed, topic, language).title(Dice(seed, "title", *what))


def title_of(site: Site, node: Node) -> str:
    """The headline of an item."""
    section = site.section_of(node)
    if site.section_entities[section]:
        dice = Dice(site.seed, "headline", site.index, node.number, node.other)
        return headline(dice, site.wording(site.section_entities[section]), site.seed)
    shown = _shown(site, node)
    if shown is not None:
        return _title(site.seed, shown.topic, shown.language, shown.kind, shown.number)
    topic, language, number, base, _ = _frame(site, node)
    if number is not None:
        return _title(site.seed, topic, language, "wire", number)
    if site.card.archetype == "N2":
        return near_miss(Dice(site.seed, "miss", site.index, base, node.other), site.wording("re"), site.seed)
    return _title(site.seed, topic, language, site.index, base, node.other)


def short_title(site: Site, node: Node) -> str:
    """The first words of the headline, as lists of related pages show it."""
    return " ".join(title_of(site, node).split(" ", 4)[:4]).rstrip(":,")


def near_of(site: Site, node: Node) -> int:
    """The name of the story that an item tells."""
    shown = _shown(site, node)
    if shown is not None:
        return identity(site.seed, *shown[:4])
    topic, language, number, base, edit = _frame(site, node)
    if edit == "excerpt":
        base = node.number
    if number is not None:
        return identity(site.seed, "wire", topic, language, number)
    return identity(site.seed, "near", site.index, base, node.other)


def tell(site: Site, node: Node) -> Telling:
    """The text of an item, or of its printed, translated or look-alike version."""
    topic, language, number, base, edit = _frame(site, node)
    main = voice(site.seed, topic, language)
    shown = _shown(site, node)
    if shown is not None:
        dice = Dice(site.seed, "work", *shown[:4])
        return Telling(title_of(site, node), story(dice, main, main, dice.between(40, 60)), near_of(site, node))
    if number is not None:
        dice = Dice(site.seed, "wire story", topic, language, number)
        text = story(dice, main, voice(site.seed, site.census.neighbour(topic), language), dice.between(50, 75))
        return Telling(title_of(site, node), text, near_of(site, node))
    strayed = voice(site.seed, site.census.neighbour(topic, 1 + base % 3), language)
    dice = Dice(site.seed, "story", site.index, base, node.other)
    text = story(dice, main, strayed, max(24, min(80, int(dice.lognormal(38, 0.4)))))
    if site.card.archetype == "N2":
        words = site.wording("re")
        text = [[*said, f"{near_miss(dice, words, site.seed)}."] for said in text]
    if edit:
        change = Dice(site.seed, "change", site.index, node.number)
        text = _changed(text, edit, change, main, strayed)
    return Telling(title_of(site, node), text, near_of(site, node), edit)


def _changed(text: Story, edit: str, dice: Dice, main: Voice, strayed: Voice) -> Story:
    """The text as the copy has it; an excerpt keeps half of it and goes on in its own words, and is no near-duplicate."""
    if edit == "reorder":
        return reordered(text, dice)
    if edit == "excerpt":
        return [*text[: len(text) // 2], *story(dice, main, strayed, 3 + 2 * len(text))]
    return edited(text, dice, main, 0.04 if edit == "edit" else 0.0)
