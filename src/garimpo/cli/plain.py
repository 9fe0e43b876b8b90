"""Command lines that leave no doubt, read without cyclopts.

Loading cyclopts and letting it look at the sixty options of a crawl takes as long as fetching three hundred pages. Most
command lines need none of what it knows: here an option is ``--name value`` or ``--name=value``, a switch is ``--name`` or
``--no-name``, and a value is written as anyone would. All else, with every error and every help text, is left to cyclopts,
which reads the same signatures.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from inspect import Parameter, signature
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

OPTION = re.compile(r"--[a-z]+(-[a-z]+)*")
INTEGER = re.compile(r"[0-9]+")
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?")


class Unclear(Exception):
    """Cyclopts has to read this command line."""


def read(command: Callable[..., Any], words: Sequence[str]) -> tuple[list[str], dict[str, Any]]:
    """The arguments with which a function of free words and named options is called for these words.

    >>> def crawl(*seeds: str, max_pages: int | None = None, learn: bool = True) -> None: ...
    >>> read(crawl, ["http://a.org/", "--max-pages", "10", "--no-learn"])
    (['http://a.org/'], {'max_pages': 10, 'learn': False})
    """
    parameters = signature(command).parameters
    free: list[str] = []
    given: dict[str, Any] = {}
    rest = iter(words)
    for word in rest:
        if not word.startswith("-"):
            free.append(_certain(word))
            continue
        option, equals, value = word.partition("=")
        name, kind, switched = _option(option, parameters)
        if switched is None:
            found = _value(kind, value if equals else next(rest, ""))
        elif equals:
            raise Unclear
        else:
            found = switched
        if kind == list[str]:
            given.setdefault(name, []).append(found)
        elif name in given:
            raise Unclear
        else:
            given[name] = found
    _check(parameters, free, given)
    return free, given


def _option(option: str, parameters: Mapping[str, Parameter]) -> tuple[str, Any, bool | None]:
    """Which parameter an option is for, the kind of its value, and what it is switched to if it is a switch."""
    if not OPTION.fullmatch(option):
        raise Unclear
    name = option.removeprefix("--").replace("-", "_")
    kind, negated = _kind(parameters, name), name.removeprefix("no_")
    if kind is not None:
        return name, kind, True if kind is bool else None
    if negated != name and _kind(parameters, negated) is bool:
        return negated, bool, False
    raise Unclear


def _kind(parameters: Mapping[str, Parameter], name: str) -> Any:
    """What an option takes, `int` of `int | None` say; nothing for what is no option."""
    if name not in parameters or parameters[name].kind is not Parameter.KEYWORD_ONLY:
        return None
    annotation = parameters[name].annotation
    if get_origin(annotation) not in (Union, UnionType):
        return annotation
    kinds = [kind for kind in get_args(annotation) if kind is not NoneType]
    return kinds[0] if len(kinds) == 1 else None


def _value(kind: Any, text: str) -> Any:
    text = _certain(text)
    if kind in (str, list[str]):
        return text
    if kind is Path:
        return Path(text)
    if get_origin(kind) is Literal and text in get_args(kind):
        return text
    if kind is int and INTEGER.fullmatch(text):
        return int(text)
    if kind is float and NUMBER.fullmatch(text):
        return float(text)
    raise Unclear


def _certain(text: str) -> str:
    """A word that can only be a value."""
    if not text or text.startswith("-"):
        raise Unclear
    return text


def _check(parameters: Mapping[str, Parameter], free: Sequence[str], given: Mapping[str, Any]) -> None:
    """Whether the function can be called so."""
    takes_words = False
    for name, parameter in parameters.items():
        if parameter.kind is Parameter.VAR_POSITIONAL and parameter.annotation is str:
            takes_words = True
        elif parameter.kind is not Parameter.KEYWORD_ONLY or (parameter.default is Parameter.empty and name not in given):
            raise Unclear
    if free and not takes_words:
        raise Unclear
