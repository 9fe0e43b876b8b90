"""The application: its commands by name, and how errors leave it."""

import gc
import logging
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

from cyclopts import App, CycloptsError

import garimpo
from garimpo.cli.options import ARGUMENTS, OPTIONS

COMMANDS = {
    "archive": ("garimpo.cli.archive:app", "Make a crawl folder from data, or take pages out of one."),
    "crawl": ("garimpo.cli.crawl:crawl", "Crawl the web into a folder, or go on with one."),
    "dedup": ("garimpo.cli.dedup:dedup", "Near-duplicates among documents."),
    "demo": ("garimpo.cli.demo:demo", "The whole loop on a made web, against its truth."),
    "evaluate": ("garimpo.cli.evaluate:evaluate", "How good a ranking is, against what is known to be right."),
    "export": ("garimpo.cli.export:export", "Write a crawl folder out: Markdown, text, JSON lines, tables, WACZ or CDXJ."),
    "rank": ("garimpo.cli.rank:rank", "For each query document, the most similar documents of a corpus."),
    "report": ("garimpo.cli.report:report", "A crawl told on one HTML page."),
    "sites": ("garimpo.cli.sites:app", "Find whole sites about an entity, and where they list it."),
    "skipped": ("garimpo.cli.skipped:skipped", "What a crawl did not fetch, and why."),
    "dust": ("garimpo.cli.dust:app", "Learn which URLs lead to the same page, before fetching them."),
    "status": ("garimpo.cli.status:status", "How far a crawl is, also while it runs."),
    "topic": ("garimpo.cli.topic:app", "Learn a topic from a few good pages, and score pages by it."),
    "ui": ("garimpo.cli.ui:ui", "What a crawl does, and why, in the browser."),
    "visit": ("garimpo.cli.visit:visit", "Walk over a stored crawl by a strategy, and measure it."),
    "mirrors": ("garimpo.cli.mirrors:app", "Find hosts that are copies of each other."),
    "warm": ("garimpo.cli.warm:warm", "Compile all kernels now, so that no later command has to."),
    "why": ("garimpo.cli.why:why", "What became of a URL in a crawl, and why."),
    "web": ("garimpo.cli.web:app", "A made web with known truth, and its server."),
}
"""Command name -> where its function (or its App, for a group of verbs) stands, imported when called; and its help."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 done, 1 ran and failed, 2 wrong usage or bad input."""
    _show_log()
    gc.set_threshold(20_000)  # new objects before a search for cycles: a crawl makes many objects, and hardly a cycle
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def _show_log() -> None:
    """What the rooms log (that kernels are compiled, say) is a line on stderr; a Python program decides that for itself."""
    lines = logging.StreamHandler()
    lines.setFormatter(logging.Formatter("%(message)s"))
    logging.getLogger("garimpo").addHandler(lines)
    logging.getLogger("garimpo").setLevel(logging.INFO)


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command line."""
    if arguments and arguments[0] == "crawl":  # runs for days: Arrow's own allocator holds on to what a commit freed
        os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")  # read when Arrow is loaded, here and in readers
    from garimpo.contract.errors import speaking_flags  # which loads Arrow

    left_out: list[str] = []
    try:
        with speaking_flags(), _telling_what_is_left_out(left_out):
            result = call(arguments)
    except KeyboardInterrupt:
        return _fail(1, "interrupted")
    except BrokenPipeError:  # the reader of our output went away: nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return min(_explain(error, arguments), 1 if left_out else 2)  # a damaged crawl is no wrong usage
    return result if isinstance(result, int) else int(bool(left_out))


@contextmanager
def _telling_what_is_left_out(told: list[str]) -> Iterator[None]:
    """Say what is damaged and left out, a line each, once.

    Args:
        told: the lines are added to it.
    """
    import warnings

    from garimpo.contract.errors import LeftOut

    usual = warnings.showwarning

    def show(message: Any, category: type[Warning], *where: Any, **more: Any) -> None:
        if not issubclass(category, LeftOut):
            usual(message, category, *where, **more)
        elif str(message) not in told:
            told.append(str(message))
            _fail(1, str(message))

    with warnings.catch_warnings():
        warnings.simplefilter("always", LeftOut)  # whatever the environment filters: the exit code goes by it
        warnings.showwarning = show
        yield


def call(arguments: Sequence[str]) -> Any:
    """Call the command that a command line asks for."""
    return application(arguments[0] if arguments else "")(
        arguments, exit_on_error=False, print_error=False, result_action="return_value"
    )


def application(called: str = "") -> App:
    """All commands; only the one that is `called` is imported, and tells of itself more than a line."""
    app = App(
        name="garimpo",
        version=garimpo.__version__,
        help="A web crawler that learns while it runs and never carries the same stone twice.",
        help_format="plaintext",
        group_arguments=ARGUMENTS,
        group_parameters=OPTIONS,
    )
    for name, (target, text) in COMMANDS.items():
        app.command(target, name=name, help=None if name == called else text)
    app.register_install_completion_command(help="Let the shell complete commands and options.")
    return app


def _explain(error: Exception, arguments: Sequence[str]) -> int:
    """One line for an error; one that is our own fault keeps its traceback where `GARIMPO_FENCE=0` asks for it, as tests do."""
    import sqlite3

    from garimpo.contract.errors import BadInput, BadValues, GarimpoError

    if isinstance(error, CycloptsError):
        return _fail(2, f"{error} (try: {' '.join(['garimpo', *(error.command_chain or ())])} --help)")
    if isinstance(error, BadValues):
        return _fail(2, f"{_files_among(arguments)}: {error}")
    if isinstance(error, BadInput):
        return _fail(2, str(error))
    if isinstance(error, GarimpoError):
        return _fail(1, str(error))
    if _is_bad_data(error):
        told = str(error).strip().splitlines() or [type(error).__name__]
        return _fail(2, f"{_files_among(arguments)}: damaged, or not what it should be ({told[0][:300]})")
    if isinstance(error, PermissionError):
        return _fail(2, f"{error.filename}: no permission")
    if isinstance(error, OSError):
        return _fail(1, f"{error.filename or 'system'}: {error.strerror or error}")
    if isinstance(error, sqlite3.DatabaseError):  # damage that shows only where it is met
        return _fail(2, f"state/crawl.sqlite of the crawl folder: {error} (move it away: crawl --resume rebuilds it)")
    if os.environ.get("GARIMPO_FENCE") == "0":
        raise error
    at = traceback.extract_tb(error.__traceback__)[-1]
    where = f"{Path(at.filename).name}:{at.lineno}"
    return _fail(
        1, f"a mistake of ours, or odd input: {type(error).__name__}: {str(error)[:300]} ({where}; GARIMPO_FENCE=0 tells all)"
    )


def _fail(code: int, text: str) -> int:
    from garimpo.contract.errors import printable

    print(f"garimpo: {printable(text)}", file=sys.stderr, flush=True)
    return code


def _is_bad_data(error: Exception) -> bool:
    """Whether an error says that a file holds something else than it should: damaged, or of other types."""
    import gzip
    import zlib

    kinds: list[type[BaseException]] = [zlib.error, gzip.BadGzipFile, EOFError, UnicodeDecodeError]
    for module, name in (
        ("pyarrow", "ArrowException"),
        ("isal.igzip_lib", "IsalError"),
        ("duckdb", "Error"),
        ("msgspec", "MsgspecError"),
    ):
        if module in sys.modules:
            kinds.append(getattr(sys.modules[module], name, zlib.error))
    return isinstance(error, tuple(kinds))


def _files_among(arguments: Sequence[str]) -> str:
    """The files and folders that a command line names and that are there."""
    return ", ".join(one for one in arguments if Path(one).exists()) or "input"
