"""One real application, crawled without and with learning: what a request brings, in a few lines and a figure."""

from pathlib import Path

from garimpo.report.curves import Curve, curves
from realweb.application import Application
from realweb.crawls import run_crawl
from realweb.measures import Scale, first_with
from realweb.upstream import open_source

POINTS = 120


def show(application: Application, data: Path, requests: int, figure: Path) -> None:
    """Crawl twice with the same budget, tell what was found and write the figure.

    Args:
        application: one that was set up.
        data: where everything is kept.
        requests: how many a crawl may make.
        figure: documents found over requests made.
    """
    source = open_source(application, data)
    try:
        runs = {
            words: run_crawl(source, data / "crawls" / f"demo-{application.name}" / words, requests, words == "learning", seed=0)
            for words in ("plain", "learning")
        }
        scale = Scale(source)
        for run in runs.values():  # both are judged before one is counted: what is a document must be known by then
            scale.measure(run)
        found = {words: scale.measure(run) for words, run in runs.items()}
        growth = {words: scale.growth(run.asked) for words, run in runs.items()}
    finally:
        source.close()
    goal = -(-min(counts[-1] for counts in growth.values()) * 9 // 10)
    for words, one in found.items():
        print(
            f"{words:9}{one.requests:6,} requests {one.documents:5,} documents {one.duplicates:5,} pages fetched again; "
            f"{goal} documents after {first_with(growth[words], goal):,} requests"
        )
    told = found["learning"]
    print(f"learning skipped {told.claimed:,} URLs as known; {told.wrong} of them lost a page (each was fetched and compared)")
    step = max(1, requests // POINTS)
    lines = [Curve(words, [(at, counts[at]) for at in range(0, len(counts), step)]) for words, counts in growth.items()]
    figure.parent.mkdir(parents=True, exist_ok=True)
    curves(f"{application.name}: documents found over requests", lines, time=False).save(figure)
    print(f"written: {figure}")
