"""What ``garimpo sites locate`` puts together: where links come from, and how a site is decided."""

from collections.abc import Callable, Iterable
from pathlib import Path

from garimpo.archive import Store
from garimpo.crawl.live import SiteWeb
from garimpo.sites import (
    Detection,
    Get,
    LinkSource,
    LinkTable,
    LiveLinks,
    Location,
    Service,
    Settings,
    SiteModel,
    answering,
    detect,
    host_graph_links,
    locate,
    pages_through,
    root_of,
)  # fmt: skip


class Locating:
    """One search of `locate`, over an archive or over the web; `decided` keeps the detections."""

    def __init__(self, model: SiteModel, seeds: list[str], most: int, seed: int, tick: Callable[[], None]) -> None:
        self._model, self._seeds, self._tick = model, seeds, tick
        self._settings = Settings(max_detections=most, seed=seed)
        self.decided: dict[str, Detection] = {}

    def archived(self, archive: Path, graph: tuple[Path, Path] | None) -> Location:
        with Store.open(archive, write=False) as store:
            links = [pair for batch in store.links(["source", "target"])
                     for pair in zip(batch.column("source").to_pylist(), batch.column("target").to_pylist())]  # fmt: skip
            source = LinkTable.of([*links, *_graph(graph)])
            return self._locate(source, pages_through(store.record), answering(store.record))

    def live(self, web: SiteWeb, graph: tuple[Path, Path] | None, service: str | None) -> Location:
        providers: list[LinkSource] = [LinkTable.of(_graph(graph))] if graph is not None else []
        providers += [Service(service, web.fetch)] if service is not None else []

        def own(site: str) -> list[str]:
            known = self.decided.get(site)
            return [visit.url for visit in known.visits if visit.page] if known else [root_of(site, web.has)]

        return self._locate(LiveLinks(web.get, providers, own), web.get, web.has)

    def _locate(self, source: LinkSource, get: Get, has: Callable[[str], bool]) -> Location:
        def decide(site: str) -> bool | None:
            self.decided[site] = detect(self._model, site, get=get, has=has)[0]
            self._tick()
            return self.decided[site].relevant

        return locate(self._seeds, source, decide, self._settings)


def _graph(files: tuple[Path, Path] | None) -> Iterable[tuple[str, str]]:
    return host_graph_links(*files) if files is not None else ()
