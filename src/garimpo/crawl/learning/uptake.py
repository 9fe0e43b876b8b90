"""How what is learned reaches the running crawl.

The learner, a process of its own, writes `learned/KIND/N.suffix` and replaces `current.json`. After each commit the loop looks at
`current.json`; when it changed, new rules and folds go to the frontier, which gives all it knows of their hosts new keys, new
guesses give new keys to what was fetched on hosts where they changed, and the readers make their judges again if it
is a model of theirs that is new. Damaged files are passed over with a line
in the log. Then the checks that were answered are compared, and rules withdrawn where they failed.
"""

import multiprocessing
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Protocol

from garimpo.archive import Store
from garimpo.archive.folder.dropped import drop
from garimpo.contract.errors import GarimpoError
from garimpo.crawl.components import Components, Identity, KeyMap
from garimpo.crawl.frontier.revision import Rewritten
from garimpo.crawl.gate.folds import Folds
from garimpo.crawl.gate.rules import Withdrawal
from garimpo.crawl.interrupts import ignoring_interrupts
from garimpo.crawl.learning.pace import FIRST, Pace, facts_of
from garimpo.crawl.settings import Settings
from garimpo.engine.starting import without_script

RESTART_SECONDS = 10.0
KINDS = ("rules", "folds", "guesses")


class Revises(Protocol):
    """Whoever holds a queue: looks at it again when rules or folds are new, and when checks were answered."""

    def take_up_rules(self, keys: KeyMap, version: int) -> Rewritten | None:
        """Put URL rules in force; None where they were in force before."""

    def take_up_folds(self, folds: Folds, version: int) -> Rewritten | None:
        """Put folds in force; None where they were in force before."""

    def take_up_guesses(self, keys: KeyMap) -> None:
        """Put guesses in force."""

    def settle_checks(self) -> list[Withdrawal]:
        """Compare what was checked, and queue again what comes back; the rules withdrawn by it."""


class Judges(Protocol):
    """Whoever reads pages by models that are learned."""

    def reload(self) -> None:
        """What is learned has changed."""


class Uptake:
    """Follows `learned/` for the loop, and keeps the learner process alive."""

    def __init__(
        self,
        store: Store,
        settings: Settings,
        components: Components,
        revision: Revises,
        readers: Judges,
        clock: Callable[[], float],
        rows: int = 0,
    ) -> None:
        self._store, self._components, self._revision, self._readers = store, components, revision, readers
        self._clock = clock
        self._versions = dict.fromkeys(KINDS, -1)
        self._damaged: list[tuple[str, int]] = []
        self._learns = settings.learn and components.learner is not None
        self._learner: Any = None
        self._learner_started = 0.0
        self.pace = Pace(store.path, rows) if self._learns else None
        self._judged_by = self._models()
        while self._take_up():
            self._drop_damaged()

    def wants_commit(self, uncommitted: int) -> bool:
        """Whether the learner is due to see the rows since the last commit."""
        return self.pace is not None and self.pace.wants_commit(uncommitted)

    def must_wait(self) -> bool:
        """Whether no request should start until the learner has caught up."""
        return self.pace is not None and self.pace.must_wait()

    def after_commit(self, rows: int) -> None:
        """Take up what is new, compare what was checked, and see that the learner runs; so many rows were committed."""
        if self.pace is not None and self.pace.committed(rows):
            self._store.log("studied", **facts_of(self.pace.studied, self.pace.rows))
        if self._store.learned.refresh():
            self._take_up()
            if (models := self._models()) != self._judged_by:
                self._judged_by = models
                self._readers.reload()
        for rule, host, _, estimate in self._revision.settle_checks():
            self._store.log("withdrawn", rule=rule, host=host, error=estimate.error, low=estimate.low, high=estimate.high)
        if self.pace is not None and self.pace.rows >= FIRST:
            self._keep_learner()

    def close(self) -> None:
        """End the learner."""
        if self._learner is not None and self._learner.is_alive():
            self._learner.terminate()
            self._learner.join(5)
            if self._learner.is_alive():
                self._learner.kill()

    def _take_up(self) -> bool:
        """Put what `current.json` names in force, where it is another version than before; whether some is damaged."""
        self._damaged = []
        for kind in KINDS:
            version = self._store.learned.version(kind) or 0
            if version == self._versions[kind]:
                continue
            self._versions[kind] = version
            try:
                changed = self._put_in_force(kind, self._store.learned.path(kind) if version else None, version)
            except GarimpoError as error:
                self._store.log("learned", kind=kind, version=version, problem=str(error))
                self._damaged.append((kind, version))
                continue
            if changed is not None:
                self._store.log("learned", kind=kind, version=version, **changed._asdict())
        return bool(self._damaged)

    def _drop_damaged(self) -> None:
        """Before the learner runs: put the version before a damaged one in force, or none."""
        store = self._store
        for kind, version in self._damaged:
            path = store.learned.path(kind, version)
            kept = f", kept as {drop(store.path, path)}" if path is not None and path.is_file() else ""
            before = [number for number in store.learned.versions(kind) if number < version]
            store.learned.rollback(kind, max(before, default=0))
            store.messages.append(f"learned/{kind}/{version} is damaged{kept}: going on with version {max(before, default=0)}")

    def _models(self) -> dict[str, int | None]:
        """The versions of what pages are judged by; of no other kind readers need to know."""
        learned = self._store.learned
        return {kind: learned.version(kind) for kind in learned.kinds() if kind not in KINDS}

    def _put_in_force(self, kind: str, path: Path | None, version: int) -> Rewritten | None:
        if kind == "rules":
            return self._revision.take_up_rules(self._key_map(path, version), version)
        if kind == "folds":
            return self._revision.take_up_folds(Folds() if path is None else Folds.read(path, version), version)
        self._revision.take_up_guesses(self._key_map(path, version))
        return None

    def _key_map(self, path: Path | None, version: int) -> KeyMap:
        return Identity() if path is None or self._components.keys is None else self._components.keys(path, version)

    def _keep_learner(self) -> None:
        """Start the learner, and start it again when it died."""
        now = self._clock()
        if self._learner is not None and self._learner.is_alive():
            return
        if now - self._learner_started < RESTART_SECONDS:
            return
        if self._learner is not None:
            self._store.log("learner", exit_code=self._learner.exitcode, again=True)
        context = multiprocessing.get_context("spawn")
        arguments = (self._components.learner, str(self._store.path), os.getpid())
        self._learner = context.Process(target=_learn, args=arguments, daemon=True)
        with ignoring_interrupts(), without_script(self._components.learner):
            self._learner.start()
        self._learner_started = now


def _learn(learner: Any, folder: str, parent: int) -> None:
    """The learner's process; on Linux it is gone when its crawl is."""
    import ctypes
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        return
    learner(Path(folder))
