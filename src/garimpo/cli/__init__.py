"""The command line: one file a command, no logic of its own.

::

    arguments ──► app (by name, imported when called) ──► command ──► the room's Python function ──► output.emit
                                                             stderr: progress, one line for an error
                                                             stdout: the result; with --json one object, last

`main` (in `app`) imports a command only when it is called, so that ``garimpo --help`` answers at once. The docstring of a command
is its help: what it does, an example, and in `Args:` the text of each option. `options` has the options that many commands share,
and makes those of a crawl from `crawl.Settings`.

Invariants:

- Exit code 0: done. 1: it ran and failed. 2: wrong usage or bad input (`BadInput`), with one line that names file and line.
  Never a traceback for what a user can act on.
- A command calls the room's function of the same name, and decides nothing itself.
"""

from garimpo.cli.app import main

__all__ = ["main"]
