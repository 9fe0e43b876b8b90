"""Where the rooms meet: what a crawl learns while it runs.

Readers sketch every page; the loop asks the index of near-duplicates in the order of arrival. Beside the loop runs the
learner, a process of its own: it reads what was kept since it last looked (`kept`), lets every *study* make of all that what
it can, and publishes what changed to `learned/`, from where the loop takes it up. It never writes to anything else, so
killing it at any time costs nothing but time.

A study (one for each kind: rules, folds, topic) looks at all that was kept and may publish a new version. Later rounds see what
earlier ones led to: pages fetched as checks are evidence like all others, and a rule withdrawn on a host is not published there
again.
"""

import contextlib
import ctypes
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo import dust, similarity
from garimpo.archive import Learned
from garimpo.contract import GarimpoError
from garimpo.crawl.doors import Doors
from garimpo.crawl.kept import Kept
from garimpo.crawl.settings import Settings
from garimpo.crawl.topics import TopicStudy, has_topic, topic_judges, topic_scorer

SHARE = 0.3
"""The learner works at most this share of the time."""
NEAR_THRESHOLD = 0.8
UNSEEN = 0.03
"""The share of true duplicates that may look like different pages (they changed between two fetches) without denying a rule."""
GUESSED_ERROR = 0.2
"""The error a guess may be expected to make on a host: much, because what it postpones is not lost."""

M_ARENA_MAX = -8
"""What `mallopt` calls the number of heaps."""

Study = Callable[[Kept], None]


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


class PageSketcher:
    """Sketches and shingle sets of the pages that a reader reads."""

    def __init__(self) -> None:
        self._sketcher = similarity.Sketcher()

    def sketch(self, texts: pa.Array) -> Any:
        return self._sketcher.read(texts)


class PageIndex:
    """The near-duplicates of a crawl, in its folder."""

    def __init__(self, folder: Path) -> None:
        self._index = similarity.Index.open(folder / "state" / "near", similarity.Sketcher(), threshold=NEAR_THRESHOLD)

    def ask(self, urls: Sequence[str], has_text: Sequence[bool], sketches: Any) -> list[str | None]:
        return self._index.ask_add(urls, *sketches)

    def commit(self) -> None:
        self._index.commit()


class RuleStudy:
    """URL rules from the pages that turned out to be the same: `rules`, which skip, and bolder `guesses`, which postpone.

    Rules given by the user stand beside the learned ones. A guess is what one cluster alone shows, or what other hosts do: it may
    be wrong, because what it postpones is not lost.
    """

    def __init__(self, kept: Kept) -> None:
        seed = kept.settings.seed
        self._learner = dust.Learner(fpr_max=UNSEEN, seed=seed)
        self._guesser = dust.Learner(fpr_max=UNSEEN, seed=seed, allowed_error=GUESSED_ERROR, bold=True)
        self._given = dust.RuleSet.load(kept.settings.rules) if kept.settings.rules else dust.RuleSet()
        self._rules, self._guesses = Series(kept.learned, "rules"), Series(kept.learned, "guesses")

    def __call__(self, kept: Kept) -> None:
        clusters = dust.clusters(kept.pages, near=kept.near)
        prepared = dust.prepare(clusters)
        withdrawn = kept.withdrawn()
        evidence = {"pages": kept.pages.num_rows, "clusters": clusters.num_rows}
        learned = self._learner.learn(prepared).without(withdrawn)
        self._rules.publish(learned, evidence, given=self._given)
        guessed = dust.lend(self._guesser.learn(prepared), prepared).without(withdrawn)
        self._guesses.publish(guessed, evidence)


class Series:
    """The published versions of one kind of rules. What a rollback took back is not published again."""

    def __init__(self, learned: Learned, kind: str) -> None:
        self._learned, self._kind = learned, kind
        self._refused = self._rolled_back()
        self._last = self._version(learned.version(kind))

    def publish(self, rules: dust.RuleSet, evidence: dict[str, Any], given: dust.RuleSet | None = None) -> None:
        """A new version, if it differs from the last one; `given` are rules that stand in every version."""
        rules = (given or dust.RuleSet()).merge(rules.without(self._refused))
        if rules != self._last:
            said = {**evidence, "rules": len(rules), "refused": self._refused}
            self._learned.publish(self._kind, "json", rules.save, said)
            self._last = rules

    def _rolled_back(self) -> list[tuple[str, str]]:
        """(rule, host) of all that versions after the one in force had beyond it, and what was refused before."""
        current = self._learned.version(self._kind)
        if current is None:
            return []
        kept = self._version(current)
        later = [self._version(version) for version in self._learned.versions(self._kind) if version > current]
        before = {(str(rule), str(host)) for rule, host in self._learned.evidence(self._kind).get("refused", [])}
        return sorted(before.union(*(rules.diff(kept)["added"] for rules in later)))

    def _version(self, version: int | None) -> dust.RuleSet:
        path = self._learned.path(self._kind, version) if version is not None else None
        try:
            return dust.RuleSet.load(path) if path is not None else dust.RuleSet()
        except GarimpoError:  # a damaged version was said in the log when the crawl passed over it
            return dust.RuleSet()


def studies_of(kept: Kept) -> list[Study]:
    """One study of each kind; what they need takes a second to load, and the loop itself does not need it."""
    from garimpo.crawl.fold_study import FoldStudy

    return [RuleStudy(kept), FoldStudy(kept), TopicStudy(kept)]


def learn_beside(folder: Path) -> None:
    """The life of the learner: wait for enough new pages, study them, rest."""
    _share_one_heap()
    with Kept.open(folder) as kept:
        studies = studies_of(kept)
        while True:
            kept.wait()
            began = time.process_time()
            for study in studies:
                study(kept)
            _give_back_memory()
            time.sleep((time.process_time() - began) * (1 - SHARE) / SHARE)


def _share_one_heap() -> None:
    """What one thread lets go of another can take: with a heap for each, a third of the learner's memory is such leavings."""
    with contextlib.suppress(AttributeError):  # of the C library of GNU only
        ctypes.CDLL(None).mallopt(M_ARENA_MAX, 1)


def _give_back_memory() -> None:
    """What a round needed for a while goes back to the system while the learner rests."""
    pa.default_memory_pool().release_unused()
    with contextlib.suppress(AttributeError):
        ctypes.CDLL(None).malloc_trim(0)


def doors_for(settings: Settings) -> Doors:
    """Everything the rooms bring to a crawl with these settings."""
    doors = Doors(keys=RuleKeys)
    if settings.learn:
        doors = Doors(sketcher=PageSketcher, index=PageIndex, keys=RuleKeys, learner=learn_beside)
    if has_topic(settings):
        doors.judges = topic_judges
        doors.scorer = None if settings.strategy == "bfs" else topic_scorer
    elif settings.sites:
        from garimpo.crawl.entities import site_judges, site_scorer  # takes a second to load, and few crawls need it
        from garimpo.sites import typed

        doors.judges, doors.typed = site_judges, typed
        doors.scorer = None if settings.strategy == "bfs" else site_scorer
    return doors
