"""``garimpo mirrors``: which hosts are copies of each other, and why."""

from pathlib import Path
from typing import Any, Literal

from garimpo.cli.options import Engine, Json, Master, NoChance, Out, Seed, Written, group_of_verbs
from garimpo.cli.output import emit, note, progress, require_folders, require_tables

app = group_of_verbs("mirrors", "Find hosts that are copies of each other.")


@app.command
def find(
    pages: Path,
    *,
    out: Out,
    method: Literal["garimpo", "pnu", "pu", "nu"] = "garimpo",
    near: Path | None = None,
    links: Path | None = None,
    keep: Literal["inlinks", "complete", "https", "bare", "fresh"] = "inlinks",
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
        method: garimpo weighs all evidence; pnu, pu and nu learn rules from obvious pairs.
        near: A table of near-duplicates (of dedup), so that changing text does no harm; a crawl folder brings its
            own.
        links: A table of links (source, target); a crawl folder brings its own.
        keep: What decides first which host of a group is kept.
        folds: Also write what a crawl may fold: host, prefix, keep_host, keep_prefix.
        html: Also write a report with pairs, the pages they share, and why.
    """
    from garimpo.contract import BadInput
    from garimpo.engine import open_engine
    from garimpo.engine.places import here, is_remote
    from garimpo.mirrors import search
    from garimpo.mirrors.inputs import read_inputs

    if folds is not None and method != "garimpo":
        raise BadInput(f"--folds needs --method garimpo: {method} does not tell kinds of evidence apart")
    require_tables(out, folds)
    require_folders(html)
    source, edges, alike = read_inputs(pages if is_remote(pages) else here(pages), links, near, engine == "spark")
    with (
        progress("reading pages") as bar,
        open_engine(engine, master, progress=lambda _step, rows: bar.advance(rows)) as opened,
    ):
        found = search(source, alike, edges, method, keep=keep, seed=seed, engine=opened)
        summary = {**found.summary(), "method": method, **_write(found, source, alike, out, folds, html, opened)}
    if found.counts:
        note(f"passed over: {found.counts}")
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
        f"{summary['hosts']:,} hosts, {summary['candidates']:,} candidate pairs, {summary['replicas']:,} pairs of copies"
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
