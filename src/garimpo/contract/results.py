"""What a call tells: figures by name, shown in a line and, by a notebook, as a table."""

from collections.abc import Mapping
from html import escape
from typing import Any


class Result(dict[str, Any]):
    """What a call found, by name: each entry is an attribute, too (an underscore stands for a blank).

    Args:
        args: what `dict` takes.
        kwargs: what `dict` takes.

    >>> found = Result({"stored": 3, "too many hops": 0})
    >>> found, found.stored, found["stored"], found.too_many_hops
    (Result(stored=3, too_many_hops=0), 3, 3, 0)
    """

    def __getattr__(self, name: str) -> Any:
        for key in (name, name.replace("_", " ")):
            if key in self:
                return self[key]
        raise AttributeError(f"no {name!r} (there are: {', '.join(self)})")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *(_attribute(name) for name in self)]

    def __repr__(self) -> str:
        return f"Result({in_a_line(self)})"

    def _repr_html_(self) -> str:
        return as_table(self)


class Summarised:
    """A record that tells of itself by the figures of its `summary()`."""

    def summary(self) -> dict[str, Any]:
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({in_a_line(self.summary())})"

    def _repr_html_(self) -> str:
        return as_table(self.summary())


def in_a_line(figures: Mapping[str, Any]) -> str:
    """Names and values; of what is long, how much there is of it.

    Args:
        figures: values by name.

    >>> in_a_line({"pages": 3, "curve": list(range(99))})
    'pages=3, curve=<99>'
    """
    return ", ".join(f"{_attribute(name)}={_short(value)}" for name, value in figures.items())


def as_table(figures: Mapping[str, Any]) -> str:
    """The same as an HTML table, a row each.

    Args:
        figures: values by name.

    >>> as_table({"pages": 1234, "seed": "<a>"})
    '<table><tr><th>pages</th><td>1,234</td></tr><tr><th>seed</th><td>&lt;a&gt;</td></tr></table>'
    """
    rows = "".join(
        f"<tr><th>{escape(name.replace('_', ' '))}</th><td>{_cell(value)}</td></tr>" for name, value in figures.items()
    )
    return f"<table>{rows}</table>"


def _attribute(name: str) -> str:
    return name.replace(" ", "_")


def _short(value: Any) -> str:
    told = repr(value)
    return told if len(told) <= 100 or not hasattr(value, "__len__") or isinstance(value, str) else f"<{len(value)}>"


def _cell(value: Any) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.4g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{escape(str(name))} {_cell(one)}" for name, one in value.items())
    return escape(value if isinstance(value, str) else _short(value))
