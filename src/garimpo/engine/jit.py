"""How kernels are compiled: typed, without the GIL, cached in a user folder that changes when a kernel's code does.

Numba keys its cache by the file of the function alone, so a change in a *called* file would be missed. The cache folder of a
kernel file is therefore named by a digest of that file, of the kernel files it imports, and of this one, so that a change
recompiles only what it can touch; stale folders are left to the user's cache cleaner.
"""

import hashlib
import importlib
import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.runtime import rtsys
from numba.extending import typeof_impl

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
    """Let numba look for compiled code in the cache, and leave it there."""
    function = dispatcher.py_func
    numba.config.CACHE_DIR = str(cache_folder(function.__module__))  # read by numba as it makes a cache
    dispatcher._cache = _Cache(function, dispatcher.targetoptions["_nrt"])


class _Cache(FunctionCache):
    """Numba's cache of a function, that loads what is compiled without all that numba needs to compile: a fifth of a second."""

    def __init__(self, function: Callable[..., Any], allocates: bool) -> None:
        super().__init__(function)
        self._allocates = allocates

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        if self._allocates:
            rtsys.initialize(target_context)
        return self._load_overload(sig, target_context)


def compile_all(module: str) -> None:
    """Compile every kernel of a module now."""
    for found in vars(importlib.import_module(module)).values():
        if settle := getattr(found, "settle", None):
            settle()


def _when_used(dispatcher: Any, signature: Any) -> Any:
    """`njit(signature)`, put off to the first call or to the first kernel that is compiled with a call of this one.

    A crawl needs a dozen of two hundred kernels, and most of those it loads are helpers whose code stands inlined in
    the code of their callers.
    """
    call_template = dispatcher.get_call_template

    def settle() -> None:
        with global_compiler_lock:  # threads may use a kernel for the first time at once
            if not dispatcher.signatures:
                dispatcher.get_call_template = call_template  # first, for a kernel that calls itself
                _keep_compiled(dispatcher)
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


_typeof_any = typeof_impl.dispatch(np.ndarray)


@typeof_impl.register(np.ndarray)
def _typeof_array(value: Any, context: Any) -> Any:
    """As numba has it, which first loads NumPy's masked arrays, to see that an array is none."""
    if type(value) is not np.ndarray or value.dtype.kind not in "biuf":
        return _typeof_any(value, context)
    layout = "C" if value.flags.c_contiguous else "F" if value.flags.f_contiguous else "A"
    return numba.types.Array(numba.from_dtype(value.dtype), value.ndim, layout, readonly=not value.flags.writeable)
