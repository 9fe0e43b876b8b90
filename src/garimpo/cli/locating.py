"""What ``garimpo sites locate`` puts together: where links come from, how a site is decided, and the journal of the search."""

import hashlib
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.archive import Store
from garimpo.crawl.settings import Settings as CrawlSettings
from garimpo.crawl.single.fetcher import Spacing
from garimpo.crawl.single.sites import SiteWeb
from garimpo.sites import Get, LinkSource, Location, LocatorSettings, SiteModel, detect, locate, sites_table
from garimpo.sites.archive_pages import SitePages, answering, pages_through, root_of
from garimpo.sites.backlinks import LiveLinks, Service
from garimpo.sites.disk_links import DiskLinks
from garimpo.sites.journal import Journal, JournaledLinks
from garimpo.sites.locator import NOT_LINKED, NOT_NAMED
from garimpo.sites.results import located_table

BESIDE = 16
"""Sites decided side by side on the web, at most: each answer says where to look next, so not too many."""
Row = dict[str, Any]


class Locating:
    """One search of `locate`, over an archive or over the web; `end` is how it ended."""

    end: Location

    def __init__(
        self, model: SiteModel, seeds: list[str], settings: LocatorSettings, within: str | None, journal: Path,
        tick: Callable[[], None],
    ) -> None:  # fmt: skip
        self._model, self._seeds, self._settings, self._journal, self._tick = model, seeds, settings, journal, tick
        self._suffix = "." + within.lstrip(".").lower() if within else ""

    def archived(self, archive: Path, graph: tuple[Path, Path] | None, resume: bool) -> pa.Table:
        """Over a crawl folder."""
        with Store.open(archive, write=False) as store:
            known, get, has = SitePages(store), pages_through(store.record), answering(store.record)
            with DiskLinks(store.links(["source", "target"]), graph) as source:
                return self._locate(source, lambda site: self._decided(site, get, has, known), resume)

    def live(self, network: CrawlSettings, graph: tuple[Path, Path] | None, service: str | None, resume: bool) -> pa.Table:
        """Over the web: some sites side by side, no host and no address asked by two of them."""
        spacing, own = Spacing(), threading.local()
        self._settings = replace(self._settings, beside=max(1, min(BESIDE, network.connections)))
        with ExitStack() as stack:

            def web() -> SiteWeb:
                if not hasattr(own, "web"):
                    own.web = stack.enter_context(SiteWeb(network, spacing))
                return own.web

            providers: list[LinkSource] = [stack.enter_context(DiskLinks(graph=graph))] if graph is not None else []
            providers += [Service(service, web().fetch)] if service is not None else []
            read: dict[str, list[str]] = {}

            def own_pages(site: str) -> list[str]:
                return read.get(site) or [root_of(site, web().has)]

            def decide(site: str) -> Row:
                return self._decided(site, web().get, web().has, None, read)

            return self._locate(LiveLinks(web().get, providers, own_pages), decide, resume)

    def _decided(
        self, site: str, get: Get, has: Callable[[str], bool], known: Callable[[str], Sequence[str]] | None,
        read: dict[str, list[str]] | None = None,
    ) -> Row:  # fmt: skip
        found = detect(self._model, site, get=get, has=has, known=known)[0]
        if read is not None:
            read[site] = [visit.url for visit in found.visits if visit.page is not None]
        row: Row = sites_table([found]).to_pylist()[0]
        return row

    def _locate(self, source: LinkSource, decide: Callable[[str], Row], resume: bool) -> pa.Table:
        self._kept = Journal(self._journal, self._named(), resume)
        rows: dict[str, Row] = {}

        def answer(site: str) -> bool | None:
            rows[site] = self._kept.ask("site", site, lambda: decide(site))
            self._tick()
            relevant: bool | None = rows[site]["relevant"]
            return relevant

        links = JournaledLinks(source, self._kept)
        self.end = locate(self._seeds, links, answer, self._settings, lambda site: site.endswith(self._suffix))
        return located_table(self.end, rows)

    def _named(self) -> dict[str, Any]:
        """What makes a search another one; a budget does not."""
        parts = {**asdict(self._settings), "max_detections": None, "max_found": None}
        weights = hashlib.blake2b(self._model.listing.weights.tobytes(), digest_size=8).hexdigest()
        return {"seeds": self._seeds, "within": self._suffix, "model": weights, **parts}

    def advice(self) -> str:
        """What may help a search that could not begin."""
        if self.end.reason not in (NOT_LINKED, NOT_NAMED):
            return ""
        wider = "a wider --within, " if self._suffix and self.end.reason == NOT_NAMED else ""
        return f"{wider}more seeds, a crawl of pages that list such sites, --host-graph or, on the web, --backlinks may help"

    def finish(self) -> None:
        """The table is written: the journal has done its work."""
        self._kept.close()
        self._journal.unlink(missing_ok=True)
