"""URL rules from the pages that a crawl has kept, and the versions that were published."""

from typing import Any

from garimpo import dust
from garimpo.archive import Learned
from garimpo.contract import GarimpoError
from garimpo.crawl.learning.corpus import Corpus
from garimpo.crawl.settings import Settings
from garimpo.dust.rules.trackers import tracking_rules

UNSEEN = 0.03
"""The share of true duplicates that may look like different pages (they changed between two fetches) without denying a rule."""
GUESSED_ERROR = 0.2
"""The error a guess may be expected to make on a host: much, because what it postpones is not lost."""


class RuleStudy:
    """URL rules from the pages that turned out to be the same: `rules`, which skip, and bolder `guesses`, which postpone.

    Rules given by the user stand beside the learned ones. A guess is what one cluster alone shows, or what other hosts do: it may
    be wrong, because what it postpones is not lost.
    """

    def __init__(self, corpus: Corpus) -> None:
        seed = corpus.settings.seed
        self._learner = dust.Learner(fpr_max=UNSEEN, seed=seed)
        self._guesser = dust.Learner(fpr_max=UNSEEN, seed=seed, allowed_error=GUESSED_ERROR, bold=True)
        self._given = given_rules(corpus.settings)
        self._rules, self._guesses = Series(corpus.learned, "rules"), Series(corpus.learned, "guesses")

    def __call__(self, corpus: Corpus) -> None:
        clusters = dust.clusters(corpus.pages, near=corpus.near)
        prepared = dust.prepare(clusters)
        withdrawn = corpus.withdrawn()
        evidence = {"pages": corpus.pages.num_rows, "clusters": clusters.num_rows}
        learned = self._learner.learn(prepared).without(withdrawn)
        self._rules.publish(learned, evidence, given=self._given)
        guessed = dust.lend(self._guesser.learn(prepared), prepared).without(withdrawn)
        self._guesses.publish(guessed, evidence)


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

    def publish(self, rules: dust.RuleSet, evidence: dict[str, Any], given: dust.RuleSet | None = None) -> None:
        """A new version, if it differs from the last one; `given` are rules that stand in every version."""
        rules = (given or dust.RuleSet()).merge(rules.without(self._refused))
        if rules != self._last:
            known = {**evidence, "rules": len(rules), "refused": self._refused}
            self._learned.publish(self._kind, "json", rules.save, known)
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
        except GarimpoError:  # a damaged version was logged when the crawl passed over it
            return dust.RuleSet()
