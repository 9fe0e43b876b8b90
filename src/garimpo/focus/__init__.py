"""Steer the crawl to a topic that is shown by a few good pages.

What is on topic. `train` takes positive documents, a handful, and unlabelled ones; nobody has to find negatives. Texts
become rows of word counts (`words`), and one of the classifiers learns from them: `PositiveUnlabelled` (the default),
`BPrTFIDF`, `SVMC`, or `OneClass` where no unlabelled document is at hand. Each is a scikit-learn estimator, each ends as one
linear score over words, and so each is stored as the same `TopicModel` and asked by the same kernel. `TopicJudge` asks it
where pages are read.

Which way leads there. `LinkScorer` scores every link of a page by itself and learns what past links led to (`links` tells
how); it is the strategy ``garimpo`` of a live crawl and of a simulated visit alike. `BestFirst` is what it has to beat.

Invariants: a model knows words by their hash and says which definition of words it was made with; a page without a known
word scores 0; scores lie in [0, 1] and 0.5 is the line.
"""

from garimpo.focus.auto import PositiveUnlabelled
from garimpo.focus.bprtfidf import BPrTFIDF
from garimpo.focus.judge import TopicJudge, page_text
from garimpo.focus.links import BestFirst, LinkScorer
from garimpo.focus.oneclass import OneClass
from garimpo.focus.scoring import score, train
from garimpo.focus.svmc import SVMC
from garimpo.focus.topic import METHODS, TopicModel
from garimpo.focus.words import Vocabulary

__all__ = [
    "METHODS",
    "SVMC",
    "BPrTFIDF",
    "BestFirst",
    "LinkScorer",
    "OneClass",
    "PositiveUnlabelled",
    "TopicJudge",
    "TopicModel",
    "Vocabulary",
    "page_text",
    "score",
    "train",
]
