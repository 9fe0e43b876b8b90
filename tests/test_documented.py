"""Every parameter of every public function and class is documented.

Of a function by a docstring with an `Args:` section that names it; of a class there too, in its prose, or below the field.
"""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
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


def public_classes(room: str) -> Iterator[tuple[str, type]]:
    module = import_module(f"garimpo.{room}")
    for name in module.__all__:
        found = getattr(module, name)
        if inspect.isclass(found) and not issubclass(found, Exception) and not getattr(found, "_is_protocol", False):
            yield name, found


def told_of(one: type) -> set[str]:
    """The parameters that a class tells of."""
    prose = (one.__doc__ or "") + (one.__init__.__doc__ or "")
    found = set(re.findall(r"`(\w+)`", prose)) | set(re.findall(r"^\s+(\w+):", prose, re.MULTILINE))
    for part in one.__mro__:
        if part.__module__.partition(".")[0] in ("garimpo", __name__.partition(".")[0]):
            (tree,) = ast.parse(textwrap.dedent(inspect.getsource(part))).body
            assert isinstance(tree, ast.ClassDef)
            for field, below in pairwise([*tree.body, ast.Pass()]):
                if isinstance(field, ast.AnnAssign) and ("Annotated[" in ast.unparse(field.annotation) or is_text(below)):
                    found.add(ast.unparse(field.target))
    return found


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)


def made_from(one: type) -> list[str]:
    rest = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    try:
        given = inspect.signature(one).parameters.items()
    except ValueError:  # made by the standard library
        return []
    return [name for name, parameter in given if parameter.kind not in rest and not name.startswith("_")]


@pytest.mark.parametrize("room", garimpo.ROOMS)
def test_what_a_public_class_is_made_from_is_documented(room: str) -> None:
    missing = {name: [part for part in made_from(one) if part not in told_of(one)] for name, one in public_classes(room)}
    assert not {name: silent for name, silent in missing.items() if silent}


def test_the_test_sees_a_field_without_a_word() -> None:
    assert "left_out" not in told_of(Silent) and {"told", "below"} <= told_of(Silent)
    assert made_from(Silent) == ["told", "below", "left_out"]


def test_the_test_sees_a_docstring_without_args() -> None:
    def silent(a: int, b: int) -> None:
        """Says nothing of b.

        Args:
            a: a number.
        """

    assert parameters(silent) == ["a", "b"] and documented(silent) == {"a"}


@dataclass
class Silent:
    """Has `told`."""

    told: int
    below: int
    """What it is."""
    left_out: int
