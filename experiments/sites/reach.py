"""The locator on tables of sites and links: precision by order of discovery, and recall of what can be reached at all."""

import tempfile
from collections import deque
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from garimpo import webgen
from garimpo.sites import Found, LinkTable, locate
from garimpo.url import site as site_of

BACKLINKS = 15


@dataclass
class Located:
    """Sites found in their order, each true or not, and how many could have been found."""

    true: list[bool]
    reachable: int
    tried: int
    seeds: int

    def precision(self, part: slice) -> float:
        chosen = self.true[part]
        return sum(chosen) / max(1, len(chosen))

    @property
    def recall(self) -> float:
        return sum(self.true) / max(1, self.reachable)

    def row(self, name: str) -> str:
        first, last, all_ = (self.precision(part) for part in (slice(100), slice(-100, None), slice(None)))
        return f"| {name} | {len(self.true)} of {self.tried} tried | {first:.2f} | {last:.2f} | {all_:.3f} | {self.recall:.2f} |"


def measure_locator(seed: int, **changes: float) -> Located:
    """One run with the table's `detected` as detector."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        webgen.make_tables(folder, "locator", seed=seed, **changes)
        sites = pq.read_table(folder / "sites.parquet").to_pylist()
        links = pq.read_table(folder / "links.parquet", columns=["source", "target"])
        seeds = [site_of(line) for line in (folder / "seeds.txt").read_text().split()]
    table = LinkTable.of(zip(links["source"].to_pylist(), links["target"].to_pylist()))
    relevant = {row["site"] for row in sites if row["relevant"]}
    detected = {row["site"]: row["detected"] for row in sites}
    end = locate(seeds, table, detected)
    wanted = {site for site in reachable(seeds, table, detected) if site in relevant} - set(seeds)
    return Located([one.site in relevant for one in end.found], len(wanted), len(end.decided) - len(seeds), len(seeds))


def reachable(seeds: list[str], links: LinkTable, detected: dict[str, bool]) -> set[str]:
    """All sites that a locator can find that follows every link: accepted by the detector, named by hubs of found ones."""
    found, queue, hubs = set(seeds), deque(seeds), set[str]()
    while queue:
        for hub in links.backlinks(queue.popleft(), BACKLINKS):
            if hub in hubs:
                continue
            hubs.add(hub)
            for site in links.outlinks(hub):
                if detected.get(site) and site not in found:
                    found.add(site)
                    queue.append(site)
    return found


__all__ = ["Found", "Located", "measure_locator", "reachable"]
