"""What `crawl.log` tells: when runs began and ended, how the numbers grew, and what was noted on the way."""

from collections import deque
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

MOST_POINTS = 600
"""With more points than this every other one is dropped."""
MOST_NOTES = 200
NOTED = ("learned", "withdrawn", "trap", "rollback", "repair", "rebuilt", "lost", "learner", "fault", "full disk", "wish")


class Point(NamedTuple):
    """The numbers of a crawl at one time: `at` is the clock, `seconds` the time that the crawl was at work until then."""

    at: float
    seconds: float
    stored: int
    different: int
    queued: int
    errors: int
    bytes: int
    skipped: int
    """By rules and folds only: what learning saved."""
    checks: int
    on_topic: int


class Journal:
    """The log of a crawl folder, read on from where it was read last. Lines that cannot be read are passed over.

    Args:
        folder: the crawl folder.
    """

    def __init__(self, folder: str | Path) -> None:
        self._path = Path(folder) / "crawl.log"
        self._place = 0
        self.begun: float | None = None
        """When the first run began."""
        self.started: float | None = None
        """When the last run began."""
        self.ended: float | None = None
        """When it ended; None while it runs, or if it was cut off."""
        self.why = ""
        self.last: float | None = None
        """The time of the last line."""
        self.points: list[Point] = []
        self.notes: deque[dict[str, Any]] = deque(maxlen=MOST_NOTES)
        self._worked = 0.0
        """The time that runs before the last one were at work."""

    def read(self) -> "Journal":
        """Read what was added since."""
        try:
            with self._path.open("rb") as file:
                if file.seek(0, 2) < self._place:
                    self.__init__(self._path.parent)  # type: ignore[misc] # another crawl stands there now
                file.seek(self._place)
                data = file.read()
        except OSError:
            return self
        whole = data[: data.rfind(b"\n") + 1]
        self._place += len(whole)
        for line in whole.splitlines():
            try:
                event = msgspec.json.decode(line)
                self._take(event, datetime.fromisoformat(event["at"]).timestamp())
            except (msgspec.DecodeError, KeyError, TypeError, ValueError):
                continue
        return self

    def rate(self, seconds: float = 60.0) -> float:
        """Answers stored a second, lately."""
        points = [point for point in self.points if self.points[-1].seconds - point.seconds <= seconds]
        if len(points) < 2 and len(self.points) >= 2:
            points = self.points[-2:]
        if len(points) < 2 or points[-1].seconds <= points[0].seconds:
            return 0.0
        return (points[-1].stored - points[0].stored) / (points[-1].seconds - points[0].seconds)

    def _take(self, event: dict[str, Any], at: float) -> None:
        kind = event["event"]
        self.last = at
        if kind == "start":
            if self.started is not None and self.points:
                self._worked = self.points[-1].seconds
            self.begun = at if self.begun is None else self.begun
            self.started, self.ended, self.why = at, None, ""
        elif kind in ("progress", "end"):
            self._add(event, at)
            if kind == "end":
                self.ended, self.why = at, str(event.get("why", ""))
        elif kind in NOTED:
            self.notes.append(event)

    def _add(self, event: dict[str, Any], at: float) -> None:
        saved = event.get("skipped_dust", 0) + event.get("skipped_mirror", 0)
        seconds = self._worked + max(0.0, at - (self.started or at))
        numbers = (event["stored"], event["pages"] - event["duplicates"], event["queued"], event["errors"], event["bytes"])
        self.points.append(Point(at, seconds, *numbers, saved, event.get("checks", 0), event.get("on_topic", 0)))
        if len(self.points) > MOST_POINTS:
            self.points = [*self.points[:-1:2], self.points[-1]]
