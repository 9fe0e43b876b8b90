"""The demonstration's second part: a topic learned from twenty pages, and crawls that go by it."""

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from garimpo import focus, webgen
from garimpo.archive import Store
from garimpo.crawl import Settings, crawl
from garimpo.url import host

EXAMPLES = 20
STRATEGIES = ("best-dynamic", "garimpo")


@dataclass
class Harvest:
    """Of the first `fetched` pages of a crawl, how many different ones are on topic."""

    name: str
    topic: str
    fetched: int
    found: int


def run_topic(folder: Path, plain: Path, settings: Settings, budget: int) -> list[Harvest]:
    """Learn the rarest topic that the plain crawl met often enough, and crawl by it; the plain crawl is the measure."""
    pages = _pages(plain)
    truth = webgen.truth(folder / "web")["pages"]
    known = {url: (topic, content) for url, topic, content in zip(*(truth[n].to_pylist() for n in ("url", "topic", "content")))}
    met = Counter(known[row["url"]][0] for row in pages if row["url"] in known)
    often = [topic for topic, count in met.items() if count >= 2 * EXAMPLES]
    if not often:
        return []
    topic = min(often, key=lambda name: (met[name], name))
    shown = _spread([row for row in pages if known.get(row["url"], ("",))[0] == topic])[:EXAMPLES]
    examples, model = folder / "examples.jsonl", folder / "topic.model"
    examples.write_text("".join(json.dumps({"url": row["url"], "text": row["text"]}) + "\n" for row in shown))
    focus.train(examples, plain).save(model)
    harvests = [_harvest("breadth-first", topic, pages[:budget], known)]
    for name in STRATEGIES:
        given = {**settings.to_dict(), "strategy": name, "topic": str(model), "max-pages": budget, "learn": False}
        crawl(folder / name, _settings(given))
        harvests.append(_harvest(name, topic, _pages(folder / name), known))
    return harvests


def _spread(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The pages with those of different hosts by turns: examples of one host would teach the host, not the topic."""
    turn: Counter[str | None] = Counter()
    placed: list[tuple[int, int, dict[str, Any]]] = []
    for row in pages:
        name = host(row["url"])
        placed.append((turn[name], len(placed), row))
        turn[name] += 1
    return [row for _, _, row in sorted(placed, key=lambda item: item[:2])]


def _settings(given: dict[str, Any]) -> Settings:
    from garimpo.crawl.settings import from_dict

    return from_dict(given, "the demonstration")


def _pages(folder: Path) -> list[dict[str, Any]]:
    with Store.open(folder, write=False) as store:
        rows = (row for batch in store.pages(["url", "status", "redirect", "text"]) for row in batch.to_pylist())
        return [row for row in rows if row["status"] == 200 and row["redirect"] is None]


def _harvest(name: str, topic: str, pages: list[dict[str, Any]], known: dict[str, tuple[str, int]]) -> Harvest:
    found = {known[row["url"]][1] for row in pages if known.get(row["url"], ("",))[0] == topic}
    return Harvest(name, topic, len(pages), len(found))
