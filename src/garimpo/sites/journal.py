"""What a search for sites has learned so far, one line at a time on disk: after a kill it goes on from there.

The search itself is not stored. It is repeatable, so it is run again from its beginning, and whatever the journal knows (which
pages link to a site, what a page links to, how a site was decided) is not asked again.
"""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from garimpo.contract import BadInput
from garimpo.sites.locator import LinkSource


class Journal:
    """Answers by kind and key.

    Args:
        path: The file.
        settings: What makes a search another one; a journal of another search is refused.
        resume: Go on with a journal that is there, instead of beginning a new one.
    """

    def __init__(self, path: str | os.PathLike[str], settings: dict[str, Any], resume: bool = False) -> None:
        self._path = Path(path)
        self._known: dict[tuple[str, str], Any] = {}
        if resume:
            whole = self._read(settings)
            with self._path.open("r+b") as file:
                file.truncate(whole)
        self._file = self._path.open("ab" if resume else "wb", buffering=0)
        if not resume:
            self._write(["search", "", settings])

    def _read(self, settings: dict[str, Any]) -> int:
        """Take in all whole lines; how many bytes they are."""
        try:
            data = self._path.read_bytes()
            whole = data.rfind(b"\n") + 1  # a kill may have cut the last line
            lines = [msgspec.json.decode(line, type=tuple[str, str, Any]) for line in data[:whole].splitlines()]
        except OSError as error:
            raise BadInput(f"{self._path}: {error.strerror}") from None
        except (msgspec.DecodeError, msgspec.ValidationError):
            raise BadInput(f"{self._path}: not the journal of a search for sites") from None
        if not lines or lines[0][:2] != ("search", ""):
            raise BadInput(f"{self._path}: not the journal of a search for sites")
        if lines[0][2] != msgspec.to_builtins(settings):
            raise BadInput(f"{self._path}: the journal of another search (model, seeds and settings must be the same)")
        self._known = {(kind, key): value for kind, key, value in lines[1:]}
        return whole

    def _write(self, line: list[Any]) -> None:
        self._file.write(msgspec.json.encode(line) + b"\n")

    def ask(self, kind: str, key: str, answer: Callable[[], Any]) -> Any:
        """What is known, or else the answer, which is known from now on."""
        if (kind, key) not in self._known:
            value = self._known[kind, key] = answer()
            self._write([kind, key, value])
        return self._known[kind, key]

    def close(self) -> None:
        self._file.close()


class JournaledLinks:
    """A source of links whose answers are kept in a journal.

    Args:
        source: Where links come from.
        journal: Where they are kept.
    """

    def __init__(self, source: LinkSource, journal: Journal) -> None:
        self._source, self._journal = source, journal

    def backlinks(self, site: str, limit: int) -> list[str]:
        found: list[str] = self._journal.ask("backlinks", site, lambda: self._source.backlinks(site, limit))
        return found

    def outlinks(self, page: str) -> list[str]:
        found: list[str] = self._journal.ask("outlinks", page, lambda: self._source.outlinks(page))
        return found
