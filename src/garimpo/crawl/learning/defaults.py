"""What the rooms bring to a crawl: the components that its settings ask for."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa

from garimpo import dust, similarity
from garimpo.contract import Page
from garimpo.crawl.components import Components, Content
from garimpo.crawl.learning.learner import learn_beside
from garimpo.crawl.settings import Settings
from garimpo.engine.columns import hash_strings
from garimpo.page.text.blocks import read_blocks
from garimpo.page.text.novelty import Novelty
from garimpo.similarity.stores.page_index import PageIndex, ReadPages, masked_sets
from garimpo.url import host as host_of


class RuleKeys:
    """Published URL rules as the frontier asks for them."""

    def __init__(self, path: Path, version: int) -> None:
        self.version = version
        self._rules = dust.RuleSet.load(path)

    def applies(self, host: str) -> bool:
        return self._rules.applies(host)

    def rules_on(self, host: str) -> list[str]:
        return self._rules.rules_on(host)

    def key(self, url: str) -> str:
        return self._rules.key(url)

    def keys(self, urls: Sequence[str]) -> tuple[list[str], list[str | None]]:
        keys, rules = self._rules.keys(urls)
        return keys.to_pylist(), rules.to_pylist()


class BlockSketcher:
    """Blocks and sketches of the pages that a reader reads."""

    def __init__(self) -> None:
        self._sketcher = similarity.Sketcher()

    def sketch(self, pages: Sequence[Page | None]) -> ReadPages:
        blocks = read_blocks(pa.array([None if page is None else page.text for page in pages], pa.large_string()))
        return ReadPages(
            hosts=hash_strings(pa.array([host_of(page.url) or "" if page is not None else "" for page in pages], pa.string())),
            texts=np.array([page.text_digest or 0 if page is not None else 0 for page in pages], np.uint64),
            titles=hash_strings(pa.array([page.title or "" if page is not None else "" for page in pages], pa.string())),
            blocks=blocks,
            sketches=self._sketcher.sketch(masked_sets(blocks)),
        )


class ContentIndex:
    """The pages of a crawl, in its folder, and the shingles of their texts."""

    def __init__(self, folder: Path) -> None:
        self._index = PageIndex.open(folder / "state" / "pages", similarity.Sketcher())
        self._novelty = Novelty()

    def ask(self, urls: Sequence[str], sketches: ReadPages) -> list[Content]:
        repeats = self._index.ask_add(urls, sketches)
        return [Content(same, self._gain(row, sketches) if same is None else 0.0) for row, same in enumerate(repeats)]

    def _gain(self, row: int, pages: ReadPages) -> float:
        return self._novelty.add(pages.blocks.take([row]), self._index.template(int(pages.hosts[row])))

    def commit(self) -> None:
        self._index.commit()


def components_for(settings: Settings) -> Components:
    """Everything the rooms bring to a crawl with these settings."""
    components = Components(keys=RuleKeys)
    if settings.learn:
        components = Components(sketcher=BlockSketcher, index=ContentIndex, keys=RuleKeys, learner=learn_beside)
    if settings.topic or settings.positive:
        from garimpo.crawl.learning.topic import topic_judges, topic_scorer  # takes a second to load, and few crawls need it

        components.judges = topic_judges
        components.scorer = None if settings.strategy == "bfs" else partial(topic_scorer, settings.strategy)
    elif settings.sites:
        from garimpo.crawl.learning.sites import site_judges, site_scorer  # the same
        from garimpo.sites.schema_types import typed

        components.judges, components.typed = partial(site_judges, settings.sites), typed
        components.scorer = None if settings.strategy == "bfs" else partial(site_scorer, settings.sites)
    return components
