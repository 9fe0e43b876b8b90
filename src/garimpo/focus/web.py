"""A stored web to walk on: its pages, who links to whom, and what each page is worth."""

import os
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.archive import Store
from garimpo.contract.errors import BadInput
from garimpo.engine.columns import hash_strings
from garimpo.focus.features import PART, Prepared, about, join_parallel, joined, places_of, site_keys, spoken, telling_words
from garimpo.focus.topic import TopicModel
from garimpo.focus.words import Vocabulary
from garimpo.page import word_hashes

Ints = NDArray[np.int64]
Terms = tuple[Ints, NDArray[np.int32], NDArray[np.float32], int]


class Web:
    """Pages numbered from 0, arcs in both directions, and the topic's probability of each page.

    The arcs of a page stand in the order of its links, each once. Only stored pages are nodes: a link to a page that was never
    fetched leads nowhere here, and is counted in `dangling`.

    Args:
        offsets: where the arcs of each page begin.
        targets: the pages they lead to.
        quality: of each page, the probability that it is on topic.
        urls: of the pages, by number.
    """

    def __init__(self, offsets: Ints, targets: NDArray[np.int32], quality: NDArray[np.float32], urls: pa.Array) -> None:
        self.offsets, self.targets, self.quality, self.urls = offsets, targets, quality, urls
        self.dangling = 0
        self.store: Store | None = None
        self.topic: TopicModel | None = None
        self._arcs: tuple[Ints, Ints] = (np.zeros(0, np.int64), np.zeros(0, np.int64))
        """The codes of all arcs, sorted, and the number of each arc."""
        self._terms: dict[tuple[bool, int | None], Terms] = {}

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def transpose(self) -> tuple[Ints, NDArray[np.int32]]:
        """The arcs into each node: offsets and sources."""
        order = np.argsort(self.targets, kind="stable")
        sources = np.repeat(np.arange(len(self), dtype=np.int32), np.diff(self.offsets))[order]
        counts = np.bincount(self.targets, minlength=len(self))
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), sources

    @classmethod
    def load(cls, folder: str | os.PathLike[str], topic: TopicModel, tick: Callable[[float], None] | None = None) -> "Web":
        """The web of a crawl folder, every page scored by the topic.

        Args:
            folder: the crawl folder; nothing is written to it.
            topic: what scores the pages.
            tick: called with the number of pages scored, from time to time.
        """
        store = Store.open(folder, write=False)
        urls = [batch.column("url").cast(pa.large_string()) for batch in store.latest(["url"])]
        if not sum(map(len, urls)):
            raise BadInput(f"{folder}: no page in it")
        web = cls(np.zeros(1, np.int64), np.zeros(0, np.int32), np.zeros(sum(map(len, urls)), np.float32), pa.concat_arrays(urls))
        web.store, web.topic = store, topic
        web._read_arcs()
        for numbers, texts in web.texts():
            web.quality[numbers] = topic.score(texts)
            if tick is not None:
                tick(len(numbers))
        return web

    def _read_arcs(self) -> None:
        """The arcs in the order of the links, and how many links lead nowhere."""
        assert self.store is not None
        size = len(self.urls)
        codes, lost = [np.zeros(0, np.int64)], [np.zeros(0, np.uint64)]
        for batch in self.store.links(["source", "target"]):
            a, b = (self.numbers(batch.column(name)) for name in ("source", "target"))
            known = (a >= 0) & (b >= 0) & (a != b)
            codes.append(a[known] * size + b[known])
            ends = [hash_strings(batch.column(name))[~known] for name in ("source", "target")]
            lost.append(ends[0] * np.uint64(0x9E3779B97F4A7C15) ^ ends[1])
        self.dangling = len(np.unique(np.concatenate(lost)))
        distinct, first = np.unique(np.concatenate(codes), return_index=True)
        order = np.lexsort((first, distinct // size))
        self._arcs = (distinct, np.argsort(order))
        self.offsets = np.concatenate([[0], np.cumsum(np.bincount(distinct // size, minlength=size))]).astype(np.int64)
        self.targets = (distinct % size)[order].astype(np.int32)

    def texts(self) -> Any:
        """Every page's number and text (title and what it shows), batch by batch."""
        assert self.store is not None
        for batch in self.store.latest(["url", "title", "text"]):
            titles, texts = (batch.column(name).to_pylist() for name in ("title", "text"))
            numbers = self.numbers(batch.column("url"))
            known = numbers >= 0
            shown = [f"{title}\n{text or ''}" if title else text or "" for title, text in zip(titles, texts)]
            yield numbers[known], pa.array(shown, pa.large_string()).filter(pa.array(known))

    @cached_property
    def _order(self) -> tuple[NDArray[np.uint64], Ints]:
        keys = hash_strings(self.urls)
        order = np.argsort(keys)
        return keys[order], order

    @cached_property
    def keys(self) -> NDArray[np.uint64]:
        """The hash of every URL."""
        return hash_strings(self.urls)

    @property
    def hosts(self) -> NDArray[np.uint64]:
        """The hash of every page's host."""
        return self._sites[0]

    @property
    def folders(self) -> NDArray[np.uint64]:
        """The hash of every page's directory."""
        return self._sites[1]

    @cached_property
    def _sites(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
        return site_keys(self.urls)

    def numbers(self, urls: Any) -> Ints:
        """The numbers of some URLs; -1 for those that are no pages here."""
        keys, (known, order) = hash_strings(urls), self._order
        place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
        return np.where(known[place] == keys, order[place], -1)

    @cached_property
    def links(self) -> Prepared:
        """What each arc looks like, in the order of the arcs: as `prepare` has it, but that URLs and pages are read once each."""
        sources = np.repeat(np.arange(len(self)), np.diff(self.offsets))
        links = self._joined_links()
        parts = [spoken(links.slice(start, PART), self.topic) for start in range(0, max(1, len(sources)), PART)]
        anchored, topical, of_anchors, around = zip(*parts)
        words, starts = word_hashes(self.urls)
        first, begin, end = self._page_words()
        return Prepared(
            self.keys[self.targets], self.hosts[self.targets], self.folders[self.targets],
            self.keys[sources], self.hosts[sources], self.folders[sources], places_of(links),
            np.concatenate(anchored), np.concatenate(topical), joined(of_anchors), joined(around),
            (words, starts[self.targets], starts[self.targets + 1]), (first, begin[sources], end[sources]),
        )  # fmt: skip

    def _page_words(self) -> tuple[NDArray[np.uint64], Ints, Ints]:
        """What every page is about, and where its words begin and end."""
        assert self.store is not None
        starts, ends = np.zeros(len(self), np.int64), np.zeros(len(self), np.int64)
        parts, total = [], 0
        for batch in self.store.latest(["url", "text"]):
            numbers = self.numbers(batch.column("url"))
            hashes, offsets = telling_words(about(batch.column("text")), self.topic)
            parts.append(hashes)
            starts[numbers], ends[numbers] = total + offsets[:-1], total + offsets[1:]
            total += len(hashes)
        return np.concatenate(parts), starts, ends

    def _joined_links(self) -> pa.Table:
        """The links of each arc as one."""
        assert self.store is not None
        distinct, number = self._arcs
        kept, arcs = [], [np.zeros(0, np.int64)]
        for batch in self.store.links():
            a, b = self.numbers(batch.column("source")), self.numbers(batch.column("target"))
            known = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))
            names = [name for name in ("anchor", "context", "place") if name in batch.schema.names]
            kept.append(pa.table(batch).select(names).take(pa.array(known)))
            arcs.append(number[np.searchsorted(distinct, a[known] * len(self) + b[known])])
        if not kept:
            return pa.table({"anchor": pa.array([], pa.string())})
        return join_parallel(pa.concat_tables(kept, promote_options="default"), np.concatenate(arcs))

    def terms(self, tfidf: bool = True, most: int | None = None) -> Terms:
        """The words of every page for naive Bayes: offsets, terms, weights, and how many terms there are.

        Words of over 12 % of the pages are left out as stop words, and those of fewer than two as too rare; of a page the
        `most` weighty ones count. Weights are tf-idf, or the words' shares of the page alone.
        """
        if (tfidf, most) not in self._terms:
            self._terms[tfidf, most] = heaviest(self._read_terms(tfidf), most)
        return self._terms[tfidf, most]

    def _read_terms(self, tfidf: bool) -> Terms:
        sample = [texts for _, texts in self._some_texts(20_000)]
        vocabulary = Vocabulary.of(pa.concat_arrays(sample), least=2)
        counts = [vocabulary.counts(texts) for texts in sample]
        frequency = np.sum([np.bincount(part.indices, minlength=len(vocabulary)) for part in counts], axis=0)
        documents = sum(part.shape[0] for part in counts)
        kept = np.flatnonzero((frequency <= max(2, 0.12 * documents)) & (frequency >= 2))
        vocabulary = Vocabulary(vocabulary.hashes[kept])
        idf = np.log(documents / frequency[kept]).astype(np.float32) if tfidf else np.ones(len(kept), np.float32)
        return self._weighted(vocabulary, idf)

    def _some_texts(self, most: int) -> Any:
        found = 0
        for numbers, texts in self.texts():
            yield numbers, texts
            found += len(numbers)
            if found >= most:
                return

    def _weighted(self, vocabulary: Vocabulary, idf: NDArray[np.float32]) -> Terms:
        sizes = np.zeros(len(self) + 1, np.int64)
        parts = []
        for numbers, texts in self.texts():
            counts = vocabulary.counts(texts)
            length = np.maximum(np.asarray(counts.sum(axis=1)).ravel(), 1)
            weight = counts.data / np.repeat(length, np.diff(counts.indptr)) * idf[counts.indices]
            sizes[numbers + 1] = np.diff(counts.indptr)
            parts.append((numbers, counts.indptr, counts.indices, weight.astype(np.float32)))
        offsets = np.cumsum(sizes)
        terms, weights = np.zeros(offsets[-1], np.int32), np.zeros(offsets[-1], np.float32)
        for numbers, starts, indices, weight in parts:
            size = np.diff(starts)
            place = np.repeat(offsets[numbers] - starts[:-1], size) + np.arange(starts[-1])
            terms[place], weights[place] = indices, weight
        return offsets, terms, weights, len(vocabulary)


def heaviest(terms: Terms, most: int | None) -> Terms:
    """The same with no more than so many words a page, those of most weight.

    >>> offsets, words, weights = np.array([0, 3]), np.array([7, 8, 9], np.int32), np.array([1, 3, 2], np.float32)
    >>> [part.tolist() for part in heaviest((offsets, words, weights, 10), 2)[:3]]
    [[0, 2], [8, 9], [3.0, 2.0]]
    """
    if most is None:
        return terms
    offsets, words, weights, count = terms
    page = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    order = np.lexsort((-weights, page))
    kept = np.sort(order[np.arange(len(words)) - offsets[page] < most])
    starts = np.concatenate([[0], np.cumsum(np.bincount(page[kept], minlength=len(offsets) - 1))]).astype(np.int64)
    return starts, words[kept], weights[kept], count
