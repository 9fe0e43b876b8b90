"""An index of the pages of a running crawl: is this page one that we have?

Two pages are one by the test of `page.text.sameness`: their host's template set aside, they say the same. A page is compared
only with pages that probably pass: those of equal text, and those that share band keys of a sketch of its text with numbers
masked, the ones that share most first. A page that repeats an earlier one leaves no trace. Any other gets a number, its blocks
and words are stored, and later pages are compared with it. The template of a host is learned from the pages stored of it, from
`ENOUGH` on, and again each time their number has doubled.

On disk: `index.json` (what the index was made with), `documents`, `blocks`, `words`, `ids` (only ever appended to), `runs/`, and
`state.json`, replaced by rename at each commit. Only what `state.json` names exists: opening cuts the rest off.
"""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Self

import msgspec
import numpy as np
from numpy.typing import NDArray

from garimpo.contract import BadInput, publish_bytes
from garimpo.page.text.blocks import Blocks
from garimpo.page.text.sameness import ENOUGH, Chrome, Comparison, PageBlocks, learn_chrome
from garimpo.similarity.candidates.bands import choose
from garimpo.similarity.candidates.pairs import keys_of
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import Sketcher, Sketches
from garimpo.similarity.stores.growing_array import Growing
from garimpo.similarity.stores.runs import Runs

FORMAT = 1
CANDIDATES = Fraction(4, 5)
"""The similarity of masked texts from which on a pair is likely to be proposed."""
MOST_A_KEY, MOST_COMPARED = 64, 16
SAMPLE = 512
"""Pages of a host that its template is learned from, at most."""
HOSTS = 4_096
"""Hosts whose template is kept in memory."""
PAGES, MOST_WORDS = 512, 4_096
"""Pages kept in memory of those compared last, and the words of the longest of them: a new page is like the same few."""
SAME_TEXT, SAME_HOST = np.uint64(0xA5A5A5A5C3C3C3C3), np.uint64(0x5C5C5C5C3A3A3A3A)

DOCUMENT = np.dtype(
    [("host", "<u8"), ("text", "<u8"), ("title", "<u8"), ("block", "<i8"), ("blocks", "<i4"), ("id", "<i8"), ("id_size", "<i4")]
)
BLOCK = np.dtype([("as_is", "<u8"), ("masked", "<u8"), ("lettered", "u1"), ("word", "<i8"), ("words", "<i4")])
WORD = np.dtype([("as_is", "<u4"), ("masked", "<u4")])


@dataclass(frozen=True, slots=True)
class ReadPages:
    """What the index is told of a batch of pages; the rows of all arrays are the pages, in order of arrival."""

    hosts: NDArray[np.uint64]
    """A hash of each page's host."""
    texts: NDArray[np.uint64]
    """A digest of each page's whole text."""
    titles: NDArray[np.uint64]
    blocks: Blocks
    sketches: Sketches


class PageIndex:
    """Pages in order of arrival, on disk. One process writes; `commit` makes what was added last."""

    def __init__(self, folder: Path, sketcher: Sketcher, state: dict[str, Any]) -> None:
        self._folder = folder
        self._bands = choose(sketcher.config, CANDIDATES, 0.99)
        self._documents = Growing(folder / "documents", DOCUMENT, state["documents"])
        self._blocks = Growing(folder / "blocks", BLOCK, state["blocks"])
        self._words = Growing(folder / "words", WORD, state["words"])
        self._ids = Growing(folder / "ids", np.dtype("u1"), state["ids"])
        self._runs = Runs(folder / "runs", state["runs"])
        self._templates: OrderedDict[int, tuple[int, Chrome]] = OrderedDict()
        self._compared: OrderedDict[int, tuple[PageBlocks, int]] = OrderedDict()
        self._comparison = Comparison()

    @classmethod
    def open(cls, folder: Path, sketcher: Sketcher) -> Self:
        """Open the index of a folder, or begin one; `BadInput` if it is damaged.

        Args:
            folder: where it is kept.
            sketcher: makes the sketches that pages are looked up by.
        """
        folder.mkdir(parents=True, exist_ok=True)
        wanted = {"format": FORMAT, "sketch": asdict(sketcher.config)}
        made, state = folder / "index.json", folder / "state.json"
        empty = {"documents": 0, "blocks": 0, "words": 0, "ids": 0, "runs": []}
        try:
            if not made.exists() and not state.exists():
                publish_bytes(made, msgspec.json.encode(wanted))
            elif msgspec.json.decode(made.read_bytes()) != wanted:
                raise BadInput(f"{folder}: this index of pages was made with other settings")
            noted = msgspec.json.decode(state.read_bytes()) if state.exists() else empty
            index = cls(folder, sketcher, noted)
            if "digests" in noted and noted["digests"] != index._digests():
                raise ValueError("digests")
        except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
            raise BadInput(f"{folder}: this index of pages is damaged ({error})") from None
        return index

    def __len__(self) -> int:
        """How many different pages were added."""
        return len(self._documents)

    def ask_add(self, ids: Sequence[str], pages: ReadPages) -> list[str | None]:
        """For each page the id of the page it repeats, or None; and remember those that repeat none.

        Args:
            ids: the URLs of the pages. A page never repeats one of its own id.
            pages: what was read of them.
        """
        if not len(ids):
            return []
        bands = keys_of(pages.sketches, self._bands.bands, self._bands.rows)
        keys = np.concatenate([bands, (pages.texts ^ SAME_TEXT)[:, None]], axis=1)
        known = self._found(keys)
        fresh: dict[int, list[int]] = {}
        answers: list[str | None] = []
        added: list[int] = []
        for row, own in enumerate(ids):
            if pages.blocks.offsets[row] == pages.blocks.offsets[row + 1]:
                answers.append(None)
                continue
            shared = known[row]
            for key in keys[row].tolist():
                shared.update(-1 - other for other in fresh.get(key, ()))
            found = self._same(row, pages, shared, own, ids)
            answers.append(found)
            if found is None:
                added.append(row)
                for key in keys[row].tolist():
                    fresh.setdefault(key, []).append(row)
        self._remember([ids[row] for row in added], np.array(added, np.int64), pages, keys)
        return answers

    def commit(self) -> None:
        """Make everything added so far last."""
        for file in (self._words, self._blocks, self._ids, self._documents):
            file.sync()
        names = self._runs.store()
        sizes = {"documents": self._documents, "blocks": self._blocks, "words": self._words, "ids": self._ids}
        state = {**{name: len(file) for name, file in sizes.items()}, "runs": names, "digests": self._digests()}
        publish_bytes(self._folder / "state.json", msgspec.json.encode(state))
        self._runs.committed(names)

    def _digests(self) -> list[str]:
        files = (self._documents, self._blocks, self._words, self._ids)
        return [*(file.digest() for file in files), *self._runs.digests().values()]

    def close(self) -> None:
        """Let go of the files; what was not committed is forgotten."""
        for file in (self._words, self._blocks, self._ids, self._documents, self._runs):
            file.close()

    def template(self, host: int) -> Chrome:
        """What repeats over the pages of a host.

        Args:
            host: the hash of its name.
        """
        known = self._templates.get(host)
        return self._learn(host) if known is None else known[1]

    # -- inside -----------------------------------------------------------------------------------------------------

    def _found(self, keys: NDArray[np.uint64]) -> list[Counter[int]]:
        """For each row the stored pages that have some of its keys, and how many."""
        which, documents, _ = self._runs.find(keys.ravel(), MOST_A_KEY)
        found: list[Counter[int]] = [Counter() for _ in range(len(keys))]
        for row, document in zip((which // keys.shape[1]).tolist(), documents.tolist()):
            found[row][document] += 1
        return found

    def _same(self, row: int, pages: ReadPages, shared: Counter[int], own: str, ids: Sequence[str]) -> str | None:
        """The page that this one repeats: of those that share most with it the first that passes the test."""
        if not shared:
            return None
        host = int(pages.hosts[row])
        mine = PageBlocks(own, int(pages.titles[row]), pages.blocks.take([row]))
        for other, _ in shared.most_common(MOST_COMPARED):
            theirs, there = self._page(other) if other >= 0 else _arriving(-1 - other, pages, ids)
            template = self.template(there) if there != host else None
            if self._comparison.is_same(mine, theirs, self.template(host), template):
                return theirs.url if theirs.url != own else None
        return None

    def _page(self, document: int) -> tuple[PageBlocks, int]:
        """A stored page, and its host."""
        if (known := self._compared.get(document)) is not None:
            self._compared.move_to_end(document)
            return known
        record = self._documents.all()[document]
        page = PageBlocks(self._id(document), int(record["title"]), self._stored(np.array([document]))), int(record["host"])
        if len(page[0].blocks.words) <= MOST_WORDS:
            self._compared[document] = page
        if len(self._compared) > PAGES:
            self._compared.popitem(last=False)
        return page

    def _learn(self, host: int) -> Chrome:
        _, documents, _ = self._runs.find(np.array([np.uint64(host) ^ SAME_HOST]), SAMPLE)
        chrome = learn_chrome(self._stored(documents)) if len(documents) >= ENOUGH else Chrome()
        self._templates[host] = len(documents), chrome
        if len(self._templates) > HOSTS:
            self._templates.popitem(last=False)
        return chrome

    def _stored(self, documents: NDArray[np.int64]) -> Blocks:
        """The blocks of stored pages."""
        records = self._documents[documents]
        at, offsets = _places(records["block"], records["blocks"])
        blocks = self._blocks[at]
        places, word_offsets = _places(blocks["word"], blocks["words"])
        words = self._words[places]
        as_is, masked, lettered = (np.ascontiguousarray(blocks[name]) for name in ("as_is", "masked", "lettered"))
        plain_words, masked_words = (np.ascontiguousarray(words[name]) for name in ("as_is", "masked"))
        return Blocks(offsets, as_is, masked, lettered, word_offsets, plain_words, masked_words)

    def _remember(self, names: list[str], rows: NDArray[np.int64], pages: ReadPages, keys: NDArray[np.uint64]) -> None:
        if not len(rows):
            return
        blocks, base = pages.blocks.take(rows), len(self._documents)
        written = [name.encode() for name in names]
        lengths = np.array([len(name) for name in written], np.int64)
        records = np.zeros(len(rows), DOCUMENT)
        records["host"], records["text"], records["title"] = pages.hosts[rows], pages.texts[rows], pages.titles[rows]
        records["block"], records["blocks"] = len(self._blocks) + blocks.offsets[:-1], np.diff(blocks.offsets)
        records["id"], records["id_size"] = len(self._ids) + np.cumsum(lengths) - lengths, lengths
        stored = np.zeros(len(blocks.as_is), BLOCK)
        stored["as_is"], stored["masked"], stored["lettered"] = blocks.as_is, blocks.masked, blocks.lettered
        stored["word"], stored["words"] = len(self._words) + blocks.word_offsets[:-1], np.diff(blocks.word_offsets)
        words = np.zeros(len(blocks.words), WORD)
        words["as_is"], words["masked"] = blocks.words, blocks.masked_words
        self._words.append(words)
        self._blocks.append(stored)
        self._ids.append(np.frombuffer(b"".join(written), np.uint8))
        self._documents.append(records)
        every = np.concatenate([keys[rows], (pages.hosts[rows] ^ SAME_HOST)[:, None]], axis=1)
        self._runs.add(every.ravel(), np.repeat(base + np.arange(len(rows)), every.shape[1]))
        self._grow(pages.hosts[rows])

    def _grow(self, hosts: NDArray[np.uint64]) -> None:
        """Forget the templates of hosts whose pages have doubled in number: they are learned anew when asked for."""
        for host, count in Counter(hosts.tolist()).items():
            if (known := self._templates.pop(host, None)) is not None:
                pages, chrome = known[0] + count, known[1]
                if chrome.pages >= SAMPLE or pages < max(ENOUGH, 2 * chrome.pages):
                    self._templates[host] = pages, chrome

    def _id(self, document: int) -> str:
        record = self._documents.all()[document]
        return self._ids.all()[record["id"] : record["id"] + record["id_size"]].tobytes().decode()


def _arriving(row: int, pages: ReadPages, ids: Sequence[str]) -> tuple[PageBlocks, int]:
    """A page of the same batch, and its host."""
    return PageBlocks(ids[row], int(pages.titles[row]), pages.blocks.take([row])), int(pages.hosts[row])


def masked_sets(blocks: Blocks) -> Sets:
    """The 5-word shingles of pages with all numbers masked that may be: what sketches are made of.

    Args:
        blocks: those of the pages.
    """
    from garimpo.page.text._kernels_blocks import VOLATILE, shingles

    kinds = np.full(len(blocks.as_is), VOLATILE, np.uint8)
    scratch, out = np.empty(max(len(blocks.words), 1), np.uint32), np.empty(len(blocks.words) + len(blocks), np.uint64)
    offsets = np.zeros(len(blocks) + 1, np.int64)
    for page in range(len(blocks)):
        first, last = blocks.offsets[page], blocks.offsets[page + 1]
        at = offsets[page]
        _, made = shingles(blocks.words, blocks.masked_words, blocks.word_offsets, kinds, first, last, False, scratch, out[at:])
        offsets[page + 1] = at + made
    return Sets.from_hashes(out[: offsets[-1]], offsets)


def _places(starts: NDArray[np.integer], sizes: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The places that spans cover, one after another, and where those of each begin."""
    ends = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return np.arange(ends[-1]) + np.repeat(starts.astype(np.int64) - ends[:-1], sizes), ends
