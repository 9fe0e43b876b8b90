"""``garimpo why``: what became of a URL in a crawl, and why."""

from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, NoChance
from garimpo.cli.output import emit


def why(folder: Path, url: str, *, json: Json = False, seed: NoChance = 0) -> None:
    """Say whether the crawl in FOLDER fetched URL, will fetch it, skipped it or never met it; and by which rule and evidence.

    For example:
      garimpo why crawl http://example.org/page?sort=name

    Args:
        folder: A crawl folder.
        url: The URL to ask about.
    """
    from garimpo.contract.errors import printable
    from garimpo.crawl import why as ask

    result = ask(folder, url)
    emit(result, json, map(printable, _lines(result)))


def _lines(told: dict[str, Any]) -> list[str]:
    lines = [told["url"], f"{told['state']}: {told['why']}"]
    if told.get("rule"):
        words = told.get("rule_in_words")
        lines.append(f"rule: {told['rule']}" + (f" (version {told['version']})" if told.get("version") else ""))
        lines += [f"it says: {words}"] if words else []
    if told.get("owner"):
        lines.append(f"stands for it: {told['owner']}{_answer(told)}")
    if evidence := told.get("evidence"):
        lines.append(_evidence(evidence, told["host"]))
    if told.get("shape"):
        lines.append(_shape(told))
    if told.get("host_next_at"):
        lines.append(f"its host is asked every {told['host_delay']:g} s, not before {told['host_next_at']}")
    lines += [f"{event.pop('event')}: {_event(event)}" for event in map(dict, told["history"])]
    return lines


def _answer(told: dict[str, Any]) -> str:
    return f" (answered {told['owner_status']})" if "owner_status" in told else " (not fetched yet)"


def _evidence(evidence: dict[str, Any], host: str) -> str:
    same = evidence["checks"] - evidence["unequal"]
    withdrawn = "; withdrawn there" if evidence["withdrawn"] else ""
    return f"checked on {host}: {same} of {evidence['checks']} showed the same page; {evidence['skips']:,} met{withdrawn}"


def _shape(told: dict[str, Any]) -> str:
    seen = f"{told['shape_new']} of {told['shape_fetched']} looked at were new" if told["shape_fetched"] else "none was fetched"
    return f"its shape: {told['shape']} ({seen}; expected gain {told['expected_gain']:.2f})"


def _event(event: dict[str, Any]) -> str:
    return ", ".join(
        f"{name} {value:.3g}" if isinstance(value, float) else f"{name} {value}"
        for name, value in event.items()
        if value is not None
    )
