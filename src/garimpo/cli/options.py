"""Options that several commands share, and those that are made from the settings of a crawl.

What stands in an `Args:` section of a command's docstring becomes the help of its own options; what many commands have is
written here once.
"""

from collections.abc import Iterable
from dataclasses import make_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Group, Parameter

ARGUMENTS = Group("Arguments", sort_key=0)
OPTIONS = Group("Options", sort_key=1)
OUTPUT = Group("Output", sort_key=20)
ENGINE = Group("Engine", sort_key=21)

Out = Annotated[Path, Parameter(alias="-o", group=OUTPUT)]
OptionalOut = Annotated[Path | None, Parameter(alias="-o", group=OUTPUT)]
Written = Annotated[Path | None, Parameter(group=OUTPUT)]
"""A second file that a command can write."""

Json = Annotated[
    bool,
    Parameter(
        negative="", group=OUTPUT, help="Print the result as one JSON object, the last line (of stderr, if data is on stdout)."
    ),
]
Seed = Annotated[int, Parameter(help="Number from which all that is drawn at random follows.")]
NoChance = Annotated[int, Parameter(show=False, help="Accepted by every command; there is no chance in this one.")]

Engine = Annotated[Literal["local", "spark"], Parameter(group=ENGINE, help="Where the job runs: this machine, or Spark.")]
Master = Annotated[
    str | None, Parameter(group=ENGINE, help="Where Spark runs: local[4], spark://host:7077, yarn, k8s://... (its own setting).")
]
Switch = Annotated[bool, Parameter(negative="")]
Many = Annotated[list[str] | None, Parameter(negative=(), consume_multiple=False)]
ManyFiles = Annotated[list[Path] | None, Parameter(negative=(), consume_multiple=False)]


def group_of_verbs(name: str, text: str) -> App:
    """An empty group of commands, such as `garimpo dust`; its verbs are added by `@app.command`."""
    return App(name=name, help=text, help_format="plaintext", group_arguments=ARGUMENTS, group_parameters=OPTIONS)


def settings_options(names: Iterable[str]) -> type:
    """A class of options for settings of a crawl, told as `Settings` tells them; their value is None if they are not given."""
    from garimpo.crawl.settings import setting_texts

    texts, groups, fields = setting_texts(), dict[str, Group](), list[Any]()
    for order, group in enumerate(dict.fromkeys(text.group for text in texts.values()), 2):
        groups[group] = Group(group, sort_key=order)
    for name in names:
        text = texts[name]
        default: Any = False if text.default == "none" else text.default
        repeated: dict[str, Any] = {"negative": (), "consume_multiple": False} if text.kind == list[str] else {}
        parameter = Parameter(help=text.text, group=groups[text.group], show_default=default, **repeated)
        fields.append((name, Annotated[text.kind | None, parameter], None))
    made = make_dataclass("SettingsOptions", fields)
    made.__module__ = __name__  # cyclopts takes apart what is no class of the standard library
    return made


def given(options: Any) -> dict[str, Any]:
    """The settings that were asked for, by their Python names."""
    return {name: value for name, value in vars(options).items() if value is not None} if options is not None else {}
