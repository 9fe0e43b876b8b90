"""The pages of a crawl as they are kept, for a `for` loop.

The crawl runs in a process of its own; its folder is read as it grows. Leaving the loop early stops the crawl as Ctrl-C would.
"""

import subprocess
import sys
import tempfile
import time
import warnings
from collections import namedtuple
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import tomli_w

from garimpo.archive import Store
from garimpo.archive.folder.repairing import refuse_used
from garimpo.archive.folder.seen_commits import SeenCommits
from garimpo.archive.folder.segments import open_segment
from garimpo.contract.errors import BadInput, GarimpoError
from garimpo.contract.results import as_table, in_a_line
from garimpo.contract.tables import PAGES
from garimpo.crawl.run import prepared
from garimpo.crawl.seeds import read_seeds
from garimpo.crawl.settings import Settings

LOOK_SECONDS = 0.2


class KeptPage(namedtuple("_Row", PAGES.names)):  # type: ignore[misc]
    """A row of the pages table: `page.url`, `page.status`, `page.title`, `page.text`, ..."""

    __slots__ = ()

    def __repr__(self) -> str:
        shown = {name: getattr(self, name) for name in ("url", "status", "title")}
        return f"KeptPage({in_a_line(shown)}, ...)"

    def _repr_html_(self) -> str:
        return as_table(self._asdict())


def pages(seeds: str | Sequence[str], *, out: str | Path, **settings: Any) -> Iterator[KeptPage]:
    """Crawl, and hand out every page as soon as it is kept; the folder is there at the end.

    Use: ``for page in garimpo.crawl.pages("http://example.org/", out="crawl", max_pages=100): print(page.url, page.title)``.

    Args:
        seeds: a URL, or several, or `@FILE`s with one a line.
        out: the crawl folder to make.
        settings: any of `Settings`, by their Python names.
    """
    wanted = prepared(Settings(seeds=read_seeds([seeds] if isinstance(seeds, str) else seeds), **settings))
    refuse_used(Path(out))
    with tempfile.TemporaryDirectory(prefix="garimpo-stream-") as scratch:
        file, told = Path(scratch) / "settings.toml", Path(scratch) / "errors.txt"
        given = {name: value for name, value in wanted.to_dict().items() if value is not None}
        file.write_bytes(tomli_w.dumps(given).encode())
        command = [sys.executable, "-m", "garimpo", "crawl", "--settings", str(file), "--out", str(out)]
        with told.open("wb") as errors:
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
        try:
            yield from _kept(process, Path(out))
        finally:
            process.terminate()
            process.wait()
        if process.returncode > 0:
            message = told.read_text().strip().rpartition("\n")[2].removeprefix("garimpo: ")
            raise (BadInput if process.returncode == 2 else GarimpoError)(message)


def _kept(process: subprocess.Popen[bytes], folder: Path) -> Iterator[KeptPage]:
    """The pages of segments that were committed, until the crawl has ended and all were seen."""
    seen, running = SeenCommits(), True
    while running:
        running = process.poll() is None  # what is committed before the end is seen once more after it
        for segment, commits in seen.unseen(_segments(folder)):
            table = open_segment(segment).read(PAGES.names)
            for one in commits:
                yield from (KeptPage(**row) for row in table.slice(one.begin, one.rows).to_pylist())
        if running:
            time.sleep(LOOK_SECONDS)


def _segments(folder: Path) -> Sequence[Path]:
    try:
        with warnings.catch_warnings(action="ignore"), Store.open(folder, write=False) as store:  # it may be half made yet
            return store.page_files()
    except GarimpoError:  # not made yet
        return ()
