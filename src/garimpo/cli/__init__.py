"""The command line: one file a command, no logic of its own.

`main` (in `app`) imports a command only when it is called, so that ``garimpo --help`` answers at once. A command line of the
plainest form is read by `plain`; all others, help and errors are cyclopts's. A command gets its flags, calls the room's
Python function of the same name, and hands what comes back to `output.emit`: progress goes to stderr, results to stdout, and
with ``--json`` one JSON object is the last line. What a user did wrong arrives as `BadInput` and leaves as one line and exit
code 2; what failed while it ran, as exit code 1; never as a traceback.
"""

from garimpo.cli.app import main

__all__ = ["main"]
