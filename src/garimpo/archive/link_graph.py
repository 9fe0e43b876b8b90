"""The link graph of a crawl: numbered URLs, links out of and into each, on disk and memory-mapped.

Built out of core: DuckDB numbers the URLs and sorts the links twice within its memory limit, and what comes out is streamed into
the arrays. Nothing here holds a URL per node in memory but the page cache.
"""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np
import pyarrow as pa
import xxhash
from numpy.lib.format import open_memmap
from numpy.typing import NDArray

from garimpo.archive.folder.store import Store
from garimpo.contract.errors import BadInput
from garimpo.contract.files import fsync
from garimpo.contract.versions import CRAWL_FORMAT

if TYPE_CHECKING:
    import duckdb

_ROWS = 1 << 16
_EDGES = "SELECT DISTINCT s.id AS a, t.id AS b FROM links JOIN nodes s ON source = s.url JOIN nodes t ON target = t.url"


class LinkGraph:
    """Who links to whom. Nodes are the URLs of the pages and links tables, numbered in order of their text.

    `out_offsets` and `out_targets` are the links out of each node (`out_targets[out_offsets[n]:out_offsets[n + 1]]`, ascending,
    each once), `in_offsets` and `in_sources` the links into it; `fetched` says which nodes have a row of status 200.

    Args:
        folder: the folder of the graph, as `LinkGraph.build` leaves it.

    >>> import tempfile
    >>> from garimpo.archive import import_documents
    >>> folder = Path(tempfile.mkdtemp())
    >>> _ = (folder / "a.jsonl").write_text('{"url": "http://a.example/", "html": "<a href=b>gold</a>"}')
    >>> _ = import_documents(folder / "a.jsonl", folder / "crawl")
    >>> with Store.open(folder / "crawl", write=False) as store:
    ...     graph = LinkGraph.build(store)
    >>> graph.url(graph.out(graph.id("http://a.example/"))[0]), len(graph), graph.edges
    ('http://a.example/b', 2, 1)
    """

    def __repr__(self) -> str:
        return f"LinkGraph({self.nodes:,} URLs, {self.edges:,} links)"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        head = _head(folder)
        self.nodes: int = head["nodes"]
        self.edges: int = head["edges"]
        with pa.memory_map(str(folder / "urls.arrow")) as file:
            self.urls = pa.ipc.open_file(file).read_all().column("url")
        self.out_offsets, self.out_targets = self._array("out_offsets"), self._array("out_targets")
        self.in_offsets, self.in_sources = self._array("in_offsets"), self._array("in_sources")
        self.fetched = self._array("fetched")
        self._keys, self._ids = self._array("keys"), self._array("ids")

    @classmethod
    def build(cls, store: Store, out: str | os.PathLike[str] | None = None, *, memory_limit: str = "1GB") -> "LinkGraph":
        """Build the graph of what is committed now, in `state/graph` of the crawl folder or in the folder `out`."""
        final = store.path / "state/graph" if out is None else Path(out)
        temporary = final.with_name(f".{final.name}.{os.getpid()}.tmp")
        shutil.rmtree(temporary, ignore_errors=True)
        temporary.mkdir(parents=True)
        try:
            _build(store, temporary, memory_limit)
            shutil.rmtree(final, ignore_errors=True)
            temporary.rename(final)
        except BaseException:
            shutil.rmtree(temporary, ignore_errors=True)
            raise
        fsync(final.parent)
        return cls(final)

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> "LinkGraph":
        """Open the graph of a crawl folder, or one built elsewhere."""
        inside = Path(path) / "state/graph"
        return cls(inside if inside.is_dir() else Path(path))

    def __len__(self) -> int:
        return self.nodes

    def id(self, url: str) -> int | None:
        """The number of a URL, or None."""
        found = int(self.ids([url])[0])
        return None if found < 0 else found

    def ids(self, urls: list[str]) -> NDArray[np.int64]:
        """The numbers of some URLs; -1 for those that are no nodes."""
        if not self.nodes:
            return np.full(len(urls), -1)
        keys = np.array([xxhash.xxh64_intdigest(url.encode()) for url in urls], np.uint64)
        places = np.minimum(np.searchsorted(self._keys, keys), self.nodes - 1)
        return np.where(self._keys[places] == keys, self._ids[places], -1).astype(np.int64)

    def url(self, node: int) -> str:
        """The URL of a node."""
        return self.urls[int(node)].as_py()

    def out(self, node: int) -> NDArray[np.int32]:
        """The nodes it links to."""
        return self.out_targets[self.out_offsets[node] : self.out_offsets[node + 1]]

    def into(self, node: int) -> NDArray[np.int32]:
        """The nodes that link to it."""
        return self.in_sources[self.in_offsets[node] : self.in_offsets[node + 1]]

    def _array(self, name: str) -> NDArray[Any]:
        file = self.folder / f"{name}.npy"
        array = np.load(file, mmap_mode="r")
        return array if array.size else np.load(file)


def _head(folder: Path) -> dict[str, Any]:
    try:
        head = msgspec.json.decode((folder / "graph.json").read_bytes())
    except (FileNotFoundError, NotADirectoryError):
        raise BadInput(f"{folder}: no link graph (build it first)") from None
    if head.get("format") != CRAWL_FORMAT:
        raise BadInput(f"{folder}: link graph of format {head.get('format')}, this program reads {CRAWL_FORMAT}: build it again")
    return head


def _build(store: Store, folder: Path, memory_limit: str) -> None:
    import duckdb

    scratch = folder / "scratch"
    config = {"memory_limit": memory_limit, "temp_directory": str(scratch), "preserve_insertion_order": "false"}
    with duckdb.connect(str(folder / "scratch.duckdb"), config=config) as database:
        _view(database, "pages", [str(path) for path in store.page_files()], ["url", "status"])
        _view(database, "links", [str(path) for path in store.link_files()], ["source", "target"])
        database.execute(
            "CREATE TABLE nodes AS SELECT row_number() OVER (ORDER BY url) - 1 AS id, url FROM "
            "(SELECT source AS url FROM links UNION SELECT target FROM links UNION SELECT url FROM pages)"
        )
        nodes = database.execute("SELECT count(*) FROM nodes").fetchall()[0][0]
        database.execute(f"CREATE TABLE edges AS {_EDGES}")
        edges = database.execute("SELECT count(*) FROM edges").fetchall()[0][0]
        _write_urls(database, folder, nodes)
        _write_rows(database, folder, "out", "a", "b", nodes, edges)
        _write_rows(database, folder, "in", "b", "a", nodes, edges)
        _write_fetched(database, folder, nodes)
    for left in folder.glob("scratch*"):
        shutil.rmtree(left) if left.is_dir() else left.unlink()
    head = {"format": CRAWL_FORMAT, "nodes": nodes, "edges": edges}
    (folder / "graph.json").write_bytes(msgspec.json.encode(head))


def _view(database: "duckdb.DuckDBPyConnection", name: str, files: list[str], columns: list[str]) -> None:
    if files:
        database.read_parquet(files).create_view(name)
    else:
        database.execute(f"CREATE TABLE {name} ({', '.join(f'{column} VARCHAR' for column in columns)})")


def _stream(database: "duckdb.DuckDBPyConnection", query: str) -> Iterator[pa.RecordBatch]:
    yield from database.sql(query).to_arrow_reader(_ROWS)


def _write_urls(database: "duckdb.DuckDBPyConnection", folder: Path, nodes: int) -> None:
    keys = np.empty(nodes, np.uint64)
    start = 0
    schema = pa.schema([("url", pa.large_string())])
    with pa.OSFile(str(folder / "urls.arrow"), "wb") as file, pa.ipc.new_file(file, schema) as writer:
        for batch in _stream(database, "SELECT url FROM nodes ORDER BY id"):
            writer.write_batch(pa.record_batch([batch.column(0).cast(pa.large_string())], schema=schema))
            urls = batch.column(0).to_pylist()
            keys[start : start + len(urls)] = [xxhash.xxh64_intdigest(url.encode()) for url in urls]
            start += len(urls)
    order = np.argsort(keys)
    np.save(folder / "keys.npy", keys[order])
    np.save(folder / "ids.npy", order.astype(np.int32))


def _write_rows(
    database: "duckdb.DuckDBPyConnection", folder: Path, name: str, row: str, column: str, nodes: int, edges: int
) -> None:
    """One direction of the graph: where each row begins, and its columns in order."""
    offsets = np.zeros(nodes + 1, np.int64)
    ends = "targets" if name == "out" else "sources"
    if not edges:
        np.save(folder / f"{name}_{ends}.npy", np.zeros(0, np.int32))
    else:
        values = open_memmap(folder / f"{name}_{ends}.npy", "w+", np.int32, (edges,))
        start = 0
        for batch in _stream(database, f"SELECT {row}, {column} FROM edges ORDER BY {row}, {column}"):
            numbers, counts = np.unique(batch.column(0).to_numpy(), return_counts=True)
            offsets[numbers + 1] += counts
            values[start : start + batch.num_rows] = batch.column(1).to_numpy()
            start += batch.num_rows
        values.flush()
    np.save(folder / f"{name}_offsets.npy", np.cumsum(offsets))


def _write_fetched(database: "duckdb.DuckDBPyConnection", folder: Path, nodes: int) -> None:
    fetched = np.zeros(nodes, bool)
    query = "SELECT DISTINCT id FROM nodes JOIN pages USING (url) WHERE status = 200"
    for batch in _stream(database, query):
        fetched[batch.column(0).to_numpy()] = True
    np.save(folder / "fetched.npy", fetched)
