"""Text that reads like the Web: sentences of a topic, in English or Portuguese, drawn with Zipf's unevenness.

A `Voice` is one topic in one language as one world speaks it: of the words written for the topic it knows three quarters, it
adds terms of its own, and it makes phrases of them, few of them frequent and most of them rare. A story is a list of
paragraphs, each a list of sentences; a page prints it, and an edited copy changes some of its sentences.
"""

from collections.abc import Sequence
from functools import lru_cache

from garimpo.webgen.language import names, vocabulary_en, vocabulary_pt
from garimpo.webgen.language.chance import Dice, number, shuffled

TOPICS = tuple(vocabulary_en.TOPICS)
BAG = 8192

Story = list[list[str]]


class Voice:
    """One topic in one language, as the world of this seed speaks it."""

    def __init__(self, seed: int, topic: str, language: str) -> None:
        self.topic, self.language = topic, language
        dice = Dice(seed, "voice", topic, language)
        book = vocabulary_en if language == "en" else vocabulary_pt
        nouns_text, adjectives, verbs, places = book.TOPICS[topic]
        nouns = nouns_text.split("," if language == "pt" else " ")
        own = [self._coined(seed, index) for index in range(18)]
        nouns = _kept(nouns, 0.75, seed, topic, language) + own
        adjective_list = _kept(adjectives.split(), 0.8, seed, topic, "a") + book.GENERAL_ADJECTIVES
        verb_list = _kept(verbs.split(), 0.8, seed, topic, "v") + book.GENERAL_VERBS
        place_list = places.split("|") + book.LINKING
        self.nouns = zipf(nouns)
        self.bags = {
            "n": zipf([self._phrase(dice, nouns, book.GENERAL_NOUNS, adjective_list) for _ in range(1500)]),
            "v": zipf(_mixed(verb_list, dice, 60)),
            "a": zipf(adjective_list),
            "p": zipf([self._place(dice, place_list, nouns, book.GENERAL_NOUNS, adjective_list) for _ in range(700)]),
            "l": zipf(shuffled(book.LINKING, seed, topic, "l")),
            "x": zipf([names.person(seed, number(seed, topic, index) % 4000) for index in range(120)]),
            "w": zipf([self._bare(noun) for noun in shuffled(nouns, seed, topic, "w")]),
        }
        self.shapes = zipf([_compiled(shape) for shape in shuffled(book.SHAPES, seed, topic, "shapes")], 3.0)

    def _coined(self, seed: int, index: int) -> str:
        made = names.word(seed, self.topic, self.language, index, syllables=2)
        return made if self.language == "en" else f"{'oa'[index % 2]} {made}"

    def _bare(self, noun: str) -> str:
        return noun if self.language == "en" else noun.split(" ", 1)[1]

    def _phrase(self, dice: Dice, nouns: Sequence[str], general: Sequence[str], adjectives: Sequence[str]) -> str:
        noun = nouns[int(len(nouns) * dice.roll() ** 1.5)] if dice.chance(0.5) else dice.one(general)
        if self.language == "en":
            determiner = dice.one(vocabulary_en.DETERMINERS)
            described = f"{dice.one(adjectives)} {noun}" if dice.chance(0.4) else noun
            if determiner == "a" and described[0] in "aeiou":
                determiner = "an"
            return f"{determiner} {described}" + (f" of the {dice.one(nouns)}" if dice.chance(0.15) else "")
        phrase = f"{noun} {dice.one(adjectives)}" if dice.chance(0.4) else noun
        return phrase + (f" com {dice.one(nouns)}" if dice.chance(0.15) else "")

    def _place(
        self, dice: Dice, places: Sequence[str], nouns: Sequence[str], general: Sequence[str], adjectives: Sequence[str]
    ) -> str:
        if dice.chance(0.35):
            return dice.one(places)
        words = ("for", "near", "with", "after", "without") if self.language == "en" else ("para", "sobre", "com", "entre", "sem")
        return f"{dice.one(words)} {self._phrase(dice, nouns, general, adjectives)}"

    def sentence(self, dice: Dice) -> str:
        """One sentence, with its capital letter and full stop."""
        roll, bags = dice.roll, self.bags
        parts = [
            part if bag is None else bags[bag][int(roll() * BAG)] for part, bag in self.shapes[int(roll() * len(self.shapes))]
        ]
        made = "".join(parts)
        return made[0].upper() + made[1:]

    def title(self, dice: Dice) -> str:
        """A headline: a few words about one thing."""
        subject, verb, thing = (self.bags[bag][int(dice.roll() * BAG)] for bag in "nvn")
        place = self.bags["p"][int(dice.roll() * BAG)]
        made = dice.one((f"{subject} {verb} {thing}", f"{subject} {place}", f"{subject}: {thing}"))
        return made[0].upper() + made[1:]

    def noun(self, dice: Dice) -> str:
        """One noun without its article."""
        return self.bags["w"][int(dice.roll() * BAG)]


def _kept(words: Sequence[str], part: float, seed: int, *what: object) -> list[str]:
    return shuffled(words, seed, "kept", *what)[: max(4, int(len(words) * part))]


def _mixed(words: Sequence[str], dice: Dice, count: int) -> list[str]:
    return [dice.one(words) for _ in range(count)]


def _compiled(shape: str) -> tuple[tuple[str, str | None], ...]:
    parts: list[tuple[str, str | None]] = []
    for piece in shape.split("{"):
        slot, closed, literal = piece.partition("}")
        if closed:
            parts.append(("", slot))
        text = literal if closed else piece
        if text:
            parts.append((text, None))
    return tuple(parts)


def zipf(options: Sequence, shift: float = 12.0) -> list:  # type: ignore[type-arg]
    """A bag of `BAG` places in which the k-th option stands in proportion to 1 / (k + shift).

    >>> bag = zipf(["often", "seldom"], 1.0); len(bag), bag.count("often") > bag.count("seldom")
    (8192, True)
    """
    weights = [1.0 / (rank + shift) for rank in range(len(options))]
    total, filled = sum(weights), 0.0
    bag: list[object] = []
    for option, weight in zip(options, weights):
        filled += weight / total * BAG
        bag.extend([option] * (round(filled) - len(bag)))
    return bag


@lru_cache(maxsize=64)
def voice(seed: int, topic: str, language: str) -> Voice:
    """The voice of a topic, made once."""
    return Voice(seed, topic, language)


def story(dice: Dice, main: Voice, other: Voice, sentences: int) -> Story:
    """Paragraphs of `sentences` sentences in all; on some pages few, on others nearly half have strayed from another topic."""
    made: Story = []
    strayed = 0.05 + 0.4 * dice.roll() ** 2
    while sentences > 0:
        count = min(sentences, dice.between(3, 6))
        made.append([(other if dice.roll() < strayed else main).sentence(dice) for _ in range(count)])
        sentences -= count
    return made


def edited(text: Story, dice: Dice, main: Voice, part: float) -> Story:
    """The story with about `part` of its sentences replaced by others (always at least one)."""
    places = [(i, j) for i, paragraph in enumerate(text) for j in range(len(paragraph))]
    chosen = {dice.one(places) for _ in range(max(1, int(len(places) * part)))}
    return [
        [main.sentence(dice) if (i, j) in chosen else old for j, old in enumerate(paragraph)] for i, paragraph in enumerate(text)
    ]


def reordered(text: Story, dice: Dice) -> Story:
    """The same paragraphs in another order."""
    keyed = sorted((dice.roll(), index) for index in range(len(text)))
    return [text[index] for _, index in keyed]
