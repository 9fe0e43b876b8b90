"""``garimpo dedup``: near-duplicates among documents."""

from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from garimpo.cli.options import OUTPUT, Engine, Json, Master, OptionalOut, Seed, Switch, Written
from garimpo.cli.output import emit, note, progress, require_folders, require_tables


def dedup(
    *documents: Path,
    out: OptionalOut = None,
    threshold: float = 0.8,
    shingle: int | None = None,
    sketch: str = "fss",
    slots: int | None = None,
    recall: float = 0.99,
    keep: Literal["first", "longest", "score"] = "first",
    measure: Literal["jaccard", "containment"] = "jaccard",
    pairs: Written = None,
    explain: Switch = False,
    html: Written = None,
    text_column: str | None = None,
    kept: Written = None,
    index: Annotated[Path | None, Parameter(group=OUTPUT)] = None,
    against: Path | None = None,
    engine: Engine = "local",
    master: Master = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Find near-duplicates among documents, and say of each document whether to keep it.

    For example:
      garimpo dedup pages.parquet --out near.parquet --threshold 0.8

    Args:
        documents: .jsonl, .csv, .tsv [.gz|.zst], .parquet, .warc[.gz], .html, .txt, .md, folders of these, or a crawl folder.
        out: The table of all documents: id, cluster, keep, kept_id, similarity.
        threshold: The least Jaccard similarity of the shingle sets.
        shingle: Words in a shingle: 5, or as in the collection that is named.
        sketch: How candidates are found: fss, min, max, minmax, minmin, maxmax, oph, simhash, or a list as min:1,min:2,max:1.
        slots: Numbers in a sketch: 128, or as many below as a list of operators divides.
        recall: The share of similar pairs that must be found.
        keep: Which document of similar ones is kept.
        measure: jaccard, or containment: the share of the smaller document that is in the larger.
        pairs: Also write every verified pair: a, b, jaccard.
        explain: Say what would be done and what to expect, and do nothing.
        html: Also write a report with clusters side by side.
        text_column: The column of texts, where it is not called text.
        kept: Also write the rows that stay, with all their columns: .parquet, .jsonl, .csv or .tsv.
        index: Also put the documents that stay into a stored collection (a folder), for --against and for garimpo rank.
        against: A stored collection: what is similar to one of its documents does not stay.
    """
    from garimpo.contract import BadInput
    from garimpo.similarity import Sketcher, plan
    from garimpo.similarity.clusters.batch import WIDTH, dedup_to
    from garimpo.similarity.clusters.batch import dedup as find
    from garimpo.similarity.clusters.kept_rows import write_kept
    from garimpo.similarity.stores.collection import Collection, require_collection, require_fit, shingle_of, store_kept

    if not documents:
        raise BadInput("which documents? (try: garimpo dedup --help)")
    paths = list(documents)
    compared = None if against is None else Collection.open(require_collection(against))
    if shingle is None:
        shingle = shingle_of(against or index) or WIDTH
    operators = sketch.replace(":", "")
    settings: dict[str, Any] = {"shingle": shingle, "sketch": operators, "slots": slots, "recall": recall, "seed": seed}
    if explain:
        expected = plan(paths, threshold, **settings)
        emit(expected, json, _plan_lines(expected))
        return
    if out is None:
        raise BadInput("where to? give --out near.parquet (or --explain)")
    require_tables(out, pairs, kept)
    require_folders(html)
    here = engine == "local" and master is None
    local_only = {"html": html, "kept": kept, "text-column": text_column, "index": index, "against": against}
    for name, value in local_only.items():
        if value is not None and not here:
            raise BadInput(f"--{name} goes with --engine local")
    if index is not None:
        require_fit(index, Sketcher(operators, slots, shingle, seed), threshold)
    settings.update(keep=keep, measure=measure)
    with progress("documents read") as bar:
        if here:
            result = find(paths, threshold, progress=bar.advance, text_column=text_column, against=compared, **settings)
            summary, counts = _write(result, paths, out, pairs, html), result.counts
            if kept is not None:
                summary.update(kept_out=str(kept), kept_rows=write_kept(kept, paths, result.near, text_column))
            if index is not None:
                summary.update(index=str(index), indexed=store_kept(index, result, paths, text_column))
        else:
            from garimpo.engine import open_engine

            with open_engine(engine, master) as opened:
                summary, counts = dedup_to(opened, out, pairs, paths, threshold, **settings)
            summary["out"] = str(out)
    passed_over = {what: count for what, count in counts.items() if count and what not in _IN_SUMMARY}
    if passed_over:
        note("passed over: " + ", ".join(f"{what}: {count:,}" for what, count in sorted(passed_over.items())))
    emit(summary, json, _lines(summary, out))


_IN_SUMMARY = {"documents", "candidate pairs", "verified pairs", "equal to another", "in the collection"}


def _write(result: Any, paths: list[Path], out: Path, pairs: Path | None, html: Path | None) -> dict[str, Any]:
    from garimpo.contract.table_files import write_table

    summary: dict[str, Any] = {**result.summary(), "out": str(out)}
    write_table(result.near, out)
    if pairs is not None:
        table = result.pairs()
        write_table(table, pairs)
        summary.update(pairs=table.num_rows, pairs_out=str(pairs))
    if html is not None:
        from garimpo.similarity.clusters.report import write_report

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
    if summary["in_collection"]:
        lines.append(f"{summary['in_collection']:,} are similar to a document of the collection")
    if summary["capped_copies"]:
        lines.append(f"{summary['capped_copies']:,} copies are paired with the first of their kind only")
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
