"""``garimpo rank``: for each query document, the most similar documents of a corpus."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from garimpo.cli.output import emit, progress, require_folders


def rank(
    queries: Path,
    corpus: Path,
    *,
    out: Path,
    top: int = 10,
    shingle: int = 5,
    measure: Literal["jaccard", "containment"] = "jaccard",
    json: Annotated[bool, Parameter(negative="")] = False,
    seed: int = 0,
) -> None:
    """Rank the documents of a corpus by their similarity to each query document.

    Example: garimpo rank articles.jsonl sources.jsonl --out ranking.parquet --shingle 3

    Parameters
    ----------
    queries: documents to find sources for
    corpus: documents to search
    out: the table query, id, rank, similarity
    top: how many documents are listed for a query
    shingle: words in a shingle
    measure: jaccard, or containment: the share of the smaller document that is in the larger
    json: print the result as one JSON object
    seed: taken for the sake of scripts; similarities are exact and need no chance
    """
    import pyarrow.parquet as pq

    from garimpo.contract import Counts, publish
    from garimpo.similarity.ranking import rank as find

    require_folders(out)
    counts = Counts()
    with progress("ranking"):
        table = find(queries, corpus, top=top, shingle=shingle, measure=measure, counts=counts)
        with publish(out) as temporary:
            pq.write_table(table, temporary, compression="zstd")
    summary = {"queries": counts["queries"], "documents": counts["documents"], "rows": table.num_rows, "out": str(out)}
    text = f"{summary['queries']:,} queries against {summary['documents']:,} documents: {table.num_rows:,} rows in {out}"
    emit(summary, json, [text])
