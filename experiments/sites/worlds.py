"""The made web as this room's experiments use it: sites with their truth, pages on demand, labelled pages and example sites."""

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from garimpo import webgen
from garimpo.contract import Fetched, Page
from garimpo.sites import Detection, SiteModel, Unreadable, train
from garimpo.sites.archive_pages import pages_through, walk
from garimpo.url import site as site_of

HIDDEN = "A5"
"""Sites whose listings stand behind a form or a script: no crawler that fills in no forms can find them."""


@dataclass(frozen=True)
class Case:
    """One site of the collection: where it begins, what it is, and the entities that it lists."""

    site: str
    root: str
    index: int
    archetype: str
    entities: frozenset[str]


class Made:
    """A made web of one seed. Nothing is stored: pages are computed when they are asked for."""

    def __init__(self, seed: int, hosts: int = 1_500, urls: int = 200_000, words: int = -1) -> None:
        self.seed = seed
        self.world = webgen.World(webgen.settings_for("medium", seed=seed, hosts=hosts, urls=urls, stored=False, words=words))
        self.cases = [self._case(card.index) for card in self.world.census.cards if card.archetype]
        self.get = lru_cache(maxsize=20_000)(pages_through(self._fetch))

    def _case(self, index: int) -> Case:
        card, site = self.world.census.cards[index], self.world.site(index)
        entities = frozenset(site.section_entities) - {""} if card.archetype[0] == "A" or card.archetype == "N1" else frozenset()
        return Case(site_of(card.domain), f"http://{card.hosts[0].name}/", index, card.archetype, entities)

    def _fetch(self, url: str) -> Fetched:
        answer = self.world.answer(url)
        headers = [("content-type", answer.kind)] + ([("location", answer.location)] if answer.location else [])
        return Fetched(url, answer.status, answer.body, headers)

    def urls(self, case: Case) -> Iterator[tuple[str, str]]:
        """Every URL of a site, and the kind of the page behind it."""
        for host in self.world.census.cards[case.index].hosts:
            for node, target, family in self.world.placed(host):
                truth = self.world.truth(host, node, target, family)
                if site_of(truth.url) == case.site:
                    yield truth.url, _kind(truth.kind, truth.topic)

    def pages(self, case: Case) -> list[Page]:
        """The pages by which an archive knows an example site."""
        return walk([url for url, _ in self.urls(case)], self.get)

    def _page(self, url: str) -> Page | None:
        """A page, or None where the site has taken it away."""
        try:
            return self.get(url)
        except Unreadable:
            return None

    def labelled(self, entity: str, a_kind: int = 4) -> tuple[list[Page], list[bool], list[str]]:
        """Some pages of every kind of every site, whether each lists the entity, and their kinds."""
        pages, labels, kinds = [], [], []
        for case in self.cases:
            taken = Counter[str]()
            for url, kind in self.urls(case):
                page = self._page(url) if taken[kind] < a_kind else None
                if page is not None:
                    taken[kind] += 1
                    pages.append(page)
                    labels.append(kind == f"index {entity}")
                    kinds.append(kind)
        return pages, labels, kinds


TOPICS = {"motoring": "cars", "education": "jobs", "cooking": "recipes", "computing": "goods", "housing": "furniture"}


def _kind(kind: str, topic: str) -> str:
    """The kind of a page with the entity by its name: `index cars`, `entity re`, `article`."""
    what, _, which = kind.partition("_")
    if which == "re":
        return f"{what} re"
    return f"{what} {TOPICS[topic]}" if which == "other" and what in ("index", "entity") else kind


@dataclass
class Score:
    """Decisions over all sites: right and wrong, and pages spent, also on sites decided wrongly."""

    found: int
    wrong: int
    missed: int
    hidden: int
    relevant_pages: float
    irrelevant_pages: float

    @property
    def precision(self) -> float:
        return self.found / max(1, self.found + self.wrong)

    @property
    def recall(self) -> float:
        """Without the sites whose listings are hidden."""
        return self.found / max(1, self.found + self.missed)

    @property
    def recall_of_all(self) -> float:
        return self.found / max(1, self.found + self.missed + self.hidden)

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)


def score(cases: list[Case], found: dict[str, Detection], entity: str) -> Score:
    """Count decisions by the truth. A hidden site that is found counts as found."""
    good = [case for case in cases if entity in case.entities]
    other = [case for case in cases if entity not in case.entities]
    missed = [case for case in good if not found[case.site].relevant]
    hidden = sum(case.archetype == HIDDEN for case in missed)
    costs = [_mean([found[case.site].pages_fetched for case in part]) for part in (good, other)]
    wrong = sum(bool(found[case.site].relevant) for case in other)
    return Score(len(good) - len(missed), wrong, len(missed) - hidden, hidden, *costs)


def decide(model: SiteModel, web: Made, cases: list[Case] | None = None) -> dict[str, Detection]:
    return {case.site: model.detect(case.root, web.get) for case in (web.cases if cases is None else cases)}


def by_examples(web: Made, other: Made, entity: str, good: int = 10, bad: int = 20) -> Score:
    """An entity learned from a few sites of another web, drawn by this web's seed, and all sites of this web decided."""
    dice = random.Random(web.seed)
    fit = [case for case in other.cases if entity in case.entities and case.archetype != HIDDEN]
    unfit = [case for case in other.cases if entity not in case.entities]
    shown = [{case.site: other.pages(case) for case in dice.sample(part, n)} for part, n in ((fit, good), (unfit, bad))]
    return score(web.cases, decide(train(good=shown[0], bad=shown[1], structured=False), web), entity)


def _mean(values: list[int]) -> float:
    return sum(values) / max(1, len(values))
