"""How a crawl collects sites instead of pages (``--sites MODEL``): the judge where pages are read, the scorer in the loop."""

from collections.abc import Sequence
from pathlib import Path

from garimpo.archive import Store
from garimpo.contract.errors import BadInput
from garimpo.contract.protocols import Judge, Scorer
from garimpo.crawl.settings import from_dict
from garimpo.sites import SiteJudge, SiteModel, SiteScorer


def site_judges(folder: Path) -> Sequence[Judge]:
    """The judge of listings; `folder` is `learned/`."""
    return [SiteJudge(_model(folder))]


def site_scorer(folder: Path) -> Scorer:
    """The scorer that decides sites, with what the pages kept so far say."""
    model = _model(folder)
    scorer = SiteScorer(model)
    with Store.open(folder.parent, write=False) as store:
        for batch in store.pages(["url", "score"]):
            scorer.replay(batch.column("url").to_pylist(), batch.column("score").to_pylist())
    return scorer


def _model(folder: Path) -> SiteModel:
    with Store.open(folder.parent, write=False) as store:
        path = from_dict(store.settings, "crawl.toml").sites
    if path is None:
        raise BadInput(f"{folder.parent}: this crawl was told no model of sites")
    return SiteModel.load(path)
