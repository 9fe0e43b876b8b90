"""How kernels are compiled: typed, without the GIL, cached in a user folder that changes when a kernel's code does.

Numba keys its cache by the file of the function alone, so a change in a *called* file would be missed. The cache folder of a
kernel file is therefore named by a digest of that file and of the kernel files it imports, so that a change recompiles only
what it can touch; stale folders are left to the user's cache cleaner.
"""

import hashlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba

import garimpo

SOURCES = Path(garimpo.__file__).parent
IMPORTED = re.compile(r"^from garimpo\.([\w.]*_kernels\w*) import", re.MULTILINE)


def cache_root() -> Path:
    """The user's folder of compiled kernels of all versions."""
    return Path(os.environ.get("GARIMPO_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "garimpo"


def kernel_modules() -> list[str]:
    """The names of all modules that hold kernels."""
    files = sorted(SOURCES.rglob("_kernels*.py"))
    return [".".join(("garimpo", *file.relative_to(SOURCES).with_suffix("").parts)) for file in files]


def all_compiled() -> bool:
    """Whether every kernel file has been compiled in this version, so that nothing is left to wait for."""
    return all(cache_folder(module).exists() for module in kernel_modules())


@cache
def cache_folder(module: str) -> Path:
    """The folder of the compiled kernels of one module, `garimpo.url._kernels` say, in this version of its code."""
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(_reached(module.removeprefix("garimpo."), set())):
        digest.update((SOURCES / f"{file.replace('.', '/')}.py").read_bytes())
    return cache_root() / f"kernels-{digest.hexdigest()}-numba-{numba.__version__}"


def _reached(module: str, met: set[str]) -> set[str]:
    """The kernel modules whose code can be part of what this one compiles to."""
    if module not in met:
        met.add(module)
        for imported in IMPORTED.findall((SOURCES / f"{module.replace('.', '/')}.py").read_text(encoding="utf-8")):
            _reached(imported, met)
    return met


def kernel(signature: Any = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` as all kernels want it. Give an explicit signature, so that import compiles or loads it once."""
    options = {"cache": True, "nogil": True, "boundscheck": False, **options}

    def compiled(function: Callable[..., Any]) -> Any:
        numba.config.CACHE_DIR = str(cache_folder(function.__module__))  # read by numba while it decorates
        return numba.njit(signature, **options)(function) if signature is not None else numba.njit(**options)(function)

    return compiled
