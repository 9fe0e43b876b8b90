"""What tells a listing page from others, read from the page alone.

General features know no entity: links of a listing share a beginning or a shape, are many, and have long anchors. Specific ones
are the words of title, URL and body, each in a name space of its own, and the counts of images and prices.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix, hstack

from garimpo.contract import Page
from garimpo.sites.site_text import path_words, tokens, words
from garimpo.url import site as site_of

NUMBERS = ("largest_group", "same_site_links", "mean_anchor", "images", "prices")
"""The numeric features of the source."""

MORE_NUMBERS = (*NUMBERS, "largest_shape", "shape_share", "body_words", "prices_a_link")
"""Ours: shapes of URLs instead of their beginnings, and densities."""

_RUN = re.compile(r"[0-9]+|[^\W\d_]+", re.UNICODE)


@dataclass(slots=True)
class PageFeatures:
    """One page as numbers and namespaced words (`t:` title, `u:` URL, `b:` body, `s:` stated types), and the site it is on."""

    numbers: dict[str, float]
    words: frozenset[str]
    site: str = ""


def features(page: Page) -> PageFeatures:
    """The features of one page; the words of its site's own name are left out.

    Args:
        page: The page.

    >>> page = Page("http://a.com/x", title="Casas", text="Casas novas")
    >>> sorted(features(page).words)
    ['b:casas', 'b:novas', 't:casas']
    >>> sorted(features(Page("http://cars.com/x", text="Cars.com: used cars")).words)
    ['b:com', 'b:used']
    """
    home = site_of(page.url)
    own = own_links(page, home)
    anchors = [len(link.anchor) for link in page.links if link.anchor]
    body = words(page.text)
    shapes = Counter(shape(url) for url in own)
    largest_shape = max(shapes.values(), default=0)
    numbers = {
        "largest_group": max(Counter(first_segment(url) for url in own).values(), default=0),
        "same_site_links": len(own),
        "mean_anchor": sum(anchors) / len(anchors) if anchors else 0.0,
        "images": page.images,
        "prices": page.prices,
        "largest_shape": largest_shape,
        "shape_share": largest_shape / len(own) if own else 0.0,
        "body_words": len(body),
        "prices_a_link": page.prices / (1 + len(own)),
    }
    spoken = {f"t:{word}" for word in words(page.title or "")}
    spoken |= {f"u:{word}" for word in path_words(page.url)}
    spoken |= {f"b:{word}" for word in body}
    spoken -= {f"{space}:{word}" for word in tokens(home.partition(".")[0]) for space in "tub"}  # a brand proves nothing
    spoken |= {f"s:{name}" for name in page.types}
    return PageFeatures(numbers, frozenset(spoken), home)


def own_links(page: Page, site: str) -> set[str]:
    """The targets of a page's links into a site."""
    inside: dict[str, bool] = {}
    found = set()
    for link in page.links:
        host = urlsplit(link.target).netloc
        if host not in inside:
            inside[host] = site_of(link.target) == site
        if inside[host]:
            found.add(link.target)
    return found


def first_segment(url: str) -> str:
    """The first part of a URL's path.

    >>> first_segment("http://pe.olx.com.br/grande-recife/imoveis/x-1")
    'grande-recife'
    """
    return urlsplit(url).path.lstrip("/").split("/", 1)[0]


def shape(url: str) -> str:
    """A URL's path and query with every last segment's words and all numbers made alike.

    >>> shape("http://a.com/casas/linda-casa-12") == shape("http://a.com/casas/outra-bela-casa-7")
    True
    """
    parts = urlsplit(url)
    *folders, last = parts.path.split("/")
    keys = re.sub(r"=[^&]*", "=", parts.query)
    return "/".join(re.sub(r"\d+", "0", folder) for folder in folders) + "/" + _last(last) + keys


def _last(segment: str) -> str:
    runs = _RUN.findall(segment)
    kinds = sorted({"0" if run.isdigit() else "a" for run in runs})
    slug = "-" if len(runs) > 2 else ""
    return "".join(kinds) + slug


class Vectors:
    """Pages as rows of a sparse matrix: the numbers, then one column a word kept.

    A word is kept when at least two listings or at least two other pages of the training set have it; with `over_sites`, when
    pages of at least two sites do: a brand stands on every page of its site and says nothing about others.
    """

    def __init__(self, numbers: Sequence[str] = MORE_NUMBERS, kept: Sequence[str] = ()) -> None:
        self.numbers = tuple(numbers)
        self.kept = list(kept)
        self._column = {word: i for i, word in enumerate(self.kept)}

    def fit(self, pages: Sequence[PageFeatures], labels: NDArray[Any], over_sites: bool = False) -> "Vectors":
        frequent: set[str] = set()
        for label in (True, False):
            counts: Counter[str] = Counter()
            for group in _groups([page for page, y in zip(pages, labels) if bool(y) == label], over_sites):
                counts.update(group)
            frequent |= {word for word, count in counts.items() if count >= 2}
        self.kept = sorted(frequent)
        self._column = {word: i for i, word in enumerate(self.kept)}
        return self

    def knows(self, word: str) -> bool:
        return word in self._column

    def transform(self, pages: Iterable[PageFeatures]) -> csr_matrix:
        rows, columns, numbers = [], [], []
        for i, page in enumerate(pages):
            found = [self._column[word] for word in page.words if word in self._column]
            rows += [i] * len(found)
            columns += found
            numbers.append([page.numbers[name] for name in self.numbers])
        shape_ = (len(numbers), len(self.kept))
        spoken = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape_)
        return csr_matrix(hstack([csr_matrix(np.log1p(np.array(numbers, float).reshape(shape_[0], -1))), spoken]))


def _groups(pages: list[PageFeatures], over_sites: bool) -> Iterable[Iterable[str]]:
    """The sets of words that count once each: those of a page, or those of a site."""
    if not over_sites:
        return (page.words for page in pages)
    sites: dict[str, set[str]] = {}
    for page in pages:
        sites.setdefault(page.site, set()).update(page.words)
    return sites.values()
