"""What `mkdocs build` needs beside the guides: pages made from the code, and pages that stand elsewhere in the repository."""

import re
from pathlib import Path
from typing import Any

import griffe
from mkdocs.structure.files import File, Files

import garimpo
from garimpo.cli.app import COMMANDS, application

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = re.compile(r"^For example:\n((?:  .+\n?)+)", re.MULTILINE)
NOT_CALLED = ("contract",)
"""Rooms that are not for callers."""

DOCTEST = re.compile(r"^>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)


class Doctests(griffe.Extension):
    """Examples in docstrings are shown as code."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        if obj.docstring is not None:
            obj.docstring.value = DOCTEST.sub(lambda found: f"```python\n{found[0]}\n```", obj.docstring.value)


def on_files(files: Files, config: Any, **kwargs: Any) -> Files:
    """Add the pages that no file of `docs/` holds."""
    made = {
        "CONTRIBUTING.md": (ROOT / "CONTRIBUTING.md").read_text("utf-8").replace("](docs/", "]("),
        "evidence.md": _evidence(),
        "reference/commands.md": _commands(),
        "reference/python.md": _rooms(),
    }
    made |= {f"reference/{name}.md": f"# `garimpo.{name}`\n\n::: garimpo.{name}\n" for name in _called()}
    made |= {f"evidence/{name}.md": path.read_text("utf-8") for name, path in _results().items()}
    for name, text in made.items():
        files.append(File.generated(config, name, content=text))
    return files


def on_page_markdown(markdown: str, **kwargs: Any) -> str:
    """Links that leave `docs/` lead to the copies here."""
    return markdown.replace("](../CONTRIBUTING.md)", "](CONTRIBUTING.md)")


def _called() -> list[str]:
    return [name for name in garimpo.ROOMS if name not in NOT_CALLED]


def _results() -> dict[str, Path]:
    """What experiments wrote, by room (and by their own name, where a room has several)."""
    found = sorted((ROOT / "experiments").glob("*/*.md"))
    return {f"{path.parent.name}-{path.stem}": path for path in found}


def _commands() -> str:
    """The text of every command's --help."""
    parts = ["# Commands\n"]
    for name in sorted(COMMANDS):
        text = application(name)[name].generate_docs(output_format="markdown", heading_level=2)
        text = re.sub(r"^## Table of Contents\n.*?(?=^\*\*)", "", text, flags=re.MULTILINE | re.DOTALL)
        text = EXAMPLES.sub(lambda found: "For example:\n\n" + re.sub("^", "  ", found[1], flags=re.MULTILINE) + "\n", text)
        text = text.replace(" -m mkdocs", "")  # the program that asks for these texts is not the one they speak of
        parts.append(re.sub(r"^(```console\n)", r"\1garimpo ", text, flags=re.MULTILINE))
    return "\n".join(parts)


def _rooms() -> str:
    """One line a room, with the question its docstring asks first."""
    lines = ["# Python\n", "Every command is a call of the same name in the room it belongs to.\n"]
    for name in _called():
        question = (getattr(garimpo, name).__doc__ or "").strip().splitlines()[0]
        lines.append(f"- [`garimpo.{name}`]({name}.md): {question}")
    return "\n".join(lines)


def _evidence() -> str:
    """Where figures stand: the tables of README, and what every experiment wrote."""
    readme = (ROOT / "README.md").read_text("utf-8")
    measured = readme.partition("## Measured\n")[2].partition("\n## ")[0]
    lines = [f"- [{name.replace('-', ': ')}](evidence/{name}.md)" for name in _results()]
    return f"# Evidence\n{measured}\n\n## Experiments\n\nAs their commands wrote them:\n\n" + "\n".join(lines) + "\n"
