"""The application: its commands by name, and how errors leave it."""

import gc
import importlib
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

import garimpo
from garimpo.cli import plain
from garimpo.cli.lean import loading, slim

COLLECT_AFTER = 20_000
"""New objects before Python looks for garbage in cycles: loading the libraries makes half a million, and hardly a cycle."""

FRAME_ROOM = 70_000
"""In words of eight bytes: the next larger piece is of one megabyte, of which only what is used becomes memory."""

COMMANDS = {
    "archive": ("garimpo.cli.archive:app", "Make a crawl folder from data, or take pages out of one."),
    "crawl": ("garimpo.cli.crawl:crawl", "Crawl the web into a folder, or go on with one."),
    "dedup": ("garimpo.cli.dedup:dedup", "Near-duplicates among documents."),
    "demo": ("garimpo.cli.demo:demo", "The whole loop on a made web, against its truth."),
    "export": ("garimpo.cli.export:export", "Write a crawl folder out as JSON lines, CSV or a CDXJ index."),
    "rank": ("garimpo.cli.rank:rank", "For each query document, the most similar documents of a corpus."),
    "report": ("garimpo.cli.report:report", "A crawl told on one HTML page."),
    "sites": ("garimpo.cli.sites:app", "Find whole sites about an entity, and where they list it."),
    "skipped": ("garimpo.cli.skipped:skipped", "What a crawl did not fetch, and why."),
    "dust": ("garimpo.cli.dust:app", "Learn which URLs lead to the same page, before fetching them."),
    "status": ("garimpo.cli.status:status", "How far a crawl is, also while it runs."),
    "topic": ("garimpo.cli.topic:app", "Learn a topic from a few good pages, and score pages by it."),
    "visit": ("garimpo.cli.visit:visit", "Walk over a stored crawl by a strategy, and measure it."),
    "mirrors": ("garimpo.cli.mirrors:app", "Find hosts that are copies of each other."),
    "warm": ("garimpo.cli.warm:warm", "Compile all kernels now, so that no later command has to."),
    "web": ("garimpo.cli.web:app", "A made web with known truth, and its server."),
}
"""Command name -> where its function (or its App, for a group of verbs) stands, imported when called; and its help."""

SLIM = {"crawl"}
"""Commands that run for days in a process that should stay small."""


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 done, 1 ran and failed, 2 wrong usage or bad input."""
    gc.set_threshold(COLLECT_AFTER, 10, 10)
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def roomy(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function with a frame that asks for much room.

    Python lays frames in pieces of 16 KB; a call across the end of one makes the next and frees it again, by two system
    calls, thousands of times while libraries import each other. Who asks for more gets a larger piece, and all calls from
    there lie in what is left of it.
    """
    function.__code__ = function.__code__.replace(co_stacksize=FRAME_ROOM)
    return function


@roomy
def run(arguments: Sequence[str]) -> int:
    """The exit code of one command line."""
    try:
        result = call(arguments)
    except KeyboardInterrupt:
        return _fail(1, "interrupted")
    except BrokenPipeError:  # the reader of our output went away: nothing is left to say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:
        return _explain(error)
    return result if isinstance(result, int) else 0


def call(arguments: Sequence[str]) -> Any:
    """Call the command that a command line asks for."""
    target, _ = COMMANDS.get(arguments[0] if arguments else "", (":app", ""))
    module, _, name = target.partition(":")
    if name == "app":  # a group of verbs
        return call_by_cyclopts(arguments)
    with loading():
        if arguments[0] in SLIM:
            slim()
        command = getattr(importlib.import_module(module), name)
    try:
        free, given = plain.read(command, arguments[1:])
    except plain.Unclear:
        return call_by_cyclopts(arguments)
    try:
        return command(*free, **given)
    except KeyboardInterrupt:  # as cyclopts does it
        sys.exit(130)


def call_by_cyclopts(arguments: Sequence[str]) -> Any:
    """The same for any command line, and for what is wrong with it."""
    from cyclopts import App, Parameter

    app = App(
        name="garimpo",
        version=garimpo.__version__,
        help="A web crawler that learns while it runs and never carries the same stone twice.",
        help_format="plaintext",
    )
    for name, (target, text) in COMMANDS.items():
        if target.endswith(":app"):
            app.command(target, name=name, help=text)
        else:
            app.command(target, name=name, help=text, default_parameter=Parameter(negative_iterable=()))
    return app(arguments, exit_on_error=False, print_error=False, result_action="return_value")


def _explain(error: Exception) -> int:
    """One line for an error a user can act on; anything else is our own fault and keeps its traceback."""
    import sqlite3

    from cyclopts import CycloptsError

    from garimpo.contract.errors import BadInput, GarimpoError

    if isinstance(error, CycloptsError):
        return _fail(2, f"{error} (try: garimpo --help)")
    if isinstance(error, BadInput):
        return _fail(2, str(error))
    if isinstance(error, GarimpoError):
        return _fail(1, str(error))
    if isinstance(error, PermissionError):
        return _fail(2, f"{error.filename}: no permission")
    if isinstance(error, OSError):
        return _fail(1, f"{error.filename or 'system'}: {error.strerror or error}")
    if isinstance(error, sqlite3.DatabaseError):  # damage that shows only where it is met
        return _fail(2, f"state/crawl.sqlite of the crawl folder: {error} (move it away: crawl --resume rebuilds it)")
    raise error


def _fail(code: int, text: str) -> int:
    line = " ".join(text.split())
    print(f"garimpo: {line}", file=sys.stderr, flush=True)
    return code
