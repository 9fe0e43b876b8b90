"""``garimpo report``: a crawl told on one HTML page."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from garimpo.cli.output import emit


def report(
    folder: Annotated[Path, Parameter(help="a crawl folder")],
    *,
    out: Annotated[Path, Parameter(help="the HTML file to write")],
    json: bool = False,
    seed: int = 0,
) -> None:
    """Write a crawl's figures, curves and learned rules as one offline page.

    Example: garimpo report mycrawl --out report.html
    """
    from garimpo.crawl.summary import crawl_report

    crawl_report(folder).write(out)
    emit({"report": str(out)}, json, [f"report: {out}"])
