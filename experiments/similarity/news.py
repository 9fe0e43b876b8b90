"""A made corpus of news reuse: agency texts, and newspaper articles wholly, partly or not derived from them.

Terms are numbers, the most frequent first. A story has its own topic terms and a pool of fact sentences; agency texts are
subsets of the facts, articles are edited copies of sentences of one agency text mixed with fresh ones. Stories belong
to one of two domains with a vocabulary of their own, so that stories of a domain overlap as real ones do.
"""

from dataclasses import dataclass

import numpy as np

LABELS = ("whole", "part", "none")
VOCABULARY, STORIES, TOPIC, DOMAIN = 20_000, 265, 120, 150
STOP_WORDS = 100


@dataclass(frozen=True)
class News:
    """Token lists of the sources and the articles, and the story of each; `label` says how an article was made."""

    sources: list[np.ndarray]
    articles: list[np.ndarray]
    source_story: np.ndarray
    article_story: np.ndarray
    label: np.ndarray


class Writer:
    """Draws sentences for one story."""

    def __init__(self, chance: np.random.Generator, limits: np.ndarray, domain: np.ndarray) -> None:
        self._chance, self._limits, self._domain = chance, limits, domain
        self._topic = chance.choice(np.arange(300, VOCABULARY), TOPIC, replace=False)
        weights = 1 / np.arange(1, TOPIC + 1) ** 0.8
        self._topic_limits = np.cumsum(weights / weights.sum())

    def sentence(self) -> np.ndarray:
        length = max(6, int(self._chance.poisson(20)))
        tokens = np.searchsorted(self._limits, self._chance.random(length))
        kind = self._chance.random(length)
        topic = np.searchsorted(self._topic_limits, self._chance.random(length))
        tokens = np.where(kind < 0.22, self._topic[np.minimum(topic, TOPIC - 1)], tokens)
        return np.where(kind > 0.88, self._chance.choice(self._domain, length), tokens)

    def edited(self, sentence: np.ndarray) -> np.ndarray:
        fresh = np.resize(self.sentence(), sentence.size)
        tokens = np.where(self._chance.random(sentence.size) < 0.35, fresh, sentence)
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
    sources, articles, source_story, article_story, labels = [], [], [], [], []
    for story in range(STORIES):
        writer = Writer(chance, limits, domains[int(chance.random() < 0.23)])
        facts = [writer.sentence() for _ in range(35)]
        own = []
        for _ in range(1 + chance.poisson(1.9)):
            own.append([facts[i] for i in chance.choice(35, writer.length(3, 34), replace=False)])
        for _ in range(1 + chance.poisson(2.56)):
            label = int(chance.choice(3, p=(0.318, 0.464, 0.218)))
            labels.append(label)
            articles.append(_article(writer, own[int(chance.integers(len(own)))], (1.0, 0.5, 0.0)[label], chance))
            article_story.append(story)
        sources += [np.concatenate(text) for text in own]
        source_story += [story] * len(own)
    return News(sources, articles, np.array(source_story), np.array(article_story), np.array(labels))


def _article(writer: Writer, source: list[np.ndarray], derived: float, chance: np.random.Generator) -> np.ndarray:
    sentences = []
    for _ in range(writer.length(3, 40)):
        copied = chance.random() < derived
        sentences.append(writer.edited(source[int(chance.integers(len(source)))]) if copied else writer.sentence())
    return np.concatenate(sentences)
