"""Where a path points: at this machine, or at a file system that Hadoop reaches."""

import os
import re
from pathlib import Path
from urllib.parse import unquote

_SCHEME = re.compile(r"(file|hdfs|webhdfs|viewfs|s3|s3a|gs|abfss?|wasbs?|oss|cosn):/+(.*)", re.DOTALL)


def is_remote(path: str | os.PathLike[str]) -> bool:
    """Whether only Hadoop's clients can reach a path.

    >>> is_remote("hdfs://name:9000/pages"), is_remote("file:///pages"), is_remote("pages")
    (True, False, False)
    """
    found = _SCHEME.fullmatch(os.fspath(path))
    return found is not None and found[1] != "file"


def here(path: str | os.PathLike[str]) -> Path:
    """A path of this machine, also where it was given as a ``file:`` address.

    >>> str(here("file:///data/a%20b")), str(here("a b"))
    ('/data/a b', 'a b')
    """
    found = _SCHEME.fullmatch(os.fspath(path))
    return Path(path) if found is None else Path("/" + unquote(found[2]))


def address(path: str | os.PathLike[str]) -> str:
    """A path as Spark takes it: one without a scheme is of this machine, whatever file system the cluster prefers.

    A `Path` has lost one of the slashes after its scheme; it is put back.

    >>> address(Path("hdfs://name:9000/pages")), address("viewfs:///data"), address("/data/my pages")
    ('hdfs://name:9000/pages', 'viewfs:///data', 'file:///data/my pages')
    """
    text = os.fspath(path)
    found = _SCHEME.fullmatch(text)
    if found is None or found[1] == "file":
        return f"file://{here(path).absolute()}"
    return text if "://" in text else f"{found[1]}://{found[2]}"


def literal(where: str) -> str:
    """An address as Spark's readers take it: on this machine no character of a name stands for others.

    >>> literal("file:///data/a[1].parquet")
    'file:///data/a\\\\[1\\\\].parquet'
    """
    return re.sub(r"([\\*?\[\]{}])", r"\\\1", where) if where.startswith("file:") else where
