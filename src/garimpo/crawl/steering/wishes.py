"""What a person wants of a crawl: small files in `control/`, read by the loop at each commit, or by the next run.

A wish is one JSON object, `control/TIME-NUMBER.json`. Whoever has a wish publishes a file; the loop fulfils wishes in the order
of their names, writes each to the log, and deletes the file after the commit that keeps what it changed: a kill in between
fulfils it twice, which changes nothing. While `control/paused` is there, no request starts.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish_bytes
from garimpo.crawl.labels import FOLDER

PAUSED = "paused"
MOST_BYTES = 100_000


class Wish(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """One thing that is wanted: of `exclude` a pattern, of `withdraw` and `restore` a rule and perhaps a host (else all
    hosts), of `budget` the pages (0: no limit)."""

    wish: Literal["pause", "go on", "exclude", "withdraw", "restore", "budget"]
    pattern: str = ""
    rule: str = ""
    host: str = ""
    pages: int = 0


def ask(folder: str | Path, wish: Wish) -> Path:
    """Publish a wish for the crawl of a folder; the file.

    Args:
        folder: the crawl folder.
        wish: what is wanted.
    """
    control = Path(folder) / FOLDER
    control.mkdir(exist_ok=True)
    stamp = time.time_ns()
    while (file := control / f"{stamp:020d}.json").exists():
        stamp += 1
    publish_bytes(file, msgspec.json.encode(wish))
    return file


def waiting(folder: str | Path) -> Iterator[tuple[Path, Wish | None]]:
    """The wishes not yet fulfilled, oldest first; None for a file that holds none.

    Args:
        folder: the crawl folder.
    """
    control = Path(folder) / FOLDER
    for file in sorted(control.glob("*.json")) if control.is_dir() else []:
        try:
            data = file.read_bytes() if file.stat().st_size <= MOST_BYTES else b""
            yield file, msgspec.json.decode(data, type=Wish)
        except FileNotFoundError:
            continue
        except (OSError, msgspec.MsgspecError):
            yield file, None


def paused(folder: str | Path) -> bool:
    """Whether a pause was asked for.

    Args:
        folder: the crawl folder.
    """
    return (Path(folder) / FOLDER / PAUSED).exists()


def set_paused(folder: str | Path, value: bool) -> None:
    """Keep, or forget, that a pause was asked for.

    Args:
        folder: the crawl folder.
        value: whether it is to pause.
    """
    mark = Path(folder) / FOLDER / PAUSED
    if value:
        mark.touch()
    else:
        mark.unlink(missing_ok=True)


def of_dict(told: dict[str, Any]) -> Wish:
    """A wish from what a request says; `BadInput` where it is none.

    Args:
        told: its fields.

    >>> of_dict({"wish": "budget", "pages": 100})
    Wish(wish='budget', pattern='', rule='', host='', pages=100)
    """
    try:
        return msgspec.convert(told, Wish, strict=False)
    except msgspec.ValidationError as error:
        raise BadInput(f"no wish: {error}") from None
