"""Tables 4.1 to 4.3 of the source, on made webs: learners on pages, breadth-first against priorities at five limits."""

from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean, stdev

import numpy as np
from scipy.stats import t
from worlds import Made, Score, score

from garimpo.contract import Page
from garimpo.sites import LEARNERS, Detection, Limits, ListingClassifier, Visit, load_filters
from garimpo.sites.detector import Judges, detect_breadth_first, search_site

LIMITS = (20, 13, 10, 7, 5)
Measure = dict[str, float]


def interval(values: list[float], digits: int = 3) -> str:
    """Mean, and the half width of its 95 % interval by Student's t, where there are several values."""
    several = len(values) > 1
    half = float(t.ppf(0.975, len(values) - 1)) * stdev(values) / len(values) ** 0.5 if several else float("nan")
    return f"{mean(values):.{digits}f} ± {half:.{digits}f}"


def learners(train: Made, test: Made) -> dict[str, Measure]:
    """Table 4.1: every learner on pages of sites that it did not see."""
    pages, labels, _ = train.labelled("re", 1)
    shown, truth, _ = test.labelled("re", 1)
    y = np.array(truth)
    return {name: _measured(ListingClassifier(name).fit(pages, labels).predict(shown), y) for name in LEARNERS}


def _measured(said: np.ndarray, y: np.ndarray) -> Measure:
    right = float((said & y).sum())
    precision, recall = right / max(1, said.sum()), right / max(1, y.sum())
    f1 = 2 * precision * recall / max(1e-9, precision + recall)
    return {"precision": precision, "recall": recall, "F1": f1, "accuracy": float((said == y).mean())}


def searches(train: Made, test: Made) -> dict[tuple[str, int], Score]:
    """Tables 4.2 and 4.3: the source's classifier and filters; the root is never taken for a listing.

    One search at the largest limit holds those at all smaller ones: the limit only cuts it.
    """
    pages, labels, _ = train.labelled("re", 1)
    learned = ListingClassifier("svm").fit(pages, labels)
    filters, most = load_filters("imoveis-pt"), Limits(max_pages=max(LIMITS), root_may_be_index=False)
    known: dict[str, float] = {}

    def judge(page: Page) -> float:
        if page.url not in known:
            known[page.url] = float(learned.predict([page])[0])
        return known[page.url]

    ways: dict[str, Callable[[str], Detection]] = {
        "breadth-first": lambda root: detect_breadth_first(root, test.get, judge, most),
        "priorities": lambda root: search_site(root, test.get, Judges(judge, filters), most),
    }
    found = {way: {case.site: decide(case.root) for case in test.cases} for way, decide in ways.items()}
    return {
        (way, limit): score(test.cases, {site: _cut(one, limit) for site, one in found[way].items()}, "re")
        for way in ways
        for limit in LIMITS
    }


@dataclass
class _Cut:
    """A search as it would have ended at a smaller limit."""

    relevant: bool | None
    visits: list[Visit]

    @property
    def pages_fetched(self) -> int:
        return len(self.visits)


def _cut(found: Detection, limit: int) -> _Cut:
    return _Cut(bool(found.relevant) and found.pages_fetched <= limit, found.visits[:limit])
