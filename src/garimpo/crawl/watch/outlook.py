"""Where a crawl stands, in one sentence: running since when, of what budget, until when; or ended, why, and how to go on."""

import shlex
import time
from typing import Any, Literal

from garimpo.crawl.settings import Settings
from garimpo.crawl.watch.journal import Journal
from garimpo.report.words import count, duration, moment, share

State = Literal["not begun", "running", "paused", "ended", "cut off"]
SOON = 10 * 365 * 86_400.0
"""An end further away than this is none."""


def outlook(
    folder: str, known: dict[str, Any], journal: Journal, settings: Settings, in_use: bool, paused: bool, now: float | None = None
) -> dict[str, Any]:
    """What the status says first.

    Args:
        folder: the crawl folder, as it was named.
        known: the counters of the crawl.
        journal: its log.
        settings: its settings.
        in_use: whether a process has the folder.
        paused: whether the crawl was asked to pause.
        now: the time, if not the clock's.
    """
    now = time.time() if now is None else now
    state: State = "not begun" if journal.started is None else "ended" if journal.ended is not None else "cut off"
    if in_use and journal.ended is None:
        state = "paused" if paused else "running"
    budget = _budget(settings, known, journal, now)
    rate = journal.rate() if state in ("running", "paused") else 0.0
    told: dict[str, Any] = {
        "state": state,
        "sentence": "",
        "begun_at": journal.begun,
        "ended_at": journal.ended,
        "ended": journal.why if state == "ended" else "",
        "rate": round(rate, 2),
        "budget": budget,
        "ends_at": _end(settings, known, journal, rate, now) if state == "running" else None,
    }
    told["sentence"] = _sentence(folder, told, known, journal, settings, now)
    return told


def _budget(settings: Settings, known: dict[str, Any], journal: Journal, now: float) -> dict[str, Any] | None:
    """The budget that is spent furthest, and how far."""
    ran = (journal.ended or now) - (journal.started or now)
    limits = [
        ("pages", known["stored"], settings.max_pages),
        ("seconds", round(ran, 1), settings.max_seconds),
        ("bytes", known["bytes"], settings.max_bytes),
    ]
    spent = [{"kind": kind, "used": used, "of": of, "share": min(1.0, used / of)} for kind, used, of in limits if of]
    return max(spent, key=lambda one: one["share"], default=None)


def _end(settings: Settings, known: dict[str, Any], journal: Journal, rate: float, now: float) -> float | None:
    """When the crawl will end if it goes on as it does; None where no end is in sight."""
    ends = []
    if settings.max_pages and rate > 0:
        ends.append(now + max(0, settings.max_pages - known["stored"]) / rate)
    if settings.max_seconds and journal.started:
        ends.append(journal.started + settings.max_seconds)
    lately = [point for point in journal.points if journal.points[-1].seconds - point.seconds <= 120.0]
    if len(lately) > 2 and lately[0].queued > lately[-1].queued and lately[-1].seconds > lately[0].seconds:
        drain = (lately[0].queued - lately[-1].queued) / (lately[-1].seconds - lately[0].seconds)
        ends.append(now + lately[-1].queued / drain)
    return min((end for end in ends if end < now + SOON), default=None)


def _sentence(folder: str, told: dict[str, Any], known: dict[str, Any], journal: Journal, settings: Settings, now: float) -> str:
    again = f"garimpo crawl --resume {shlex.quote(folder)}"
    if told["state"] == "not begun":
        return "not begun yet"
    if told["state"] in ("running", "paused"):
        since = f"{told['state']} since {moment(journal.started or now, now)} ({duration(now - (journal.started or now))})"
        ends = f", ends {_ahead(told['ends_at'] - now)}" if told["ends_at"] else ""
        return f"{since}: {how_far(known, told['budget'], settings)}{ends}"
    if told["state"] == "cut off":
        last = f" after {moment(journal.last, now)}" if journal.last else ""
        return f"cut off{last} without a word; what was committed is whole. Go on with: {again}"
    after = duration((journal.ended or now) - (journal.started or now))
    because = ended_because(told["ended"], folder, known["queued"], settings)
    return f"ended {moment(journal.ended or now, now)} after {after}: {because}"


def how_far(known: dict[str, Any], budget: dict[str, Any] | None, settings: Settings) -> str:
    """How much of what it may do, or knows of, a crawl has done.

    Args:
        known: the counters of the crawl.
        budget: the budget spent furthest.
        settings: the settings of the crawl.
    """
    stored = known["stored"]
    if settings.max_pages:
        return f"{stored:,} of {count(settings.max_pages, 'page')} ({share(stored, settings.max_pages)})"
    met = f"{stored:,} of {stored + known['queued']:,} pages known so far"
    return f"{met}, {budget['share']:.0%} of its {budget['kind']}".replace("%", " %") if budget else met


def ended_because(why: str, folder: str, queued: int, settings: Settings) -> str:
    """Why a crawl ended, and how to go on with it.

    Args:
        why: what the loop says.
        folder: the crawl folder.
        queued: how many URLs are queued.
        settings: the settings of the crawl.

    >>> ended_because("what is left must wait", "c", 8, Settings())
    '8 URLs wait for hosts that asked for a pause. Go on with: garimpo crawl --resume c'
    """
    again = f"Go on with: garimpo crawl --resume {shlex.quote(folder)}"
    if why == "nothing left":
        return "nothing is left to fetch"
    if why == "what is left must wait":
        return f"{count(queued, 'URL')} wait{'s' if queued == 1 else ''} for hosts that asked for a pause. {again}"
    if why == "page budget spent":
        left = f", {count(queued, 'URL')} still queued. {again} --max-pages {2 * settings.max_pages}" if queued else ""
        return f"all {count(settings.max_pages, 'page')} that it may store are stored{left}"
    if why == "stopped":
        return f"it was stopped. {again}"
    return f"{why}, {count(queued, 'URL')} still queued. {again}"


def _ahead(seconds: float) -> str:
    """
    >>> _ahead(20), _ahead(130), _ahead(4000)
    ('within a minute', 'in about 2 min', 'in about 1 h 7 min')
    """
    return "within a minute" if seconds < 60 else f"in about {duration(round(seconds / 60) * 60)}"
