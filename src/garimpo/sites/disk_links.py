"""Who links to whom, on disk: the links of an archive, and those of a host graph, in a folder that goes when the search ends.

Each link stands twice, sorted by a hash of the page and by one of the site it leads to: what a question needs lies together.
"""

import tempfile
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput
from garimpo.sites.hostgraph import edges, vertices
from garimpo.url import site_column

MEMORY = "800MB"
_PAIRS = "CREATE TABLE pairs AS SELECT DISTINCT source, target FROM links"
_OUT = "CREATE TABLE outs AS SELECT hash(source) AS key, source, target FROM pairs ORDER BY key, source, target"
_BACK = """CREATE TABLE backs AS SELECT hash(target) AS key, target, source, named FROM pairs
JOIN (SELECT source, count(*) AS named FROM pairs GROUP BY source) USING (source) ORDER BY key, target, named DESC, source"""
_GRAPH = """INSERT INTO links SELECT a.root, b.site FROM edges
JOIN vertices AS a ON a.id = source JOIN vertices AS b ON b.id = target WHERE a.site <> b.site"""
_STRANGE = """SELECT source, target FROM edges WHERE source NOT IN (SELECT id FROM vertices)
OR target NOT IN (SELECT id FROM vertices) LIMIT 1"""


class DiskLinks:
    """A `LinkSource` over links on disk; backlinks from the page with the most links first.

    Args:
        links: Tables with `source` (pages) and `target` (URLs).
        graph: The two files of a host graph, whose links join them.

    >>> links = pa.table({"source": ["http://hub.com/"] * 2, "target": ["http://a.com/x", "http://b.com/"]})
    >>> with DiskLinks([links]) as stored:
    ...     stored.backlinks("a.com", 15), stored.outlinks("http://hub.com/")
    (['http://hub.com/'], ['a.com', 'b.com'])
    """

    def __init__(self, links: Iterable[pa.Table | pa.RecordBatch] = (), graph: tuple[Path, Path] | None = None) -> None:
        import duckdb

        self._folder = tempfile.TemporaryDirectory(prefix="garimpo-links-")
        place = Path(self._folder.name)
        config: dict[str, Any] = {"memory_limit": MEMORY, "threads": 2, "temp_directory": str(place / "spilled"),
                                  "preserve_insertion_order": "false"}  # fmt: skip
        self._database = duckdb.connect(str(place / "links.duckdb"), config=config)
        try:
            self._fill(links, graph)
        except BaseException:
            self.close()
            raise

    def _fill(self, links: Iterable[pa.Table | pa.RecordBatch], graph: tuple[Path, Path] | None) -> None:
        self._run("CREATE TABLE links (source VARCHAR, target VARCHAR)")
        for batch in links:
            own, named = site_column(batch.column("source")), site_column(batch.column("target"))
            table = pa.table({"source": batch.column("source"), "target": named})
            self._add("links", table.filter(pc.not_equal(own, named)))
        if graph is not None:
            self._join(*graph)
        for step in (_PAIRS, "DROP TABLE links", _OUT, _BACK, "DROP TABLE pairs"):
            self._run(step)

    def _join(self, nodes: Path, arcs: Path) -> None:
        """The links of a host graph, each host standing for its root page."""
        self._run("CREATE TABLE vertices (id BIGINT, root VARCHAR, site VARCHAR)")
        self._run("CREATE TABLE edges (source BIGINT, target BIGINT)")
        for table in vertices(nodes):
            self._add("vertices", table)
        for table in edges(arcs):
            self._add("edges", table)
        strange = self._run(_STRANGE).fetchall()
        if strange:
            raise BadInput(f"{arcs}: edge {strange[0][0]} {strange[0][1]} names a host that {nodes} does not have")
        for step in (_GRAPH, "DROP TABLE edges", "DROP TABLE vertices"):
            self._run(step)

    def _run(self, step: str, *given: object) -> Any:
        return self._database.execute(step, list(given) or None)

    def _add(self, name: str, table: pa.Table) -> None:
        self._database.register("added", table)
        self._run(f"INSERT INTO {name} SELECT * FROM added")
        self._database.unregister("added")

    def backlinks(self, site: str, limit: int) -> list[str]:
        found = self._run("SELECT source FROM backs WHERE key = hash(?) AND target = ? ORDER BY named DESC, source LIMIT ?",
                          site, site, limit)  # fmt: skip
        return [name for (name,) in found.fetchall()]

    def outlinks(self, page: str) -> list[str]:
        found = self._run("SELECT target FROM outs WHERE key = hash(?) AND source = ? ORDER BY target", page, page)
        return [name for (name,) in found.fetchall()]

    def close(self) -> None:
        self._database.close()
        self._folder.cleanup()

    def __enter__(self) -> "DiskLinks":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
