"""``garimpo status``: how far a crawl is, also while it runs."""

from pathlib import Path

from garimpo.cli.options import Json, NoChance
from garimpo.cli.output import emit


def status(folder: Path, *, json: Json = False, seed: NoChance = 0) -> None:
    """Show how far the crawl in FOLDER is, by its last commit.

    For example:
      garimpo status crawl

    Args:
        folder: A crawl folder.
    """
    from garimpo.crawl import status as status_of

    result = status_of(folder)
    lines = [f"{name}: {_shown(value)}" for name, value in result.items()]
    emit(result, json, lines)


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_inner(count)}" for name, count in value.items()) or "none"
    if isinstance(value, list):
        return " ".join(map(_shown, value))
    return f"{value:,}" if isinstance(value, int | float) else str(value)


def _inner(value: object) -> str:
    return f"({_shown(value)})" if isinstance(value, dict) else _shown(value)
