"""``garimpo mirrors``: which hosts are copies of each other, and why."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import App, Parameter

from garimpo.cli.output import emit, note, progress, require_folders

app = App(name="mirrors", help="Find hosts that are copies of each other.", help_format="plaintext")


@app.command
def find(
    pages: Path,
    *,
    out: Path,
    method: Literal["garimpo", "pnu", "pu", "nu"] = "garimpo",
    near: Path | None = None,
    links: Path | None = None,
    keep: Literal["inlinks", "complete", "https", "bare", "fresh"] = "inlinks",
    folds: Path | None = None,
    html: Path | None = None,
    engine: str = "local",
    master: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Score every pair of hosts that share a path or a content, and say which are copies and which host to keep.

    Example: garimpo mirrors find pages.parquet --out host_pairs.parquet

    Parameters
    ----------
    pages: a Parquet table with url, and ip, digest (or text, or html) where known; or a crawl folder
    out: the table of pairs, best first: host_a, host_b, features, score, replica, keep_host
    method: garimpo weighs all evidence; pnu, pu and nu learn rules from obvious pairs
    near: a table of near-duplicates (of dedup), so that changing text does no harm; a crawl folder brings its own
    links: a table of links (source, target); a crawl folder brings its own
    keep: what decides first which host of a group is kept
    folds: also write what a crawl may fold: host, prefix, keep_host, keep_prefix
    html: also write a report with pairs, the pages they share, and why
    engine: local, or spark
    master: where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json: print the result as one JSON object
    seed: of the samples that pu, nu and pnu learn from
    """
    from garimpo.contract import BadInput
    from garimpo.engine import open_engine
    from garimpo.engine.places import here, is_remote
    from garimpo.mirrors import search
    from garimpo.mirrors.inputs import read_inputs

    if folds is not None and method != "garimpo":
        raise BadInput(f"--folds needs --method garimpo: {method} does not tell kinds of evidence apart")
    require_folders(out, folds, html)
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
    from garimpo.contract import publish
    from garimpo.mirrors.inputs import write_table

    written: dict[str, Any] = {"out": str(out)}
    with sent(engine, out) as place, publish(place) as temporary:
        write_table(found.pairs, temporary)
    if folds is not None:
        from garimpo.mirrors import folds as fold

        table = fold(found.pairs, source, engine, near)
        with sent(engine, folds) as place, publish(place) as temporary:
            write_table(table, temporary)
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
def explain(
    host_pairs: Path, host_a: str, host_b: str, *, json: Annotated[bool, Parameter(negative="")] = False, seed: int = 0
) -> None:
    """Say why two hosts were judged to be copies, or not.

    Example: garimpo mirrors explain host_pairs.parquet a.org www.a.org

    Parameters
    ----------
    host_pairs: the table that `mirrors find` wrote
    host_a: one host
    host_b: the other
    json: print the result as one JSON object
    seed: not used: an explanation has no chance in it
    """
    from garimpo.mirrors.explain import explain as tell

    told = tell(host_pairs, host_a, host_b)
    result = {"pair": told.pair, "reasons": [reason._asdict() for reason in told.reasons]}
    emit(result, json, told.lines())
