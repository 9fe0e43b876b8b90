"""Compiled kernels are found again, and only code that can have changed is compiled again."""

import importlib
import subprocess
import sys

import pytest
from numba import types
from numba.core.dispatcher import Dispatcher
from numba.core.errors import TypingError

from garimpo.engine import jit


def test_a_kernel_file_depends_on_the_kernel_files_it_imports() -> None:
    reached = jit._reached("page.html._kernels_links", set())
    assert reached >= {"page.html._kernels_links", "page.html._kernels_extract", "url._kernels", "engine._kernels"}
    assert "dust.thesis._kernels_align" not in reached


def test_the_folder_changes_with_an_imported_file(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "_kernels.py").write_text("from garimpo.a._kernels_b import x\n")
    (tmp_path / "a" / "_kernels_b.py").write_text("x = 1\n")
    (tmp_path / "a" / "_kernels_c.py").write_text("y = 1\n")
    monkeypatch.setattr(jit, "SOURCES", tmp_path)
    folders = lambda: [jit.cache_folder.__wrapped__(f"garimpo.a.{name}") for name in ("_kernels", "_kernels_c")]  # noqa: E731
    before = folders()
    (tmp_path / "a" / "_kernels_b.py").write_text("x = 2\n")
    after = folders()
    assert before[0] != after[0]
    assert before[1] == after[1]


def test_every_kernel_module_is_known() -> None:
    assert {"garimpo.engine._kernels", "garimpo.dust.rules._kernels_apply"} <= set(jit.kernel_modules())


def test_a_kernel_may_be_used_first_by_several_threads_at_once() -> None:
    """In a process of its own: here the kernels are loaded already."""
    program = (
        "from concurrent.futures import ThreadPoolExecutor; import pyarrow as pa; from garimpo.engine import hash_strings;"
        "column = pa.array(['a'] * 9);"
        "print(len({int(h[0]) for h in ThreadPoolExecutor(8).map(lambda _: hash_strings(column), range(64))}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "1", done.stderr


def test_numba_is_left_as_it_was_for_other_code(tmp_path) -> None:  # type: ignore[no-untyped-def]
    """What a user compiles himself is cached where numba puts it, also after kernels of ours were used."""
    (tmp_path / "user.py").write_text("""
import numba, numpy as np
from numba.extending import typeof_impl
before = typeof_impl.dispatch(np.ndarray), numba.config.CACHE_DIR
from garimpo.page import read
read(b"<p>text", "http://a.org/")
assert (typeof_impl.dispatch(np.ndarray), numba.config.CACHE_DIR) == before
@numba.njit(cache=True)
def double(x):
    return 2 * x
assert double(4) == 8
print(double.stats.cache_path)
""")
    done = subprocess.run([sys.executable, tmp_path / "user.py"], capture_output=True, text=True)
    assert done.stdout.strip() == str(tmp_path / "__pycache__"), done.stderr


def test_a_kernel_is_loaded_when_first_used_and_only_for_its_own_types() -> None:
    code = """
import numpy as np
from garimpo.crawl.state import _kernels as k
assert not k.add.signatures and not k.find.signatures
table, levels, keys = np.zeros(8, np.uint64), np.zeros(8, np.uint8), np.array([3, 3, 4], np.uint64)
out = np.zeros(3, np.uint8)
assert k.add(table, levels, keys, np.zeros(3, np.uint8), out) == 2 and out.tolist() == [1, 0, 1]
assert len(k.add.signatures) == 1 and not k.contains.signatures
try:
    k.add(1, 2, 3, 4, 5)
except TypeError:
    print("refused")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "refused\n", done.stderr


def test_a_kernel_that_allocates_must_say_so(tmp_path, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    from garimpo.mirrors import _kernels as k

    monkeypatch.setattr(jit, "cache_folder", lambda module: tmp_path)
    silent = jit.kernel(k.I64_OUT(k.I64, k.I32, k.I64, k.I32, k.F64, types.int64, types.float64))(k.expand.py_func)
    with pytest.raises(TypingError, match="array passed into the function"):
        silent.settle()


def test_who_calls_a_kernel_that_allocates_says_so_too() -> None:
    """Numba does not look at that: an array given back would never be freed, and its code is loaded without what it calls."""
    kernels = {
        found
        for module in jit.kernel_modules()
        for found in vars(importlib.import_module(module)).values()
        if isinstance(found, Dispatcher)
    }
    makers = {found for found in kernels if found.targetoptions["_nrt"]}
    callers = {found for found in kernels if makers & _called(found)}
    assert callers and callers <= makers


def _called(found: Dispatcher) -> set[Dispatcher]:
    function = found.py_func
    named = [function.__globals__.get(name) for name in function.__code__.co_names]
    return {one for one in named if isinstance(one, Dispatcher)}
