"""Link priorities learned from examples.

Labels come for free: in a site whose pages are known, the page judge says which are listings, and the links between its pages
say how many steps each page is away from one. A link that leads nearer to a listing than the page it stands on is worth `DECAY`
to the power of the steps that are left; all others, and those of sites without a listing, are worth nothing. A logistic
regression over the words of anchor and URL learns that worth.
"""

import zlib
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, vstack
from sklearn.linear_model import LogisticRegression

from garimpo.contract import Page
from garimpo.sites.site_text import PRICE, PRICE_IN_URL, TIME, tokens, url_part

DECAY = 0.4
BITS = 14
UNLIKELY = 0.1
"""A link whose worth is below this share of the mean is never followed."""
PROMISING = float(-np.log(UNLIKELY))
"""A link from the mean worth on may lead to a listing."""


def link_words(url: str, anchor: str, on_root: bool) -> list[str]:
    """What a link says before it is followed, as words in name spaces.

    >>> link_words("http://a.com/casas", "Casas", True)
    ['a:casas', 'u:casas', 'n:root', 'n:short']
    """
    said, place = tokens(anchor), url_part(url)
    found = [f"a:{word}" for word in said if not word.isdigit()]
    found += [f"u:{word}" for word in tokens(place) if not word.isdigit()]
    found.append("n:root" if on_root else "n:inner")
    if place and not place.startswith(("/", "www")):
        found.append("n:host")
    length = _length(anchor) if said else "n:none"
    found.append(length)
    if said and len(anchor) <= 3 and anchor.isupper():
        found.append("n:code")
    if any(word.isdigit() for word in tokens(place)):
        found.append(f"{length}-number")  # a menu that names its sections by number is no card of a listing
    if PRICE.search(anchor) or PRICE_IN_URL.search(place):
        found.append("n:price")
    if TIME.search(anchor):
        found.append("n:time")
    return found


def _length(anchor: str) -> str:
    """A word of a menu, a phrase, or the text of a card."""
    return "n:short" if len(anchor) <= 13 else "n:long" if len(anchor) <= 40 else "n:card"


def _slots(words: list[str]) -> list[int]:
    return [zlib.crc32(word.encode()) & ((1 << BITS) - 1) for word in words]


def _hashed(rows: Sequence[list[str]]) -> csr_matrix:
    slots = [_slots(words) for words in rows]
    starts = np.cumsum([0, *(len(row) for row in slots)])
    columns = np.array([slot for row in slots for slot in row], np.int32)
    return csr_matrix((np.ones(len(columns)), columns, starts), shape=(len(rows), 1 << BITS))


@dataclass
class LearnedPriority:
    """Log-odds of a link's worth against a small share (`UNLIKELY`) of the mean link's; below zero it is never followed."""

    weights: NDArray[np.float32]
    intercept: float
    base: float
    promising: float = PROMISING

    def score(self, url: str, anchor: str, on_root: bool) -> float:
        spoken = float(self.weights[_slots(link_words(url, anchor, on_root))].sum())
        return spoken + self.intercept - self.base


def learn_priority(sites: Iterable[Sequence[Page]], listings: set[str]) -> LearnedPriority:
    """Priorities from the pages of example sites; `listings` are the URLs of their listing pages. Each site weighs the same."""
    rows: list[list[str]] = []
    worth: list[float] = []
    weights: list[float] = []
    for pages in sites:
        links = worth_of_links(pages, listings)
        rows += [link_words(*link) for link in links]
        worth += links.values()
        weights += [1 / max(1, len(links))] * len(links)
    return _fit_priority(rows, np.array(worth), np.array(weights))


def worth_of_links(pages: Sequence[Page], listings: set[str]) -> dict[tuple[str, str, bool], float]:
    """The links between a site's pages (target, anchor, stands on the root page) and what following each is worth.

    On inner pages only what the root does not link to: a search that comes there has the rest already.
    """
    known = {page.url: page for page in pages}
    distance = steps_to(listings, pages)
    root = min(known, key=len, default="")
    menu = {link.target for link in known[root].links} if known else set()

    def worth(page: Page, target: str) -> float:
        left = distance.get(target, len(pages))
        return DECAY**left if left < distance.get(page.url, len(pages)) else 0.0

    return {
        (link.target, link.anchor, page.url == root): worth(page, link.target)
        for page in pages
        for link in page.links
        if link.target in known and (page.url == root or link.target not in menu)
    }


def _fit_priority(rows: list[list[str]], worth: NDArray[np.float64], weights: NDArray[np.float64]) -> LearnedPriority:
    """Soft labels by weights: each link stands once for its worth and once against it."""
    if not rows or not worth.any():
        return LearnedPriority(np.zeros(1 << BITS, np.float32), 0.0, 0.0)
    x = _hashed(rows)
    used = np.unique(x.indices)  # a few hundred of all columns
    x = x[:, used]
    labels = np.repeat([1, 0], len(rows))
    weights = weights * len(weights) / weights.sum()
    model = LogisticRegression(C=8.0, max_iter=300)
    model.fit(vstack([x, x]), labels, sample_weight=np.concatenate([worth * weights, (1 - worth) * weights]))
    mean = float(np.clip(np.average(worth, weights=weights), 1e-4, 1 - 1e-4))
    base = float(np.log(mean / (1 - mean)) + np.log(UNLIKELY))
    learned = np.zeros(1 << BITS, np.float32)
    learned[used] = model.coef_[0]
    return LearnedPriority(learned, float(model.intercept_[0]), base)


def steps_to(listings: set[str], pages: Sequence[Page]) -> dict[str, int]:
    """For each page of a site from which a listing can be reached: in how many links; a listing itself, 0."""
    reverse: dict[str, set[str]] = {}
    for page in pages:
        for link in page.links:
            reverse.setdefault(link.target, set()).add(page.url)
    distance = {page.url: 0 for page in pages if page.url in listings}
    queue = deque(distance)
    while queue:
        url = queue.popleft()
        for source in reverse.get(url, ()):
            if source not in distance:
                distance[source] = distance[url] + 1
                queue.append(source)
    return distance
