"""May this URL enter? Scope, depth and traps, asked the same way by the frontier and by crawls in rounds."""

from collections.abc import Iterable

from garimpo.crawl.gate.decision import Refusal
from garimpo.crawl.gate.removed import Removed
from garimpo.crawl.gate.scope import Scope
from garimpo.crawl.gate.traps import Traps
from garimpo.crawl.settings import Settings

NOT_FOR_SEEDS = ("include", "exclude")
"""What a user asks for by name is fetched, whatever the patterns say."""


class Entrance:
    """Refuses URLs out of scope, too deep, or in a trap.

    >>> entrance = Entrance(Settings(max_depth=2), ["http://a.org/"])
    >>> entrance.refusal("http://a.org/x", "a.org", depth=3)
    Refusal(reason='scope', rule='depth')
    """

    def __init__(self, settings: Settings, seeds: Iterable[str], removed: Removed | None = None) -> None:
        self._scope = Scope(settings, seeds, removed)
        self._deepest = settings.max_depth
        self.traps = Traps(settings)

    def exclude(self, pattern: str) -> None:
        """From now on refuse what matches a regular expression."""
        self._scope.exclude(pattern)

    def refusal(self, url: str, host: str, depth: int, run: int = 0, is_seed: bool = False) -> Refusal | None:
        """Why a URL may not enter; None when it may.

        Args:
            url: The URL, in normal form.
            host: Its host name.
            depth: How many links lead to it from a seed.
            run: How many pages of its shape led to it, one from the other.
            is_seed: Whether the user gave it: then patterns do not keep it out.
        """
        outside = self._scope.outside(url, host)
        if outside is None and self._deepest is not None and depth > self._deepest:
            outside = "depth"
        if outside is not None and not (is_seed and outside in NOT_FOR_SEEDS):
            return Refusal("scope", outside)
        trap = self.traps.caught(url, host, run)
        return None if trap is None else Refusal("trap", trap)
