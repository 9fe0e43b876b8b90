"""What a crawl learned, as numbered files, and which of them is in force."""

import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from garimpo.contract.errors import BadInput
from garimpo.contract.files import publish, publish_bytes


class Learned:
    """The folder `learned/`: `KIND/N.suffix` never change once written; `current.json` says which N is in force.

    One process publishes, any number read. A reader calls `refresh` and sees the new state or the old, never a mixture.

    Args:
        folder: the folder `learned/` of a crawl.

    >>> import tempfile
    >>> learned = Learned(Path(tempfile.mkdtemp()))
    >>> learned.publish("rules", "json", lambda path: path.write_text("{}"), {"clusters": 3})
    1
    >>> learned.version("rules"), learned.path("rules").name, learned.evidence("rules")
    (1, '1.json', {'clusters': 3})
    """

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        self.folder = Path(folder)
        self.messages: list[str] = []
        self._seen: tuple[int, int, int] | None = None
        self._current: dict[str, dict[str, Any]] = {}
        self.refresh()

    def refresh(self) -> bool:
        """Read `current.json` again if it was replaced; True if it was. A damaged one counts as absent, with a message."""
        file = self.folder / "current.json"
        try:
            stat = file.stat()
            seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if seen == self._seen:
                return False
            current = _sound(msgspec.json.decode(file.read_bytes()))
        except FileNotFoundError:
            seen, current = None, {}
        except (ValueError, msgspec.DecodeError) as error:
            self.messages.append(f"{file}: damaged ({error}); going on without what was learned")
            current = {}
        changed = current != self._current
        self._seen, self._current = seen, current
        return changed

    def kinds(self) -> list[str]:
        """The kinds that have a version in force."""
        return sorted(self._current)

    def version(self, kind: str) -> int | None:
        """The number in force, or None."""
        return self._current.get(kind, {}).get("version")

    def evidence(self, kind: str) -> dict[str, Any]:
        """What the version in force was published with."""
        return dict(self._current.get(kind, {}).get("evidence", {}))

    def time(self, kind: str) -> str | None:
        """Since when the version in force is, or None."""
        return self._current.get(kind, {}).get("time")

    def path(self, kind: str, version: int | None = None) -> Path | None:
        """The file in force (or of one version), or None."""
        number = version or self.version(kind)
        found = None if number is None else next(iter((self.folder / kind).glob(f"{number}.*")), None)
        return found

    def versions(self, kind: str) -> list[int]:
        """Every version that was written, oldest first."""
        folder = self.folder / kind
        names = [path.name.partition(".")[0] for path in folder.iterdir()] if folder.is_dir() else []
        return sorted({int(name) for name in names if name.isdigit()})

    def publish(self, kind: str, suffix: str, write: Callable[[Path], object], evidence: dict[str, Any]) -> int:
        """Have `write` fill the next version's file, put it in force, and return its number."""
        (self.folder / kind).mkdir(parents=True, exist_ok=True)
        number = 1 + max(self.versions(kind), default=0)
        with publish(self.folder / kind / f"{number}.{suffix.lstrip('.')}") as temporary:
            write(temporary)
        self._put(kind, number, evidence)
        return number

    def rollback(self, kind: str, version: int) -> None:
        """Put an earlier version in force again; 0 puts none in force."""
        if version == 0:
            self.refresh()
            self._write({name: entry for name, entry in self._current.items() if name != kind})
            return
        if self.path(kind, version) is None:
            known = ", ".join(map(str, self.versions(kind))) or "none"
            raise BadInput(f"{self.folder / kind}: no version {version} (there is: {known})")
        self._put(kind, version, {"rollback_from": self.version(kind)})

    def _put(self, kind: str, number: int, evidence: dict[str, Any]) -> None:
        self.refresh()
        entry = {"version": number, "time": datetime.now(UTC).isoformat(timespec="seconds"), "evidence": evidence}
        self._write({**self._current, kind: entry})

    def _write(self, current: dict[str, dict[str, Any]]) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        publish_bytes(self.folder / "current.json", msgspec.json.format(msgspec.json.encode(current), indent=1))
        self.refresh()


def _sound(current: Any) -> dict[str, dict[str, Any]]:
    if not isinstance(current, dict):
        raise ValueError("not an object")
    for kind, entry in current.items():
        if not isinstance(entry, dict) or type(entry.get("version")) is not int or type(entry.get("evidence")) is not dict:
            raise ValueError(f"{kind} has no version")
    return current
