"""Doors for what was learned about URLs: keys (which URLs show one page) and folds (which hosts are copies).

A `KeyMap` is asked only for URLs met for the first time, in batches, and only for hosts it `applies` to. A key that a rule
made stands in a name space of its own, so it never equals a URL. The frontier remembers each such key beside the URL's own.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from garimpo.contract.reading import read_table


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



class Fold(NamedTuple):
    """URLs of `host` under `prefix` are looked for on `keep_host` under `keep_prefix`."""

    host: str
    prefix: str
    keep_host: str
    keep_prefix: str


class Folds:
    """Mirror hosts and the hosts they are folded into.

    >>> folds = Folds([Fold("www2.a.com", "/", "a.com", "/")])
    >>> folds.fold("http://www2.a.com/x?y", "www2.a.com")
    'http://a.com/x?y'
    """

    def __init__(self, folds: Iterable[Fold] = (), version: int = 0) -> None:
        self.version = version
        self._by_host: dict[str, list[Fold]] = {}
        for fold in folds:
            self._by_host.setdefault(fold.host, []).append(fold)
        for several in self._by_host.values():
            several.sort(key=lambda fold: -len(fold.prefix))
        self.hosts = set(self._by_host)
        """All folded hosts."""

    @classmethod
    def read(cls, path: Path, version: int) -> "Folds":
        """The folds of a published table."""
        table = read_table(path, Fold._fields)
        return cls((Fold(*row) for row in zip(*(table.column(name).to_pylist() for name in Fold._fields))), version)

    def differing(self, other: "Folds") -> list[str]:
        """The hosts that are folded otherwise in the two."""
        return sorted(host for host in self.hosts | other.hosts if self._by_host.get(host) != other._by_host.get(host))

    def fold(self, url: str, host: str) -> str | None:
        """The same page on the host that is kept, or None for a host that is not folded."""
        for fold in self._by_host.get(host, ()):
            scheme, _, rest = url.partition("://")
            authority, slash, path = rest.partition("/")
            if (slash + path).startswith(fold.prefix):
                port = authority[len(host) :] if authority.startswith(host) else ""
                return f"{scheme}://{fold.keep_host}{port}{fold.keep_prefix}{(slash + path)[len(fold.prefix) :]}"
        return None


def rule_of_fold(host: str) -> str:
    """The name a fold goes by in the skipped rows and in the trust ledger."""
    return f"fold:{host}"
