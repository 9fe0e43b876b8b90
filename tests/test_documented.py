"""Every parameter of every public function is documented: a docstring with an `Args:` section that names it."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import pytest

import garimpo


def public_functions(room: str) -> Iterator[tuple[str, Any]]:
    module = import_module(f"garimpo.{room}")
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.isfunction(inspect.unwrap(found)):
            yield name, found


def parameters(function: Any) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls")]


def documented(function: Any) -> set[str]:
    _, _, section = (inspect.getdoc(function) or "").partition("Args:\n")
    return set(re.findall(r"^    \*{0,2}(\w+):", section, re.MULTILINE))


@pytest.mark.parametrize("room", garimpo.ROOMS)
def test_every_parameter_of_a_public_function_is_documented(room: str) -> None:
    missing = {
        name: [one for one in parameters(function) if one not in documented(function)]
        for name, function in public_functions(room)
    }
    assert not {name: silent for name, silent in missing.items() if silent}


def test_the_test_sees_a_docstring_without_args() -> None:
    def silent(a: int, b: int) -> None:
        """Says nothing of b.

        Args:
            a: a number.
        """

    assert parameters(silent) == ["a", "b"] and documented(silent) == {"a"}
