"""How what is learned reaches the running crawl.

The learner, a process of its own, writes `learned/KIND/N.suffix` and replaces `current.json`. After each commit the loop looks at
`current.json`; when it changed, new rules and folds go to the frontier, which gives all it knows of their hosts new keys, and the
readers make their judges anew. Damaged files are passed over with a line in the log. Then the checks that were answered are
compared, and rules withdrawn where they failed.
"""

import multiprocessing
import os
import time
from pathlib import Path
from typing import Any

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError
from garimpo.crawl.doors import Doors
from garimpo.crawl.frontier import Frontier
from garimpo.crawl.keys import Folds, Identity, KeyMap
from garimpo.crawl.readers import Readers
from garimpo.crawl.settings import Settings

RESTART_SECONDS = 10.0


class Learning:
    """Follows `learned/` for the loop, and keeps the learner process alive."""

    def __init__(self, store: Store, settings: Settings, doors: Doors, frontier: Frontier, readers: Readers) -> None:
        self._store, self._settings, self._doors, self._frontier, self._readers = store, settings, doors, frontier, readers
        self._rules: int | None = None
        self._folds: int | None = None
        self._learner: Any = None
        self._learner_started = 0.0
        self.reloads = 0
        if settings.rules and store.learned.version("rules") is None:
            given = Path(settings.rules)
            store.learned.publish("rules", "json", lambda path: path.write_bytes(given.read_bytes()), {"given": str(given)})
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
        learned = self._store.learned
        if learned.version("rules") != self._rules:
            self._rules = learned.version("rules")
            self._new_keys(learned.path("rules"), now)
        if learned.version("folds") != self._folds:
            self._folds = learned.version("folds")
            self._new_folds(learned.path("folds"), now)

    def _new_keys(self, path: Path | None, now: float) -> None:
        rules = self._frontier.gate.rules
        try:
            keys: KeyMap = Identity() if path is None or self._doors.keys is None else self._doors.keys(path, self._rules or 0)
        except GarimpoError as error:
            self._store.log("learned", kind="rules", version=self._rules, problem=str(error))
            return
        old, rules.keys = rules.keys, keys
        hosts = [name for name in self._frontier.hosts if keys.applies(name) or old.applies(name)]
        left = self._frontier.rewrite(hosts, now)
        self.reloads += 1
        self._store.log("learned", kind="rules", version=self._rules, hosts=len(hosts), left_the_queue=left)

    def _new_folds(self, path: Path | None, now: float) -> None:
        rules = self._frontier.gate.rules
        try:
            folds = Folds() if path is None else Folds.read(path, self._folds or 0)
        except GarimpoError as error:
            self._store.log("learned", kind="folds", version=self._folds, problem=str(error))
            return
        old, rules.folds = rules.folds, folds
        hosts = sorted(folds.hosts | old.hosts)
        left = self._frontier.rewrite(hosts, now)
        self.reloads += 1
        self._store.log("learned", kind="folds", version=self._folds, hosts=len(hosts), left_the_queue=left)

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
