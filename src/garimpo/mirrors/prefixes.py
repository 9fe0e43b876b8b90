"""Copies below a path: which part of one host is which part of another.

A copy may stand at another place (`/` moved to `/old/`), or be a part of a host only (`/debian/` on many hosts). Pages with equal
contents on both hosts tell: what their paths have in common at the end is the copied tree, what differs before it are the two
prefixes.
"""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract.reading import as_strings
from garimpo.engine import Engine
from garimpo.mirrors.page_scan import Pages, content_of, open_pages
from garimpo.url import host_column, normalise_column

PLACES = pa.schema([("host", pa.string()), ("path", pa.string()), ("content", pa.int64())])
MOST = 0.8
"""A prefix must explain this share of the equal pages, and of the pages below it as many must be common to both hosts."""


class Unit(NamedTuple):
    """Two prefixes that hold the same tree: pages with equal contents there, with other contents, and known on each side."""

    prefix_a: str
    prefix_b: str
    equal: int
    different: int
    inside_a: int
    inside_b: int
    outside_a: int
    outside_b: int


Places = dict[str, int | None]


def places(engine: Engine, pages: Pages, hosts: Iterable[str], near: Pages | None = None) -> dict[str, Places]:
    """Path -> content of every page of some hosts; near-duplicates, where they are known, are one content."""
    data, _ = open_pages(engine, pages)
    wanted = pa.array(sorted(set(hosts)), pa.string())
    table = engine.collect(engine.map(data, partial(_places_of, wanted=wanted), PLACES))
    out: dict[str, Places] = {}
    for host, path, content in zip(*(table[name].to_pylist() for name in PLACES.names)):
        of_host = out.setdefault(host, {})
        of_host[path] = of_host.get(path) if content is None else content
    if near is not None:
        if not isinstance(near, pa.Table):
            near = pa.Table.from_batches(engine.rows(engine.table(near, ["id", "cluster"])))
        _merge(out, near)
    return out


def _places_of(table: pa.Table, wanted: pa.Array) -> pa.Table:
    urls = normalise_column(as_strings(table["url"]))
    hosts = host_column(urls)
    chosen = pc.is_in(hosts, wanted)
    table, urls, hosts = table.filter(chosen), urls.filter(chosen), hosts.filter(chosen)
    return pa.table([hosts, _paths(urls), content_of(table)], schema=PLACES)


def _paths(urls: pa.Array) -> pa.Array:
    return pc.replace_substring_regex(urls, "^[a-z]+://[^/]*", "")


def _merge(known: dict[str, Places], near: pa.Table) -> None:
    """Give the pages of a cluster of near-duplicates the content of the first of them."""
    urls = normalise_column(as_strings(near["id"]))
    first: dict[int, int] = {}
    for host, path, cluster in zip(host_column(urls).to_pylist(), _paths(urls).to_pylist(), near["cluster"].to_pylist()):
        content = known[host].get(path) if host in known else None
        if content is not None and cluster is not None:
            known[host][path] = first.setdefault(cluster, content)


def unit(a: Places, b: Places) -> Unit | None:
    """The prefixes below which most of the equal pages of two hosts stand alike; None if there are none.

    >>> unit({"/x/1": 1, "/x/2": 2, "/y": 3}, {"/old/x/1": 1, "/old/x/2": 2})[:3]
    ('/', '/old/', 2)
    """
    where = {content: path for path, content in b.items() if content is not None}
    pairs = [(path, where[content]) for path, content in a.items() if content is not None and content in where]
    moved = Counter(_stems(*pair) for pair in pairs)
    if not moved:
        return None
    (stem_a, stem_b), votes = max(moved.items(), key=lambda item: (item[1], -len(item[0][0]) - len(item[0][1])))
    if votes < MOST * len(pairs):
        return None
    rests = [path_a[len(stem_a) :] for path_a, path_b in pairs if _stems(path_a, path_b) == (stem_a, stem_b)]
    whole = _measure(a, b, stem_a, stem_b)
    folder = _common_folder(rests)
    if not folder:
        return whole
    part = _measure(a, b, stem_a + folder, stem_b + folder)
    return part if whole.outside_a + whole.inside_a + whole.outside_b + whole.inside_b > _size(part) / MOST else whole


def _size(unit: Unit) -> float:
    return unit.inside_a + unit.inside_b


def _stems(a: str, b: str) -> tuple[str, str]:
    """What is left of two paths when their common last segments are cut off; both end in a slash."""
    left, right = a.split("/"), b.split("/")
    same = 0
    while same < min(len(left), len(right)) - 1 and left[-1 - same] == right[-1 - same]:
        same += 1
    return ("/".join(left[: len(left) - same]) + "/" if same else a, "/".join(right[: len(right) - same]) + "/" if same else b)


def _common_folder(rests: list[str]) -> str:
    """The longest folder that all of some paths stand in."""
    folders = [rest.split("?")[0].rsplit("/", 1)[0].split("/") if "/" in rest.split("?")[0] else [] for rest in rests]
    common = []
    for parts in zip(*folders):
        if len(set(parts)) > 1:
            break
        common.append(parts[0])
    return "".join(f"{part}/" for part in common)


def _measure(a: Places, b: Places, prefix_a: str, prefix_b: str) -> Unit:
    inside_a = {path[len(prefix_a) :]: content for path, content in a.items() if path.startswith(prefix_a)}
    inside_b = {path[len(prefix_b) :]: content for path, content in b.items() if path.startswith(prefix_b)}
    both = [rest for rest in inside_a.keys() & inside_b.keys() if inside_a[rest] is not None and inside_b[rest] is not None]
    equal = sum(inside_a[rest] == inside_b[rest] for rest in both)
    outside = len(a) - len(inside_a), len(b) - len(inside_b)
    return Unit(prefix_a, prefix_b, equal, len(both) - equal, len(inside_a), len(inside_b), *outside)
