"""Deciding many sites of an archive as a job of an engine: the places of a site's pages meet at one worker, which reads them."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.archive import Store
from garimpo.contract import BadInput, Fetched
from garimpo.contract.tables import SITES
from garimpo.engine import Engine
from garimpo.sites.archive_pages import PAGES_A_SITE, answering, nearness, pages_through, site_named
from garimpo.sites.detector import Detection
from garimpo.sites.model import SiteModel, decided
from garimpo.sites.results import sites_table
from garimpo.url import site_column

COLUMNS = ["url", "status", "fetched_at", "warc_file", "warc_offset"]
PLACES = pa.schema(
    [(name, pa.string()) for name in ("site", "url", "warc_file")]
    + [(name, pa.int64()) for name in ("warc_offset", "good", "at")]
)
DECIDED = pa.schema([("position", pa.int64()), *SITES, ("title", pa.string())])
_JOIN = """select w.position, w.name, p.url, p.warc_file, p.warc_offset, p.good, p.at
from wanted w left join places p on w.site = p.site"""


def detect_all(engine: Engine, model: SiteModel, archive: Path, names: Sequence[str]) -> pa.Table:
    """Decide the sites named, in their order: the rows that `SiteModel.detect` gives for each over the same archive."""
    with Store.open(archive, write=False) as store:
        files = store.page_files()
    if not files:
        raise BadInput(f"{archive}: no page in it")
    wanted = pa.table({"position": range(len(names)), "name": names, "site": [site_named(name) for name in names]})
    places = engine.map(engine.table(files, COLUMNS), place_step, PLACES)
    met = engine.sql(_JOIN, wanted=engine.table(wanted), places=places)
    step = partial(decide_step, model, archive.absolute())
    decided = engine.group_map(met, ["position"], step, DECIDED, order=["url", "good", "at"], python_bound=True)
    return engine.collect(decided).sort_by("position").drop_columns("position")


def place_step(pages: pa.Table) -> pa.Table:
    """Rows of the pages table as the places of records, with the site of each."""
    kept = pages.filter(pc.is_valid(pages.column("warc_file")))
    good = pc.equal(kept.column("status"), 200).cast(pa.int64())
    sites = site_column(kept.column("url").combine_chunks())
    places = [kept.column(name) for name in ("url", "warc_file", "warc_offset")]
    return pa.table([sites, *places, good, kept.column("fetched_at").cast(pa.int64())], schema=PLACES)


def decide_step(model: SiteModel, archive: Path, rows: pa.Table) -> pa.Table:
    """Some whole sites, each with the places of its pages, decided."""
    sites: dict[tuple[int, str], dict[str, tuple[str, int]]] = {}
    for position, name, url, file, offset in zip(*(rows.column(i).to_pylist() for i in range(5))):
        places = sites.setdefault((position, name), {})
        if url is not None:
            places[url] = file, offset  # the rows of a URL end with the one that counts
    with Store.open(archive, write=False) as store:
        found = [_decided(model, store, name, places) for (_, name), places in sites.items()]
    table = sites_table(found)
    return table.add_column(0, DECIDED.field("position"), pa.array([position for position, _ in sites])).cast(DECIDED)


def _decided(model: SiteModel, store: Store, name: str, places: dict[str, tuple[str, int]]) -> Detection:
    def record(url: str) -> Fetched | None:
        return store.record_at(*places[url]) if url in places else None

    def known(site: str) -> list[str]:
        return sorted(places, key=nearness)[:PAGES_A_SITE]

    return decided(model, name, pages_through(record), answering(record), known)
