"""The wishes of a person (`control/`), fulfilled by the loop right after a commit."""

import re

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError
from garimpo.crawl.frontier.revision import Revision
from garimpo.crawl.settings import Settings, comments
from garimpo.crawl.steering import wishes
from garimpo.crawl.steering.wishes import Wish


class Steering:
    """Fulfils wishes in order, writes each to the log, and deletes its file after the commit that keeps what it changed.

    Args:
        store: the crawl folder.
        settings: the settings that the whole crawl goes by; a new budget or pattern is written there, and to `crawl.toml`.
        revision: what changes the queue.
    """

    def __init__(self, store: Store, settings: Settings, revision: Revision) -> None:
        self._store, self._settings, self._revision = store, settings, revision
        self._fulfilled: set[str] = set()
        wishes.set_paused(store.path, False)  # who starts a crawl wants it to run
        self.paused = False

    def after_commit(self) -> None:
        """Forget what the commit kept, and take up what is new."""
        for file, wish in wishes.waiting(self._store.path):
            if file.name in self._fulfilled:
                file.unlink(missing_ok=True)
                continue
            self._fulfilled.add(file.name)
            if wish is None:
                self._store.log("wish", file=file.name, problem="cannot be read")
                continue
            try:
                done = self._fulfil(wish)
                self._store.log("wish", **_told(wish), **done)
            except (GarimpoError, re.error) as error:
                self._store.log("wish", **_told(wish), problem=str(error))

    def _fulfil(self, wish: Wish) -> dict[str, object]:
        if wish.wish in ("pause", "go on"):
            self.paused = wish.wish == "pause"
            wishes.set_paused(self._store.path, self.paused)
            return {}
        if wish.wish == "budget":
            self._settings.max_pages = max(0, wish.pages)
            self._save()
            return {}
        if wish.wish == "exclude":
            removed = self._revision.exclude(wish.pattern)
            self._settings.exclude = [*dict.fromkeys([*self._settings.exclude, wish.pattern])]
            self._save()
            return {"removed": removed}
        changed = self._revision.set_withdrawn(wish.rule, wish.host, wish.wish == "withdraw")
        return {"hosts": changed}

    def _save(self) -> None:
        """Write the settings to `crawl.toml`, with what holds for one run only left out."""
        kept = self._settings.to_dict()
        kept.pop("postponed", None)
        self._store.save_settings(kept, comments())


def _told(wish: Wish) -> dict[str, object]:
    return {name: value for name in Wish.__struct_fields__ if (value := getattr(wish, name))}
