"""Garimpo: a web crawler that learns while it runs.

Each subpackage is a room with one question to answer; its own docstring tells how things move through it. A room is
imported when it is first named, so that a program pays only for the rooms it uses:

>>> import garimpo
>>> garimpo.url.normalise("HTTP://Example.org:80/a/../b")
'http://example.org/b'
"""

from importlib import import_module
from types import ModuleType

__version__ = "0.1.0"

ROOMS = (
    "archive", "contract", "crawl", "dust", "engine", "focus", "mirrors", "page", "report", "similarity", "sites", "ui",
    "url", "webgen",
)  # fmt: skip
"""What `import garimpo` offers, each as `garimpo.ROOM`."""


def __getattr__(name: str) -> ModuleType:
    if name in ROOMS:
        return import_module(f"garimpo.{name}")
    raise AttributeError(f"module 'garimpo' has no attribute {name!r} (it has: {', '.join(ROOMS)})")


def __dir__() -> list[str]:
    return [*ROOMS, "ROOMS", "__version__"]
