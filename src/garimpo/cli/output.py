"""What a command shows: results on stdout, progress on stderr."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import msgspec


def emit(result: dict[str, Any], json: bool, lines: Iterable[str] = (), stream: TextIO | None = None) -> None:
    """Print `lines` for a person, or with `json` the result as one JSON object, the last line of the stream."""
    stream = stream or sys.stdout
    if json:
        print(msgspec.json.encode(result).decode(), file=stream, flush=True)
        return
    for line in lines:
        print(line, file=stream, flush=True)


def note(text: str) -> None:
    """A line on stderr: what the user should know but is no result."""
    from garimpo.contract.errors import printable

    print(printable(text), file=sys.stderr, flush=True)


def require_tables(*paths: Path | None) -> None:
    """Refuse, before any work is done, to write a table where no file can be, or in a format that is none.

    On a Hadoop file system a table is a folder of Parquet files, whatever its name.
    """
    from garimpo.contract.table_files import check_format
    from garimpo.engine.places import is_remote

    require_folders(*paths)
    for path in paths:
        if path is not None and not is_remote(path):
            check_format(path)


def require_folders(*paths: Path | None) -> None:
    """Refuse, before any work is done, to write a file where no file can be."""
    from garimpo.contract.errors import BadInput
    from garimpo.engine.places import here, is_remote

    for path in (here(path) for path in paths if path is not None and not is_remote(path)):
        if path.is_dir():
            raise BadInput(f"{path}: a folder, not a file to write to")
        if not path.parent.is_dir():
            raise BadInput(f"{path}: there is no folder {path.parent}")


class Bar:
    """Progress of a long job; silent where stderr is no terminal."""

    def __init__(self, bar: Any = None, task: Any = None) -> None:
        self._bar, self._task = bar, task

    def advance(self, amount: float = 1.0) -> None:
        if self._bar is not None:
            self._bar.advance(self._task, amount)

    def describe(self, text: str) -> None:
        if self._bar is not None:
            self._bar.update(self._task, description=text)


@contextmanager
def progress(description: str, total: float | None = None) -> Iterator[Bar]:
    """A progress bar on stderr for the length of the block."""
    if not sys.stderr.isatty():
        yield Bar()
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield Bar(bar, bar.add_task(description, total=total))
