"""The URLs a crawl begins with."""

import re
from collections.abc import Iterable
from pathlib import Path

from garimpo.contract.errors import BadInput
from garimpo.url import normalise

BARE = re.compile(r"([\w-]+\.[\w.-]+|[\w.-]+:[0-9]+)(/.*)?", re.DOTALL)
"""A name with a dot, or with a port: www.example.org, localhost:8080/docs."""


def read_seeds(arguments: Iterable[str]) -> list[str]:
    """The URLs given, those of `@FILE`s in their place; `BadInput` names the file and line of what is no URL.

    Args:
        arguments: URLs, host names, and `@FILE`s with one a line.

    >>> read_seeds(["http://a.com"])
    ['http://a.com/']
    """
    seeds: list[str] = []
    for argument in arguments:
        if argument.startswith("@"):
            seeds += _seed_file(Path(argument[1:]))
        else:
            seeds.append(normal_seed(argument))
    return seeds


def normal_seed(url: str) -> str:
    """A seed in normal form, a bare host name too; `BadInput` for what is no URL.

    Args:
        url: a URL, or a host with or without port and path.

    >>> normal_seed("www.example.org"), normal_seed("localhost:8101")
    ('http://www.example.org/', 'http://localhost:8101/')
    """
    found = normalise(url) or (normalise(f"http://{url}") if BARE.fullmatch(url) else None)
    if found is None:
        raise BadInput(f"{url!r} is not an http(s) URL")
    return found


def is_url(name: str) -> bool:
    """Whether what may be a file or a URL is a URL.

    >>> is_url("https://example.org/a"), is_url("good.jsonl")
    (True, False)
    """
    return name.lower().startswith(("http://", "https://"))


def read_positive(names: Iterable[str]) -> list[str]:
    """What shows a topic: URLs in normal form, those of `@FILE`s in their place, and files by names that hold from any folder.

    Args:
        names: files or folders of documents, URLs, and `@FILE`s with a URL a line.
    """
    found: list[str] = []
    for name in names:
        found += read_seeds([name]) if is_url(name) or name.startswith("@") else [str(Path(name).absolute())]
    return list(dict.fromkeys(found))


def _seed_file(path: Path) -> list[str]:
    try:
        lines = path.read_text("utf-8-sig").splitlines()
    except OSError as error:
        raise BadInput(f"{path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file") from None
    seeds = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        try:
            seeds.append(normal_seed(text))
        except BadInput as error:
            raise BadInput(f"{path}:{number}: {error}") from None
    if not seeds:
        raise BadInput(f"{path}: no URL in it")
    return seeds
