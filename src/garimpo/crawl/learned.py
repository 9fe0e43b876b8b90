"""How what is learned reaches the running crawl.

The learner, a process of its own, writes `learned/KIND/N.suffix` and replaces `current.json`. After each commit the loop looks at
`current.json`; when it changed, new rules and folds go to the frontier, which gives all it knows of their hosts new keys, new
guesses give new keys to what was fetched, and the readers make their judges anew. Damaged files are passed over with a line
in the log. Then the checks that were answered are compared, and rules withdrawn where they failed.
"""

import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError
from garimpo.crawl import queue
from garimpo.crawl.doors import Doors
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.keys import Folds, Identity, KeyMap
from garimpo.crawl.readers import Readers
from garimpo.crawl.settings import Settings

RESTART_SECONDS = 10.0
KINDS = ("rules", "folds", "guesses")


class Learning:
    """Follows `learned/` for the loop, and keeps the learner process alive."""

    def __init__(self, store: Store, settings: Settings, doors: Doors, frontier: Frontier, readers: Readers) -> None:
        self._store, self._settings, self._doors, self._frontier, self._readers = store, settings, doors, frontier, readers
        self._versions = dict.fromkeys(KINDS, -1)
        self._keys_before: KeyMap = Identity()
        self._folds_before = Folds()
        self._learner: Any = None
        self._learner_started = 0.0
        self.reloads = 0
        self._take_up(time.time())

    def after_commit(self, now: float) -> None:
        """Take up what is new, compare what was checked, restart a learner that died."""
        if self._store.learned.refresh():
            self._take_up(now)
            self._readers.reload()
        for rule, host in self._frontier.gate.rules.after_commit(self._frontier, now):
            estimate = self._frontier.gate.rules.trust.estimate(rule, host)
            self._store.log("withdrawn", rule=rule, host=host, error=estimate.error, low=estimate.low, high=estimate.high)
        self._keep_learner(now)

    def close(self) -> None:
        """End the learner."""
        if self._learner is not None and self._learner.is_alive():
            self._learner.terminate()
            self._learner.join(5)
            if self._learner.is_alive():
                self._learner.kill()

    def _take_up(self, now: float) -> None:
        """Put what `current.json` names in force, where it is another version than before."""
        for kind, load in (("rules", self._load_keys), ("folds", self._load_folds), ("guesses", self._load_guesses)):
            version = self._store.learned.version(kind) or 0
            if version != self._versions[kind]:
                self._versions[kind] = version
                try:
                    load(self._store.learned.path(kind) if version else None, version)
                except GarimpoError as error:
                    self._store.log("learned", kind=kind, version=version, problem=str(error))
                    continue
                if kind in self._frontier.gate.rules.versions:  # guesses are asked in a URL's turn: no row goes by them
                    self._rewrite(kind, version, now)

    def _load_keys(self, path: Path | None, version: int) -> None:
        rules = self._frontier.gate.rules
        self._keys_before, rules.keys = rules.keys, self._key_map(path, version)

    def _load_folds(self, path: Path | None, version: int) -> None:
        rules = self._frontier.gate.rules
        self._folds_before, rules.folds = rules.folds, Folds() if path is None else Folds.read(path, version)

    def _load_guesses(self, path: Path | None, version: int) -> None:
        self._frontier.gate.rules.guesses.take_up(self._key_map(path, version))

    def _key_map(self, path: Path | None, version: int) -> KeyMap:
        return Identity() if path is None or self._doors.keys is None else self._doors.keys(path, version)

    def _rewrite(self, kind: str, version: int, now: float) -> None:
        """Look anew at the hosts the new version speaks of, and at those where an older one skipped something."""
        rules = self._frontier.gate.rules
        if rules.versions.get(kind, 0) == version:
            return  # a resumed crawl that goes on with what it had
        if kind == "folds" and self._folds_before.version:
            hosts = self._folds_before.differing(rules.folds)
        elif kind == "rules" and self._keys_before.version:
            hosts = self._hosts_with_new_keys()
        else:
            hosts = self._hosts_with_any()
        left = self._frontier.rewrite(hosts, now)
        rules.versions[kind] = version
        self.reloads += 1
        self._store.log("learned", kind=kind, version=version, hosts=len(hosts), left_the_queue=left)

    def _hosts_with_new_keys(self) -> list[str]:
        before, after = self._keys_before, self._frontier.gate.rules.keys
        names = queue.host_names(self._store.database)
        return [name for _, name in names if before.rules_on(name) != after.rules_on(name)]

    def _hosts_with_any(self) -> list[str]:
        """Hosts of any rule or fold, and those where something was skipped before (a rollback may have taken its rule)."""
        touched, rules = queue.hosts_with_skips(self._store.database), self._frontier.gate.rules
        return [
            name
            for id, name in queue.host_names(self._store.database)
            if id in touched or name in rules.folds.hosts or rules.keys.applies(name)
        ]

    def _keep_learner(self, now: float) -> None:
        if self._doors.learner is None or not self._settings.learn:
            return
        if self._learner is not None and self._learner.is_alive():
            return
        if now - self._learner_started < RESTART_SECONDS:
            return
        if self._learner is not None:
            self._store.log("learner", exit_code=self._learner.exitcode, again=True)
        context = multiprocessing.get_context("spawn")
        arguments = (self._doors.learner, str(self._store.path), os.getpid())
        self._learner = context.Process(target=_learn, args=arguments, daemon=True)
        self._learner.start()
        self._learner_started = now


def _learn(learner: Any, folder: str, parent: int) -> None:
    """The learner's process: at a low priority, and gone when its crawl is."""
    import ctypes
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    ctypes.CDLL(None).prctl(1, signal.SIGTERM)  # PR_SET_PDEATHSIG
    if os.getppid() != parent:
        return
    os.nice(10)
    learner(Path(folder))
