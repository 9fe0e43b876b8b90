"""What `garimpo sites train` makes: a page judge, link priorities and a stop rule, stored as one model file."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput, Model, Page, load_model, save_model
from garimpo.sites.archived import root_of
from garimpo.sites.detector import FOREIGN, NO_SITE, STRANGE, STRANGE_BELOW, Detection, Get, Limits, detect
from garimpo.sites.features import PageFeatures, Vectors, features
from garimpo.sites.learned import LearnedPriority
from garimpo.sites.listing import ListingClassifier
from garimpo.sites.odds import SearchOdds
from garimpo.sites.priority import FilterFile, FilterPriority
from garimpo.url import normalise
from garimpo.url import site as site_of


class _Last:
    """The features of the page read last: listing and topic ask for the same page in turn."""

    def __init__(self) -> None:
        self._last: tuple[Page, PageFeatures] | None = None

    def __call__(self, page: Page) -> PageFeatures:
        last = self._last  # one look: threads may read different pages
        if last is None or last[0] is not page:
            self._last = last = page, features(page)
        return last[1]


_features = _Last()


@dataclass
class LinearListing:
    """A trained listing classifier as plain arrays: the probability that a page is a listing."""

    numbers: list[str]
    kept: list[str]
    weights: NDArray[np.float64]
    intercept: float
    slope: float
    shift: float
    _vectors: Vectors = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._vectors = Vectors(self.numbers, self.kept)

    @classmethod
    def of(cls, classifier: ListingClassifier) -> "LinearListing":
        """Scaling folded into the weights."""
        coefficients = classifier.model_.coef_
        dense = coefficients.toarray() if hasattr(coefficients, "toarray") else coefficients
        weights = np.asarray(dense, float).ravel() / classifier.scaler_.scale_
        vectors = classifier.vectors_
        intercept = float(np.ravel(classifier.model_.intercept_)[0])
        return cls(list(vectors.numbers), vectors.kept, weights, intercept, classifier.slope_, classifier.shift_)

    def parameters(self) -> dict[str, Any]:
        """All but the weights, to be stored."""
        names = ("numbers", "kept", "intercept", "slope", "shift")
        return {name: getattr(self, name) for name in names}

    def known_share(self, page: Page) -> float:
        """The share of a page's words that training has met; of a text in another script, none."""
        said = [word for word in _features(page).words if word.startswith("b:")]
        if not said:
            return 0.0 if any(map(str.isalpha, page.text)) else 1.0
        return sum(map(self._vectors.knows, said)) / len(said)

    def __call__(self, page: Page) -> float:
        margin = float((self._vectors.transform([_features(page)]) @ self.weights)[0]) + self.intercept
        return float(1 / (1 + np.exp(-np.clip(self.slope * margin + self.shift, -50, 50))))


def spoken(page: Page) -> str:
    """The language a page says it is in, without the country; empty where it does not say.

    >>> spoken(Page("http://a.com/", language="pt-BR"))
    'pt'
    """
    return (page.language or "").replace("_", "-").partition("-")[0].lower()


@dataclass
class SiteModel:
    """Decides whether a site is about the entity; `languages` are those that its listings say they are in."""

    entity: str
    listing: LinearListing
    priority: LearnedPriority | FilterPriority
    odds: SearchOdds | None = None
    topic: LinearListing | None = None
    threshold: float = 0.5
    limits: Limits = field(default_factory=Limits)
    languages: frozenset[str] = frozenset()

    def detect(self, root: str, get: Get) -> Detection:
        """Search one site from its root page."""
        found = detect(root, get, self.listing, self.priority, self.limits, self.threshold, self.odds, self.topic)
        if found.relevant is False and (reason := self._strange([visit.page for visit in found.visits if visit.page])):
            found.relevant, found.reason = None, reason
        return found

    def _strange(self, pages: list[Page]) -> str | None:
        """Why these pages cannot be judged, if they cannot."""
        if self.languages and {spoken(page) for page in pages}.isdisjoint({*self.languages, ""}):
            return FOREIGN
        return STRANGE if all(self.listing.known_share(page) < STRANGE_BELOW for page in pages) else None

    def save(self, path: str | os.PathLike[str]) -> None:
        parameters: dict[str, Any] = {
            "entity": self.entity,
            "listing": self.listing.parameters(),
            "limits": msgspec.to_builtins(self.limits),
            "languages": sorted(self.languages),
        }
        arrays: dict[str, NDArray[Any]] = {"listing": self.listing.weights}
        if isinstance(self.priority, FilterPriority):
            parameters["filters"] = msgspec.to_builtins(self.priority.file)
        else:
            parameters["priority"] = {"intercept": self.priority.intercept, "base": self.priority.base}
            arrays["priority"] = self.priority.weights
        if self.topic is not None:
            parameters["topic"] = self.topic.parameters()
            arrays["topic"] = self.topic.weights
        if self.odds is not None:
            parameters["odds"] = {"intercept": self.odds.intercept, "give_up_below": self.odds.give_up_below}
            arrays["odds"] = self.odds.weights
        save_model(path, Model("sites", "garimpo", parameters, arrays, self.threshold))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "SiteModel":
        stored = load_model(path, "sites")
        try:
            return cls._of(stored)
        except (KeyError, TypeError, ValueError) as error:
            raise BadInput(f"{path}: not a whole model of sites ({error})") from None

    @classmethod
    def _of(cls, stored: Model) -> "SiteModel":
        own, arrays = stored.parameters, stored.arrays
        priority: LearnedPriority | FilterPriority
        if "filters" in own:
            priority = FilterPriority(msgspec.convert(own["filters"], FilterFile))
        else:
            priority = LearnedPriority(arrays["priority"], **own["priority"])
        listing = LinearListing(weights=arrays["listing"], **own["listing"])
        topic = LinearListing(weights=arrays["topic"], **own["topic"]) if "topic" in own else None
        odds = SearchOdds(arrays["odds"], **own["odds"]) if "odds" in own else None
        limits = msgspec.convert(own["limits"], Limits)
        return cls(own["entity"], listing, priority, odds, topic, stored.threshold, limits, frozenset(own.get("languages", ())))


def decided(model: SiteModel, name: str, get: Get, has: Callable[[str], bool]) -> Detection:
    """The answer about a site given by name or root URL; `has` says which of the usual root URLs of a name there is."""
    root = normalise(root_of(name, has))
    return model.detect(root, get) if root is not None and site_of(root) else Detection(name, None, NO_SITE)
