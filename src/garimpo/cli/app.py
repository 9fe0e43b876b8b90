"""The application: its commands by name, and how errors leave it."""

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from cyclopts import App, CycloptsError

import garimpo
from garimpo.contract.errors import BadInput, GarimpoError

app = App(
    name="garimpo",
    version=garimpo.__version__,
    help="A web crawler that learns while it runs and never carries the same stone twice.",
    help_format="plaintext",
)

COMMANDS = {
    "warm": ("garimpo.cli.warm:warm", "Compile all kernels now, so that no later command has to."),
}
"""Command name -> where its function (or its own App, for a group of verbs) stands, imported when called; and its line of help."""

for _name, (_target, _help) in COMMANDS.items():
    app.command(_target, name=_name, help=_help)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run one command and exit: 0 done, 1 ran and failed, 2 wrong usage or bad input."""
    sys.exit(run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """The exit code of one command line."""
    try:
        result = app(arguments, exit_on_error=False, print_error=False, result_action="return_value")
    except CycloptsError as error:
        return _fail(2, f"{error} (try: garimpo --help)")
    except BadInput as error:
        return _fail(2, str(error))
    except GarimpoError as error:
        return _fail(1, str(error))
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except PermissionError as error:
        return _fail(2, f"{error.filename}: no permission")
    except OSError as error:
        return _fail(1, f"{error.filename or 'system'}: {error.strerror or error}")
    except KeyboardInterrupt:
        return _fail(1, "interrupted")
    return result if isinstance(result, int) else 0


def _fail(code: int, text: str) -> int:
    line = " ".join(text.split())
    print(f"garimpo: {line}", file=sys.stderr, flush=True)
    return code
