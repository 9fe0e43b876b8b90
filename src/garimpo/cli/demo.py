"""``garimpo demo``: the whole loop on the built-in web, against its truth."""

import tempfile
import time
from pathlib import Path

from garimpo.cli.options import Json, OptionalOut, Seed
from garimpo.cli.output import emit, note


def demo(
    *,
    out: OptionalOut = None,
    pages: int = 3000,
    json: Json = False,
    seed: Seed = 1,
) -> None:
    """Make a small web, crawl it plainly and learning, and count both against the truth. No network is used.

    For example:
      garimpo demo

    Args:
        out: A new or empty folder for the web, the crawls and the report (a temporary one, unless given).
        pages: How many pages each crawl may fetch.
    """
    from garimpo.contract import BadInput

    if out is not None and out.exists() and any(out.iterdir()):
        raise BadInput(f"{out}: not empty")
    if pages < 1:
        raise BadInput(f"--pages {pages}: at least 1")
    from garimpo.demo.crawls import run
    from garimpo.demo.show import COLUMNS, as_text, rows, write_report

    started = time.perf_counter()
    folder = out or Path(tempfile.mkdtemp(prefix="garimpo-demo-"))
    result = run(folder, seed, pages, note)
    report = write_report(result)
    seconds = round(time.perf_counter() - started, 1)
    found = {row[0]: dict(zip(COLUMNS[1:], row[1:])) for row in rows(result)}
    topic = {one.name: {"topic": one.topic, "fetched": one.fetched, "on topic": one.found} for one in result.harvests}
    lines = [*as_text(result), "", f"Took {seconds:,.0f} s. All of it, with curves and the rules that were learned: {report}"]
    collected = {one.name: {"found": one.found, "wrong": one.wrong, "of": one.of, "pages": one.pages} for one in result.collected}
    emit({"crawls": found, "topic": topic, "sites": collected, "report": report, "seconds": seconds}, json, lines)
