"""What do all good sites list that bad ones do not? One page of each good site, all alike.

A good site may list several things, and a page that lists any of them speaks like good sites. What is meant is what all of them
have: so from every page that may be a listing a group is grown, in each good site the page most like those taken in the others,
until none changes; and the group is taken that tells good sites from bad ones best, by how like it their best pages are.
Pages are compared by the words of their own, without those of their site's menu; a page with more links of its own, and one
that more pages of its site link to, is more likely the listing and not one of the things listed.
"""

import itertools
from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix

from garimpo.contract import Page
from garimpo.sites.page_features import PageFeatures, own_links

MENU = 0.5
"""A link or word on this share of a site's pages is part of its menu."""
MANY = 0.5
"""A page with this share of the most links of its own in the site may be a listing."""
GOOD, BAD = 20, 40
"""So many sites of each kind are compared; what they show is enough to find the rest."""
STEPS = 10
"""A group that still changes after so many steps goes back and forth between equals."""

Rows = dict[str, list[int]]


@dataclass
class Alike:
    """The pages taken, one a good site; how like them every page compared is (others: NaN); and which may be listings at all."""

    taken: NDArray[np.int64]
    likeness: NDArray[np.float64]
    may: NDArray[np.bool_]


def find_alike(pages: Sequence[Page], seen: Sequence[PageFeatures], rows: Rows, good: Set[str]) -> Alike:
    """The group of pages, one of each good site, that best tells good sites from bad; `rows` are the pages of each site.

    >>> from garimpo.contract import Link
    >>> from garimpo.sites.page_features import features
    >>> listing = [Link(f"http://{site}.com/{i}") for site in "abc" for i in range(3)]
    >>> pages = [Page(f"http://{site}.com/", text=said, links=listing) for site, said in zip("abc", ("Casas", "Casas", "Carros"))]
    >>> rows = {"a.com": [0], "b.com": [1], "c.com": [2]}
    >>> find_alike(pages, [features(page) for page in pages], rows, {"a.com", "b.com"}).taken.tolist()
    [0, 1]
    """
    links = share_of_links(pages, rows)
    compared = {site: rows[site] for kind, most in ((good, GOOD), (rows.keys() - good, BAD)) for site in _some(kind, most)}
    at = np.array([i for own_rows in compared.values() for i in own_rows])
    words = _own_words([seen[i] for i in at], places := _numbered(compared))
    likeness = np.asarray((words @ words.T).todense()) * (np.sqrt(links) * (1 + linked_from(pages, rows)) / 2)[at][:, None]
    taken = _best_group(likeness, places, good, links[at] >= MANY)
    like = np.full(len(pages), np.nan)
    like[at] = _likeness_to(likeness, taken, places)
    return Alike(at[taken], like, links >= MANY)


def _some(sites: Set[str], most: int) -> list[str]:
    """At most so many of the sites, evenly by their names."""
    names = sorted(sites)
    return [names[i] for i in np.unique(np.linspace(0, len(names) - 1, min(most, len(names))).astype(int))]


def _numbered(rows: Rows) -> Rows:
    """The same groups over rows numbered in their order."""
    number = itertools.count()
    return {site: [next(number) for _ in own_rows] for site, own_rows in rows.items()}


def _best_group(likeness: NDArray[np.float64], rows: Rows, good: Set[str], may: NDArray[np.bool_]) -> NDArray[np.int64]:
    candidates = [np.array(chosen) for site in rows if site in good and (chosen := [i for i in rows[site] if may[i]])]
    bad = [own_rows for site, own_rows in rows.items() if site not in good]
    groups = {tuple(_grown(likeness, candidates, start)) for start in np.concatenate(candidates)}
    return np.array(max(sorted(groups), key=lambda group: _apart(likeness, np.array(group), bad)))


def _grown(likeness: NDArray[np.float64], candidates: list[NDArray[np.int64]], start: np.int64) -> NDArray[np.int64]:
    """In each good site the candidate most like the start, then most like those of the other sites, until none changes."""
    group = np.array([rows[np.argmax(likeness[rows, start])] for rows in candidates])
    for _ in range(STEPS):
        total = likeness[:, group].sum(axis=1)
        pairs = zip(candidates, group)
        better = np.array([rows[np.argmax(total[rows] - likeness[rows, own])] for rows, own in pairs])
        if (better == group).all():
            break
        group = better
    return group


def _apart(likeness: NDArray[np.float64], group: NDArray[np.int64], bad: list[list[int]]) -> float:
    """How far good sites stand above bad ones: the chance that one of a pair does, and by how much on average."""
    others = max(1, len(group) - 1)
    total = likeness[:, group].sum(axis=1)
    of_good = (total[group] - likeness[group, group]) / others
    of_bad = np.array([total[rows].max() for rows in bad]) / len(group)
    return float((of_good[:, None] > of_bad[None, :]).mean() + of_good.mean() - of_bad.mean())


def _likeness_to(likeness: NDArray[np.float64], group: NDArray[np.int64], rows: Rows) -> NDArray[np.float64]:
    """How like the group every page is, leaving out the one of its own site."""
    total, count = likeness[:, group].sum(axis=1), np.full(len(likeness), len(group))
    taken = set(group.tolist())
    for own_rows in rows.values():
        for own in taken.intersection(own_rows):
            total[own_rows] -= likeness[own_rows, own]
            count[own_rows] -= 1
    return np.asarray(total / np.maximum(1, count), float)


def share_of_links(pages: Sequence[Page], rows: Rows) -> NDArray[np.float64]:
    """The links of each page into its site, beside the menu, as a share of the most that a page of the site has.

    Where no page has any, nothing tells them apart: each counts as the one with the most.
    """
    share = np.zeros(len(pages))
    for site, own_rows in rows.items():
        links = [own_links(pages[i], site) for i in own_rows]
        menu = _common(links)
        own = np.array([len(targets - menu) for targets in links])
        share[own_rows] = own / own.max() if own.max() else 1.0
    return share


def linked_from(pages: Sequence[Page], rows: Rows) -> NDArray[np.float64]:
    """The share of the other pages of its site that link to each page: most do to a listing in the menu."""
    share = np.zeros(len(pages))
    for site, own_rows in rows.items():
        counts = Counter(target for i in own_rows for target in own_links(pages[i], site) - {pages[i].url})
        share[own_rows] = [counts[pages[i].url] / max(1, len(own_rows) - 1) for i in own_rows]
    return share


def _own_words(seen: Sequence[PageFeatures], rows: Rows) -> csr_matrix:
    """Pages as rows of unit length: words of their own that stand on more than one site, rare ones weighing more."""
    own: list[set[str]] = [set()] * len(seen)
    on_sites: Counter[str] = Counter()
    for site_rows in rows.values():
        menu = _common([seen[i].words for i in site_rows])
        for i in site_rows:
            own[i] = set(seen[i].words - menu)
        on_sites.update(set().union(*(own[i] for i in site_rows)))
    column = {word: j for j, word in enumerate(sorted(word for word, count in on_sites.items() if count > 1))}
    columns = [sorted(column[word] for word in words if word in column) for words in own]
    starts = np.cumsum([0, *map(len, columns)])
    flat = np.array([j for row in columns for j in row], np.int64)
    x = csr_matrix((np.ones(len(flat)), flat, starts), shape=(len(own), len(column)))
    rare = np.log((len(rows) + 1) / np.array([on_sites[word] for word in column]))
    x.data *= rare[x.indices]
    lengths = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    x.data /= np.repeat(np.where(lengths > 0, lengths, 1.0), np.diff(x.indptr))
    return x


def _common(sets: Sequence[Set[str]]) -> set[str]:
    """What stands on most pages of a site; of a site of one or two pages nothing is known."""
    counts = Counter(item for each in sets for item in each)
    return {item for item, count in counts.items() if count > MENU * len(sets)} if len(sets) > 2 else set()
