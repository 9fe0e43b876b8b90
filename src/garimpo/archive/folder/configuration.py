"""`crawl.toml`, and its copy in `state/` that takes its place when it cannot be read. Both may hold secrets."""

import contextlib
import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from garimpo.archive.folder import state
from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.versions import CRAWL_FORMAT

FILE, COPY = "crawl.toml", "state/crawl.toml"
_PRIVATE = 0o600
_END = b"# the end\n"
"""By this a file that was cut is told from one that was made shorter by hand."""


def is_crawl_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a crawl folder.

    Args:
        path: any path.
    """
    return any((Path(path) / name).is_file() for name in (FILE, COPY))


def read_settings(folder: Path) -> tuple[dict[str, Any], str | None]:
    """What `crawl.toml` holds, without the format version, which is checked here; and what was wrong if the copy was read.

    Args:
        folder: the crawl folder.
    """
    copy = (folder / COPY).read_bytes() if (folder / COPY).is_file() else None
    file = (folder / FILE).read_bytes() if (folder / FILE).is_file() else b""
    cut = copy is not None and copy.endswith(_END) and copy != file and copy.startswith(file)
    try:
        if cut:
            raise BadInput(f"{folder / FILE}: cut short")
        return _read(folder, folder / FILE), None
    except BadInput as error:
        if not cut and (copy is None or not _is_flipped(file, copy)):
            raise
        with contextlib.suppress(BadInput):
            return _read(folder, folder / COPY), f"{error}: the settings are those of {COPY}"
        raise


def _is_flipped(file: bytes, copy: bytes) -> bool:
    """Whether just one byte is another, as no hand changes it."""
    return len(file) == len(copy) and sum(a != b for a, b in zip(file, copy)) == 1


def write_settings(folder: Path, settings: dict[str, Any], comments: Mapping[str, str] | None = None) -> None:
    """Replace `crawl.toml` and its copy; settings that are None are left out.

    Args:
        folder: the crawl folder.
        settings: the settings by their names in the file.
        comments: what each setting is for, by the same names.
    """
    lines = {name: tomli_w.dumps({name: value}) for name, value in settings.items() if value is not None}
    told = [f"\n# {(comments or {})[name]}\n{line}" if name in (comments or {}) else line for name, line in lines.items()]
    data = "".join([tomli_w.dumps({"format": CRAWL_FORMAT}), *told]).encode() + _END
    for name in (COPY, FILE):
        with publish(folder / name) as temporary:
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, _PRIVATE)
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)


def _read(folder: Path, file: Path) -> dict[str, Any]:
    try:
        settings = tomllib.loads(file.read_text())
    except FileNotFoundError:
        raise BadInput(f"{folder}: no crawl folder (no {FILE} in it)") from None
    except NotADirectoryError:
        raise BadInput(f"{folder}: a file, not a crawl folder") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, IsADirectoryError) as error:
        raise BadInput(f"{file}: {error}") from None
    if not settings:
        raise BadInput(f"{file}: empty")
    version = settings.pop("format", None)
    if version != CRAWL_FORMAT:
        raise BadInput(state.wrong_version(folder, version))
    return settings
