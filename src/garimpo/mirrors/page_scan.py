"""One scan of the pages: each URL becomes a few 64-bit keys, and what two hosts could share is gathered by host.

The scan and the counting run on the engine. What comes back is small: hosts, their addresses, and only those paths and
contents that stand on two hosts or more, since no other can make a pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.contract.reading import Counts, as_digests, as_strings
from garimpo.contract.tables import require
from garimpo.engine import Engine, flat, hash_strings
from garimpo.url import host_column, key_column, normalise_column

Pages: TypeAlias = pa.Table | str | Path | Sequence[str | Path]
Array: TypeAlias = NDArray[Any]

OPTIONAL = ["ip", "digest", "text_digest", "text", "html", "status", "title", "redirect", "canonical", "fetched_at"]
_KEYS = ["url_key", "host_key", "path", "section", "tail", "shape", "digest", "title", "moved_to", "near", "secure", "fetched_us"]
CUSTOMARY = ("/", "/robots.txt", "/favicon.ico", "/sitemap.xml", "/index.html", "/index.htm", "/index.php")
"""Paths that nearly every host has: that two hosts have them says nothing, even where there are few hosts to count."""
ROWS = pa.schema([("passed_over", pa.string()), ("host", pa.string()), ("ip", pa.string()), *((n, pa.int64()) for n in _KEYS)])
"""A page as keys. A row that was passed over says why, and has no other value."""


@dataclass(slots=True)
class Lists:
    """What hosts have of one kind (paths, contents, ...): by host, items sorted. `df` is how many hosts have an item."""

    starts: Array
    items: Array
    values: Array
    df: Array
    customary: Array


@dataclass(slots=True)
class Sections:
    """The paths by host without the customary ones, with the section (first folder) of each and the URLs of each section."""

    starts: Array
    items: Array
    homes: Array
    sizes: Array


@dataclass(slots=True)
class Scan:
    """What the pages say about their hosts. Host numbers follow the order of the names."""

    hosts: list[str]
    urls: Array
    fetched: Array
    secure: Array  # how many URLs are https
    oldest: Array  # time of the first fetch; 0: not known
    newest: Array  # time of the last fetch
    addresses: pa.Table  # host int32, ip string
    lists: dict[str, Any]  # by kind, Lists, or SpreadLists where an engine's workers hold them
    norms: dict[str, Array]  # length of a host's vector of weights, by kind (path, shape)
    sections: Any  # Sections, or None where an engine's workers hold the paths
    folders: Array  # how many sections each host has
    moves: pa.Table  # host int32, moved_to int32, pages int64
    has: set[str] = field(default_factory=set)
    counts: Counts = field(default_factory=Counts)


def scan(engine: Engine, pages: Pages, near: Pages | None = None, max_list: int = 100) -> Scan:
    """Read the pages (url; and of ip, digest or text or html, title, redirect what they have) and gather by host."""
    data, names = open_pages(engine, pages)
    rows = _with_near(engine, engine.map(data, _keys, ROWS), near)
    query = """select passed_over, host_key, min(host) as host, count(*) as urls, count(digest) as fetched,
               cast(sum(secure) as bigint) as secure, min(fetched_us) as oldest,
               max(fetched_us) as newest from rows group by passed_over, host_key"""
    groups = engine.collect(engine.sql(query, rows=rows))
    skipped = groups.filter(pc.is_valid(groups["passed_over"]))
    hosts = groups.filter(pc.is_null(groups["passed_over"])).sort_by("host")
    keys = hosts["host_key"].to_numpy()
    order = np.argsort(keys)
    number = partial(_number, keys[order], order)
    found = Scan(
        hosts=hosts["host"].to_pylist(),
        urls=hosts["urls"].to_numpy(),
        fetched=hosts["fetched"].to_numpy(),
        secure=hosts["secure"].cast(pa.int64()).to_numpy(),
        oldest=hosts["oldest"].fill_null(0).to_numpy(),
        newest=hosts["newest"].fill_null(0).to_numpy(),
        addresses=_addresses(engine, rows, number),
        lists={},
        norms={},
        sections=None,
        folders=np.zeros(len(keys), np.int64),
        moves=_moves(engine, rows, number),
        has={*names, *(["near"] if near is not None else [])},
        counts=Counts({row["passed_over"]: row["urls"] for row in skipped.to_pylist()}),
    )
    _gather(engine, rows, found, number, max_list)
    return found


def open_pages(engine: Engine, pages: Pages) -> tuple[Any, list[str]]:
    """The pages with the columns that this room reads, and their names."""
    if isinstance(pages, pa.Table):
        names, where = pages.column_names, "pages"
    else:
        names, where = engine.table(pages).schema.names, str(pages)
    require(names, ["url"], where)
    chosen = ["url", *(name for name in OPTIONAL if name in names)]
    if "digest" in chosen or "text_digest" in chosen:
        chosen = [name for name in chosen if name not in ("text", "html")]
    return engine.table(pages, chosen), chosen


def _keys(table: pa.Table) -> pa.Table:
    """A batch of pages as keys; of rows that are no URL, or whose URL answered with an error, only that they were there."""
    from garimpo.mirrors._kernels import path_keys

    urls = normalise_column(as_strings(table["url"]))
    is_url = urls.is_valid().to_numpy(zero_copy_only=False)
    answered = np.ones(len(urls), bool)
    if "status" in table.column_names:
        status = table["status"].fill_null(200).to_numpy()
        answered = (status >= 200) & (status < 400)
    reasons = np.where(is_url[~(is_url & answered)], "no page behind the URL", "no http(s) URL")
    chosen = pa.array(is_url & answered)
    table, urls = table.filter(chosen), urls.filter(chosen)
    data, offsets = flat(urls)
    paths, sections, tails, shapes = (np.empty(len(urls), np.int64) for _ in range(4))
    path_keys(data, offsets, paths, sections, tails, shapes)
    hosts = host_column(urls)
    nothing = pa.nulls(len(urls), pa.string())
    columns = [nothing, hosts, _ips(table), key_column(urls).view(np.int64), hash_strings(hosts).view(np.int64)]
    columns += [paths, sections, tails, shapes, content_of(table), _hashed(table, "title"), _moved_to(table, urls)]
    columns += [pa.nulls(len(urls), pa.int64()), pc.starts_with(urls, "https:").cast(pa.int64()), _times(table)]
    rows = pa.table(columns, schema=ROWS)
    dropped = pa.table({"passed_over": pa.array(reasons, pa.string())})
    return pa.concat_tables([rows, dropped], promote_options="default") if len(reasons) else rows


def _ips(table: pa.Table) -> pa.Array:
    if "ip" not in table.column_names:
        return pa.nulls(table.num_rows, pa.string())
    return as_strings(table["ip"]).combine_chunks()


def _times(table: pa.Table) -> pa.Array:
    if "fetched_at" not in table.column_names or not pa.types.is_timestamp(table.schema.field("fetched_at").type):
        return pa.nulls(table.num_rows, pa.int64())
    return table["fetched_at"].cast(pa.timestamp("us"), safe=False).cast(pa.int64()).combine_chunks()


def content_of(table: pa.Table) -> pa.Array:
    """What a page says as one key: its visible text's digest, its bytes' digest, or a hash of the text or HTML given."""
    names = table.column_names
    parts = [_signed(as_digests(table[name])) for name in ("text_digest", "digest") if name in names]
    parts += [_hashed(table, name) for name in ("text", "html") if name in names and not parts]
    content = pc.coalesce(*parts) if parts else pa.nulls(table.num_rows, pa.int64())
    if "status" in names:
        content = pc.if_else(pc.equal(table["status"].fill_null(200).combine_chunks(), 200), content, None)
    return content.combine_chunks() if isinstance(content, pa.ChunkedArray) else content


def _signed(digests: pa.ChunkedArray) -> pa.Array:
    return pa.concat_arrays([chunk.view(pa.int64()) for chunk in digests.chunks] or [pa.array([], pa.int64())])


def _hashed(table: pa.Table, name: str) -> pa.Array:
    if name not in table.column_names:
        return pa.nulls(table.num_rows, pa.int64())
    column = table[name].combine_chunks()
    empty = pc.or_kleene(pc.is_null(column), pc.equal(pc.binary_length(column), 0))
    return pa.array(hash_strings(column).view(np.int64), mask=empty.to_numpy(zero_copy_only=False))


def _moved_to(table: pa.Table, urls: pa.Array) -> pa.Array:
    """The key of the other host that a page redirects to or names as its canonical one."""
    targets = [host_column(as_strings(table[n])) for n in ("redirect", "canonical") if n in table.column_names]
    if not targets:
        return pa.nulls(len(urls), pa.int64())
    target = pc.coalesce(*targets)
    mask = pc.or_kleene(pc.is_null(target), pc.equal(target, host_column(urls))).fill_null(True)
    return pa.array(hash_strings(target).view(np.int64), mask=mask.to_numpy(zero_copy_only=False))


NEAR = pa.schema([("url_key", pa.int64()), ("near", pa.int64())])


def _near_keys(near: pa.Table) -> pa.Table:
    keys = key_column(normalise_column(as_strings(near["id"]))).view(np.int64)
    numbers = pc.add(near["cluster"].cast(pa.int64()), 1)  # 0 stands for no value in the kernels
    return pa.table([keys, numbers], schema=NEAR)


def _with_near(engine: Engine, rows: Any, near: Pages | None) -> Any:
    if near is None:
        return rows
    if isinstance(near, pa.Table):
        require(near.column_names, ["id", "cluster"], "near table")
    clusters = engine.map(engine.table(near, ["id", "cluster"]), _near_keys, NEAR)
    columns = ", ".join(f"r.{name}" for name in ROWS.names if name != "near")
    query = f"""select {columns}, n.near from rows r
               left join (select url_key, min(near) as near from clusters group by url_key) n on r.url_key = n.url_key"""
    return engine.sql(query, rows=rows, clusters=clusters)


def _number(sorted_keys: Array, order: Array, keys: Any) -> NDArray[np.int32]:
    """Host keys as host numbers; -1 for a key that is no host of the pages."""
    keys = keys.to_numpy() if not isinstance(keys, np.ndarray) else keys
    at = np.minimum(np.searchsorted(sorted_keys, keys), max(len(sorted_keys) - 1, 0))
    if not len(sorted_keys):
        return np.full(len(keys), -1, np.int32)
    return np.where(sorted_keys[at] == keys, order[at], -1).astype(np.int32)


def _addresses(engine: Engine, rows: Any, number: Any) -> pa.Table:
    found = engine.collect(engine.sql("select distinct host_key, ip from rows where ip is not null", rows=rows))
    return pa.table({"host": number(found["host_key"]), "ip": found["ip"]})


def _moves(engine: Engine, rows: Any, number: Any) -> pa.Table:
    query = "select host_key, moved_to, count(*) as pages from rows where moved_to is not null group by host_key, moved_to"
    found = engine.collect(engine.sql(query, rows=rows))
    table = pa.table({"host": number(found["host_key"]), "moved_to": number(found["moved_to"]), "pages": found["pages"]})
    return table.filter(pc.greater_equal(table["moved_to"], 0))


_GATHER = {  # kind -> what is shared, and what two hosts that share it can agree on
    "path": ("path", "digest"),
    "shape": ("shape", "shape"),
    "digest": ("digest", "tail"),
    "near": ("near", "tail"),
    "path_near": ("path", "near"),
    "title": ("path", "title"),
}


def _gather(engine: Engine, rows: Any, found: Scan, number: Any, max_list: int) -> None:
    from garimpo.mirrors.on_engine import Pairs, SpreadLists

    together = Pairs()
    wanted = ["path", "shape", "digest"]
    wanted += ["near", "path_near"] if "near" in found.has else []
    wanted += ["title"] if "title" in found.has else []
    for kind in wanted:
        item, value = _GATHER[kind]
        query = f"""select {item} as item, host_key, min({value}) as agreed from rows
                    where {item} is not null and host_key is not null group by {item}, host_key"""
        entries = engine.sql(query, rows=rows)
        dfs = engine.sql("select item, count(*) as df from entries group by item", entries=entries)
        if kind in ("path", "shape"):
            found.norms[kind] = _norm(engine, entries, dfs, number, len(found.hosts), max_list)
        customary = _customary_keys() if kind in ("path", "shape") else "null"
        query = f"""select e.item, e.host_key, coalesce(e.agreed, 0) as agreed, d.df,
                   coalesce(e.item in ({customary}), false) as customary
                   from entries e join dfs d on e.item = d.item where d.df >= 2"""
        listed = engine.sql(query, entries=entries, dfs=dfs)
        if kind == "path":
            sizes = _section_sizes(engine, rows)
            listed = _with_sections(engine, rows, listed, sizes)
            folders = engine.collect(engine.sql("select host_key, count(*) as n from sizes group by host_key", sizes=sizes))
            found.folders[number(folders["host_key"])] = folders["n"].to_numpy()
        if engine.far:
            found.lists[kind] = SpreadLists(engine, listed, number, together)
            continue
        table = engine.collect(listed)
        found.lists[kind] = _lists(table, number, len(found.hosts))
        if kind == "path":
            found.sections = _sections(table, number, len(found.hosts))


def _section_sizes(engine: Engine, rows: Any) -> Any:
    """How many URLs each host has in each of its sections."""
    query = "select host_key, section, count(*) as size from rows where host_key is not null group by host_key, section"
    return engine.sql(query, rows=rows)


def _with_sections(engine: Engine, rows: Any, listed: Any, sizes: Any) -> Any:
    """The entries of paths, with their section and the URLs that their host has in it."""
    homes = engine.sql("select path, min(section) as section from rows where path is not null group by path", rows=rows)
    listed = engine.sql("select e.*, h.section from listed e join homes h on h.path = e.item", listed=listed, homes=homes)
    # a query of its own: joined with the homes first, the sizes of a section that all hosts have would multiply
    query = "select e.*, s.size from listed e join sizes s on s.host_key = e.host_key and s.section = e.section"
    return engine.sql(query, listed=listed, sizes=sizes)


def _sections(table: pa.Table, number: Any, hosts: int) -> Sections:
    table = table.filter(pc.invert(table["customary"]))
    host, section = number(table["host_key"]).astype(np.int64), table["section"].to_numpy()
    items = np.unique(table["item"].to_numpy(), return_inverse=True)[1].ravel()
    order = np.lexsort((items, host))
    starts = np.zeros(hosts + 1, np.int64)
    np.cumsum(np.bincount(host, minlength=hosts), out=starts[1:])
    codes = np.unique(section, return_inverse=True)[1].ravel().astype(np.int64)
    _, at, homes = np.unique(host * (int(codes.max(initial=0)) + 1) + codes, return_index=True, return_inverse=True)
    return Sections(starts, items[order], homes.ravel()[order], table["size"].to_numpy()[at])


def _customary_keys() -> str:
    """The keys of customary paths (they have no digits, so they are their own shapes), for a query."""
    return ", ".join(map(str, hash_strings(pa.array(CUSTOMARY)).view(np.int64).tolist()))


def path_weight(df: Any, max_list: int = 100) -> Any:
    """The weight of a path (or shape) that stands on `df` hosts: what is rare says more."""
    return 1.0 + np.log(max_list / np.asarray(df, np.float64))


def item_weight(df: Array, max_list: int = 100) -> Array:
    """The squared weight of items by their hosts, in units of an item that two hosts have.

    In steps of 2^-30, so that a sum of weights is the same in whatever order it is made.
    """
    return np.round((path_weight(df, max_list) / path_weight(2, max_list)) ** 2 * 2**30) / 2**30


def _norm(engine: Engine, entries: Any, dfs: Any, number: Any, hosts: int, max_list: int) -> Array:
    query = f"""select e.host_key, d.df, count(*) as n from entries e join dfs d on e.item = d.item
                where d.df <= {max_list} and e.item not in ({_customary_keys()}) group by e.host_key, d.df"""
    table = engine.collect(engine.sql(query, entries=entries, dfs=dfs)).sort_by([("df", "ascending"), ("host_key", "ascending")])
    host, n = number(table["host_key"]), table["n"].to_numpy()
    weight = path_weight(table["df"].to_numpy(), max_list) / path_weight(2, max_list)
    return np.sqrt(np.bincount(host, n * weight**2, hosts))


def _lists(table: pa.Table, number: Any, hosts: int) -> Lists:
    """The entries by host, items renumbered densely and sorted."""
    host = number(table["host_key"])
    items = np.unique(table["item"].to_numpy(), return_inverse=True)[1].ravel()
    order = np.lexsort((items, host))
    starts = np.zeros(hosts + 1, np.int64)
    np.cumsum(np.bincount(host, minlength=hosts), out=starts[1:])
    df, customary = table["df"].to_numpy()[order].astype(np.int32), table["customary"].to_numpy()[order]
    return Lists(starts, items[order], table["agreed"].to_numpy()[order], df, customary)
