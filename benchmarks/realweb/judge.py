"""Which pages are one, by content. Imports nothing of garimpo.

Two pages of an application are one if their main texts are equal, or if the Jaccard coefficient of their 5-word shingles is at
least .95. The main text is what the application's `Masks` leave: without menus, tokens, captchas, times. Each page is held
against the *first* of each group, so that no chain of small changes joins what differs.
"""

import re
import zlib
from collections import defaultdict
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from realweb.answers import Answer, Answers
from realweb.application import Application, Kind, Masks

WORDS = 5
NEEDED, OF = 95, 100
"""The threshold on Jaccard as a fraction, so that nothing is rounded."""
Shingles = NDArray[np.uint64]


@dataclass(frozen=True)
class Verdict:
    """What a URL turned out to be: its kind, and the number of the page it shows (None: none at all)."""

    kind: Kind
    page: int | None


def main_text(answer: Answer, masks: Masks) -> str:
    """What a page says, without what stands on all pages and what changes by itself.

    >>> page = Answer(200, [("Content-Type", "text/html")], b"<body><nav>Menu</nav><main>Gold, found 3 days ago.</main>")
    >>> main_text(page, Masks(main="main", patterns=[r"\\d+ days ago"]))
    'gold found'
    """
    if "html" in answer.header("content-type"):
        text = _html_text(answer.body, masks)
    else:
        text = answer.body.decode(errors="replace")
    for pattern in masks.patterns:
        text = re.sub(pattern, " ", text)
    return " ".join(re.findall(r"\w+", text.lower()))


def _html_text(body: bytes, masks: Masks) -> str:
    tree = LexborHTMLParser(body)
    found = tree.css_first(masks.main) or tree.body
    if found is None:
        return ""
    for node in found.css(f"script, style, template, {masks.drop}" if masks.drop else "script, style, template"):
        node.decompose()
    return found.text(separator=" ")


def shingles_of(text: str) -> Shingles:
    """The set of hashes of its runs of five words, sorted; a shorter text is one run."""
    words = np.array([zlib.crc32(word.encode()) for word in text.split()], np.uint64)
    if not len(words):
        return words
    width = min(WORDS, len(words))
    hashed = np.zeros(len(words) - width + 1, np.uint64)
    for place in range(width):
        hashed = hashed * np.uint64(0x9E3779B97F4A7C15) + words[place : place + len(hashed)]
        hashed ^= hashed >> np.uint64(29)
    return np.unique(hashed)


def are_near(left: Shingles, right: Shingles) -> bool:
    """Whether the Jaccard coefficient of two sets is at least the threshold."""
    common = len(np.intersect1d(left, right, assume_unique=True))
    return common * OF >= NEEDED * (len(left) + len(right) - common)


class Judge:
    """Tells the pages of one application apart; what it decided is kept beside the answers, and is decided once."""

    def __init__(self, application: Application, answers: Answers) -> None:
        self._application, self._database = application, answers.database
        self._prepare()
        self._first: dict[int, Shingles] = {}
        self._by_text: dict[bytes, int] = {}
        self._by_shingle: defaultdict[int, list[int]] = defaultdict(list)
        for page, digest, shingles in self._database.execute("select page, digest, shingles from firsts"):
            self._remember(page, digest, np.frombuffer(zlib.decompress(shingles), np.uint64))

    def verdict(self, url: str, answer: Answer) -> Verdict:
        """What a URL is, given its answer."""
        if answer.status != 200:
            return Verdict("error", None)
        row = self._database.execute("select page from pages where url = ?", (url,)).fetchone()
        page = row[0] if row else self._page(answer)
        if row is None:
            self._database.execute("insert into pages values (?, ?)", (url, page))
        return Verdict(self._application.kind(url), page)

    def documents(self) -> set[int]:
        """The pages that are documents under some URL."""
        rows = self._database.execute("select url, page from pages")
        return {page for url, page in rows if self._application.kind(url) == "document"}

    def _page(self, answer: Answer) -> int:
        text = main_text(answer, self._application.masks) if _is_text(answer) else ""
        # A page without a word is one with nothing but itself.
        digest = blake2b(text.encode() or answer.body, digest_size=16).digest()
        known = self._by_text.get(digest)
        if known is not None:
            return known
        shingles = shingles_of(text)
        page = self._near(shingles)
        if page is not None:
            self._by_text[digest] = page
            return page
        page = len(self._first)
        self._database.execute("insert into firsts values (?, ?, ?)", (page, digest, zlib.compress(shingles.tobytes(), 1)))
        self._remember(page, digest, shingles)
        return page

    def _near(self, shingles: Shingles) -> int | None:
        """The earliest page whose first member is near. Near sets share one of the smallest hashes of each."""
        candidates = {page for shingle in _prefix(shingles) for page in self._by_shingle.get(shingle, ())}
        return next((page for page in sorted(candidates) if are_near(shingles, self._first[page])), None)

    def _remember(self, page: int, digest: bytes, shingles: Shingles) -> None:
        self._first[page] = shingles
        self._by_text[digest] = page
        for shingle in _prefix(shingles):
            self._by_shingle[shingle].append(page)

    def _prepare(self) -> None:
        """The tables, begun anew if the application's masks changed."""
        masks = repr(self._application.masks)
        run = self._database.execute
        run("create table if not exists judged_by (masks text)")
        if run("select masks from judged_by").fetchone() != (masks,):
            for table in ("pages", "firsts"):
                run(f"drop table if exists {table}")
            run("delete from judged_by")
            run("insert into judged_by values (?)", (masks,))
        run("create table if not exists pages (url text primary key, page int)")
        run("create table if not exists firsts (page int primary key, digest blob, shingles blob)")


def _prefix(shingles: Shingles) -> list[int]:
    """The smallest hashes of a set, so many that a near set must share one: one more than may be missing."""
    return shingles[: len(shingles) - -(-len(shingles) * NEEDED // OF) + 1].tolist()


def _is_text(answer: Answer) -> bool:
    kind = answer.header("content-type")
    return not kind or kind.startswith("text/") or "xml" in kind
