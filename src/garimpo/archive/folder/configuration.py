"""`crawl.toml`, and its copy in `state/` that takes its place when it cannot be read. Both may hold secrets."""

import contextlib
import os
import re
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
_HEAD = b"format = "
_NO_TEXT = re.compile(rb"[\x00-\x08\x0e-\x1f]")
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
    is_part = copy is not None and (copy.startswith(file) or copy.endswith(file))
    cut = copy is not None and copy.endswith(_END) and copy != file and is_part
    try:
        if cut:
            raise BadInput(f"{folder / FILE}: cut short")
        return _read(folder, folder / FILE), None
    except BadInput as error:
        if not cut and (copy is None or not is_damage(file, copy)):
            raise
        with contextlib.suppress(BadInput):
            return _read(folder, folder / COPY), f"{error}: the settings are those of {COPY}"
        raise


def settings_before_damage(folder: Path) -> dict[str, Any] | None:
    """What `crawl.toml` held when it was written, if what it holds now is damage and no hand's work; else None.

    Args:
        folder: the crawl folder, whose settings can be read and make no sense.
    """
    with contextlib.suppress(OSError, BadInput):
        if is_damage((folder / FILE).read_bytes(), (folder / COPY).read_bytes()):
            return _read(folder, folder / COPY)
    return None


def is_damage(file: bytes, copy: bytes) -> bool:
    """Whether a file that cannot be read was damaged, and not written by hand.

    Args:
        file: what it holds.
        copy: what it held when it was written.

    >>> copy = b"format = 1\\ndelay = 1\\n"
    >>> is_damage(b"format = 1\\nde|ay = 1\\n", copy), is_damage(b"format = 1\\ndelay = slow\\n", copy), is_damage(bytes(9), copy)
    (True, False, True)
    """
    one_byte = len(file) == len(copy) and sum(a != b for a, b in zip(file, copy)) == 1
    beheaded = not file.startswith(_HEAD)
    return one_byte or beheaded or _NO_TEXT.search(file) is not None or not _is_utf8(file)


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


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
