"""`state/dropped/`: what an opening found and no commit lists. It is moved here, never deleted; a take-down looks here too."""

import os
import shutil
from pathlib import Path

FOLDER = "state/dropped"


def drop(folder: Path, path: Path) -> str:
    """Move a file out of the tables, under a name that was not there before; where it lies now, seen from the folder.

    Args:
        folder: the crawl folder.
        path: the file, inside it.

    >>> import tempfile
    >>> folder = Path(tempfile.mkdtemp())
    >>> (folder / "pages").mkdir(); _ = (folder / "pages/9.parquet").write_bytes(b"half")
    >>> drop(folder, folder / "pages/9.parquet"), size(folder)
    ('state/dropped/pages-9.parquet', 4)
    """
    place = _free(folder, "-".join(path.relative_to(folder).parts))
    path.replace(place)
    return str(place.relative_to(folder))


def drop_tail(folder: Path, path: Path, length: int) -> str:
    """Cut a file at a length; what came after it is kept here.

    Args:
        folder: the crawl folder.
        path: the file, inside it.
        length: how many of its bytes stay.
    """
    place = _free(folder, f"{'-'.join(path.relative_to(folder).parts)}@{length}")
    with path.open("rb") as file, place.open("wb") as out:
        file.seek(length)
        shutil.copyfileobj(file, out)
        out.flush()
        os.fsync(out.fileno())
    os.truncate(path, length)
    return str(place.relative_to(folder))


def files(folder: Path) -> list[Path]:
    """What lies there, in order of names."""
    place = folder / FOLDER
    return sorted(path for path in place.iterdir() if path.is_file()) if place.is_dir() else []


def size(folder: Path) -> int:
    """How many bytes lie there."""
    return sum(path.stat().st_size for path in files(folder))


def _free(folder: Path, name: str) -> Path:
    (folder / FOLDER).mkdir(parents=True, exist_ok=True)
    place, number = folder / FOLDER / name, 1
    while place.exists():
        number += 1
        place = folder / FOLDER / f"{name}.{number}"
    return place
