"""Files of a Hadoop file system: brought here before a command reads them, sent there after it wrote them."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from garimpo.contract.errors import BadInput
from garimpo.engine.places import address, here, is_remote


def brought(engine: Any, path: Path) -> Path:
    """The file on this machine, for an engine that can reach it."""
    if not is_remote(path):
        return here(path)
    return Path(_reaching(engine, path).bring(path))


@contextmanager
def sent(engine: Any, path: Path) -> Iterator[Path]:
    """Where to write a file that will stand at `path`."""
    if not is_remote(path):
        yield here(path)
        return
    with tempfile.TemporaryDirectory(prefix="garimpo-sent-") as folder:
        local = Path(folder) / path.name
        yield local
        _reaching(engine, path).send(local, path)


def _reaching(engine: Any, path: Path) -> Any:
    if not hasattr(engine, "bring"):
        raise BadInput(f"{address(path)}: only --engine spark reaches that file system")
    return engine
