"""``garimpo mirrors``: which hosts are copies of each other, and why."""

from pathlib import Path
from typing import Any, Literal

from garimpo.cli.options import Engine, Json, Master, NoChance, OptionalOut, Out, Seed, Written, group_of_verbs
from garimpo.cli.output import emit, note, progress, require_folders, require_tables

FEW_SEEDS = 10

app = group_of_verbs("mirrors", "Find hosts that are copies of each other.")


@app.command
def find(
    pages: Path,
    *,
    out: Out,
    method: Literal["garimpo", "pnu", "pu", "nu", "normpaths"] = "garimpo",
    near: Path | None = None,
    links: Path | None = None,
    keep: Literal["inlinks", "complete", "https", "bare", "fresh"] = "inlinks",
    threshold: float | None = None,
    bins: Literal["equal-frequency", "equal-width"] = "equal-frequency",
    schedule: Literal["entropy", "fixed"] = "entropy",
    negatives: Literal["strangers", "shared-path"] = "strangers",
    block_on: Literal["path-or-content", "path", "content"] = "path-or-content",
    max_list: int = 100,
    folds: Written = None,
    html: Written = None,
    engine: Engine = "local",
    master: Master = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Score every pair of hosts that share a path or a content, and say which are copies and which host to keep.

    For example:
      garimpo mirrors find pages.parquet --out host_pairs.parquet

    Args:
        pages: A Parquet table with url, and ip, digest (or text, or html) where known; or a crawl folder.
        out: The table of pairs, best first: host_a, host_b, features, score, replica, keep_host.
        method: garimpo weighs all evidence; pnu, pu and nu learn rules from obvious pairs; normpaths
            adds up pages that are equal under one path.
        near: A table of near-duplicates (of dedup), so that changing text does no harm; a crawl folder brings its
            own.
        links: A table of links (source, target); a crawl folder brings its own.
        keep: What decides first which host of a group is kept.
        threshold: From this score on garimpo calls a pair copies (0.6), or normpaths (0.8); with --schedule fixed, where a
            label flips (pu 0.6, nu 0.5).
        bins: Intervals of the features that rules are made of (pu, nu, pnu).
        schedule: Where a label flips: for each pair at the purest cut, or for all at one threshold (pu, nu, pnu).
        negatives: What rules learn strangers from: pairs that share nothing, or a path and no content (nu, pnu).
        block_on: What two hosts must share to be compared.
        max_list: A path or content that more hosts have makes no pair.
        folds: Also write what a crawl may fold: host, prefix, keep_host, keep_prefix.
        html: Also write a report with pairs, the pages they share, and why.
    """
    from garimpo.contract import BadInput
    from garimpo.engine import open_engine
    from garimpo.engine.places import here, is_remote
    from garimpo.mirrors import search
    from garimpo.mirrors.blocking import KINDS
    from garimpo.mirrors.inputs import read_inputs
    from garimpo.mirrors.thesis.choices import Choices

    if folds is not None and method != "garimpo":
        raise BadInput(f"--folds needs --method garimpo: {method} does not tell kinds of evidence apart")
    if max_list < 2:
        raise BadInput(f"--max-list is at least 2, not {max_list}")
    choices = Choices(bins, schedule, threshold, negatives)
    kinds = {"path-or-content": KINDS, "path": KINDS[:1], "content": KINDS[1:]}[block_on]
    require_tables(out, folds)
    require_folders(html)
    source, edges, alike = read_inputs(pages if is_remote(pages) else here(pages), links, near, engine == "spark")
    with (
        progress("reading pages") as bar,
        open_engine(engine, master, progress=lambda _step, rows: bar.advance(rows)) as opened,
    ):
        options: dict[str, Any] = {"keep": keep, "block_on": kinds, "max_list": max_list, "seed": seed, "choices": choices}
        found = search(source, alike, edges, method, engine=opened, **options)
        summary = {**found.summary(), "method": method, **_write(found, source, alike, out, folds, html, opened)}
    if found.counts:
        note(f"passed over: {found.counts}")
    for mode, seeds in found.seeds.items():
        if seeds < FEW_SEEDS:
            kind = "names that differ by www. or the top of the domain" if mode == "pu" else "pairs that are surely no copies"
            note(f"{mode} has {seeds} seeds ({kind}): what it learns from so few means little")
    emit(summary, json, _lines(summary))


def _write(found: Any, source: Any, near: Any, out: Path, folds: Path | None, html: Path | None, engine: Any) -> dict[str, Any]:
    from garimpo.cli.places import sent
    from garimpo.contract.table_files import write_table

    written: dict[str, Any] = {"out": str(out)}
    with sent(engine, out) as place:
        write_table(found.pairs, place)
    if folds is not None:
        from garimpo.mirrors import folds as fold

        table = fold(found.pairs, source, engine, near)
        with sent(engine, folds) as place:
            write_table(table, place)
        written |= {"folds": table.num_rows, "folds_out": str(folds)}
    if html is not None:
        from garimpo.mirrors.report import write_report

        write_report(found, source, html)
        written["html"] = str(html)
    return written


def _lines(summary: dict[str, Any]) -> list[str]:
    lines = [
        f"{summary['hosts']:,} hosts, {summary['candidates']:,} candidate pairs"
        f" ({summary['share_of_all_pairs']:.3%} of all), {summary['replicas']:,} pairs of copies"
        f" in {summary['groups']:,} groups",
        f"{summary['suppressed']:,} pairs share only what too many hosts have and were not looked at",
    ]
    if "folds" in summary:
        lines.append(f"{summary['folds']:,} folds written: {summary['folds_out']}")
    return [*lines, f"written: {summary['out']}"]


@app.command
def explain(host_pairs: Path, host_a: str, host_b: str, *, json: Json = False, seed: NoChance = 0) -> None:
    """Say why two hosts were judged to be copies, or not.

    For example:
      garimpo mirrors explain host_pairs.parquet a.org www.a.org

    Args:
        host_pairs: The table that `mirrors find` wrote.
        host_a: One host.
        host_b: The other.
    """
    from garimpo.mirrors.explanation import explain as tell

    told = tell(host_pairs, host_a, host_b)
    result = {"pair": told.pair, "reasons": [reason._asdict() for reason in told.reasons]}
    emit(result, json, told.lines())


@app.command
def sample(
    host_pairs: Path,
    *,
    out: OptionalOut = None,
    labels: Path | None = None,
    each: int = 20,
    cut: float = 0.6,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Draw pairs by their score to label by hand, or read the labels back and say how right the method is.

    For example:
      garimpo mirrors sample host_pairs.parquet --out gold.csv
      garimpo mirrors sample host_pairs.parquet --labels gold.csv

    Args:
        host_pairs: The table that `mirrors find` wrote.
        out: A CSV with so many pairs of each tenth of the score; fill its column label with 1 (copies) or 0.
        labels: That CSV with labels: print precision and recall with 95 % intervals.
        each: Pairs drawn from each tenth of the score.
        cut: From this score on a pair counts as called copies.
    """
    from garimpo.contract import BadInput, read_table
    from garimpo.contract.tables import HOST_PAIRS
    from garimpo.mirrors import gold

    if (out is None) == (labels is None):
        raise BadInput("give --out to draw pairs, or --labels to read them back")
    if labels is not None:
        if not labels.is_file():
            raise BadInput(f"{labels}: no such file")
        result = gold.judge(gold.read(labels), cut, seed)
        emit(result, json, _judged(result))
        return
    require_folders(out)
    rows = gold.draw(read_table(host_pairs, HOST_PAIRS.names), each, seed)
    assert out is not None
    gold.write(rows, out)
    emit({"pairs": len(rows), "out": str(out)}, json, [f"{len(rows):,} pairs to label: {out}"])


@app.command
def test(
    host_pairs: Path,
    truth: Path,
    *,
    cut: float | None = None,
    plot: Written = None,
    roc: Written = None,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Judge a table of pairs against what is known to be true: precision, recall, and the curves over all cuts of the score.

    For example:
      garimpo mirrors test host_pairs.parquet truth.parquet --plot curve.svg --roc roc.svg

    Args:
        host_pairs: The table that `mirrors find` wrote.
        truth: A Parquet table with host_a, host_b and replica (true, false); if it names copies only, all other pairs count as
            none. Or a CSV of `mirrors sample` with labels.
        cut: From this score on a pair counts as called copies (unless given: as the table says).
        plot: Write the curve of precision over recall: .svg, .png or .pdf.
        roc: Write the ROC, true over false positives: .svg, .png or .pdf.
    """
    from garimpo.contract import BadInput
    from garimpo.mirrors import curves

    require_folders(plot, roc)
    for path in (plot, roc):
        if path is not None and path.suffix.lower() not in (".svg", ".png", ".pdf"):
            raise BadInput(f"{path}: a plot is .svg, .png or .pdf")
    pairs = curves.judged(host_pairs, truth, cut)
    if not pairs.copies.any():
        raise BadInput(f"{truth}: no pair of copies, so nothing can be judged")
    result = curves.figures(pairs)
    from garimpo.report import line_plot

    if plot is not None:
        precision, recall = curves.precision_recall(pairs)
        line_plot({"precision": curves.points(recall, precision)}, "recall", "precision", host_pairs.name).save(plot)
        result["plot"] = str(plot)
    if roc is not None:
        curve = {"copies found": curves.points(*curves.roc(pairs))}
        line_plot(curve, "part of strangers called copies", "part of copies found", host_pairs.name).save(roc)
        result["roc"] = str(roc)
    told = {name: "not known" if result[name] is None else f"{result[name]:.3f}" for name in _FIGURES}
    lines = [
        f"{result['pairs']:,} pairs with a label, {result['copies']:,} of them copies, {result['called']:,} called copies",
        ", ".join(f"{words} {told[name]}" for name, words in _FIGURES.items()),
        *(f"written: {path}" for path in (plot, roc) if path is not None),
    ]
    emit(result, json, lines)


_FIGURES = {"precision": "precision", "recall": "recall", "average_precision": "average precision", "auc": "area under the ROC"}


def _judged(result: dict[str, Any]) -> list[str]:
    lines = [f"{result['labels']:,} labels, copies from a score of {result['cut']:g} on"]
    for name in ("precision", "recall"):
        value, bounds = result[name], result[f"{name}_interval"]
        lines.append(f"{name} not known" if value is None else f"{name} {value:.3f} [{bounds[0]:.3f}, {bounds[1]:.3f}]")
    return lines
