"""What goes wrong on the way: faults by rate for every host, and the habits of hosts that are faulty by nature.

A fault is drawn from the URL and from how often it was asked for, so that a second try may succeed and a run can be repeated.
"""

from collections import deque
from dataclasses import dataclass

from garimpo.contract.errors import BadInput
from garimpo.webgen.language.chance import number, share
from garimpo.webgen.world.world import World

HABITS = ("slow", "cut", "length", "flaky", "busy", "reset")
"""Late answers; half an answer; a wrong Content-Length; 503 at first; 429 when asked too fast; cut connections at first."""
AFFECTED = 0.15
"""Part of a faulty host's URLs that show its habit."""
BUSY_REQUESTS = 10
"""Requests a second above which a busy host answers 429."""


@dataclass(frozen=True)
class Faults:
    """How often the server misbehaves on any host: parts of all requests; `delay` in seconds is for the slow ones."""

    errors: float = 0.0
    resets: float = 0.0
    slow: float = 0.0
    delay: float = 1.0

    def checked(self) -> "Faults":
        """These faults, or `BadInput` where a rate is no part of one."""
        for name in ("errors", "resets", "slow"):
            if not 0.0 <= getattr(self, name) <= 1.0:
                raise BadInput(f"{name} {getattr(self, name)}: not a part of one")
        if self.errors + self.resets + self.slow > 1.0 or not 0.0 <= self.delay <= 3600.0:
            raise BadInput("errors, resets and slow make more than all requests, or the delay is not in 0 to 3600 s")
        return self


def habits(world: World) -> dict[str, str]:
    """The faulty hosts of a world, each with what is wrong with it."""
    found = {}
    for host in world.census.hosts:
        if host.role != "mirror" and world.faulty(host.site):
            found[host.name] = HABITS[number(world.seed, "habit", host.site) % len(HABITS)]
    return found


class Trouble:
    """Decides what goes wrong with a request."""

    def __init__(self, seed: int, faults: Faults, habits: dict[str, str]) -> None:
        self._seed, self._faults, self._habits = seed, faults, habits
        self._asked: dict[str, deque[float]] = {}
        self._any = faults.errors + faults.resets + faults.slow > 0.0

    def of(self, host: str, place: str, visits: int, now: float) -> tuple[str, float]:
        """The fault of a request (nothing, in most cases) and for a slow one the delay."""
        habit = self._habits.get(host)
        if habit is not None:
            fault = self._habitual(habit, host, place, visits, now)
            if fault:
                return fault, 0.2 + share(self._seed, "late", place) if fault == "slow" else 0.0
        return self._by_rate(place, visits) if self._any else ("", 0.0)

    def _habitual(self, habit: str, host: str, place: str, visits: int, now: float) -> str:
        if habit == "busy":
            return "busy" if self._too_fast(host, now) else ""
        if share(self._seed, "affected", place) >= AFFECTED or (visits and habit in ("flaky", "reset")):
            return ""
        return habit

    def _too_fast(self, host: str, now: float) -> bool:
        asked = self._asked.setdefault(host, deque())
        asked.append(now)
        while asked[0] < now - 1.0:
            asked.popleft()
        return len(asked) > BUSY_REQUESTS

    def _by_rate(self, place: str, visits: int) -> tuple[str, float]:
        faults, roll = self._faults, share(self._seed, "fault", place, visits)
        if roll < faults.resets:
            return "reset", 0.0
        if roll < faults.resets + faults.errors:
            return "flaky", 0.0
        return ("slow", faults.delay) if roll < faults.resets + faults.errors + faults.slow else ("", 0.0)
