"""Training: from labelled pages, or from a list of good and a list of bad sites whose pages are in an archive.

From sites alone no page is labelled, only: a good site has a listing somewhere, a bad one has none. What a listing looks like
from inside its site is known: it has links of its own, that are no part of the site's menu, and many more of them than the pages
it leads to. Of such pages `alike` takes one of each good site: those that all good sites have and bad ones do not. What else
those sites list is then known to be something else. A classifier trained on that tells, in the eyes of one that did not see
the site, which other pages of good sites are listings too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import MaxAbsScaler

from garimpo.contract import BadInput, Page
from garimpo.sites.alike import Alike, find_alike
from garimpo.sites.detector import Limits, Refused, Trace, detect
from garimpo.sites.features import PageFeatures, Vectors, features
from garimpo.sites.learned import LearnedPriority, learn_priority
from garimpo.sites.listing import ListingClassifier, unseen_margins
from garimpo.sites.model import LinearListing, SiteModel, spoken
from garimpo.sites.odds import SearchOdds, learn_odds, trace_features
from garimpo.sites.priority import FilterPriority
from garimpo.url import site as site_of

WEIGHT = 3.0
"""What the listings taken in one good site weigh together, in pages."""
OTHER = 0.5
"""A page of a good site that is less than so like the pages taken as the one taken there is another kind of page."""
BEYOND = 0.99
"""What this share of the pages of bad sites does not reach is beyond them."""
LEAST, MOST = 0.3, 0.4
"""From few examples the chances of listings come out too low. So a page counts as one from the best chance that a page of a bad
site has, between these bounds, ..."""
EVEN = 0.5
"""... and from this chance on where pages were labelled."""
FOLDS = 3
"""Priorities for the stop rule come from this many models, each of which did not see its part of the sites."""

Sites = Mapping[str, Sequence[Page]]


def train_on_pages(
    pages: Sequence[Page],
    labels: Sequence[bool],
    entity: str = "",
    filters: FilterPriority | None = None,
    seed: int = 0,
    structured: bool = True,
) -> SiteModel:
    """A model from pages labelled as listings (True) or not; priorities are learned unless `filters` are given."""
    examples = Examples(pages, structured)
    return _finished(entity, examples, np.asarray(labels, bool), np.ones(len(pages)), filters, seed)


def train_on_sites(
    good: Sites,
    bad: Sites,
    entity: str = "",
    filters: FilterPriority | None = None,
    seed: int = 0,
    structured: bool = True,
) -> SiteModel:
    """A model from example sites alone."""
    if not any(good.values()) or not any(bad.values()):
        raise BadInput("both good and bad sites need pages in the archive")
    for site in sorted(set(good) & set(bad)):
        raise BadInput(f"{site}: both good and bad")
    examples = Examples([page for group in (good, bad) for pages in group.values() for page in pages], structured)
    from_good = np.array([site in good for site in examples.sites])
    alike = find_alike(examples.pages, examples.seen, examples.rows, set(good))
    labels, weights = _taken(examples, alike)
    margins, _ = unseen_margins(_quick, examples.matrix(), labels, weights, examples.sites, FOLDS)
    enough = (float(np.quantile(margins[~from_good], BEYOND)) + float(np.median(margins[labels]))) / 2
    labels, weights = _spread(examples, from_good & alike.may, margins, enough)
    return _finished(entity, examples, labels, weights, filters, seed, ~from_good)


def _quick() -> LogisticRegression:
    return LogisticRegression(C=0.3, class_weight="balanced", solver="liblinear", intercept_scaling=10.0, tol=1e-3)


class Examples:
    """The pages to learn from, in order, each read once; without `structured` the types they state are not looked at."""

    def __init__(self, pages: Iterable[Page], structured: bool = True) -> None:
        self.pages = list(pages) if structured else [replace(page, types=frozenset()) for page in pages]
        self.seen: list[PageFeatures] = [features(page) for page in self.pages]
        self.sites = [page.site for page in self.seen]
        self.rows: dict[str, list[int]] = {}
        for i, site in enumerate(self.sites):
            self.rows.setdefault(site, []).append(i)

    def matrix(self) -> csr_matrix:
        """All pages as scaled rows, by the words that more than one site has."""
        vectors = Vectors().fit(self.seen, np.zeros(len(self.seen)), over_sites=True)
        return MaxAbsScaler().fit_transform(vectors.transform(self.seen))

    def evenly(self) -> NDArray[np.float64]:
        """Weights by which each site counts the same, however many of its pages are known."""
        return np.array([1 / len(self.rows[site]) for site in self.sites])


def by_site(pages: Iterable[Page]) -> dict[str, list[Page]]:
    """Pages grouped by their site."""
    sites: dict[str, list[Page]] = {}
    for page in pages:
        sites.setdefault(site_of(page.url), []).append(page)
    return sites


def _topic(examples: Examples, from_good: NDArray[np.bool_], seed: int) -> ListingClassifier:
    """Does a page stand on a good site?"""
    weights = examples.evenly() * len(examples.rows)
    return ListingClassifier(C=0.1, seed=seed).fit(examples.seen, from_good, weights)


def _taken(examples: Examples, alike: Alike) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Labels and weights by the pages that are alike: what is nearly as like them, or was not compared, weighs nothing yet."""
    labels, weights = np.zeros(len(examples.pages), bool), np.where(np.isnan(alike.likeness), 0.0, 1.0)
    labels[alike.taken] = True
    for i in alike.taken:
        rows = examples.rows[examples.sites[i]]
        weights[rows] = alike.likeness[rows] < OTHER * alike.likeness[i]
    weights[alike.taken] = WEIGHT
    return labels, weights


def _spread(
    examples: Examples, may: NDArray[np.bool_], score: NDArray[np.float64], enough: float
) -> tuple[NDArray[np.bool_], NDArray[np.float64]]:
    """Labels and weights by a score: of each good site's candidates the best one and those with `enough` of it are listings.

    The better half of the rest weighs nothing.
    """
    labels, weights = np.zeros(len(score), bool), np.ones(len(score))
    for site_rows in examples.rows.values():
        rows = [i for i in site_rows if may[i]]
        if not rows:
            continue
        values = score[rows]
        listings = values >= min(values.max(), enough)
        labels[rows] = listings
        weights[rows] = np.where(listings, WEIGHT / listings.sum(), values < np.median(values))
    return labels, weights


def _finished(
    entity: str,
    examples: Examples,
    labels: NDArray[np.bool_],
    weights: NDArray[np.float64],
    filters: FilterPriority | None,
    seed: int,
    bad: NDArray[np.bool_] | None = None,
) -> SiteModel:
    """The model from labels; with `bad`, the pages of bad sites, its threshold as well."""
    classifier = ListingClassifier(seed=seed).fit(examples.seen, labels, weights)
    relevant = {site for site, label in zip(examples.sites, labels) if label}
    topic = _topic(examples, np.array([site in relevant for site in examples.sites]), seed)
    listings = {page.url for page, label in zip(examples.pages, labels) if label}
    priority = filters or learn_priority(_groups(examples, examples.rows), listings)
    odds = _stop_rule(examples, listings, classifier.unseen_, topic.unseen_, filters)
    threshold = EVEN if bad is None else float(np.clip(classifier.unseen_[bad].max(), LEAST, MOST))
    languages = frozenset(spoken(page) for page, label in zip(examples.pages, labels) if label) - {""}
    judges = LinearListing.of(classifier), LinearListing.of(topic)
    return SiteModel(entity, judges[0], priority, odds, judges[1], threshold, languages=languages)


def _groups(examples: Examples, sites: Iterable[str]) -> list[list[Page]]:
    return [[examples.pages[i] for i in examples.rows[site]] for site in sites]


def _stop_rule(
    examples: Examples,
    listings: set[str],
    scores: NDArray[np.float64],
    topics: NDArray[np.float64],
    filters: FilterPriority | None,
) -> SearchOdds | None:
    """Searches over the example sites themselves, all by models that did not see the site."""
    score = {page.url: (float(a), float(b)) for page, a, b in zip(examples.pages, scores, topics)}
    searches = []
    sites = sorted(examples.rows)
    for fold in range(FOLDS):
        others = [site for i, site in enumerate(sites) if i % FOLDS != fold]
        priority = filters or learn_priority(_groups(examples, others), listings)
        for known in _groups(examples, sites[fold::FOLDS]):
            searches.append(_watched({page.url: page for page in known}, score, priority, listings))
    return learn_odds(searches)


class _Watch:
    """A stop rule that never stops and writes down what it is asked."""

    give_up_below = 0.0

    def __init__(self) -> None:
        self.steps: list[list[float]] = []

    def __call__(self, trace: Trace) -> float:
        if trace.waiting:  # else the search ends by itself
            self.steps.append(trace_features(trace))
        return 1.0


def _watched(
    pages: Mapping[str, Page],
    score: Mapping[str, tuple[float, float]],
    priority: LearnedPriority | FilterPriority,
    listings: set[str],
) -> tuple[list[list[float]], bool]:
    """One search: its state after each page that was no listing, and whether the site has one."""

    def get(url: str) -> Page:
        if url not in pages:
            raise Refused
        return pages[url]

    def known(page: Page) -> float:
        return 1.0 if page.url in listings else min(score[page.url][0], 0.49)

    watch = _Watch()
    root = min(pages, key=len)
    detect(root, get, known, priority, Limits(), odds=watch, topic=lambda page: score[page.url][1])
    return watch.steps, not listings.isdisjoint(pages)
