"""``garimpo rank``: for each query document, the most similar documents of a corpus."""

from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, Out, Seed, Switch, Written
from garimpo.cli.output import emit, progress, require_folders, require_tables
from garimpo.similarity.scoring.measures import Measure
from garimpo.similarity.scoring.terms import Units
from garimpo.similarity.sketches.slot_sets import SlotCompare


def rank(
    queries: Path,
    corpus: Path | None = None,
    *,
    out: Out,
    top: int = 10,
    measure: Measure | None = None,
    shingle: str | None = None,
    units: Units = "words",
    stop_words: str | None = None,
    keep_case: Switch = False,
    digits: bool = True,
    sketch: str | None = None,
    slots: int | None = None,
    compare: SlotCompare = "positional",
    index: Path | None = None,
    add: Switch = False,
    threshold: float | None = None,
    recall: float = 0.99,
    bands: int | None = None,
    rows: int | None = None,
    html: Written = None,
    spans: Written = None,
    by: str | None = None,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Rank the documents of a corpus by their similarity to each query document.

    For example:
      garimpo rank articles.jsonl sources.jsonl --out ranking.parquet
      garimpo rank articles.jsonl sources.jsonl --index stored --add --measure jaccard --out ranking.parquet

    Args:
        queries: Documents to find sources for.
        corpus: Documents to search; with --index, to add to it, or to show passages of.
        out: The table query, id, rank, similarity.
        top: How many documents are listed for a query.
        measure: What similar means: tfidf by default, jaccard with --index or --sketch. containment: the share of the query.
        shingle: Words (or characters) in a term: 5, or several widths at once, 1-2; by default 1, of bm25 1-2, with --index 3.
        units: What terms are made of.
        stop_words: Words that do not count: a language (en, pt, es, it, fr, de), or a file with one a line.
        keep_case: Tell Gold from gold.
        digits: Whether words of digits only count.
        sketch: Estimate a measure of sets from sketches: fss, oph, min, max, minmax, ..., or a list as min:1,min:2,max:1.
        slots: Numbers in a sketch: 128, or as many below as a list of operators divides.
        compare: Slot by slot (positional), only whole permutations (permutations), or the selected elements as sets (elements).
        index: A stored collection (a folder) to search instead, by sketches and an exact check; for measures of sets.
        add: Add the corpus to the collection first; it is begun if it is not there.
        threshold: Begin the collection so that documents at least so similar are found (0.3).
        recall: The share of them that is found.
        bands: Begin it with so many bands instead of the planned.
        rows: Slots in each band.
        html: Also write a page with each query beside its sources: what is verbatim, rewritten or new.
        spans: Also write these passages, by characters: .parquet, .jsonl, .csv or .tsv.
        by: Add reuse up by a column of the queries, or else of the corpus: outlet, customer, domain.
    """
    from garimpo.contract import BadInput, Counts
    from garimpo.contract.table_files import write_table
    from garimpo.similarity.retrieval.ranking import usual_measure
    from garimpo.similarity.retrieval.reuse import find_reuse
    from garimpo.similarity.scoring.terms import parse_widths

    require_tables(out, spans)
    require_folders(html)
    shows = html is not None or spans is not None or by is not None
    if shows and corpus is None:
        raise BadInput("--html, --spans and --by read the texts of the corpus: name it")
    measure = measure or usual_measure(index is not None or sketch is not None)
    counts = Counts()
    widths = None if shingle is None else parse_widths(shingle)
    operators = None if sketch is None else sketch.replace(":", "")
    with progress("ranking"):
        if index is not None:
            from garimpo.similarity.retrieval.nearest import rank_stored

            if units != "words" or stop_words is not None or keep_case or not digits:
                raise BadInput("a stored collection holds shingles of words: no other units, stop words, case or digits")
            if (corpus is not None) != add and not (shows and not add):
                raise BadInput("a corpus and --add go together: what the collection holds need not be named again")
            added = corpus if add else None
            plan: dict[str, Any] = {"threshold": threshold, "recall": recall, "bands": bands, "rows": rows}
            plan.update(sketch=operators, slots=slots, seed=seed)
            table = rank_stored(queries, index, added, top=top, measure=measure, shingle=widths, counts=counts, **plan)
        else:
            from garimpo.similarity.retrieval.ranking import rank as find
            from garimpo.similarity.scoring.stop_lists import stop_words as listed

            if corpus is None:
                raise BadInput("which documents to search? give a corpus, or --index")
            words = listed(stop_words)
            how: dict[str, Any] = {"units": units, "stop_words": words, "keep_case": keep_case, "digits": digits}
            how.update(sketch=operators, slots=slots, compare=compare, seed=seed)
            table = find(queries, corpus, top=top, measure=measure, shingle=widths, counts=counts, **how)
        write_table(table, out)
    summary = {"queries": counts["queries"], "documents": counts["documents"], "rows": table.num_rows, "out": str(out)}
    text = f"{summary['queries']:,} queries against {summary['documents']:,} documents: {table.num_rows:,} rows in {out}"
    lines = [text, f"{counts['crowded buckets']:,} crowded buckets were cut"] if counts["crowded buckets"] else [text]
    extra: dict[str, Any] = {"added": counts["added"], "crowded_buckets": counts["crowded buckets"]} if index is not None else {}
    if shows and corpus is not None:
        shown, more = _show(find_reuse(queries, corpus, table, by), html, spans, by)
        extra.update(shown)
        lines += more
    emit({**summary, "measure": measure, **extra}, json, lines)


def _show(reuse: Any, html: Path | None, spans: Path | None, by: str | None) -> tuple[dict[str, Any], list[str]]:
    from garimpo.contract.table_files import write_table
    from garimpo.similarity.retrieval.reuse import write_reuse

    found: dict[str, Any] = {}
    lines = []
    if html is not None:
        write_reuse(reuse, html)
        found["html"] = str(html)
    if spans is not None:
        table = reuse.table()
        write_table(table, spans)
        found.update(spans=table.num_rows, spans_out=str(spans))
    if by is not None:
        found["by"] = reuse.added_up()
        for row in found["by"]:
            shares = ", ".join(f"{row[kind]:.1%} {kind}" for kind in ("verbatim", "rewritten", "new"))
            lines.append(f"{row['value']}: {row['queries']:,} texts, {row['words']:,} words: {shares}")
    return found, lines
