"""The examples in the docstrings of the real web."""

import doctest
import importlib

import pytest


@pytest.mark.parametrize("name", ["application", "judge", "measures", "oracle", "texts"])
def test_examples(name: str) -> None:
    ran = doctest.testmod(importlib.import_module(f"realweb.{name}"))
    assert ran.attempted > 0 and ran.failed == 0
