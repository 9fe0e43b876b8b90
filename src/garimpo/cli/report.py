"""``garimpo report``: a crawl told on one HTML page."""

from pathlib import Path

from garimpo.cli.options import Json, NoChance, Out
from garimpo.cli.output import emit, require_folders


def report(
    folder: Path,
    *,
    out: Out,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Write a crawl's figures, curves and learned rules as one offline page.

    For example:
      garimpo report mycrawl --out report.html

    Args:
        folder: A crawl folder.
        out: The HTML file to write.
    """
    from garimpo.crawl.watch.report import crawl_report

    require_folders(out)
    crawl_report(folder).write(out)
    emit({"report": str(out)}, json, [f"report: {out}"])
