"""``garimpo status``: how far a crawl is, also while it runs."""

import sys
import time
from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, NoChance, Switch
from garimpo.cli.output import emit

SECONDS = 2.0
"""Between two looks of `--watch`."""


def status(folder: Path, *, watch: Switch = False, errors: Switch = False, json: Json = False, seed: NoChance = 0) -> None:
    """Show how far the crawl in FOLDER is, by its last commit.

    For example:
      garimpo status crawl
      garimpo status crawl --watch
      garimpo status crawl --errors

    Args:
        folder: A crawl folder.
        watch: Look again every two seconds, until the crawl has ended.
        errors: List what could not be fetched: status, URL, the page that links to it.
    """
    from garimpo.crawl import status as status_of

    if errors:
        _show_errors(folder, json)
        return
    result = status_of(folder)
    while watch and result["state"] in ("running", "paused"):
        _redraw(result, json)
        time.sleep(SECONDS)
        result = status_of(folder)
    _clear(watch)
    emit(result, json, [result["sentence"], *lines(result)])


def lines(status: dict[str, Any]) -> list[str]:
    """What matters of a status, a line each; what is zero is left out.

    Args:
        status: the record.
    """
    from garimpo.report.words import count, duration, listed, rate, share, size

    stored, skipped = status["stored"], status["skipped"]
    learned = [count(status["rules"], "URL rule")] if status["rules"] else []
    learned += [f"{count(status['folds'], 'host')} folded into others"] if status["folds"] else []
    learned += [f"{count(status['withdrawn'], 'time')} a rule was withdrawn on a host"] if status["withdrawn"] else []
    saved = skipped.get("dust", 0) + skipped.get("mirror", 0)
    left = [f"{reason} {number:,}" for reason, number in sorted(skipped.items(), key=lambda one: -one[1]) if number]
    mean = f"{rate(status['pages_per_second'])} pages/s in the mean of {duration(status['crawl_seconds'])}"
    told = [
        ("stored", f"{stored:,}, of these {count(status['different'], 'different page')}", stored),
        ("on topic", f"{status['on_topic']:,} ({share(status['on_topic'], stored)} of what is stored)", status["focused"]),
        ("topic", ", ".join(status["topic"].get("words", [])), status["topic"].get("words")),
        ("repeated", f"{status['duplicates']:,} repeat a page fetched before", status["duplicates"]),
        ("errors", f"{status['errors']:,} (garimpo status {status['folder']} --errors)", status["errors"]),
        ("redirects", f"{status['redirects']:,}", status["redirects"]),
        ("unchanged", f"{status['unchanged']:,} since they were fetched last", status["unchanged"]),
        ("queued", f"{status['queued']:,}" + (f", {status['postponed']:,} of them postponed" if status["postponed"] else ""),
         status["queued"]),
        ("to come", _to_come(status["saturation"]), status["saturation"] and status["queued"]),
        ("apart", listed(_apart(status)), _apart(status)),
        ("hosts", f"{status['hosts']:,}", status["hosts"]),
        ("learned", listed(learned), learned),
        ("learner", _learner(status["studied"]), status["studied"]),
        ("saved", f"{count(saved, 'fetch', 'fetches')} by what was learned; {count(status['checked'], 'URL')} fetched as checks",
         saved),
        ("skipped", ", ".join(left), left),
        ("size", size(status["bytes"]), status["bytes"]),
        ("speed", (f"{rate(status['rate'])} pages/s now, " if status["rate"] else "") + mean, stored),
        ("rounds", f"{status.get('rounds', 0):,}", status.get("rounds")),
        ("faults", f"{status['faults']:,} pages we could not read (crawl.log has them)", status["faults"]),
        ("PDF", f"{count(status['unread_pdf'], 'document')} without text{_pdf_hint()}", status["unread_pdf"]),
        ("set aside", f"{size(status['dropped_bytes'])} in state/dropped", status["dropped_bytes"]),
    ]  # fmt: skip
    return [f"  {name:<10} {text}" for name, text, matters in told if matters]


def _to_come(found: dict[str, Any]) -> str:
    """What the last fetches let expect of those to come."""
    if not found:
        return ""
    expected = f"{found['low']:,} to {found['high']:,} new pages, if what waits is like the last {found['fetches']:,} fetches"
    return f"{expected} ({found['new']:,} of them were new)"


def _apart(status: dict[str, Any]) -> list[str]:
    """Answers that bring nothing, whatever is on them."""
    kinds = {"noindex": "not to be indexed", "unread": "of unwanted types", "empty": "empty without scripts"}
    return [f"{status[name]:,} {words}" for name, words in kinds.items() if status[name]]


def _learner(studied: dict[str, Any]) -> str:
    """How far the learner is, and what came of its last round."""
    if not studied:
        return ""
    said = "".join(f"; {kind}: {words}" for kind, words in studied["said"].items())
    return f"{studied['rounds']:,} rounds, {studied['lag']:,} answers behind (next at {studied['next_due']:,}){said}"


def _pdf_hint() -> str:
    from garimpo.page.pdf import has_pdf

    return "" if has_pdf() else " (the extra reads them: pip install 'garimpo[pdf]')"


def _show_errors(folder: Path, json: bool) -> None:
    from garimpo.archive import Store
    from garimpo.contract.errors import printable
    from garimpo.crawl.watch.queries.broken import answer_words, broken

    with Store.open(folder, write=False, quick=True) as store:
        rows = broken(store)
    fields = ([answer_words(row["status"], row["error"]), row["url"], row["parent"] or "-"] for row in rows)
    emit({"errors": rows}, json, ("\t".join(map(printable, several)) for several in fields))


def _redraw(status: dict[str, Any], json: bool) -> None:
    if json or not sys.stdout.isatty():
        emit(status, json, [status["sentence"]])
        return
    print("\x1b[H\x1b[2J" + "\n".join([status["sentence"], *lines(status)]), flush=True)


def _clear(watch: bool) -> None:
    if watch and sys.stdout.isatty():
        print("\x1b[H\x1b[2J", end="")
