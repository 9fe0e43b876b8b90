"""A crawl folder that is watched: opened once, asked by one request at a time, its sums kept up to date."""

import contextlib
import threading
import time
import warnings
from pathlib import Path
from typing import Any

from garimpo.archive import Store
from garimpo.archive.folder.configuration import read_settings
from garimpo.archive.folder.state import is_locked
from garimpo.contract.errors import GarimpoError
from garimpo.crawl.settings import Settings
from garimpo.crawl.state import schema
from garimpo.crawl.state.soundness import find_fault
from garimpo.crawl.watch.counters import breakdown_of, need_crawl, status_of
from garimpo.crawl.watch.journal import Journal
from garimpo.crawl.watch.paced import Paced
from garimpo.crawl.watch.queries.rule_views import fold_views, rule_views
from garimpo.crawl.watch.queries.savings import Savings, savings
from garimpo.crawl.watch.queries.tallies import Tallies
from garimpo.crawl.watch.stored_settings import settings_of


class Watched:
    """What the views ask. Whoever uses it holds `lock`.

    Args:
        folder: the crawl folder.
    """

    def __init__(self, folder: str | Path) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.store = Store.open(folder, write=False, fault=find_fault, quick=True)
            if self.store.database_is_made_up:
                schema.create(self.store.database)
            need_crawl(self.store.database, self.store.path)
        self.lock = threading.Lock()
        self.journal = Journal(self.store.path)
        self._settings_of = 0
        """When the settings read last were written."""
        self._tallies: Tallies | None = None
        self._breakdown = Paced(lambda: breakdown_of(self.store.database))
        self._rules = Paced(lambda: rule_views(self.store))
        self._folds = Paced(lambda: fold_views(self.store))
        self._kinds = Paced(lambda: (self.tallies.by("status", 8), self.tallies.by("type", 8)))
        self.over = False
        """Whether the dashboard is about to end."""

    @property
    def settings(self) -> Settings:
        """The settings as they are now: a wish may have changed them."""
        with contextlib.suppress(GarimpoError, OSError):  # while it is replaced, those read last hold a moment longer
            changed = (self.store.path / "crawl.toml").stat().st_mtime_ns
            if changed != self._settings_of:
                self.store.settings, self._settings_of = read_settings(self.store.path)[0], changed
        return settings_of(self.store)

    @property
    def tallies(self) -> Tallies:
        """The sums over all pages."""
        if self._tallies is None:
            self._tallies = Tallies(self.store)
        return self._tallies.update()

    @property
    def rules(self) -> list[dict[str, Any]]:
        """The rules, as of a moment ago."""
        self.store.learned.refresh()
        return self._rules()

    @property
    def folds(self) -> list[dict[str, Any]]:
        """The folds, as of a moment ago."""
        self.store.learned.refresh()
        return self._folds()

    @property
    def kinds(self) -> tuple[dict[int, int], dict[str, int]]:
        """How many answers there are of each status, and of each content type, as of a moment ago."""
        return self._kinds()

    def status(self) -> dict[str, Any]:
        """The status of the crawl; what is counted row by row may be of a moment ago."""
        _ = self.settings
        self.store.learned.refresh()
        return {**status_of(self.store, self.journal, self._breakdown()), "now": time.time()}

    def savings(self, status: dict[str, Any]) -> Savings:
        """What learning saved.

        Args:
            status: what `status` gave.
        """
        return savings(self.store.database, sum(status["skipped"].get(reason, 0) for reason in ("dust", "mirror")))

    def pulse(self) -> str:
        """A text that changes when there is something new."""
        with self.lock:
            version = self.store.database.execute("PRAGMA data_version").fetchone()[0]
            journal = self.journal.read()
            return f"{version} {journal.last} {is_locked(self.store.path)}"

    def close(self) -> None:
        if self._tallies is not None:
            self._tallies.close()
        self.store.close()
