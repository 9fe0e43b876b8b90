"""Crawls of garimpo over one application: what they asked for, what they skipped, what they left waiting."""

import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as parquet

from garimpo.archive import Store
from garimpo.crawl import Settings, crawl, default_components, skipped
from realweb.cache import serving
from realweb.fetcher import SnapshotFetcher
from realweb.upstream import Source

CLAIMS = ("dust", "mirror")
"""Reasons of a skip that say: this page is known under another URL."""


@dataclass(frozen=True)
class Run:
    """One crawl, as the server and the crawl folder tell it."""

    asked: list[str]
    """All requests in order, robots.txt and redirects included."""
    claimed: dict[str, str]
    """URLs skipped because another is said to show the same page, and not fetched after all; with the reason."""
    left: list[str]
    """URLs skipped for other reasons but robots.txt and scope."""
    waiting: list[str]
    """URLs still queued."""
    owners: dict[str, str]
    """For each URL skipped as known the URL that stands for it."""


def run_crawl(source: Source, folder: Path, requests: int, learn: bool, seed: int, live: bool = False) -> Run:
    """Crawl into `folder`, anew, up to so many requests: over the kept answers, or `live` over loopback."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.parent.mkdir(parents=True, exist_ok=True)
    settings = Settings(seeds=source.application.seeds(), max_requests=requests, delay=0.0, learn=learn, seed=seed)
    asked = _crawl_live(source, folder, settings) if live else _crawl_kept(source, folder, settings)
    fetched = set(asked)
    rows = [row for batch in skipped(folder) for row in batch.to_pylist() if row["url"] not in fetched]
    with Store.open(folder, write=False) as store:
        waiting = [url for (url,) in store.database.execute("select url from queue order by host, seq")]
        owners = dict(store.database.execute("select url, owner from skipped where owner is not null"))
    return Run(
        asked,
        {row["url"]: row["reason"] for row in rows if row["reason"] in CLAIMS},
        [row["url"] for row in rows if row["reason"] in ("trap", "shape")],
        waiting,
        owners,
    )


def _crawl_kept(source: Source, folder: Path, settings: Settings) -> list[str]:
    components = default_components(settings)
    fetcher = components.fetcher = SnapshotFetcher([source])
    _check_ended(crawl(folder, settings, components))
    return fetcher.asked


def _crawl_live(source: Source, folder: Path, settings: Settings) -> list[str]:
    with serving([source]) as cache:
        _check_ended(crawl(folder, msgspec.structs.replace(settings, resolve_all=cache.address, allow_private=True)))
        return cache.asked


def _check_ended(status: dict[str, Any]) -> None:
    """A crawl ends in peace when it is interrupted; what began it should end too."""
    if status["ended"] == "stopped":
        raise KeyboardInterrupt


def read_links(folder: Path) -> dict[str, list[str]]:
    """The links of a crawl that may be followed, by the page they stand on."""
    links: dict[str, list[str]] = {}
    for segment in sorted((folder / "links").glob("*.parquet")):
        for row in parquet.read_table(segment, columns=["source", "target", "rel"]).to_pylist():
            if "nofollow" not in (row["rel"] or ""):
                links.setdefault(row["source"], []).append(row["target"])
    return links
