"""Tables without pages, for sizes that no page store can hold.

Each module makes the input of one room with its truth: `mirrors` (URLs, addresses and digests of a partial crawl), `dust`
(clusters of URLs of the same page), `locator` (sites, a detector's answers and the links between them), `graph` (documents and
links, ready for ``archive import``). All draws come from `draws`, so a seed gives the same tables everywhere.
"""

from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

from garimpo.contract.errors import BadInput
from garimpo.contract.results import Result
from garimpo.webgen.tables import dust, graph, locator, mirrors

KINDS: dict[str, Callable[..., dict[str, Any]]] = {
    "mirrors": mirrors.make,
    "locator": locator.make,
    "dust": dust.make,
    "graph": graph.make,
}


def make_tables(folder: str | Path, kind: str, seed: int = 0, **sizes: Any) -> Result:
    """Write the tables of one kind into a folder and say what is in them.

    Args:
        folder: where to write.
        kind: mirrors, locator, dust or graph.
        seed: which tables of that size.
        sizes: how many of each thing, by the kind.

    >>> import tempfile
    >>> make_tables(tempfile.mkdtemp(), "locator", seed=1, sites=300)["sites"]
    300
    """
    if kind not in KINDS:
        raise BadInput(f"no tables of kind {kind!r} (there are: {', '.join(KINDS)})")
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise BadInput(f"{place}: is a file, not a folder")
    place.mkdir(parents=True, exist_ok=True)
    given = {name: value for name, value in sizes.items() if value is not None}
    maker: Callable[..., dict[str, Any]] = KINDS[kind]
    unknown = sorted(set(given) - set(signature(maker).parameters))
    if unknown:
        raise BadInput(f"tables of kind {kind} take no {', '.join(unknown)}")
    return Result(kind=kind, seed=seed, **maker(place, seed, **given))
