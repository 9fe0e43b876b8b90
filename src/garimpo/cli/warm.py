"""``garimpo warm``: compile all kernels now, so that no later command has to."""

import compileall
import time

from garimpo.cli.options import Json, NoChance
from garimpo.cli.output import emit, note

STALE = 30 * 86_400.0
"""Seconds after which kernels of another version are taken for forgotten."""


def warm(*, json: Json = False, seed: NoChance = 0) -> None:
    """Compile all kernels into the user's cache (about a second each, once a version), and the Python code of garimpo itself.

    Kernels of other versions that were not touched for a month are removed from the cache.

    For example:
      garimpo warm
    """
    from garimpo.engine.jit import SOURCES, compile_all, kernel_modules, remove_stale

    modules = kernel_modules()
    started = time.perf_counter()
    for number, module in enumerate(modules, 1):
        note(f"compiling {number} of {len(modules)}: {module}")
        compile_all(module)
    remove_stale(time.time() - STALE)
    compileall.compile_dir(SOURCES, quiet=2)  # an installed package has that done; a folder that Python may not write to has not
    seconds = round(time.perf_counter() - started, 2)
    emit({"modules": modules, "seconds": seconds}, json, [f"{len(modules)} kernel modules ready in {seconds} s"])
