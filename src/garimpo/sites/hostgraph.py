"""Who links to whom, by Common Crawl's host graph: two text files, `id<tab>reversed.host` and `from<tab>to`, also packed."""

import gzip
from collections.abc import Iterator
from pathlib import Path

from garimpo.contract import BadInput


def host_graph_links(vertices: Path, edges: Path) -> Iterator[tuple[str, str]]:
    """(page, page) of every edge, each host standing for its root page."""
    roots = {number: f"http://{'.'.join(reversed(name.split('.')))}/" for number, name in _rows(vertices)}
    for source, target in _rows(edges):
        if source not in roots or target not in roots:
            raise BadInput(f"{edges}: edge {source} {target} names a host that {vertices} does not have")
        yield roots[source], roots[target]


def _rows(path: Path) -> Iterator[tuple[str, str]]:
    try:
        with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                fields = line.split()
                if len(fields) < 2:
                    raise BadInput(f"{path}:{number}: not two fields")
                yield fields[0], fields[1]
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise BadInput(f"{path}: {getattr(error, 'strerror', None) or error}") from None
