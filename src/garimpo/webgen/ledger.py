"""The ledger: what is true of a world, as tables.

``pages`` has a row for every URL, ``dust`` says which of them are the same page on one site and by which family, ``mirrors``
which trees of which hosts are copies, ``hosts`` and ``sites`` what each is, ``faults`` what is wrong with some hosts.
"""

from collections.abc import Iterable, Iterator
from itertools import combinations
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish
from garimpo.contract.reading import read_table
from garimpo.url import site as site_of
from garimpo.webgen.world.faults import habits
from garimpo.webgen.world.schemes import Node
from garimpo.webgen.world.world import Truth, World

PAGES = pa.schema(
    [("url", pa.string()), ("content", pa.int64()), ("near", pa.int64()), ("topic", pa.string()), ("kind", pa.string())]
)
HOSTS = pa.schema([("host", pa.string()), ("address", pa.string()), ("site", pa.string()), ("kind", pa.string())])
MIRRORS = pa.schema([(name, pa.string()) for name in ("host_a", "prefix_a", "host_b", "prefix_b", "cause")])
DUST = pa.schema([("url", pa.string()), ("content", pa.int64()), ("key", pa.string()), ("family", pa.string())])
SITES = pa.schema([(name, pa.string()) for name in ("site", "entity", "archetype", "entry_url")])
FAULTS = pa.schema([("host", pa.string()), ("fault", pa.string())])
TABLES = {"faults": FAULTS, "pages": PAGES, "hosts": HOSTS, "mirrors": MIRRORS, "dust": DUST, "sites": SITES}
ENTITIES = {"re": "real_estate", "cars": "cars", "jobs": "jobs", "recipes": "recipes", "goods": "goods", "furniture": "furniture"}
BATCH = 20_000


class Ledger:
    """Writes the tables of pages and URLs as they are made, some thousand rows at a time."""

    def __init__(self, folder: Path) -> None:
        self._writers = {
            name: pq.ParquetWriter(folder / f"{name}.parquet", TABLES[name], compression="zstd") for name in ("pages", "dust")
        }
        self._rows: list[Truth] = []

    def add(self, row: Truth) -> None:
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self._flush()

    def _flush(self) -> None:
        for name, writer in self._writers.items():
            schema = TABLES[name]
            rows = [row for row in self._rows if row.key] if name == "dust" else self._rows
            writer.write_table(pa.table([[getattr(row, column) for row in rows] for column in schema.names], schema=schema))
        self._rows.clear()

    def close(self) -> None:
        self._flush()
        for writer in self._writers.values():
            writer.close()


def write_small(world: World, folder: Path) -> None:
    """The tables that need no page: hosts, mirrors, sites."""
    small = {"hosts": hosts(world), "mirrors": mirrors(world), "sites": sites(world), "faults": iter(habits(world).items())}
    for name, rows in small.items():
        write(folder / f"{name}.parquet", rows, TABLES[name])


def write(path: Path, rows: Iterable[tuple[str | None, ...]], schema: pa.Schema) -> None:
    """Rows as a Parquet file."""
    columns = list(zip(*rows)) or [()] * len(schema)
    with publish(path) as temporary:
        pq.write_table(
            pa.table([pa.array(column, kind) for column, kind in zip(columns, schema.types)], schema=schema), temporary
        )


def hosts(world: World) -> Iterator[tuple[str, str, str, str]]:
    for host in world.census.hosts:
        card = world.census.cards[host.site]
        kind = {"main": f"{card.kind}:{card.archetype}" if card.archetype else card.kind}.get(
            host.role, f"{host.role}:{host.cause}".rstrip(":")
        )
        yield host.name, host.address, site_of(host.name), kind


def mirrors(world: World) -> Iterator[tuple[str, str, str, str, str]]:
    """Every pair of hosts of which one copies the other, or both the same third."""
    for card in world.census.cards:
        copies = [host for host in card.hosts if host.role in ("main", "alias", "mirror")]
        for one, other in combinations(copies, 2):
            first, second = sorted((one, other), key=lambda host: host.name)
            yield first.name, first.prefix + "/", second.name, second.prefix + "/", other.cause or one.cause


def sites(world: World) -> Iterator[tuple[str, str | None, str, str | None]]:
    """Each site of the entity collection, with the first page of its first listing."""
    for card in world.census.cards:
        if not card.archetype:
            continue
        site = world.site(card.index)
        entity = next((each for each in ("re", *site.section_entities) if each in site.section_entities and each), None)
        entry = None
        if entity and card.archetype != "A5":
            section = site.section_entities.index(entity)
            host = site.states[0] if site.states else card.hosts[0]
            entry = f"http://{host.name}{site.plain(Node('list', section))}"
        yield site_of(card.domain), ENTITIES.get(entity or ""), card.archetype, entry


def truth(folder: str | Path) -> dict[str, pa.Table]:
    """The truth tables of a made web, by name: pages, hosts, mirrors, dust, sites (those that it has).

    Args:
        folder: a made web.
    """
    place = Path(folder) / "truth"
    if not place.is_dir():
        raise BadInput(f"{folder}: no made web (it has no folder truth)")
    return {
        name: read_table(place / f"{name}.parquet", schema.names)
        for name, schema in TABLES.items()
        if (place / f"{name}.parquet").exists()
    }
