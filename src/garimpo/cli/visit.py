"""``garimpo visit``: walk over a crawl folder by a strategy, and see what it would have found when."""

from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, OptionalOut, Seed, Written
from garimpo.cli.output import emit, note, progress, require_folders, require_tables

HOSTS = 25
"""So many hosts a report shows."""
PLOTS = (".html", ".svg", ".png")
POINTS = 200
"""So many points a curve of a report has."""


def visit(
    folder: Path,
    *,
    topic: Path,
    seeds: Path,
    strategy: str = "garimpo",
    budget: int | None = None,
    relevant: Path | None = None,
    out: OptionalOut = None,
    curve: Written = None,
    plot: Written = None,
    alpha: float = 0.5,
    states: int = 6,
    tfidf: bool = True,
    kept: Path | None = None,
    kept_words: Path | None = None,
    roots: Path | None = None,
    keep: Written = None,
    trace: Written = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Visit a stored crawl from its seeds by one or more strategies, each page scored by a topic, and measure the order.

    For example:
      garimpo visit crawl --topic topic.model --seeds seeds.txt --strategy garimpo,best,bfs --budget 10000 --plot visits.html
      garimpo visit crawl --topic topic.model --seeds seeds.txt --relevant truth.txt --out order.parquet --json
      garimpo visit crawl --topic topic.model --seeds seeds.txt --strategy hmm --keep distances.model

    Args:
        folder: The crawl folder.
        topic: A model made by topic train.
        seeds: URLs to begin with, one a line.
        strategy: garimpo, bfs, dfs, random, best, best-dynamic, shark, distiller, backlink, pagerank, hot, context,
            liu, hmm, hmm-static, hmm-literal (as its source has it); or several, with commas.
        budget: How many pages to visit at most (all, unless given).
        relevant: URLs that are relevant, one a line; without it the topic itself decides.
        out: Write the order of each visit: strategy, t, url, score and relevant.
        curve: Write what each visit had after each page: strategy, t, found, f1 and pref.
        plot: Draw what was found when, all strategies in one figure: .html, .svg or .png. The .html also has F1(t) and
            Pref(t), the hosts each strategy visited most, and what share of their pages was relevant.
        alpha: hmm: how much the estimated distance counts beside the page's probability, from 0 to 1.
        states: hmm: how many distances are told apart.
        tfidf: hmm: weigh words by tf-idf, or by how often they occur alone.
        kept: hmm: begin with a model kept by --keep on the same crawl folder, which then no longer learns.
        kept_words: hmm: the same, but that only what it knows of words is taken up.
        roots: context: URLs of examples from which the context graph is made, one a line (without it the ten pages that
            the topic is surest of).
        keep: hmm: write what was learned.
        trace: hmm: write a line for each page visited: URL, probability, observation and state, between tabs.
    """
    import pyarrow as pa

    from garimpo.contract import BadInput
    from garimpo.contract.table_files import write_table
    from garimpo.focus import TopicModel, Tuning, read_urls
    from garimpo.focus import Written as Pages
    from garimpo.focus import visit as walk_over

    require_tables(out, curve)
    require_folders(plot, keep, trace)
    if plot is not None and plot.suffix not in PLOTS:
        raise BadInput(f"{plot}: a plot is .html, .svg or .png")
    if budget is not None and budget < 1:
        raise BadInput(f"--budget {budget}: at least 1")
    strategies = [name.strip() for name in strategy.split(",") if name.strip()]
    model, starts = TopicModel.load(topic), read_urls(seeds)
    labels = None if relevant is None else read_urls(relevant)
    pages = Pages()
    with progress("visiting") as bar:
        result = walk_over(
            folder, model, starts, strategies, budget=budget, relevant=labels, seed=seed, progress=bar.advance,
            hosts=plot is not None and plot.suffix == ".html", tuning=Tuning(alpha, states, tfidf, kept, kept_words, keep, trace),
            roots=None if roots is None else read_urls(roots), written=pages if out or curve or plot else None,
        )  # fmt: skip
    if result["dangling"]:
        note(f"{result['dangling']:,} links lead to pages that are not stored, or to their own page, and were passed over")
    if not result["links"]:
        note("the crawl folder has no link between its pages: nothing but the seeds can be visited")
    for what, count in result["unknown"].items():
        if count:
            note(
                f"{count:,} {'seeds' if what == 'seeds' else 'relevant URLs'} are no page of the crawl folder, and count nowhere"
            )
    visits = result["visits"]
    if relevant is None:
        note("what is relevant is told by the topic itself (--relevant FILE: by its URLs)")
    for path, tables in ((out, pages.orders), (curve, pages.curves)):
        if path is not None:
            write_table(pa.concat_tables(tables), path)
    if plot is not None:
        _draw(result, pages, plot)
    shown = {**visits[0], "pages": result["pages"]} if len(visits) == 1 else result
    emit(shown, json, [_line(one) for one in visits])


def _line(one: dict[str, Any]) -> str:
    return (
        f"{one['strategy']:>12}: {one['relevant']:,} of {one['relevant_total']:,} relevant in {one['visited']:,} pages"
        f" (harvest {one['harvest']:.3f}, auc {one['auc']:.4f}, pref {one['pref']:.4f})"
    )


def _draw(result: dict[str, Any], pages: Any, path: Path) -> None:
    from garimpo.report import Report, line_plot
    from garimpo.report.pieces import bars
    from garimpo.report.words import share

    series = {one["strategy"]: [tuple(point) for point in one["curve"]] for one in result["visits"]}
    total, most = (max(one[name] for one in result["visits"]) for name in ("relevant_total", "visited"))
    series["omniscient"] = [(0, 0), (min(total, most), min(total, most)), (most, min(total, most))]
    figure = line_plot(series, "pages visited", "relevant pages found", "What was found when")
    if path.suffix == ".html":
        report = Report("Simulated visits")
        report.figure(figure, "Relevant pages found over pages visited.")
        for name, title in (("f1", "F1(t)"), ("pref", "Pref(t)")):
            lines = {one["strategy"]: _points(table, name) for one, table in zip(result["visits"], pages.curves)}
            report.figure(line_plot(lines, "pages visited", title, title), f"{title} over pages visited.")
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


def _points(table: Any, name: str) -> list[tuple[float, float]]:
    """A measure over the visit, at even steps."""
    step = max(1, table.num_rows // POINTS)
    return [*zip(table["t"].to_pylist()[::step], table[name].to_pylist()[::step])]
