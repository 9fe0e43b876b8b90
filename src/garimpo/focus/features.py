"""What a link looks like before anything is known of the crawl: one function for the live crawl and for simulated visits.

Links of one page to the same target are one link: an image and the words beside it say together what neither says alone. The
words of its anchor, of its URL and around it are hashed, and the topic has its view of anchor and surroundings; what its page
is about comes from the beginning of the page's text, or where that is not at hand from the words around its links.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.engine.columns import hash_strings
from garimpo.focus.topic import TopicModel
from garimpo.page import word_hashes
from garimpo.url import host_column

Keys = NDArray[np.uint64]
Floats32 = NDArray[np.float32]
Words = tuple[Keys, NDArray[np.int64]]
"""Hashed words one text after the other, and where those of each begin."""
Runs = tuple[Keys, NDArray[np.int64], NDArray[np.int64]]
"""Hashed words, and where those of each link begin and end."""

COMMON = 150
"""So many words of a topic's vocabulary, the most frequent ones, say nothing about a page."""
PART = 1 << 18
"""How many links are looked at in one go."""
FIRST_CHARACTERS = 600
"""So much of a page says what it is about."""


@dataclass(slots=True)
class Prepared:
    """A links table as kernels want it: hashes of URLs and hosts, hashed words, and the topic's view of the words."""

    targets: Keys
    target_hosts: Keys
    target_folders: Keys
    sources: Keys
    source_hosts: Keys
    source_folders: Keys
    places: Keys
    """Where each link stands in its page, 0 where that is not known."""
    anchored: Floats32
    contexts: Floats32
    anchors: Words
    around: Words
    urls: Runs
    page: Runs
    """The words of the URLs and of the pages they stand on, and for each link where its own begin and end."""

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """All of it in the order of the kernels' arguments, without the scores of the pages and their depths."""
        return (
            self.targets, self.target_hosts, self.target_folders, self.sources, self.source_hosts, self.source_folders,
            self.places, self.anchored, self.contexts,
            *self.anchors, *self.around, *self.urls, *self.page,
        )  # fmt: skip


def prepare(links: pa.Table, topic: TopicModel | None) -> Prepared:
    """What can be said of links without knowing the crawl; pure.

    Args:
        links: a links table, each link once (see `join_parallel`); it may have the columns `context`, `place` and, as made by
            `about`, what the page of each link is about.
        topic: the topic, if there is one.
    """
    targets, sources = links.column("target"), links.column("source")
    words, offsets = word_hashes(targets)
    anchored, topical, anchors, around = spoken(links, topic)
    (hosts, folders), (source_hosts, source_folders) = site_keys(targets), site_keys(sources)
    return Prepared(
        hash_strings(targets), hosts, folders, hash_strings(sources), source_hosts, source_folders, places_of(links),
        anchored, topical, anchors, around, (words, offsets[:-1], offsets[1:]), _page_words(links, topic),
    )  # fmt: skip


def places_of(links: pa.Table) -> Keys:
    """Where each link stands in its page; 0 where that is not known."""
    if "place" not in links.column_names:
        return np.zeros(links.num_rows, np.uint64)
    return np.ascontiguousarray(pc.fill_null(links.column("place"), 0).to_numpy(), np.uint64)


def site_keys(urls: Any) -> tuple[Keys, Keys]:
    """The hashes of the hosts of URLs, and of their directories: all up to the last slash of the path.

    Args:
        urls: a column of URLs in normal form.

    >>> hosts, folders = site_keys(pa.array(["http://a.org/b/c", "http://a.org/b/d?e=/f", "http://a.org/"]))
    >>> len(set(hosts.tolist())), [bool(key == folders[0]) for key in folders]
    (1, [True, True, False])
    """
    paths = pc.replace_substring_regex(urls, r"[^/]*(\?.*)?$", "")
    return hash_strings(host_column(urls)), hash_strings(paths)


def join_parallel(links: pa.Table, group: NDArray[np.int64]) -> pa.Table:
    """One row for the links of each group, in the order of the groups: the first, with the anchors of all.

    Args:
        links: a links table.
        group: the number of each link's group; each number from 0 on occurs.

    >>> links = pa.table({"target": ["x", "y", "x"], "anchor": ["", "dry", "gold"]})
    >>> join_parallel(links, np.array([0, 1, 0])).to_pylist()
    [{'target': 'x', 'anchor': 'gold'}, {'target': 'y', 'anchor': 'dry'}]
    """
    first = np.full(int(group.max(initial=-1)) + 1, -1)
    first[group[::-1]] = np.arange(len(group))[::-1]  # of several the first, which is written last
    joined = links.take(pa.array(first))
    several = np.flatnonzero(np.bincount(group)[group] > 1)
    if not len(several):
        return joined
    anchors = dict(zip(group[several].tolist(), [""] * len(several)))
    for number, anchor in zip(group[several].tolist(), links.column("anchor").take(pa.array(several)).to_pylist()):
        if anchor and anchor not in anchors[number]:
            anchors[number] = f"{anchors[number]} {anchor}".lstrip()
    mask = np.zeros(len(first), bool)
    mask[list(anchors)] = True
    said = pa.array([anchors[number] for number in np.flatnonzero(mask).tolist()], pa.string())
    column = pc.replace_with_mask(joined.column("anchor").combine_chunks(), pa.array(mask), said)
    return joined.set_column(joined.column_names.index("anchor"), "anchor", column)


def groups_of(links: pa.Table) -> NDArray[np.int64]:
    """The number of each link's group of parallel links, in the order in which they are first met."""
    codes = hash_strings(links.column("source")) * np.uint64(0x9E3779B97F4A7C15) ^ hash_strings(links.column("target"))
    _, first, group = np.unique(codes, return_index=True, return_inverse=True)
    rank = np.empty(len(first), np.int64)
    rank[np.argsort(first)] = np.arange(len(first))
    return rank[group]


def spoken(links: pa.Table, topic: TopicModel | None) -> tuple[Floats32, Floats32, Words, Words]:
    """What is said of links: the topic's scores of anchors and of contexts, and the words of both."""
    anchors, context = links.column("anchor"), _context(links)
    return _topical(anchors, topic), _topical(context, topic), word_hashes(anchors), word_hashes(context)


def _context(links: pa.Table) -> Any:
    context = links.column("context") if "context" in links.column_names else pa.nulls(links.num_rows, pa.string())
    return context.cast(pa.string())


def about(texts: Any) -> Any:
    """The part of texts that says what their pages are about.

    Args:
        texts: a column of the texts of pages.
    """
    return pc.utf8_slice_codeunits(texts, 0, FIRST_CHARACTERS)


def _page_words(links: pa.Table, topic: TopicModel | None) -> Runs:
    """What the page of each link is about: how its text begins, or the words around its links, or of its anchors."""
    if "about" in links.column_names:
        said = links.column("about").combine_chunks()
        said = said if isinstance(said, pa.DictionaryArray) else said.dictionary_encode()
        hashes, offsets = telling_words(said.dictionary, topic)
        number = said.indices.to_numpy()
        return hashes, offsets[number], offsets[number + 1]
    context = _context(links)
    hashes, offsets = telling_words(context if context.null_count < len(context) else links.column("anchor"), topic)
    keys = hash_strings(links.column("source"))
    change = np.flatnonzero(keys[1:] != keys[:-1]) + 1
    first = np.concatenate([[0], change]).astype(np.int64)
    last = np.concatenate([change, [len(keys)]]).astype(np.int64)
    size = last - first
    return hashes, np.repeat(offsets[first], size), np.repeat(offsets[last], size)


def telling_words(texts: Any, topic: TopicModel | None) -> Words:
    """The hashed words of each text without those the topic met most often, which tell nothing."""
    hashes, offsets = word_hashes(texts)
    if topic is None or not len(hashes):
        return hashes, offsets
    return topic.vocabulary.without_common(hashes, offsets, COMMON)


def _topical(texts: Any, topic: TopicModel | None) -> Floats32:
    """The topic's score of each text, NaN where it knows no word of it."""
    if topic is None or texts.null_count == len(texts):
        return np.full(len(texts), np.nan, np.float32)
    return topic.score(texts, unknown=np.nan).astype(np.float32)


def joined(parts: Sequence[Words]) -> Words:
    """Words of texts and where those of each begin, one part after the other."""
    shifts = np.cumsum([0, *(offsets[-1] for _, offsets in parts)])
    starts = [offsets[1:] + shift for (_, offsets), shift in zip(parts, shifts)]
    return np.concatenate([hashes for hashes, _ in parts]), np.concatenate([[0], *starts]).astype(np.int64)
