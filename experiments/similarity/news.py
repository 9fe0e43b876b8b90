"""A made corpus of news reuse that is not easy: agency texts, and newspaper articles wholly, partly or not derived from them.

Terms are numbers, the most frequent first. Stories belong to sagas (a trial that goes on for weeks): the stories of a saga share
most of their topic terms and a pool of background sentences that every text about it may repeat. A story adds topic terms and
facts of its own. Agency texts are subsets of facts and background; articles are sentences of one agency text, rewritten
at one of four levels, mixed with fresh ones. So a source has to be told from texts about the same affair.
"""

from dataclasses import dataclass

import numpy as np

LABELS = ("whole", "part", "none")
VOCABULARY, SAGAS, STORIES, TOPIC, DOMAIN = 20_000, 53, 265, 120, 150
STOP_WORDS = 100
REWRITING = (0.15, 0.4, 0.6, 0.8)
"""The share of words replaced at each level; a tenth is left out as well."""
FACTS, BACKGROUND = 25, 14
SHARED_TOPIC, FROM_BACKGROUND = 0.7, 0.4


@dataclass(frozen=True)
class News:
    """Token lists of the sources and the articles, and the story of each; `label` says how an article was made, `level`
    how much it was rewritten."""

    sources: list[np.ndarray]
    articles: list[np.ndarray]
    source_story: np.ndarray
    article_story: np.ndarray
    label: np.ndarray
    level: np.ndarray
    vocabulary: int = VOCABULARY

    @property
    def derived(self) -> np.ndarray:
        """The articles that have a source."""
        return np.flatnonzero(self.label < 2)

    @property
    def relevant(self) -> np.ndarray:
        """Which source (column) belongs to the story of which derived article (row)."""
        return self.article_story[self.derived][:, None] == self.source_story[None, :]


class Writer:
    """Draws sentences for one story."""

    def __init__(self, chance: np.random.Generator, limits: np.ndarray, domain: np.ndarray, saga: np.ndarray) -> None:
        self._chance, self._limits, self._domain = chance, limits, domain
        own = chance.choice(np.arange(300, VOCABULARY), TOPIC, replace=False)
        self._topic = np.where(chance.random(TOPIC) < SHARED_TOPIC, saga, own)
        weights = 1 / np.arange(1, TOPIC + 1) ** 0.8
        self._topic_limits = np.cumsum(weights / weights.sum())

    def sentence(self) -> np.ndarray:
        length = max(6, int(self._chance.poisson(20)))
        tokens = np.searchsorted(self._limits, self._chance.random(length))
        kind = self._chance.random(length)
        topic = np.searchsorted(self._topic_limits, self._chance.random(length))
        tokens = np.where(kind < 0.18, self._topic[np.minimum(topic, TOPIC - 1)], tokens)
        return np.where(kind > 0.88, self._chance.choice(self._domain, length), tokens)

    def rewritten(self, sentence: np.ndarray, share: float) -> np.ndarray:
        fresh = np.resize(self.sentence(), sentence.size)
        tokens = np.where(self._chance.random(sentence.size) < share, fresh, sentence)
        return tokens[self._chance.random(sentence.size) >= 0.1]

    def length(self, least: int, most: int) -> int:
        return int(np.clip(self._chance.gamma(2.5, 5), least, most))


def make(seed: int) -> News:
    """One corpus: about 770 sources and 930 articles."""
    chance = np.random.default_rng(seed)
    weights = 1 / (np.arange(VOCABULARY) + 2.7) ** 1.07
    limits = np.cumsum(weights / weights.sum())
    limits[-1] = 1
    domains = chance.choice(np.arange(100, 3000), (2, DOMAIN), replace=False)
    rows: dict[str, list] = {name: [] for name in ("sources", "articles", "source_story", "article_story", "label", "level")}
    for saga in range(SAGAS):
        topic = chance.choice(np.arange(300, VOCABULARY), TOPIC, replace=False)
        domain = domains[int(chance.random() < 0.23)]
        common = Writer(chance, limits, domain, topic)
        background = [common.sentence() for _ in range(BACKGROUND)]
        for story in range(saga, STORIES, SAGAS):
            _tell(rows, story, Writer(chance, limits, domain, topic), background, chance)
    arrays = {name: np.array(rows[name]) for name in ("source_story", "article_story", "label", "level")}
    return News(rows["sources"], rows["articles"], **arrays)


def _tell(rows: dict[str, list], story: int, writer: Writer, background: list, chance: np.random.Generator) -> None:
    facts = [writer.sentence() for _ in range(FACTS)]
    own = []
    for _ in range(1 + chance.poisson(1.9)):
        chosen = [facts[i] for i in chance.choice(FACTS, min(FACTS, writer.length(3, 24)), replace=False)]
        behind = int(np.clip(round(FROM_BACKGROUND * len(chosen)), 1, BACKGROUND))
        own.append(chosen + [background[i] for i in chance.choice(BACKGROUND, behind, replace=False)])
    for _ in range(1 + chance.poisson(2.56)):
        label, level = int(chance.choice(3, p=(0.318, 0.464, 0.218))), int(chance.integers(len(REWRITING)))
        source = own[int(chance.integers(len(own)))]
        rows["articles"].append(_article(writer, source, background, (1.0, 0.5, 0.0)[label], REWRITING[level], chance))
        rows["article_story"].append(story)
        rows["label"].append(label)
        rows["level"].append(level)
    rows["sources"] += [np.concatenate(text) for text in own]
    rows["source_story"] += [story] * len(own)


def _article(
    writer: Writer, source: list, background: list, derived: float, share: float, chance: np.random.Generator
) -> np.ndarray:
    sentences = []
    for _ in range(writer.length(3, 40)):
        if chance.random() < derived:
            sentences.append(writer.rewritten(source[int(chance.integers(len(source)))], share))
        elif chance.random() < FROM_BACKGROUND:
            sentences.append(writer.rewritten(background[int(chance.integers(len(background)))], share))
        else:
            sentences.append(writer.sentence())
    return np.concatenate(sentences)


def texts(lists: list[np.ndarray]) -> list[str]:
    """Token lists as texts, for what reads texts."""
    return [" ".join(f"w{token}" for token in tokens) for tokens in lists]
