"""What pages of the graph tables say: sentences of their topics, drawn from a stock of some thousands each."""

from functools import cached_property

import numpy as np

from garimpo.webgen.language.chance import Dice
from garimpo.webgen.language.text import voice
from garimpo.webgen.tables.draws import Ints, below, parts

SENTENCES = 5_000


class Said:
    """The stock of sentences of each topic.

    Args:
        seed: of the tables.
        topics: by number.
    """

    def __init__(self, seed: int, topics: list[str]) -> None:
        self.seed, self.topics = seed, topics

    @cached_property
    def stock(self) -> list[list[str]]:
        """By topic, `SENTENCES` each."""
        found = []
        for topic in self.topics:
            dice, speaker = Dice(self.seed, "graph sentences", topic), voice(self.seed, topic, "en")
            found.append([speaker.sentence(dice) for _ in range(SENTENCES)])
        return found

    @cached_property
    def _headings(self) -> list[list[str]]:
        return [[" ".join(sentence.split()[1:4]).rstrip(".,") for sentence in sentences] for sentences in self.stock]

    def headings(self, topic: int) -> list[str]:
        """Three words out of the middle of each sentence."""
        return self._headings[topic]

    def draw(self, topic_of: Ints, lengths: Ints, start: int, stray: float = 0.12) -> list[list[str]]:
        """The sentences of some pages, of which the first has number `start`; a part strays to other topics.

        Args:
            topic_of: the topic of each page; one without a stock has sentences of any topic.
            lengths: how many sentences each has.
            start: number of the first page.
            stray: the part.
        """
        total, known = int(lengths.sum()), len(self.topics)
        which = below(self.seed, f"sentences {start}", total, SENTENCES).tolist()
        topics = np.repeat(topic_of, lengths)
        strayed = (parts(self.seed, f"strayed {start}", total) < stray) | (topics >= known)
        numbers = np.where(strayed, below(self.seed, f"other {start}", total, known), topics).tolist()
        pages, at = [], 0
        for length in lengths.tolist():
            pages.append([self.stock[numbers[turn]][which[turn]] for turn in range(at, at + length)])
            at += length
        return pages
