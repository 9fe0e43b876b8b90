"""For each query document, the documents of a corpus that are most like it, by any measure, exactly.

The corpus is read once, in blocks, and only the terms that some query has are kept of it. Measures of sets score a block as
it is read. Weighing measures first have to know how often each term occurs anywhere, so they put the blocks on disk and
score them in a second pass.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import IO, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.contract import BadInput, Counts, check
from garimpo.contract.tables import RANKING
from garimpo.similarity.inputs.batches import Documents, batches_of
from garimpo.similarity.scoring.best import Best
from garimpo.similarity.scoring.measures import (
    NORMED,
    SET_MEASURES,
    Floats,
    Measure,
    Query,
    Statistics,
    Vocabulary,
    as_sets,
    counted,
    norms,
    require_measure,
    weigh_documents,
)
from garimpo.similarity.scoring.terms import TermConfig, Terms, Units, terms_of
from garimpo.similarity.sketches.sets import Hashes, Numbers, Sets
from garimpo.similarity.sketches.sketch import Sketcher
from garimpo.similarity.sketches.slot_sets import SlotCompare, parts, require_compare, slot_sets

MOST = 1000
BLOCK = 1 << 24
"""Terms of the corpus held at a time."""
CELLS = 1 << 23
"""Scores held at a time."""
WIDTHS = {"bm25": (1, 2), "bm25-robertson": (1,), "tfidf-textbook": (1,), "tfidf-lucene": (1,), "lm": (1,), "lm-unclipped": (1,)}
"""How wide the shingles of a measure are if nothing else is said; of those not named here, `USUAL`."""
USUAL = (1,)
CHARACTERS = (5,)


def rank(
    queries: Documents,
    corpus: Documents,
    *,
    top: int = 10,
    measure: Measure | None = None,
    shingle: int | tuple[int, ...] | None = None,
    units: Units = "words",
    stop_words: frozenset[str] = frozenset(),
    keep_case: bool = False,
    digits: bool = True,
    sketch: str | None = None,
    slots: int | None = None,
    compare: SlotCompare = "positional",
    seed: int = 0,
    counts: Counts | None = None,
) -> pa.Table:
    """The `top` documents of `corpus` for each query: `query, id, rank, similarity`. What shares nothing is not listed.

    Args:
        queries: documents to find sources for: a list of texts, a table (any object with `__arrow_c_stream__`), or path(s).
        corpus: documents to search, likewise.
        top: how many documents are listed for a query.
        measure: what similar means; see `garimpo.similarity.scoring.measures`. By default `tfidf`; of sketches `jaccard`.
        shingle: words (or characters) in a term, or several widths at once; by default what suits the measure.
        units: what terms are made of.
        stop_words: words that do not count.
        keep_case: whether `Gold` and `gold` are two words.
        digits: whether words of digits only count.
        sketch: estimate a measure of sets from sketches instead, of any method of `Sketcher` but simhash.
        slots: numbers in a sketch.
        compare: how sketches are compared; see `garimpo.similarity.estimate`.
        seed: of the hash functions of sketches.
        counts: what was read and passed over is added to it.

    >>> rank(["gold in a river"], ["gold in the river", "rain on the hill"], measure="jaccard").to_pylist()
    [{'query': 'row 1', 'id': 'row 1', 'rank': 1, 'similarity': 0.6}]
    """
    measure = measure or usual_measure(sketch is not None)
    require_measure(measure)
    if not 1 <= top <= MOST:
        raise BadInput(f"from 1 to {MOST} documents are listed for a query, not {top}")
    config = term_config(measure, shingle, units, stop_words, keep_case, digits)
    counts = Counts() if counts is None else counts
    asked = Asked.read(queries, config, measure, counts, Slots.of(measure, sketch, slots, compare, seed))
    with tempfile.TemporaryFile(prefix="garimpo-terms-", buffering=0) as file:
        read = _Corpus(batches_of(corpus, (), counts), config, asked, file)
        best = Best(len(asked.names), top)
        for scores, base in read.scores():
            best.offer(scores, base)
        counts["queries"], counts["documents"] = len(asked.names), read.documents
        return ranking_table(asked.names, pa.chunked_array(read.ids, pa.string()), best)


def usual_measure(sketched: bool) -> Measure:
    """What similar means where nobody said: of sketches and stored collections, which know sets only, `jaccard`."""
    return "jaccard" if sketched else "tfidf"


def term_config(
    measure: str,
    shingle: int | tuple[int, ...] | None = None,
    units: Units = "words",
    stop_words: frozenset[str] = frozenset(),
    keep_case: bool = False,
    digits: bool = True,
) -> TermConfig:
    """What terms are for a measure, where the user did not say otherwise."""
    usual = CHARACTERS if units == "characters" else WIDTHS.get(measure, USUAL)
    widths = usual if shingle is None else (shingle,) if isinstance(shingle, int) else shingle
    return TermConfig(units, widths, stop_words, keep_case, digits)


def ranking_table(names: pa.ChunkedArray, ids: pa.ChunkedArray, best: Best) -> pa.Table:
    """The table `ranking`, query after query."""
    row, place = np.nonzero(best.documents >= 0)
    table = {
        "query": names.take(pa.array(row)),
        "id": ids.take(pa.array(best.documents[row, place])),
        "rank": pa.array((place + 1).astype(np.int32)),
        "similarity": pa.array(best.scores[row, place]),
    }
    return check(pa.table(table), RANKING)


@dataclass
class Asked:
    """The queries: their names, their terms, and what a measure needs to know of them."""

    names: pa.ChunkedArray
    vocabulary: Vocabulary
    query: Query
    slots: "Slots | None" = None

    @classmethod
    def read(cls, queries: Documents, config: TermConfig, measure: str, counts: Counts, slots: "Slots | None" = None) -> "Asked":
        batches = list(batches_of(queries, (), counts))
        names = pa.chunked_array([batch.column("id") for batch in batches], pa.string())
        terms: Terms | Sets = joined([terms_of(batch.column("text"), config) for batch in batches])
        terms = as_sets(terms) if measure in SET_MEASURES else terms
        sizes = np.diff(terms.offsets)
        if slots is not None:
            terms, sizes = slots.turned(as_sets(terms))
        vocabulary = Vocabulary(terms.values)
        counted = vocabulary.count(terms.values, terms.offsets)
        return cls(names, vocabulary, Query(measure, counted, sizes, slots=slots.whole if slots else 0), slots)


@dataclass(frozen=True)
class Slots:
    """Sketches in place of sets."""

    sketcher: Sketcher
    compare: SlotCompare
    whole: int
    """Of what two sketches share, so much is all; 0 where the selected elements are compared as sets."""

    @classmethod
    def of(cls, measure: str, sketch: str | None, slots: int | None, compare: SlotCompare, seed: int) -> "Slots | None":
        if sketch is None:
            return None
        require_measure(measure, SET_MEASURES)
        sketcher = Sketcher(sketch, slots, seed=seed)
        require_compare(sketcher.config, compare)
        return cls(sketcher, compare, 0 if compare == "elements" else parts(sketcher.config, compare))

    def turned(self, sets: Sets) -> tuple[Sets, Numbers]:
        """The slots of each set's sketch, and the sizes that the measure needs."""
        out = slot_sets(self.sketcher.sketch(sets), self.compare)
        return out, sets.sizes if self.whole else out.sizes


class _Corpus:
    """The corpus, read once."""

    def __init__(self, batches: Iterator[pa.RecordBatch], config: TermConfig, asked: Asked, file: IO[bytes]) -> None:
        self._batches, self._config, self._asked, self._file = batches, config, asked, file
        self.ids: list[pa.Array] = []
        self.documents = 0

    def scores(self) -> Iterator[tuple[Any, int]]:
        """Scores of some documents (a row each) for all queries, and the number of the first of them."""
        query = self._asked.query
        if query.measure in SET_MEASURES:
            for base, terms in self._blocks():
                sets = as_sets(terms)
                sets, sizes = self._asked.slots.turned(sets) if self._asked.slots else (sets, sets.sizes)
                yield from _in_parts(query, self._asked.vocabulary.count(sets.values, sets.offsets), sizes, base)
            return
        spool = _Spool(self._file, query.measure in NORMED)
        corpus, every = Statistics.empty(len(self._asked.vocabulary)), _Frequencies()
        for base, terms in self._blocks():
            counts = self._asked.vocabulary.count(terms.values, terms.offsets)
            corpus.add(counts, terms.lengths)
            if spool.whole:
                every.add(as_sets(terms).values)
            spool.put(base, terms, self._asked.vocabulary)
        query = query.weighed(corpus)
        for base, terms, counts in spool.get():
            length = None
            if spool.whole:
                length = every.norms(terms, query.measure, corpus)
                counts = self._asked.vocabulary.count(terms.values, terms.offsets)
            yield from _in_parts(query, counts, terms.lengths, base, length)

    def _blocks(self) -> Iterator[tuple[int, Terms]]:
        held: list[Terms] = []
        rows = 0
        for batch in self._batches:
            self.ids.append(batch.column("id"))
            held.append(terms_of(batch.column("text"), self._config))
            rows += batch.num_rows
            if sum(part.values.size for part in held) > BLOCK:
                yield self.documents, joined(held)
                self.documents, held, rows = self.documents + rows, [], 0
        if held:
            yield self.documents, joined(held)
            self.documents += rows


def _in_parts(query: Query, counts: Any, sizes: Numbers, base: int, length: Floats | None = None) -> Iterator[tuple[Any, int]]:
    rows = max(1, CELLS // max(1, query.counts.shape[0]))
    for start in range(0, counts.shape[0], rows):
        part = slice(start, start + rows)
        yield query.score(counts[part], sizes[part], None if length is None else length[part]), base + start


class _Spool:
    """Blocks on disk: all terms of each, or only the numbers of those that queries have."""

    def __init__(self, file: IO[bytes], whole: bool) -> None:
        self._file, self.whole = file, whole
        self._blocks: list[tuple[int, int, int, Numbers, Numbers]] = []
        self._width = 0

    def put(self, base: int, terms: Terms, vocabulary: Vocabulary) -> None:
        self._width = len(vocabulary)
        at = self._file.tell()
        if self.whole:
            values: NDArray[Any] = terms.values
            offsets = terms.offsets
        else:
            found = vocabulary.find(terms.values)
            known = found >= 0
            values, offsets = found[known], np.append(0, np.cumsum(known))[terms.offsets]
        values.tofile(self._file)
        self._blocks.append((base, at, values.size, offsets, terms.offsets))

    def get(self) -> Iterator[tuple[int, Terms, Any]]:
        """The first document of each block, its terms (without values where only numbers were kept), and their counts."""
        for base, at, size, offsets, whole in self._blocks:
            self._file.seek(at)
            values: NDArray[Any] = np.fromfile(self._file, np.uint64 if self.whole else np.int32, size)
            if self.whole:
                yield base, Terms(values, offsets), None
            else:
                yield base, Terms(np.empty(0, np.uint64), whole), counted(values, offsets, self._width)


class _Frequencies:
    """In how many documents each term of the whole corpus occurs."""

    def __init__(self) -> None:
        self._keys, self._counts = np.empty(0, np.uint64), np.empty(0, np.int64)
        self._vocabulary: Vocabulary | None = None

    def add(self, values: Hashes) -> None:
        """The terms of some documents, once for each of these that has it."""
        keys, times = np.unique(values, return_counts=True)
        every = np.concatenate([self._keys, keys])
        self._keys, place = np.unique(every, return_inverse=True)
        self._counts = np.bincount(place, np.concatenate([self._counts, times]), self._keys.size).astype(np.int64)

    def norms(self, terms: Terms, measure: str, corpus: Statistics) -> Floats:
        """The length of each document's vector of weights."""
        if self._vocabulary is None:
            self._vocabulary = Vocabulary(self._keys)
        whole = replace(corpus, frequency=self._counts.astype(np.float64))
        counts = self._vocabulary.count(terms.values, terms.offsets)
        return norms(weigh_documents(measure, counts, terms.lengths, whole))


def joined(parts: list[Terms]) -> Terms:
    """The terms of several batches, one after the other."""
    values = np.concatenate([*(part.values for part in parts), np.empty(0, np.uint64)])
    lengths = np.concatenate([*(part.lengths for part in parts), np.empty(0, np.int64)])
    return Terms(values, np.concatenate([[0], np.cumsum(lengths)]))
