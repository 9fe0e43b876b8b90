"""Folds: hosts that are copies, and the hosts they are folded into."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import read_table


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
        """The folds of a published table, or of one that a person gives.

        Args:
            path: A Parquet table of host, prefix, keep_host and keep_prefix.
            version: The version that skipped URLs are recorded with.
        """
        table = read_table(path, Fold._fields)
        rows = [Fold(*row) for row in zip(*(table.column(name).to_pylist() for name in Fold._fields))]
        for number, fold in enumerate(rows, 1):
            proper = all(isinstance(part, str) and part for part in fold) and fold.prefix[0] == fold.keep_prefix[0] == "/"
            if not proper or fold.host == fold.keep_host:
                raise BadInput(f"{path}: row {number} is no fold of one host into another, with prefixes that begin with /")
        return cls(rows, version)

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
    """The name a fold goes by in the skipped rows and in the record of rules."""
    return f"fold:{host}"
