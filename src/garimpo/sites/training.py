"""Training: from labelled pages, or from a list of good and a list of bad sites whose pages are in an archive.

From sites alone no page is labelled, only: a good site has a listing somewhere, a bad one has none. What a listing looks like
from inside its site is known: it has links of its own, that are no part of the site's menu, and many more of them than the pages
it leads to. Of such pages `alike` takes one of each good site: those that all good sites have and bad ones do not. What else
those sites list is then known to be something else. A classifier trained on that tells, in the eyes of one that did not see
the site, which other pages of good sites are listings too.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.preprocessing import MaxAbsScaler

from garimpo.contract import BadInput, Page
from garimpo.sites.archive_pages import nearness
from garimpo.sites.detector import FOUND, Detection, Judges, Odds, Refused, Trace, Visit, search_site
from garimpo.sites.good_pages import Alike, find_alike
from garimpo.sites.language import language
from garimpo.sites.link_worth import LearnedPriority, learn_priority
from garimpo.sites.listing import Learner, ListingClassifier, unseen_margins
from garimpo.sites.model import SiteModel
from garimpo.sites.odds import SearchOdds, learn_odds, trace_features
from garimpo.sites.page_features import MORE_NUMBERS, PageFeatures, Vectors, features
from garimpo.sites.page_judge import PageJudge
from garimpo.sites.priority import FilterPriority
from garimpo.sites.telling import TellingWords
from garimpo.sites.vote import Search, SiteVote, learn_vote, looked
from garimpo.url import site as site_of

WEIGHT = 3.0
"""What the listings taken in one good site weigh together, in pages."""
OTHER = 0.5
"""A page of a good site that is less than so like the pages taken as the one taken there is another kind of page."""
BEYOND = 0.99
"""What this share of the pages of bad sites does not reach is beyond them."""
EVEN = 0.5
"""From this chance on a page counts as a listing."""
RARE = 0.2
"""A language on fewer of the relevant pages than this share is none of the entity's."""
MISSED, UNLOOKED = 0.05, 0.5
"""A search that finds the listing of every example site will miss that of some new ones: each example counts for so much of a
missed site, and for more where the search could not look for it along links."""
APART = 6
"""So many pages of each example site show what a site says of which only single pages are known."""
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
    learner: Learner = "garimpo",
) -> SiteModel:
    """A model from pages labelled as listings (True) or not; priorities are learned unless `filters` are given."""
    examples = Examples(pages, structured)
    return _finished(entity, examples, np.asarray(labels, bool), np.ones(len(pages)), filters, seed, learner)


def train_on_sites(
    good: Sites,
    bad: Sites,
    entity: str = "",
    filters: FilterPriority | None = None,
    seed: int = 0,
    structured: bool = True,
    learner: Learner = "garimpo",
) -> SiteModel:
    """A model from example sites alone."""
    good, bad = ({site: pages for site, pages in group.items() if pages} for group in (good, bad))
    if not good or not bad:
        raise BadInput(f"no page of any {'bad' if good else 'good'} site can be read")
    for site in sorted(set(good) & set(bad)):
        raise BadInput(f"{site}: both good and bad")
    examples = Examples([page for group in (good, bad) for pages in group.values() for page in pages], structured)
    from_good = np.array([site in good for site in examples.sites])
    alike = find_alike(examples.pages, examples.seen, examples.rows, set(good))
    labels, weights = _taken(examples, alike)
    quick = partial(TellingWords, len(MORE_NUMBERS))
    margins, _ = unseen_margins(quick, examples.matrix(), labels, weights, np.array(examples.sites))
    enough = (float(np.quantile(margins[~from_good], BEYOND)) + float(np.median(margins[labels]))) / 2
    labels, weights = _spread(examples, from_good & alike.may, margins, enough)
    return _finished(entity, examples, labels, weights, filters, seed, learner, ~from_good)


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
    learner: Learner,
    bad: NDArray[np.bool_] | None = None,
) -> SiteModel:
    """The model from labels; with `bad`, the pages of bad sites, a page's chance is that of the site it is the best page of."""
    classifier = ListingClassifier(learner, seed=seed).fit(examples.seen, labels, weights)
    if bad is not None:
        best = np.array([classifier.unseen_margins_[rows].max() for rows in examples.rows.values()])
        classifier.calibrate(best, np.array([not bad[rows[0]] for rows in examples.rows.values()]))
    relevant = {site for site, label in zip(examples.sites, labels) if label}
    topic = _topic(examples, np.array([site in relevant for site in examples.sites]), seed)
    listings = {page.url for page, label in zip(examples.pages, labels) if label}
    priority = filters or learn_priority(_groups(examples, examples.rows), listings)
    scores = {page.url: pair for page, *pair in zip(examples.pages, classifier.unseen_, topic.unseen_)}
    odds, vote = _learn_from_searches(examples, listings, scores, filters, EVEN)
    judges = PageJudge.of(classifier), PageJudge.of(topic)
    languages = _languages(page for page, site in zip(examples.pages, examples.sites) if site in relevant)
    return SiteModel(entity, judges[0], priority, odds, judges[1], EVEN, languages=languages, vote=vote)


def _languages(pages: Iterable[Page]) -> frozenset[str]:
    """The languages of pages, without those that few have, by chance or mistake."""
    counts = Counter(name for page in pages if (name := language(page.text)))
    return frozenset(name for name, count in counts.items() if count >= RARE * counts.total())


def _groups(examples: Examples, sites: Iterable[str]) -> list[list[Page]]:
    return [[examples.pages[i] for i in examples.rows[site]] for site in sites]


def _learn_from_searches(
    examples: Examples,
    listings: set[str],
    scores: Mapping[str, Sequence[float]],
    filters: FilterPriority | None,
    threshold: float,
) -> tuple[SearchOdds | None, SiteVote]:
    """When to give up, and what all evidence says: from searches over the example sites by models that did not see the site."""
    watched, ended, apart = [], [], []
    sites = sorted(examples.rows)
    for fold in range(FOLDS):
        others = [site for i, site in enumerate(sites) if i % FOLDS != fold]
        priority = filters or learn_priority(_groups(examples, others), listings)
        for pages in _groups(examples, sites[fold::FOLDS]):
            known = {page.url: page for page in pages}
            good = not listings.isdisjoint(known)
            watch = _Watch()
            truth = {url: 1.0 if url in listings else min(scores[url][0], 0.49) for url in known}
            _searched(known, priority, scores, truth, watch)
            watched.append((watch.steps, good))
            ended.append(_without_listing(known, priority, scores, good, threshold))
            apart.append(_apart(known, listings, scores, good))
    return learn_odds(watched), learn_vote(ended, apart)


def _without_listing(
    known: Mapping[str, Page],
    priority: LearnedPriority | FilterPriority,
    scores: Mapping[str, Sequence[float]],
    good: bool,
    threshold: float,
) -> Search:
    """A site's search as it ends without a listing; where it finds one, as it would have ended had the judge missed it."""
    listing = {url: scores[url][0] for url in known}
    found = _searched(known, priority, scores, listing, threshold=threshold)
    if found.reason != FOUND:
        return Search(found.visits, good)
    missed = _searched(known, priority, scores, dict.fromkeys(known, 0.0))
    return Search(missed.visits, good, (MISSED if looked(missed.visits) else UNLOOKED) if good else 1.0)


def _apart(known: Mapping[str, Page], listings: set[str], scores: Mapping[str, Sequence[float]], good: bool) -> Search:
    """What an archive may have of a site: a few single pages far from its root, without a listing and without links to one."""
    far = [url for url in sorted(known, key=nearness) if url not in listings][-APART:]
    return Search([Visit(url, 0.0, 0, scores[url][0], scores[url][1], known[url]) for url in far], good)


class _Watch:
    """A stop rule that never stops and writes down what it is asked."""

    give_up_below = 0.0

    def __init__(self) -> None:
        self.steps: list[list[float]] = []

    def __call__(self, trace: Trace) -> float:
        if trace.waiting:  # else the search ends by itself
            self.steps.append(trace_features(trace))
        return 1.0


def _searched(
    pages: Mapping[str, Page],
    priority: LearnedPriority | FilterPriority,
    scores: Mapping[str, Sequence[float]],
    listing: Mapping[str, float],
    odds: Odds | None = None,
    threshold: float = 0.5,
) -> Detection:
    """A search over a site whose pages were judged before."""

    def get(url: str) -> Page:
        if url not in pages:
            raise Refused
        return pages[url]

    judges = Judges(lambda page: listing[page.url], priority, threshold, lambda page: scores[page.url][1], odds)
    first, *others = sorted(pages, key=nearness)
    return search_site(first, get, judges, starts=others)
