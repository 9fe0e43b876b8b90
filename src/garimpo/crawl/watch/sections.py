"""What a crawl shows of itself, piece by piece: the same in its report and in the dashboard."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from garimpo.crawl.watch.journal import Journal
from garimpo.crawl.watch.queries.broken import answer_words
from garimpo.crawl.watch.queries.rule_views import compared
from garimpo.crawl.watch.queries.rule_words import reason_words
from garimpo.crawl.watch.queries.savings import Savings, new_per_fetch
from garimpo.report.curves import Curve, curves
from garimpo.report.page import drawn
from garimpo.report.pieces import Html, bars, chip, coloured, details, joined, table, tag
from garimpo.report.pieces import tiles as tile_row
from garimpo.report.words import count, moment, rate, share, size

Parts = Sequence[tuple[str, str]]
ShowUrl = Callable[..., Html]
"""How a URL is shown, perhaps in marked parts: as text in a report, as a link to all that is known of it in the dashboard."""


def as_code(url: str, parts: Parts | None = None) -> Html:
    """A URL as text.

    Args:
        url: the URL.
        parts: it in parts, some of them marked.
    """
    return coloured(parts or [(url, "")])


def tiles(status: dict[str, Any]) -> Html:
    """The six figures that matter most.

    Args:
        status: the record of `status`.
    """
    stored, skipped = status["stored"], status["skipped"]
    saved = skipped.get("dust", 0) + skipped.get("mirror", 0)
    figures: list[tuple[str, object, object]] = [
        ("different pages", f"{status['different']:,}", f"{share(status['different'], stored)} of what is stored"),
        ("stored", f"{stored:,}", f"{status['duplicates']:,} repeat another" if status["duplicates"] else ""),
    ]
    if status["focused"]:
        figures.append(("on topic", f"{status['on_topic']:,}", f"{share(status['on_topic'], stored)} of what is stored"))
    figures += [
        ("fetches saved", f"{saved:,}", learned_words(status)),
        ("queued", f"{status['queued']:,}", f"{status['postponed']:,} postponed" if status["postponed"] else ""),
        ("errors", f"{status['errors']:,}", f"{share(status['errors'], stored)} of what is stored" if status["errors"] else ""),
        speed_tile(status),
    ]
    return tile_row(figures)


def speed_tile(status: dict[str, Any]) -> tuple[str, object, object]:
    """How fast, and how much.

    Args:
        status: the record of `status`.
    """
    mean = rate(status["pages_per_second"])
    if status["rate"]:
        return "pages a second", rate(status["rate"]), f"{mean} in the mean, {size(status['bytes'])}"
    return "pages a second", mean, f"{size(status['bytes'])} in all"


def learned_words(status: dict[str, Any]) -> str:
    """What is in force.

    Args:
        status: the record of `status`.
    """
    parts = [count(status["rules"], "rule")] if status["rules"] else []
    parts += [f"{count(status['folds'], 'host')} folded"] if status["folds"] else []
    return ", ".join(parts)


def charts(journal: Journal, status: dict[str, Any], found: Savings) -> Html:
    """How the crawl went over time: done and queued with what is ahead, new pages a fetch, speed, errors, topic.

    Args:
        journal: its log.
        status: the record of `status`.
        found: what learning saved.
    """
    points = journal.points
    if len(points) < 2:
        return tag("p", "There is nothing to draw yet.", class_="quiet")
    done = [(point.seconds, float(point.stored)) for point in points]
    ahead = _ahead(done, status)
    lines = [Curve("stored", done), *ahead]
    lines.append(Curve("queued", [(point.seconds, float(point.queued)) for point in points]))
    told = "Answers stored, and URLs that wait" + ("; dashed: if it goes on like this." if ahead else ".")
    shown = [drawn(curves("stored and queued", lines), told)]
    fresh, plain = new_per_fetch(points, found.share)
    if len(fresh) > 1:
        both = [Curve("learning", fresh), *([Curve("without", plain, True)] if found.saved else [])]
        told = "The share of fetches that bring a page not seen before" + (
            "; dashed: estimated for a crawl that fetches what was skipped, too." if found.saved else "."
        )
        shown.append(drawn(curves("new pages a fetch", both, top=1.0), told))
    shown.append(drawn(curves("pages a second", [Curve("", _speed(done))]), _speed_words(status)))
    if status["focused"]:
        topic = [(point.seconds, float(point.on_topic)) for point in points]
        shown.append(drawn(curves("on topic", [Curve("on topic", topic), Curve("stored", done)]), "Pages on topic over time."))
    elif status["errors"]:
        wrong = [(point.seconds, float(point.errors)) for point in points]
        shown.append(drawn(curves("errors", [Curve("errors", wrong)]), "What could not be fetched, added up."))
    return tag("div", *shown, class_="charts")


def _ahead(done: list[tuple[float, float]], status: dict[str, Any]) -> list[Curve]:
    if not status["ends_at"] or not status["rate"]:
        return []
    left = min(status["ends_at"] - status["now"], max(60.0, done[-1][0]))
    return [Curve("", [done[-1], (done[-1][0] + left, done[-1][1] + status["rate"] * left)], True)] if left > 0 else []


def _speed(done: list[tuple[float, float]]) -> list[tuple[float, float]]:
    found, (before, stored) = [], done[0]
    for at, now in done[1:]:
        if at - before >= max(1.0, done[-1][0] / 60):
            found.append((at, (now - stored) / (at - before)))
            before, stored = at, now
    return found or [(0.0, 0.0)]


def _speed_words(status: dict[str, Any]) -> str:
    now = f"{rate(status['rate'])} now, " if status["rate"] else ""
    return f"Answers stored a second: {now}{rate(status['pages_per_second'])} in the mean."


def rule_table(views: Sequence[dict[str, Any]], show: ShowUrl, actions: Callable[[dict[str, Any]], Html] | None = None) -> Html:
    """Rules in words, with a true example, what they saved and how their checks went.

    Args:
        views: of `rule_views`.
        show: how a URL is shown.
        actions: what can be done about a rule.
    """
    rows = []
    for view in views:
        said = joined([tag("b", view["words"]), tag("div", _example(view, show), class_="example"), _by_host(view)])
        rows.append([said, view["saved"], _checks(view), _where(view["hosts"]), *([actions(view)] if actions else [])])
    heads = ["what it says", "fetches saved", "checks", "hosts", *([""] if actions else [])]
    return table(heads, rows, nothing="No rule was learned.")


def _example(view: dict[str, Any], show: ShowUrl) -> Html:
    if view["example"] is not None:
        url, owner = view["example"]["url"], view["example"]["owner"] or ""
    elif len(view["made_from"]) == 2:
        url, owner = view["made_from"]
    else:
        return Html("")
    left, right = compared(url, owner)
    return joined([coloured(left), tag("br"), "→ ", coloured(right)]) if owner else show(url)


def _checks(view: dict[str, Any]) -> Html:
    if not view["checks"]:
        return chip("not checked yet", "wait")
    passed = view["checks"] - view["unequal"]
    told = chip(f"{passed:,} of {view['checks']:,} equal", "bad" if view["unequal"] else "good")
    return joined([told, " ", chip(f"withdrawn on {count(view['withdrawn'], 'host')}", "bad")]) if view["withdrawn"] else told


def _by_host(view: dict[str, Any]) -> Html:
    if len(view["record"]) < 2:
        return Html("")
    rows = [
        [one["host"], one["skips"], one["checks"], one["unequal"], chip("withdrawn", "bad") if one["withdrawn"] else None]
        for one in view["record"]
    ]
    heads = ["host", "URLs it spoke of", "checks", "unequal", ""]
    return details(f"on {count(len(rows), 'host')}", table(heads, rows), name=f"rule-{view['id']}")


def _where(hosts: Sequence[str]) -> str:
    if "*" in hosts:
        return "every host"
    return ", ".join(hosts) if len(hosts) < 3 else f"{hosts[0]} and {len(hosts) - 1:,} more"


def fold_table(views: Sequence[dict[str, Any]], actions: Callable[[dict[str, Any]], Html] | None = None) -> Html:
    """Hosts that are taken for copies, with the evidence of the checks.

    Args:
        views: of `fold_views`.
        actions: what can be done about a fold.
    """
    rows = []
    for view in views:
        example = Html("")
        if view["example"] is not None and view["example"]["owner"]:
            left, right = compared(view["example"]["url"], view["example"]["owner"])
            example = joined([coloured(left), tag("br"), coloured(right)])
        names = (f"{view['host']}{_prefix(view['prefix'])}", f"{view['keep_host']}{_prefix(view['keep_prefix'])}")
        rows.append([*names, view["saved"], _checks(view), example, *([actions(view)] if actions else [])])
    heads = ["copy", "kept host", "fetches saved", "checks", "for example", *([""] if actions else [])]
    return table(heads, rows, nothing="No host is known to be a copy of another.")


def _prefix(prefix: str) -> str:
    return "" if prefix == "/" else prefix


def error_table(rows: Sequence[dict[str, Any]], show: ShowUrl) -> Html:
    """What could not be fetched, and where it is linked from.

    Args:
        rows: of `broken`.
        show: how a URL is shown.
    """
    cells = [
        [
            chip(answer_words(row["status"], row["error"]), "bad"),
            show(row["url"]),
            show(row["parent"]) if row["parent"] else "a seed",
        ]
        for row in rows
    ]
    return table(["answer", "URL", "linked from"], cells, nothing="Nothing failed.")


def skipped_table(rows: Sequence[dict[str, Any]], show: ShowUrl, words: Mapping[str, str]) -> Html:
    """What was not fetched, why, and the page that stands for it.

    Args:
        rows: of `skipped.newest`.
        show: how a URL is shown.
        words: what rules say, by their names.
    """
    cells = []
    for row in rows:
        why = words.get(row["rule"] or "") or reason_words(row["reason"], row["rule"])
        left, right = compared(row["url"], row["owner"]) if row["owner"] else (None, None)
        instead = show(row["owner"], right) if row["owner"] else None
        cells.append([chip(row["reason"]), show(row["url"], left), why, instead])
    return table(["reason", "URL", "why", "it repeats"], cells, nothing="Nothing was skipped.")


def host_table(rows: Sequence[dict[str, Any]], show: Callable[[str], object], focused: bool) -> Html:
    """Hosts, and what became of their pages.

    Args:
        rows: of `Tallies.hosts`.
        show: how a host is shown.
        focused: whether the crawl has a topic.
    """
    heads = ["host", "fetched", "repeated", "errors", *(["on topic"] if focused else []), "size"]
    cells = [
        [show(row["host"]), row["fetched"], row["repeated"] or None, row["errors"] or None,
         *([row["wanted"] or None] if focused else []), size(row["bytes"])]
        for row in rows
    ]  # fmt: skip
    return table(heads, cells, nothing="No host was asked yet.")


def breakdown(title: str, values: Mapping[Any, int], name: Callable[[Any], str] = str) -> Html:
    """How many there are of each kind, as bars; nothing where there is only one kind.

    Args:
        title: what the kinds are.
        values: how many of each.
        name: how a kind is called.
    """
    if not values:
        return Html("")
    whole = sum(values.values())
    shown = {name(kind): float(number) for kind, number in values.items()}
    told = {name(kind): f"{number:,} ({share(number, whole)})" for kind, number in values.items()}
    return tag("section", tag("h3", title), bars(shown, told))


def note_lines(journal: Journal, limit: int = 12) -> Html:
    """What was noted in the log lately, newest first.

    Args:
        journal: the log.
        limit: so many at most.
    """
    rows = [[moment_of(note["at"]), note_words(note)] for note in list(journal.notes)[-limit:][::-1]]
    return table(["at (UTC)", "what happened"], rows, nothing="Nothing of note so far.")


def moment_of(stamp: str) -> str:
    """The time of a line of the log.

    Args:
        stamp: as it stands there.

    >>> moment_of("2026-11-18T06:04:29.353+00:00")
    '06:04:29'
    """
    return stamp[11:19]


def note_words(note: dict[str, Any]) -> str:
    """One line of the log in words.

    Args:
        note: the line.

    >>> note_words({"event": "learned", "kind": "rules", "version": 3, "hosts": 2, "left_the_queue": 1})
    'learned: rules, version 3; 1 URL left the queue'
    """
    kind = note["event"]
    if kind == "learned" and "problem" not in note:
        left = f"; {count(note['left_the_queue'], 'URL')} left the queue" if note.get("left_the_queue") else ""
        return f"learned: {note['kind']}, version {note['version']}{left}"
    if kind == "withdrawn":
        return f"withdrawn: rule {note['rule']} on {note['host']}, as its checks showed other pages"
    if kind == "trap":
        return f"a trap on {note['host']}: {reason_words('trap', note['trap'])}"
    told = ", ".join(f"{name} {value}" for name, value in note.items() if name not in ("at", "event"))
    return f"{kind}: {told}" if told else kind


def times(status: dict[str, Any]) -> list[list[str]]:
    """When the crawl began and ended.

    Args:
        status: the record of `status`.
    """
    known = [("began", status["begun_at"]), ("ended", status["ended_at"])]
    return [[name, f"{moment(at)} UTC"] for name, at in known if at]
