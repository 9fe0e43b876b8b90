"""Reading a table as it grows: which of its commits were met, while segments are merged into others."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from garimpo.archive.folder import segments


class Rows(NamedTuple):
    """The rows of a commit in a segment."""

    number: int
    begin: int
    rows: int


class SeenCommits:
    """Which commits of a table were met, in whatever segments they are now."""

    def __init__(self) -> None:
        self._files: set[Path] = set()
        self._numbers: set[int] = set()
        self._missing: Path | None = None

    def unseen(self, files: Sequence[Path]) -> Iterator[tuple[Path, list[Rows]]]:
        """The segments that hold rows of commits not met before: of a merged one perhaps those of its last commits."""
        for file in files:
            if file in self._files:
                continue
            try:
                commits = segments.commits_of(file)
            except FileNotFoundError:  # a commit is visible just before its files are, and a merged one goes
                if file != self._missing:
                    self._missing = file
                    return  # commits are met in their order: what comes after waits for the next look
                continue
            self._files.add(file)
            found, begin = [], 0
            for number, rows in commits:
                if len(commits) == 1 or number not in self._numbers:
                    found.append(Rows(number, begin, rows))
                self._numbers.add(number)
                begin += rows
            if found:
                yield file, found
