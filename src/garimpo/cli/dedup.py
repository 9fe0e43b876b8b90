"""``garimpo dedup``: near-duplicates among documents."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from garimpo.cli.output import emit, note, progress, require_folders


def dedup(
    *documents: Path,
    out: Path | None = None,
    threshold: float = 0.8,
    shingle: int = 5,
    sketch: Literal["fss", "min", "max", "minmax", "minmin", "maxmax", "oph", "simhash"] = "fss",
    slots: int = 128,
    recall: float = 0.99,
    keep: Literal["first", "longest", "score"] = "first",
    measure: Literal["jaccard", "containment"] = "jaccard",
    pairs: Path | None = None,
    explain: Annotated[bool, Parameter(negative="")] = False,
    html: Path | None = None,
    engine: str = "local",
    master: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Find near-duplicates among documents, and say of each document whether to keep it.

    Example: garimpo dedup pages.parquet --out near.parquet --threshold 0.8

    Parameters
    ----------
    documents: .jsonl[.gz|.zst], .parquet, .warc[.gz], a folder of .html/.txt, or a crawl folder
    out: the table of all documents: id, cluster, keep, kept_id, similarity
    threshold: the least Jaccard similarity of the shingle sets
    shingle: words in a shingle
    sketch: how candidates are found; they are always checked exactly
    slots: numbers in a sketch
    recall: the share of similar pairs that must be found
    keep: which document of similar ones is kept
    measure: jaccard, or containment: the share of the smaller document that is in the larger
    pairs: also write every verified pair: a, b, jaccard
    explain: say what would be done and what to expect, and do nothing
    html: also write a report with clusters side by side
    engine: local, or spark
    master: where Spark runs: local[4], spark://host:7077, yarn, k8s://...
    json: print the result as one JSON object
    seed: of the sketches' hash functions
    """
    from garimpo.contract import BadInput
    from garimpo.similarity import plan
    from garimpo.similarity.batch import dedup as find
    from garimpo.similarity.batch import dedup_to

    if not documents:
        raise BadInput("which documents? (try: garimpo dedup --help)")
    paths = list(documents)
    settings: dict[str, Any] = {"shingle": shingle, "sketch": sketch, "slots": slots, "recall": recall, "seed": seed}
    if explain:
        expected = plan(paths, threshold, **settings)
        emit(expected, json, _plan_lines(expected))
        return
    if out is None:
        raise BadInput("where to? give --out near.parquet (or --explain)")
    require_folders(out, pairs, html)
    settings.update(keep=keep, measure=measure)
    with progress("documents read") as bar:
        if engine == "local" and master is None:
            result = find(paths, threshold, progress=bar.advance, **settings)
            summary, counts = _write(result, paths, out, pairs, html), result.counts
        else:
            from garimpo.engine import open_engine

            if html is not None:
                raise BadInput("--html goes with --engine local: make a report of what fits one machine")
            with open_engine(engine, master) as opened:
                summary, counts = dedup_to(opened, out, pairs, paths, threshold, **settings)
            summary["out"] = str(out)
    note(f"read: {counts}")
    emit(summary, json, _lines(summary, out))


def _write(result: Any, paths: list[Path], out: Path, pairs: Path | None, html: Path | None) -> dict[str, Any]:
    import pyarrow.parquet as pq

    from garimpo.contract import publish

    summary: dict[str, Any] = {**result.summary(), "out": str(out)}
    with publish(out) as temporary:
        pq.write_table(result.near, temporary, compression="zstd")
    if pairs is not None:
        table = result.pairs()
        with publish(pairs) as temporary:
            pq.write_table(table, temporary, compression="zstd")
        summary.update(pairs=table.num_rows, pairs_out=str(pairs))
    if html is not None:
        from garimpo.similarity.pages import write_report

        write_report(result, paths, html)
        summary["html"] = str(html)
    return summary


def _lines(summary: dict[str, Any], out: Path) -> list[str]:
    lines = [
        f"{summary['documents']:,} documents: {summary['kept']:,} to keep, {summary['removed']:,} near-duplicates of them"
        f" in {summary['clusters']:,} clusters ({summary['equal']:,} have exactly the same shingles)",
        f"{summary['pairs_checked']:,} candidate pairs checked, {summary['pairs_verified']:,} verified at"
        f" {summary['measure']} >= {summary['threshold']:g}; expected recall {summary['expected_recall']:.4f}",
    ]
    if summary["capped_buckets"]:
        lines.append(f"{summary['capped_buckets']:,} crowded buckets were capped: {summary['capped_pairs']:,} pairs not compared")
    return [*lines, f"written: {out}"]


def _plan_lines(expected: dict[str, Any]) -> list[str]:
    curve = "  ".join(f"{similarity}: {probability:.4f}" for similarity, probability in expected["curve"].items())
    return [
        f"{expected['documents']:,} documents, {expected['bands']} bands of {expected['rows']} of {expected['slots']}"
        f" {expected['sketch']} slots",
        f"expected recall of pairs at {expected['threshold']:g} or more: {expected['expected_recall']:.4f}",
        f"chance of a pair to be compared, by similarity:  {curve}",
        f"pairs to compare: about {expected['predicted_pairs']:,} (from a {expected['pairs_from']})",
        f"memory: about {expected['memory_bytes'] / 1e6:,.1f} MB; temporary disk: about {expected['disk_bytes'] / 1e6:,.1f} MB",
    ]
