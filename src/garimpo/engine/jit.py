"""How kernels are compiled: typed, without the GIL, cached in a user folder that changes when any kernel file does.

Numba keys its cache by the file of the function alone, so a change in a *called* file would be missed. The cache folder is
therefore named by a digest of all kernel files; stale folders are left to the user's cache cleaner.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba

import garimpo


def cache_folder() -> Path:
    """The folder of compiled kernels for this version of the kernel files."""
    base = os.environ.get("GARIMPO_CACHE") or os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    digest = hashlib.blake2b(digest_size=8)
    for file in sorted(Path(garimpo.__file__).parent.rglob("_kernels*.py")):
        digest.update(file.read_bytes())
    return Path(base) / "garimpo" / f"kernels-{digest.hexdigest()}-numba-{numba.__version__}"


numba.config.CACHE_DIR = str(cache_folder())


def kernel(signature: Any = None, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """`numba.njit` as all kernels want it. Give an explicit signature, so that import compiles or loads it once."""
    options = {"cache": True, "nogil": True, "boundscheck": False, **options}
    return numba.njit(signature, **options) if signature is not None else numba.njit(**options)
