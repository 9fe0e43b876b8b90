"""``garimpo evaluate``: how good a ranking is, against what is known to be right."""

from pathlib import Path
from typing import Any, Literal

from garimpo.cli.options import Json, Seed, Written
from garimpo.cli.output import emit, require_folders


def evaluate(
    ranking: Path,
    truth: Path,
    *,
    plot: Written = None,
    cut: int | None = None,
    threshold: float | None = None,
    policy: Literal["answered", "zero", "related"] = "answered",
    interpolation: Literal["standard", "source"] = "standard",
    orders: int = 10,
    json: Json = False,
    seed: Seed = 0,
) -> None:
    """Judge a ranking, of any system: precision, recall, F, MAP, the 11-point curve and its area, with 95 % intervals.

    For example:
      garimpo evaluate ranking.parquet truth.csv --plot curve.svg

    Args:
        ranking: .parquet, .csv, .tsv or .jsonl with query, id, and similarity (or score) or rank; or a .run of trec_eval.
        truth: The same kinds of file with query, id, and grade where some rows are no answers (grade 0); or .qrels.
        plot: Write the curve of precision over recall: .svg, .png or .pdf.
        cut: Only the first so many documents of a query count as retrieved.
        threshold: Only documents with at least this similarity count as retrieved.
        policy: Queries without an answer are left out (answered), count with 0 (zero), or take rows of grade 0 (related).
        interpolation: standard, or source: precision 1 at recall 0, and the last one held beyond the recall reached.
        orders: Random orders of documents with equal scores that are averaged.
    """
    from garimpo.contract import BadInput
    from garimpo.similarity.retrieval.evaluation import evaluate as judge

    require_folders(plot)
    if plot is not None and plot.suffix.lower() not in (".svg", ".png", ".pdf"):
        raise BadInput(f"{plot}: a plot is .svg, .png or .pdf")
    found = judge(
        ranking,
        truth,
        cut=cut,
        threshold=threshold,
        policy=policy,
        interpolation=interpolation,
        orders=orders,
        seed=seed,
    )
    summary = found.summary()
    if plot is not None:
        from garimpo.report import line_plot

        line_plot({"precision": found.curve()}, "recall", "precision", ranking.name).save(plot)
        summary["plot"] = str(plot)
    emit(summary, json, _lines(summary))


NAMES = {
    "precision": "precision",
    "recall": "recall",
    "f": "F",
    "map": "mean average precision, by all relevant",
    "map_retrieved": "mean average precision, by those retrieved",
    "first": "a relevant one first",
    "area": "area under the 11-point curve",
}


def _lines(summary: dict[str, Any]) -> list[str]:
    aside = [
        f"{summary[name]:,} {text}"
        for name, text in (("without_answer", "without an answer"), ("not_ranked", "not in the ranking"))
        if summary[name]
    ]
    lines = [f"{summary['queries']:,} queries judged" + (f" ({', '.join(aside)})" if aside else "")]
    for name, text in NAMES.items():
        low, high = summary[f"{name}_interval"]
        lines.append(f"{summary[name]:.4f}  [{low:.4f}, {high:.4f}]  {text}")
    points = "  ".join(f"{recall:.1f}: {precision:.3f}" for recall, precision in summary["curve"])
    return [*lines, f"precision by recall:  {points}"]
