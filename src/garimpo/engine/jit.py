"""How kernels are compiled: typed, without the GIL, when first used, and cached in a folder that changes when their code does.

Numba keys its cache by the file of the function alone, so it would miss a change in a *called* file. The cache folder of a
kernel file is therefore named by a digest of that file, of the kernel files it imports, and of this one: a change recompiles
only what it can touch. `remove_stale` (of `garimpo warm`) drops folders of versions that nobody used for a month.

This is the only module that uses parts of numba that are not its public interface, for two things the interface does not offer:

- a cache folder for our kernels alone (`FunctionCache` and its locator, `Dispatcher._cache`). The public setting is one for the
  whole process, and would move the cache of the user's own functions as well;
- compiling a kernel of a given signature when it is first used (`Dispatcher._compile_for_args`): a crawl uses a dozen of two
  hundred kernels, and to load them all takes seconds.

Nothing here changes numba for other code in the process. The range of numba's version in `pyproject.toml` is narrow for the same
reason: widen it when `tests/engine/test_jit.py` passes.
"""

import hashlib
import importlib
import logging
import os
import re
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, InTreeCacheLocator
from numba.core.compiler_lock import global_compiler_lock

import garimpo

SOURCES = Path(garimpo.__file__).parent
log = logging.getLogger(__name__)
IMPORTED = re.compile(r"^from garimpo\.([\w.]*_kernels\w*) import", re.MULTILINE)


def cache_root() -> Path:
    """The user's folder of compiled kernels of all versions."""
    return Path(os.environ.get("GARIMPO_CACHE") or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "garimpo"


def kernel_modules() -> list[str]:
    """The names of all modules that hold kernels."""
    files = sorted(SOURCES.rglob("_kernels*.py"))
    return [".".join(("garimpo", *file.relative_to(SOURCES).with_suffix("").parts)) for file in files]


@cache
def cache_folder(module: str) -> Path:
    """The folder of the compiled kernels of one module, `garimpo.url._kernels` say, in this version of its code."""
    digest = hashlib.blake2b(Path(__file__).read_bytes(), digest_size=8)  # how it is compiled counts as well
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


def kernel(signature: Any = None, *, allocates: bool = False, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` as all kernels want it. Give an explicit signature: a kernel is compiled or loaded for it when first used.

    One that makes no array of its own need not count who holds the arrays it was given: a count up and down in every call of a
    helper is most of the time of a small one. Numba refuses to compile a kernel that `allocates` and does not say so; who calls
    one must say so too.
    """
    options = {"nogil": True, "boundscheck": False, "_nrt": allocates, **options}

    def compiled(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(**options)(function)
        if signature is None:
            _keep_compiled(dispatcher)
            return dispatcher
        return _when_used(dispatcher, signature)

    return compiled


def _keep_compiled(dispatcher: Any) -> None:
    """Let numba look for compiled code in our cache, and leave it there."""
    dispatcher._cache = _Cache(dispatcher.py_func)


class _Locator(InTreeCacheLocator):
    """Tells numba that the cache of a kernel is in the folder of its module's version, not beside the module."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._folder = cache_folder(function.__module__) / function.__module__

    def get_cache_path(self) -> str:
        return str(self._folder)


class _CacheFiles(CompileResultCacheImpl):
    """Numba's files of one compiled function; where our folder cannot be written, numba's own places are tried."""

    _locator_classes = [_Locator, *CompileResultCacheImpl._locator_classes]  # noqa: RUF012


class _Cache(FunctionCache):
    """Numba's cache of one function, in our folder."""

    _impl_class = _CacheFiles


@cache
def _tell_once() -> None:
    log.info("compiling kernels for the first time (seconds; `garimpo warm` compiles all of them, once)")


def _tell_if_cold(function: Callable[..., Any]) -> None:
    """Say, once in a process, that a command takes longer because a kernel has to be compiled."""
    if not any((cache_folder(function.__module__) / function.__module__).glob(f"*.{function.__name__}-*.nbi")):
        _tell_once()


def remove_stale(older_than: float) -> int:
    """Remove folders of kernels that are not those of this version and were not written to since a time; how many.

    Args:
        older_than: seconds since 1970.
    """
    current = {cache_folder(module) for module in kernel_modules()}
    stale = [folder for folder in cache_root().glob("kernels-*") if folder not in current and folder.stat().st_mtime < older_than]
    for folder in stale:
        shutil.rmtree(folder, ignore_errors=True)
    return len(stale)


def compile_all(module: str) -> None:
    """Compile every kernel of a module now."""
    for found in vars(importlib.import_module(module)).values():
        if settle := getattr(found, "settle", None):
            settle()


def _when_used(dispatcher: Any, signature: Any) -> Any:
    """`njit(signature)`, put off to the first call or to the first kernel that is compiled with a call of this one."""
    call_template = dispatcher.get_call_template

    def settle() -> None:
        with global_compiler_lock:  # threads may use a kernel for the first time at once
            if not dispatcher.signatures:
                dispatcher.get_call_template = call_template  # first, for a kernel that calls itself
                _keep_compiled(dispatcher)
                _tell_if_cold(dispatcher.py_func)
                dispatcher.compile(signature)
                dispatcher.disable_compile()

    def first_call(*arguments: Any, **named: Any) -> Any:
        settle()
        return dispatcher

    def first_mention(arguments: Any, named: Any) -> Any:
        settle()
        return call_template(arguments, named)

    dispatcher.settle = settle
    dispatcher._compile_for_args = first_call  # what numba asks for code that fits the arguments of a call
    dispatcher.get_call_template = first_mention  # what it asks when another kernel calls this one
    return dispatcher
