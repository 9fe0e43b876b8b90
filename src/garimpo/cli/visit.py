"""``garimpo visit``: walk over a crawl folder by a strategy, and see what it would have found when."""

from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, Seed, Written
from garimpo.cli.output import emit, note, progress

HOSTS = 25
"""So many hosts a report shows."""


def visit(
    folder: Path,
    *,
    topic: Path,
    seeds: Path,
    strategy: str = "garimpo",
    budget: int | None = None,
    relevant: Path | None = None,
    plot: Written = None,
    alpha: float = 0.5,
    states: int = 6,
    tfidf: bool = True,
    kept: Path | None = None,
    keep: Written = None,
    trace: Written = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Visit a stored crawl from its seeds by one or more strategies, each page scored by a topic, and measure the order.

    For example:
      garimpo visit crawl --topic topic.model --seeds seeds.txt --strategy garimpo,best,bfs --budget 10000 --plot visits.html
      garimpo visit crawl --topic topic.model --seeds seeds.txt --relevant truth.txt --json
      garimpo visit crawl --topic topic.model --seeds seeds.txt --strategy hmm --keep distances.model

    Args:
        folder: The crawl folder.
        topic: A model made by topic train.
        seeds: URLs to begin with, one a line.
        strategy: garimpo, bfs, dfs, random, best, best-dynamic, shark, distiller, backlink, pagerank, hot, context,
            liu, hmm, hmm-static; or several, with commas.
        budget: How many pages to visit at most (all, unless given).
        relevant: URLs that are relevant, one a line; without it the topic itself decides.
        plot: Draw what was found when, all strategies in one figure: .html, .svg or .png. The .html also shows the
            hosts each strategy visited most, and what share of their pages was relevant.
        alpha: hmm: how much the estimated distance counts beside the page's probability, from 0 to 1.
        states: hmm: how many distances are told apart.
        tfidf: hmm: weigh words by tf-idf, or by how often they occur alone.
        kept: hmm: begin with a model kept by --keep on the same crawl folder, which then no longer learns.
        keep: hmm: write what was learned.
        trace: hmm: write a line for each page visited: URL, probability, observation and state, between tabs.
    """
    from garimpo.contract import BadInput
    from garimpo.focus import TopicModel, Tuning, read_urls
    from garimpo.focus import visit as walk_over

    if budget is not None and budget < 1:
        raise BadInput(f"--budget {budget}: at least 1")
    strategies = [name.strip() for name in strategy.split(",") if name.strip()]
    model, starts = TopicModel.load(topic), read_urls(seeds)
    labels = None if relevant is None else read_urls(relevant)
    with progress("visiting") as bar:
        result = walk_over(
            folder, model, starts, strategies, budget=budget, relevant=labels, seed=seed, progress=bar.advance,
            hosts=plot is not None and plot.suffix == ".html", tuning=Tuning(alpha, states, tfidf, kept, keep, trace),
        )  # fmt: skip
    if result["dangling"]:
        note(f"{result['dangling']:,} links lead to pages that are not stored, or to their own page, and were passed over")
    if not result["links"]:
        note("the crawl folder has no link between its pages: nothing but the seeds can be visited")
    if plot is not None:
        _draw(result, plot)
    visits = result["visits"]
    shown = {**visits[0], "pages": result["pages"]} if len(visits) == 1 else result
    emit(shown, json, [_line(one) for one in visits])


def _line(one: dict[str, Any]) -> str:
    return (
        f"{one['strategy']:>12}: {one['relevant']:,} of {one['relevant_total']:,} relevant in {one['visited']:,} pages"
        f" (harvest {one['harvest']:.3f}, auc {one['auc']:.4f}, pref {one['pref']:.4f})"
    )


def _draw(result: dict[str, Any], path: Path) -> None:
    from garimpo.contract import BadInput
    from garimpo.report import Report, line_plot
    from garimpo.report.pieces import bars
    from garimpo.report.words import share

    if path.suffix not in (".html", ".svg", ".png"):
        raise BadInput(f"{path}: a plot is .html, .svg or .png")
    series = {one["strategy"]: [tuple(point) for point in one["curve"]] for one in result["visits"]}
    total, most = (max(one[name] for one in result["visits"]) for name in ("relevant_total", "visited"))
    series["omniscient"] = [(0, 0), (min(total, most), min(total, most)), (most, min(total, most))]
    figure = line_plot(series, "pages visited", "relevant pages found", "What was found when")
    if path.suffix == ".html":
        report = Report("Simulated visits")
        report.figure(figure, "Relevant pages found over pages visited.")
        names = ("strategy", "visited", "relevant", "relevant_total", "harvest", "auc", "pref")
        report.table(names, [[one[name] for name in names] for one in result["visits"]])
        for one in result["visits"]:
            hosts = sorted(one["hosts"]["pages"], key=lambda host: -host[1])[:HOSTS]
            report.heading(f"Hosts visited most: {one['strategy']}")
            told = {name: f"{visited:,}, {share(good, visited)} relevant" for name, visited, good in hosts}
            report.add(bars({name: float(visited) for name, visited, _ in hosts}, told))
        report.write(path)
        return
    figure.save(path)
