"""The doors through which what is learned enters a running crawl. Everything here is a protocol or a plain holder."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa

from garimpo.contract.protocols import Judge, Scorer
from garimpo.contract.records import Page
from garimpo.crawl.keys import KeyMap


class Sketcher(Protocol):
    """Makes the sketches of a batch of texts (null where there is none); runs where pages are read."""

    def sketch(self, texts: pa.Array) -> Any:
        """Anything that can be pickled and that the index understands."""


class NearIndex(Protocol):
    """Near-duplicates in order of arrival; lives in the loop."""

    def ask(self, urls: Sequence[str], has_text: Sequence[bool], sketches: Any) -> list[str | None]:
        """For each page in turn the URL of the page it nearly repeats, or None. Pages with text are remembered."""

    def commit(self) -> None:
        """Make what was remembered last."""


@dataclass(slots=True)
class Doors:
    """What a crawl is given beside its settings. Each may be left out.

    `judges`, `typed`, `sketcher` and `learner` run in other processes: they must be functions of a module, so that they can be
    sent there.
    """

    judges: Callable[[Path], Sequence[Judge]] | None = None
    """The folder `learned/` -> the judges by what it holds now; called again after each change of `current.json`."""
    typed: Callable[[Page, bytes], Page] | None = None
    """A page and its bytes -> the page with the types it states, where judges go by them."""
    sketcher: Callable[[], Sketcher] | None = None
    index: Callable[[Path], NearIndex] | None = None
    """The crawl folder -> the index (a resumed crawl finds what it kept there)."""
    scorer: Callable[[Path], Scorer] | None = None
    """The folder `learned/` -> the scorer; without one the strategy decides."""
    keys: Callable[[Path, int], KeyMap] | None = None
    """A published rules file and its version -> the keys."""
    learner: Callable[[Path], None] | None = None
    """Runs in a process of its own until it is told to end; gets the crawl folder. Restarted when it dies."""
