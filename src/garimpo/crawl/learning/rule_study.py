"""URL rules from the pages that a crawl has kept, and the versions that were published."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from garimpo import dust
from garimpo.archive import Learned
from garimpo.contract import GarimpoError
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.learning.evidence import MOST, PART, Row, SiteEvidence
from garimpo.crawl.learning.site_clusters import cluster_sites, rows_by_site
from garimpo.crawl.learning.study import DamagedEvidence, Finding, Segment
from garimpo.crawl.settings import Settings
from garimpo.dust.method.accumulator import Relearner
from garimpo.dust.rules.trackers import tracking_rules
from garimpo.url import host, normalise

UNSEEN = 0.03
"""The share of true duplicates that may look like different pages (they changed between two fetches) without denying a rule."""
GUESSED_ERROR = 0.2
"""The error a guess may be expected to make on a host: much, because what it postpones is not lost."""


class RuleStudy:
    """URL rules from the pages that turned out to be the same: `rules`, which skip, and bolder `guesses`, which postpone.

    Rules given by the user stand beside the learned ones. A guess is what one cluster alone shows, or what other hosts do: it may
    be wrong, because what it postpones is not lost. A round studies the sites that have changed enough since they were studied;
    of the others it asks only whether what other sites say still holds.
    """

    def __init__(self, corpus: Corpus, most: int = MOST) -> None:
        """Begin.

        Args:
            corpus: the crawl.
            most: rows of a site that are kept.
        """
        self._corpus, self._most = corpus, most
        seed = corpus.settings.seed
        self._learners = (
            dust.Learner(fpr_max=UNSEEN, seed=seed),
            dust.Learner(fpr_max=UNSEEN, seed=seed, allowed_error=GUESSED_ERROR, bold=True),
        )
        self._given = given_rules(corpus.settings)
        self._rules, self._guesses = Series(corpus.learned, "rules"), Series(corpus.learned, "guesses")

    def load(self) -> int:
        try:
            return self._load()
        except DamagedEvidence:
            return self._load()

    def _load(self) -> int:
        self._evidence = SiteEvidence(self._corpus.folder / "state" / "learner" / "sites.sqlite", self._most)
        with self._evidence.guard():
            self._take_back()
            self._relearner = Relearner(self._learners, self._evidence)
            self._evidence.save()
            return int(self._evidence.get("commit", 0))

    def take(self, segment: Segment) -> None:
        with self._evidence.guard():
            self._evidence.add(rows_by_site(segment.pages))
            self._evidence.put("commit", max(segment.commit, self._evidence.get("commit", 0)))

    def study(self) -> Sequence[Finding]:
        with self._evidence.guard():
            studied = 0
            for sites in _batches(self._evidence.changed()):
                for name, clusters in cluster_sites(sites):
                    self._evidence.set_clusters(name, clusters)
                    self._relearner.change(name, clusters.rows())
                studied += len(sites)
            learned, guessed = self._relearner.learn()
            guessed = dust.lend(guessed, self._evidence.parts)
            repeating = self._evidence.count_known()
        withdrawn = self._corpus.withdrawn()
        evidence = {"pages": self._corpus.rows, "repeating_sites": repeating, "studied_sites": studied}
        return [
            self._rules.finding(learned.without(withdrawn), evidence, given=self._given),
            self._guesses.finding(guessed.without(withdrawn), evidence),
        ]

    def save(self) -> None:
        with self._evidence.guard():
            self._evidence.save()

    def _take_back(self) -> None:
        """Forget what was taken out of the folder since it was last opened."""
        before = set(msgspec.json.decode(self._evidence.get("removed", "[]")))
        removed = set(self._corpus.removed())
        gone = {normalise(one) or one.lower() for one in removed - before}
        if gone:
            for name in self._evidence.names():
                self._evidence.remove(name, lambda url: url in gone or host(url) in gone)
        self._evidence.put("removed", msgspec.json.encode(sorted(removed)).decode())


def _batches(sites: Iterator[tuple[str, list[Row]]]) -> Iterator[list[tuple[str, list[Row]]]]:
    """Sites in groups of not too many rows."""
    for first in sites:
        batch, rows = [first], len(first[1])
        while rows < PART and (more := next(sites, None)) is not None:
            batch.append(more)
            rows += len(more[1])
        yield batch


def given_rules(settings: Settings) -> dust.RuleSet:
    """The rules that the user gives."""
    rules = dust.RuleSet.load(settings.rules) if settings.rules else dust.RuleSet()
    return rules.merge(tracking_rules()) if settings.tracking else rules


class Series:
    """The published versions of one kind of rules. What a rollback took back is not published again."""

    def __init__(self, learned: Learned, kind: str) -> None:
        self._learned, self._kind = learned, kind
        self._refused = self._rolled_back()
        self._last = self._version(learned.version(kind))

    def finding(self, rules: dust.RuleSet, evidence: dict[str, Any], given: dust.RuleSet | None = None) -> Finding:
        """A new version, if it differs from the last one; `given` are rules that stand in every version."""
        rules = (given or dust.RuleSet()).merge(rules.without(self._refused))
        if rules != self._last:
            self._last = rules
            known = {**evidence, "rules": len(rules), "refused": self._refused}
            return Finding(self._kind, f"{len(rules)} rules", "json", rules.save, known)
        if len(rules):
            return Finding(self._kind, "the same rules as before")
        repeating = evidence.get("repeating_sites", 0)
        if not repeating:
            return Finding(self._kind, "no page was met under two URLs of one site")
        return Finding(self._kind, f"no rule is sure enough yet; sites that repeat pages: {repeating:,}")

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
        except GarimpoError:  # a damaged version was logged when the crawl passed over it
            return dust.RuleSet()
