"""The demonstration: two crawls of one made web, side by side."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garimpo import webgen
from garimpo.crawl import Settings, crawl
from garimpo.demo.entities import Collected, run_sites
from garimpo.demo.measure import Ledger, Measures, measure_folder
from garimpo.demo.mirrors import Mirrors, measure_mirrors
from garimpo.demo.topic import Harvest, run_topic

DELAY = 0.15
"""Between two requests to a host: polite enough that a learner has time to learn, short enough for a demonstration."""


@dataclass
class Run:
    """One crawl: what it did, by its own account and by the truth."""

    name: str
    folder: Path
    seconds: float
    measures: Measures
    mirrors: Mirrors
    status: dict[str, Any]

    @property
    def pages_a_second(self) -> float:
        return self.measures.fetched / self.seconds if self.seconds else 0.0


@dataclass
class Demo:
    """What the demonstration made and found."""

    folder: Path
    web: dict[str, Any]
    runs: list[Run] = field(default_factory=list)
    harvests: list[Harvest] = field(default_factory=list)
    collected: list[Collected] = field(default_factory=list)


def run(folder: Path, seed: int = 1, budget: int = 3000, say: Callable[[str], None] = print) -> Demo:
    """Make the small web, crawl it breadth-first without and with learning, and count both against the truth."""
    say("making a small web")
    made = webgen.make(folder / "web", profile="small", seed=seed)
    demo = Demo(folder, made)
    ledger = Ledger.read(folder / "web")
    with webgen.serve(folder / "web") as server:
        for name, learn in (("plain", False), ("learning", True)):
            say(f"crawling {budget:,} pages, {name}")
            demo.runs.append(_crawl(folder, name, server.address, ledger, budget, learn, seed))
        say("learning a topic from 20 pages, and crawling to it")
        settings = _settings(folder / "web", server.address, budget, False, seed)
        demo.harvests = run_topic(folder, folder / "plain", settings, max(1, budget // 4))
    say("learning what sites of real estate look like, and collecting them")
    demo.collected = run_sites(folder, settings, max(1, budget // 15), seed)
    return demo


def _crawl(folder: Path, name: str, address: str, ledger: Ledger, budget: int, learn: bool, seed: int) -> Run:
    settings = _settings(folder / "web", address, budget, learn, seed)
    started = time.perf_counter()
    status = crawl(folder / name, settings)
    seconds = time.perf_counter() - started
    mirrors = measure_mirrors(folder / name, folder / "web")
    return Run(name, folder / name, seconds, measure_folder(folder / name, ledger), mirrors, status)


def _settings(web: Path, address: str, budget: int, learn: bool, seed: int) -> Settings:
    return Settings(
        seeds=(web / "seeds.txt").read_text().split(),
        strategy="bfs",
        scope="all",
        max_pages=budget,
        delay=DELAY,
        learn=learn,
        learn_pages=300,
        learn_seconds=2.0,
        hosts=str(web / "hosts"),
        resolve_all=address,
        allow_private=True,
        seed=seed,
    )
