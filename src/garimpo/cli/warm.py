"""``garimpo warm``: compile all kernels now, so that no later command has to."""

import compileall
import time

from garimpo.cli.output import emit, progress


def warm(*, json: bool = False, seed: int = 0) -> None:
    """Compile all kernels into the user's cache (about a second each, once a version), and the Python code of garimpo itself.

    Example: garimpo warm
    """
    from garimpo.engine.jit import SOURCES, compile_all, kernel_modules

    modules = kernel_modules()
    started = time.perf_counter()
    with progress("compiling", len(modules)) as bar:
        for module in modules:
            bar.describe(module)
            compile_all(module)
            bar.advance()
    compileall.compile_dir(SOURCES, quiet=2)  # an installed package has that done; a folder that Python may not write to has not
    seconds = round(time.perf_counter() - started, 2)
    emit({"modules": modules, "seconds": seconds}, json, [f"{len(modules)} kernel modules ready in {seconds} s"])
