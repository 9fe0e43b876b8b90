"""The demonstration: two crawls of one made web, side by side.

Its numbers must not hang on who gets the CPU. So no host of this web fails (how long one is left alone is a matter of the
clock), a crawl asks for one page at a time, without delay, and the one that learns
takes turns with its learner: some pages, one look of the learner at all that was kept, the next pages. Which of
several hosts comes first still varies from run to run, and moves the figures by two or three in a hundred. What a learner that
runs beside the crawl gains is for `benchmarks/loop/` to measure.
"""

import dataclasses
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from garimpo import webgen
from garimpo.crawl import Settings, crawl, resume
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.defaults import components_for
from garimpo.crawl.learning.learner import Rounds
from garimpo.demo.entities import Collected, run_sites
from garimpo.demo.measures import Ledger, Measures, measure_folder
from garimpo.demo.mirrors import Mirrors, measure_mirrors
from garimpo.demo.topic import Harvest, run_topic

TURN = 300
"""Pages that are fetched between two looks of the learner."""


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
    made = webgen.make(folder / "web", profile="small", seed=seed, faults=0.0)
    demo = Demo(folder, made)
    ledger = Ledger.read(folder / "web")
    with webgen.serve(folder / "web") as server:
        for name, learn in (("plain", False), ("learning", True)):
            say(f"crawling {budget:,} pages {'and learning' if learn else 'without learning'}")
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
    status = learn_in_turns(folder / name, settings) if learn else crawl(folder / name, settings)
    seconds = time.perf_counter() - started
    mirrors = measure_mirrors(folder / name, folder / "web")
    return Run(name, folder / name, seconds, measure_folder(folder / name, ledger), mirrors, status)


def learn_in_turns(folder: Path, settings: Settings, turn: int = TURN) -> dict[str, Any]:
    """A crawl that learns, with the learner in its own turns instead of beside it; returns its status.

    Args:
        folder: the crawl folder to make.
        settings: of the crawl; its budget must be given.
        turn: pages that are fetched between two looks of the learner.
    """
    components = dataclasses.replace(components_for(settings), learner=None)
    status = crawl(folder, msgspec.structs.replace(settings, max_pages=min(turn, settings.max_pages)), components)
    with Corpus.open(folder) as corpus:
        rounds = Rounds(corpus)
        while rounds.grow() and status["stored"] < settings.max_pages:
            rounds.run()
            status = resume(folder, {"max_pages": min(status["stored"] + turn, settings.max_pages)}, components)
    return status


def _settings(web: Path, address: str, budget: int, learn: bool, seed: int) -> Settings:
    return Settings(
        seeds=(web / "seeds.txt").read_text().split(),
        strategy="bfs",
        scope="all",
        max_pages=budget,
        delay=0.0,
        connections=1,
        learn=learn,
        hosts=str(web / "hosts"),
        resolve_all=address,
        allow_private=True,
        seed=seed,
    )
