"""Steer the crawl to a topic that is shown by a few good pages.

::

    texts ──► words ──► auto, or thesis ──► TopicModel ──► TopicJudge ──► score of a page
                                                                             │
    links of the page ──► LinkScorer ◄── what past links led to ◄────────────┘
    stored crawl ──► Web ──► walk (dispensers, thesis) ──► Measures

What is on topic. `train` takes positive documents, a handful, and unlabelled ones; nobody has to find negatives. Texts
become rows of word counts (`words`), and one of the classifiers learns from them: `PositiveUnlabelled` (the default),
`BPrTFIDF`, `SVMC`, or `OneClass` where no unlabelled document is at hand. Each is a scikit-learn estimator, each ends as one
linear score over words, and so each is stored as the same `TopicModel` and asked by the same kernel. `TopicJudge` asks it
where pages are read.

Which way leads there. `LinkScorer` scores every link of a page by itself and learns what past links led to (`links` tells
how); it is the strategy ``garimpo`` of a live crawl and of a simulated visit alike. `BestFirst` is what it has to beat.

How strategies are compared. `visit` walks over a stored crawl (`Web`: numbered pages, arcs both ways, every page scored). A
*dispenser* holds what was found and gives the next page; `walk` visits it, lets a visitor have its say, and hands its arcs back
to the dispenser. `dispensers` has the plain orders and ours, `markov` those that estimate the distance to the topic. `Measures`
tells what was found when.

Invariants: a model knows words by their hash and says which definition of words it was made with; a page without a known
word scores 0; scores lie in [0, 1] and 0.5 is the line.
"""

from garimpo.focus.auto import PositiveUnlabelled
from garimpo.focus.judge import TopicJudge, page_text
from garimpo.focus.links import BestFirst, LinkScorer
from garimpo.focus.measures import Measures
from garimpo.focus.oneclass import OneClass
from garimpo.focus.scoring import score, test, train
from garimpo.focus.thesis.bprtfidf import BPrTFIDF
from garimpo.focus.thesis.svmc import SVMC
from garimpo.focus.topic import METHODS, TopicModel
from garimpo.focus.visits import STRATEGIES, Tuning, Written, read_urls, visit, walk
from garimpo.focus.web import Web
from garimpo.focus.words import Vocabulary

__all__ = [
    "METHODS",
    "STRATEGIES",
    "SVMC",
    "BPrTFIDF",
    "BestFirst",
    "LinkScorer",
    "Measures",
    "OneClass",
    "PositiveUnlabelled",
    "TopicJudge",
    "TopicModel",
    "Tuning",
    "Vocabulary",
    "Web",
    "Written",
    "page_text",
    "read_urls",
    "score",
    "test",
    "train",
    "visit",
    "walk",
]
