"""How a crawl collects sites instead of pages (``--sites MODEL``): the judge where pages are read, the scorer in the loop."""

from collections.abc import Sequence
from pathlib import Path

from garimpo.archive import Store
from garimpo.contract.protocols import Judge, Scorer
from garimpo.sites import SiteJudge, SiteModel, SiteScorer


def site_judges(model: str, folder: Path) -> Sequence[Judge]:
    """The judge of listings, by a model file; `folder` is `learned/`, and nothing of it is needed."""
    return [SiteJudge(SiteModel.load(model))]


def site_scorer(model: str, folder: Path) -> Scorer:
    """The scorer that decides sites, with what the pages kept so far say; `folder` is `learned/`."""
    scorer = SiteScorer(SiteModel.load(model))
    with Store.open(folder.parent, write=False) as store:
        for batch in store.pages(["url", "score"]):
            scorer.replay(batch.column("url").to_pylist(), batch.column("score").to_pylist())
    return scorer
