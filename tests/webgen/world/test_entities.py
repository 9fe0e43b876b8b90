"""What sites list, in words that the seed draws."""

from garimpo.webgen import World, settings_for
from garimpo.webgen.language import things_en, things_pt
from garimpo.webgen.language.chance import Dice
from garimpo.webgen.world.entities import COSTS, PRICES, headline, near_miss, wording


def spoken(speech: int, seed: int, entity: str = "re") -> set[str]:
    """The kinds of thing that the sites of a world name."""
    return {kind for site in range(40) for kind in wording(speech, seed, site, "pt", entity).kinds}


def test_two_worlds_share_few_words_and_a_world_of_the_same_speech_all() -> None:
    pairs = [(spoken(seed, seed), spoken(seed + 1, seed + 1)) for seed in range(0, 20, 2)]
    shared = [len(one & other) / len(one) for one, other in pairs]
    assert sum(shared) / len(shared) < 0.45
    assert spoken(3, 3) == spoken(3, 77)


def test_sites_of_a_world_differ_in_words_and_habits() -> None:
    sites = [wording(5, 5, site, "en", "cars") for site in range(30)]
    assert len({tuple(sorted(site.kinds)) for site in sites}) > 10
    assert len({site.title for site in sites}) > 3 and len({site.price for site in sites}) > 3


def test_books_have_the_same_entities_in_both_languages() -> None:
    assert things_en.THINGS.keys() == things_pt.THINGS.keys() and things_en.MISSES.keys() == things_pt.MISSES.keys()
    for book in (things_en, things_pt):
        for parts in book.THINGS.values():
            assert all(len(set(words)) == len(words) >= 12 for words in (part.split(",") for part in parts))
    assert COSTS.keys() | {"recipes"} == things_en.THINGS.keys() and PRICES.keys() == {"en", "pt"}


def test_near_misses_use_the_words_of_the_entity() -> None:
    say = wording(1, 1, 2, "pt", "re")
    missed, offered = near_miss(Dice(1, "x"), say, 1).lower(), headline(Dice(1, "x"), say, 1).lower()
    for text in (missed, offered):
        assert any(kind in text for kind in say.kinds)
    assert missed != offered


def test_a_world_can_speak_the_words_of_another() -> None:
    size = {"profile": "small", "hosts": 60, "urls": 1_200, "entities": 0.6, "stored": False}
    other = World(settings_for(seed=9, words=4, **size))
    languages = {card.language for card in other.census.cards if card.archetype}
    own = World(settings_for(seed=4, **size))
    assert languages == {card.language for card in own.census.cards if card.archetype}
