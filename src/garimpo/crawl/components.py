"""What a crawl is given beside its settings: protocols, and the record that holds one of each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from garimpo.contract.protocols import Fetcher, Judge, Scorer
from garimpo.contract.records import Page
from garimpo.crawl.clock import Clock


class Sketcher(Protocol):
    """Makes of a batch of pages (None where nothing was read) what the index compares; runs where pages are read."""

    def sketch(self, pages: Sequence[Page | None]) -> Any:
        """Anything that can be pickled and that the index understands."""


class Content(NamedTuple):
    """What the index says of a page: the URL of the page it repeats, if any, and the share of its text that is new."""

    repeats: str | None
    gain: float


class PageIndex(Protocol):
    """The pages of a crawl in order of arrival; lives in the loop."""

    def ask(self, urls: Sequence[str], sketches: Any) -> list[Content]:
        """What is known of each page in turn. Pages with text are remembered."""

    def commit(self) -> None:
        """Make what was remembered last."""


class KeyMap(Protocol):
    """Learned rules as the frontier sees them. `version` is the number they were published under."""

    version: int

    def applies(self, host: str) -> bool:
        """Whether any rule may change a URL of this host."""

    def rules_on(self, host: str) -> list[str]:
        """The names of the rules on this host: the same names, the same keys."""

    def key(self, url: str) -> str:
        """The key of one URL."""

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        """For each URL its key and the id of the rule that made it (None: the key is the URL itself)."""


class Identity:
    """No rules: every URL is its own key.

    >>> Identity().keys(["http://a/"])
    (['http://a/'], [None])
    """

    version = 0

    def applies(self, host: str) -> bool:
        return False

    def rules_on(self, host: str) -> list[str]:
        return []

    def key(self, url: str) -> str:
        return url

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        return list(urls), [None] * len(urls)


@dataclass(slots=True)
class Components:
    """What a crawl is given beside its settings. Each may be left out.

    `judges`, `typed`, `sketcher` and `learner` run in other processes: they must be functions of a module, so that they can be
    sent there.
    """

    judges: Callable[[Path], Sequence[Judge]] | None = None
    """The folder `learned/` -> the judges by what it holds now; called again after each change of `current.json`."""
    typed: Callable[[Page, bytes], Page] | None = None
    """A page and its bytes -> the page with the types it states, where judges go by them."""
    sketcher: Callable[[], Sketcher] | None = None
    index: Callable[[Path], PageIndex] | None = None
    """The crawl folder -> the index (a resumed crawl finds what it kept there)."""
    scorer: Callable[[Path], Scorer] | None = None
    """The folder `learned/` -> the scorer; without one the strategy decides."""
    keys: Callable[[Path, int], KeyMap] | None = None
    """A published rules file and its version -> the keys."""
    learner: Callable[[Path], None] | None = None
    """Runs in a process of its own until it is told to end; gets the crawl folder. Restarted when it dies."""
    fetcher: Fetcher | None = None
    """Answers for every URL in place of the network, robots.txt files too; asked in the loop, one URL after the other."""
    clock: Clock | None = None
    """The clock that delays go by; a `SimulatedClock` lets a crawl over stored answers pass its waits at once."""

    def for_readers(self) -> "Components":
        """What reader processes need of it."""
        return Components(judges=self.judges, typed=self.typed, sketcher=self.sketcher)
