"""What `garimpo sites train` makes: a page judge, link priorities and a stop rule, stored as one model file."""

import os
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import msgspec
from numpy.typing import NDArray

from garimpo.contract import BadInput, Link, Model, Page, Summarised, load_model, save_model
from garimpo.sites.archive_pages import root_of
from garimpo.sites.detector import FOREIGN, NO_SITE, STRANGE, Detection, Get, Judges, search_site
from garimpo.sites.language import foreign
from garimpo.sites.link_worth import BITS, LearnedPriority
from garimpo.sites.odds import SearchOdds
from garimpo.sites.page_judge import PageJudge
from garimpo.sites.priority import FilterFile, FilterPriority
from garimpo.sites.search import Limits
from garimpo.sites.vote import SiteVote
from garimpo.url import normalise
from garimpo.url import site as site_of

STRANGE_BELOW = 0.1
"""The share of known words below which the words of a page are not those of the examples."""
_TRIAL = Page("http://a.org/", title="a", text="b", links=[Link("http://a.org/c", "d")])
"""What a stored model judges before it is believed."""


@dataclass(repr=False)
class SiteModel(Summarised):
    """Decides whether a site is about the entity.

    Args:
        entity: A name for what is collected.
        listing: The judge of single pages.
        priority: What a link is worth before it is followed.
        odds: When a search gives up.
        topic: The judge of how much a page speaks like relevant sites.
        threshold: From which chance on a page is a listing.
        limits: The limits of a search.
        languages: Those that the pages of relevant examples are in.
        vote: All evidence together, where a search found no listing.
    """

    entity: str
    listing: PageJudge
    priority: LearnedPriority | FilterPriority
    odds: SearchOdds | None = None
    topic: PageJudge | None = None
    threshold: float = 0.5
    limits: Limits = field(default_factory=Limits)
    languages: frozenset[str] = frozenset()
    vote: SiteVote | None = None

    def summary(self) -> dict[str, Any]:
        """What it looks for, and by which limits."""
        return {
            "entity": self.entity,
            "threshold": self.threshold,
            "languages": sorted(self.languages),
            "limits": asdict(self.limits),
        }

    def detect(self, root: str, get: Get, starts: Sequence[str] = ()) -> Detection:
        """Search one site.

        Args:
            root: Its root page, or any page of it.
            get: Gives pages.
            starts: Other pages of it that are known to be there, the best first, for where the root is not.
        """
        judges = Judges(self.listing, self.priority, self.threshold, self.topic, self.odds, self.vote, self.strange)
        return search_site(root, get, judges, self.limits, starts)

    def strange(self, pages: Sequence[Page]) -> str | None:
        """Why these pages cannot be judged, if they cannot."""
        if foreign(pages, self.languages):
            return FOREIGN
        return STRANGE if all(self.listing.known_share(page) < STRANGE_BELOW for page in pages) else None

    def save(self, path: str | os.PathLike[str]) -> None:
        parameters: dict[str, Any] = {
            "entity": self.entity,
            "listing": self.listing.parameters(),
            "limits": msgspec.to_builtins(self.limits),
            "languages": sorted(self.languages),
        }
        arrays: dict[str, NDArray[Any]] = self.listing.arrays("listing")
        if isinstance(self.priority, FilterPriority):
            parameters["filters"] = msgspec.to_builtins(self.priority.file)
        else:
            parameters["priority"] = {"intercept": self.priority.intercept, "base": self.priority.base}
            arrays["priority"] = self.priority.weights
        if self.topic is not None:
            parameters["topic"] = self.topic.parameters()
            arrays |= self.topic.arrays("topic")
        if self.odds is not None:
            parameters["odds"] = {"intercept": self.odds.intercept, "give_up_below": self.odds.give_up_below}
            arrays["odds"] = self.odds.weights
        if self.vote is not None:
            parameters["vote"] = asdict(self.vote)
        save_model(path, Model("sites", "garimpo", parameters, arrays, self.threshold))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> "SiteModel":
        stored = load_model(path, "sites")
        try:
            model = cls._of(stored)
            model.detect(_TRIAL.url, {_TRIAL.url: _TRIAL}.get)
            return model
        except (LookupError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise BadInput(f"{path}: not a whole model of sites ({error})") from None

    @classmethod
    def _of(cls, stored: Model) -> "SiteModel":
        own, arrays = stored.parameters, stored.arrays
        priority: LearnedPriority | FilterPriority
        if "filters" in own:
            priority = FilterPriority(msgspec.convert(own["filters"], FilterFile))
        else:
            priority = LearnedPriority(arrays["priority"], **own["priority"])
            if priority.weights.shape != (1 << BITS,):
                raise ValueError(f"{priority.weights.size:,} weights of links")
        listing = PageJudge.stored("listing", own["listing"], arrays)
        topic = PageJudge.stored("topic", own["topic"], arrays) if "topic" in own else None
        odds = SearchOdds(arrays["odds"], **own["odds"]) if "odds" in own else None
        limits = msgspec.convert(own["limits"], Limits)
        vote = SiteVote(**own["vote"]) if "vote" in own else None
        languages = frozenset(own.get("languages", ()))
        return cls(own["entity"], listing, priority, odds, topic, stored.threshold, limits, languages, vote)


def decided(
    model: SiteModel, name: str, get: Get, has: Callable[[str], bool], known: Callable[[str], Sequence[str]] | None = None
) -> Detection:
    """The answer about a site given by name or URL.

    Args:
        model: Decides.
        name: The site.
        get: Gives pages.
        has: Says which of the usual root URLs of a name there is.
        known: Gives the pages of a site that are there, the best to begin at first.
    """
    root = normalise(root_of(name, has))
    site = site_of(root) if root is not None else ""
    if root is None or not site:
        return Detection(name, None, NO_SITE)
    return model.detect(root, get, known(site) if known is not None else ())
