"""``garimpo demo``: the whole loop on the built-in web, against its truth."""

import tempfile
import time
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from garimpo.cli.output import emit, note


def demo(
    *,
    out: Annotated[Path | None, Parameter(help="an empty folder for the web, the crawls and the report")] = None,
    pages: Annotated[int, Parameter(help="the budget of each crawl")] = 3000,
    json: bool = False,
    seed: int = 1,
) -> None:
    """Make a small web, crawl it plainly and learning, and count both against the truth. No network is used.

    Example: garimpo demo
    """
    from garimpo.contract import BadInput
    from garimpo.engine.jit import all_compiled

    if out is not None and out.exists() and any(out.iterdir()):
        raise BadInput(f"{out}: not empty")
    if pages < 1:
        raise BadInput(f"--pages {pages}: at least 1")
    if not all_compiled():
        note("kernels are compiled first (once; about a minute)")
    from garimpo.demo.run import run
    from garimpo.demo.show import COLUMNS, as_text, rows, site_lines, topic_lines, write_report

    started = time.perf_counter()
    folder = out or Path(tempfile.mkdtemp(prefix="garimpo-demo-"))
    result = run(folder, seed, pages, note)
    report = write_report(result)
    seconds = round(time.perf_counter() - started, 1)
    found = {row[0]: dict(zip(COLUMNS[1:], row[1:])) for row in rows(result)}
    topic = {one.name: {"topic": one.topic, "fetched": one.fetched, "on topic": one.found} for one in result.harvests}
    lines = [*as_text(result), "", *topic_lines(result), "", *site_lines(result), "", f"report: {report}", f"{seconds} s in all"]
    collected = {one.name: {"found": one.found, "wrong": one.wrong, "of": one.of, "pages": one.pages} for one in result.collected}
    emit({"crawls": found, "topic": topic, "sites": collected, "report": report, "seconds": seconds}, json, lines)
