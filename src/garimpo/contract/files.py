"""Files that are there whole or not at all."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def publish(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary path beside `path`; when the block ends well it is fsynced and renamed, else removed.

    Args:
        path: where the file will stand.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> with publish(folder / "a.txt") as temporary:
    ...     _ = temporary.write_text("gold")
    >>> [p.name for p in folder.iterdir()]
    ['a.txt']
    """
    final = Path(path)
    temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        fsync(temporary)
        temporary.replace(final)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    fsync(final.parent)


def publish_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write `data` to `path` by atomic rename.

    Args:
        path: where the file will stand.
        data: what it holds.
    """
    with publish(path) as temporary:
        temporary.write_bytes(data)


def fsync(path: Path) -> None:
    """Force a file or folder to the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
