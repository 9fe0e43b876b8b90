"""The demonstration's third part: a crawl that collects sites of an entity, beside breadth-first, against the truth."""

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garimpo import sites, webgen
from garimpo.archive import Store
from garimpo.contract import Page
from garimpo.crawl import Settings, crawl
from garimpo.crawl.settings import from_dict
from garimpo.page import read
from garimpo.url import site as site_of

ENTITY, LISTING = "real_estate", "index_re"
PAGES_A_KIND = 2
"""So many pages of every kind of every example site are shown to the learner."""
WEB: dict[str, Any] = {"profile": "small", "hosts": 400, "urls": 12_000, "entities": 0.4, "stored": False, "static": True}
"""A web of its own, of many small sites; its pages are made when they are asked for."""
EXAMPLES: dict[str, Any] = {**WEB, "hosts": 80, "urls": 2_400, "entities": 0.8}
"""Where the labelled pages come from: another web that speaks the same words, with many sites that list things."""


@dataclass
class Collected:
    """What one crawl found: sites with a listing, sites wrongly taken for such, and the pages it took."""

    name: str
    found: int
    wrong: int
    of: int
    pages: int


def run_sites(folder: Path, settings: Settings, budget: int, seed: int) -> list[Collected]:
    """Learn real estate from labelled pages of another web, and crawl this one breadth-first and by the model."""
    model, web = folder / "sites.model", folder / "market"
    sites.train(*examples(seed + 1_000, **EXAMPLES, words=seed)).save(model)
    webgen.make(web, seed=seed, **WEB)
    collected = []
    with webgen.serve(web) as server:
        for name, strategy in (("breadth-first", "bfs"), ("sites", "garimpo")):
            given = {**settings.to_dict(), "strategy": strategy, "sites": str(model), "max-pages": budget, "learn": False,
                     "seeds": (web / "seeds.txt").read_text().split(), "hosts": str(web / "hosts"),
                     "resolve-all": server.address}  # fmt: skip
            crawl(folder / f"market-{name}", from_dict(given, "the demonstration"))
            collected.append(collect(name, folder / f"market-{name}", web, sites.SiteModel.load(model).threshold))
    return collected


def examples(seed: int, a_kind: int = PAGES_A_KIND, **web: Any) -> tuple[list[Page], list[bool]]:
    """Some pages of every kind from every example site of a made web, and whether each is a listing of the entity."""
    world = webgen.World(webgen.settings_for(seed=seed, **web))
    pages, labels = [], []
    for host in (host for card in world.census.cards if card.archetype for host in card.hosts):
        taken: Counter[str] = Counter()
        for node, target, family in world.placed(host):
            truth = world.truth(host, node, target, family)
            taken[truth.kind] += 1
            answer = world.answer(truth.url) if taken[truth.kind] <= a_kind else None
            if answer is not None and answer.status == 200:
                pages.append(read(answer.body, truth.url, content_type=answer.kind))
                labels.append(truth.kind == LISTING)
    return pages, labels


def collect(name: str, folder: Path, web: Path, threshold: float) -> Collected:
    """Count a crawl folder against the truth: a site is found when a page of it was taken for a listing."""
    truth = {row["site"]: row["entity"] == ENTITY for row in webgen.truth(web)["sites"].to_pylist()}
    with Store.open(folder, write=False) as store:
        rows = [row for batch in store.pages(["url", "score"]) for row in batch.to_pylist()]
    taken = {site_of(row["url"]) for row in rows if (row["score"] or 0.0) >= threshold}
    right = sum(truth.get(site, False) for site in taken)
    return Collected(name, right, len(taken) - right, sum(truth.values()), len(rows))
