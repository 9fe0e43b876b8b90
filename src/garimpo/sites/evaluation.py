"""How good a model is, on sites whose answer is known: right and wrong, how honest its chances are, and what went wrong."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from garimpo.contract import BadInput, Summarised
from garimpo.sites.archive_pages import site_named
from garimpo.sites.detector import EVIDENCE, FOUND, Detection

BINS = 5
"""Chances are compared with what came true in this many steps."""
CAUSES = {FOUND: "a page taken for a listing", EVIDENCE: "speaks like relevant sites"}
YES, NO = ("1", "True", "true", "1.0"), ("0", "False", "false", "0.0")


@dataclass(repr=False)
class Evaluation(Summarised):
    """The answers about sites against the truth.

    Args:
        confusion: How many sites of each truth ("relevant", "other") got each answer ("yes", "no", "unknown").
        errors: By cause, the sites that were decided wrongly, or that are relevant and stayed unknown.
        calibration: Of each step of chances: sites, the mean chance, and the share that is relevant.
        pages: The mean number of pages a relevant and another site took.
    """

    confusion: dict[str, dict[str, int]]
    errors: dict[str, list[str]] = field(default_factory=dict)
    calibration: list[tuple[int, float, float]] = field(default_factory=list)
    pages: tuple[float, float] = (0.0, 0.0)

    def summary(self) -> dict[str, Any]:
        """The figures, and how many sites each cause of error has."""
        figures = {name: round(getattr(self, name), 4) for name in ("precision", "recall", "f1", "calibration_error")}
        return {**figures, "errors": {cause: len(sites) for cause, sites in self.errors.items()}, "confusion": self.confusion}

    @property
    def precision(self) -> float:
        yes = self.confusion["relevant"]["yes"]
        return yes / max(1, yes + self.confusion["other"]["yes"])

    @property
    def recall(self) -> float:
        """An unknown relevant site is missed."""
        return self.confusion["relevant"]["yes"] / max(1, sum(self.confusion["relevant"].values()))

    @property
    def f1(self) -> float:
        return 2 * self.precision * self.recall / max(1e-9, self.precision + self.recall)

    @property
    def calibration_error(self) -> float:
        """The mean distance between a chance and what came true, over all sites read."""
        total = sum(count for count, _, _ in self.calibration)
        return sum(count * abs(said - true) for count, said, true in self.calibration) / max(1, total)


def evaluate(found: Sequence[Detection], truth: Mapping[str, bool]) -> Evaluation:
    """Compare answers with the truth.

    Args:
        found: The answers.
        truth: By site, whether it is relevant.

    >>> found = [Detection("a.com", True, "found", score=0.9), Detection("b.com", None, "no answer")]
    >>> evaluate(found, {"a.com": True, "b.com": True}).recall
    0.5
    """
    names = {True: "yes", False: "no", None: "unknown"}
    counts = Counter((truth[one.site], names[one.relevant]) for one in found)
    kinds = {"relevant": True, "other": False}
    confusion = {kind: {name: counts[label, name] for name in names.values()} for kind, label in kinds.items()}
    errors: dict[str, list[str]] = {}
    for one in found:
        if (one.relevant is True) != truth[one.site]:
            errors.setdefault(_cause(one), []).append(one.site)
    pages = tuple(_mean([one.pages_fetched for one in found if truth[one.site] is label]) for label in (True, False))
    return Evaluation(confusion, dict(sorted(errors.items())), _calibration(found, truth), (pages[0], pages[1]))


def _cause(one: Detection) -> str:
    if one.relevant:
        return f"wrong: {CAUSES.get(one.reason, one.reason)}"
    return f"{'missed' if one.relevant is False else 'unknown'}: {one.reason}"


def _calibration(found: Sequence[Detection], truth: Mapping[str, bool]) -> list[tuple[int, float, float]]:
    steps: list[list[Detection]] = [[] for _ in range(BINS)]
    for one in found:
        if any(visit.page is not None for visit in one.visits):
            steps[min(BINS - 1, int(one.score * BINS))].append(one)
    return [(len(step), _mean([one.score for one in step]), _mean([truth[one.site] for one in step])) for step in steps if step]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / max(1, len(values))


def evaluation_lines(scored: Evaluation) -> list[str]:
    """An evaluation for people.

    Args:
        scored: The evaluation.
    """
    lines = [f"precision {scored.precision:.3f}, recall {scored.recall:.3f}, F1 {scored.f1:.3f}", "",
             "            yes     no  unknown"]  # fmt: skip
    lines += [f"{kind:<9}" + "".join(f"{count:>7,}" for count in row.values()) for kind, row in scored.confusion.items()]
    lines += ["", f"chances, against what came true (mean distance {scored.calibration_error:.3f})"]
    lines += [f"  {count:,} sites: said {said:.2f}, true {true:.2f}" for count, said, true in scored.calibration]
    lines += ["", f"pages: {scored.pages[0]:.2f} a relevant site, {scored.pages[1]:.2f} another"]
    for cause, sites in scored.errors.items():
        lines += ["", f"{cause} ({len(sites):,})", *(f"  {site}" for site in sites)]
    return lines


def labelled_sites(path: str | os.PathLike[str]) -> dict[str, bool]:
    """Sites and whether each is relevant: a table (.parquet, .csv, .jsonl) with the columns site and label (1 or 0).

    Args:
        path: The table.
    """
    rows = site_rows(path, ["site", "label"])
    found: dict[str, bool] = {}
    for name, label in ((row["site"], row["label"]) for row in rows):
        if str(label) not in YES + NO:
            raise BadInput(f"{path}: label {label!r} of {name} is neither 1 (relevant) nor 0")
        if name:
            found.setdefault(site_named(str(name)), str(label) in YES)
    if not found:
        raise BadInput(f"{path}: no site in it")
    return found


def site_rows(path: str | os.PathLike[str], columns: Sequence[str]) -> list[dict[str, Any]]:
    """Some columns of a table about sites, row by row, as `site_table` reads it."""
    rows: list[dict[str, Any]] = site_table(path, columns).select(list(columns)).to_pylist()
    return rows


def site_table(path: str | os.PathLike[str], columns: Sequence[str]) -> pa.Table:
    """A table (.parquet, .csv, .jsonl) about sites.

    Args:
        path: The table.
        columns: Those that it must have.
    """
    path = Path(path)
    try:
        table = _table(path)
    except (OSError, pa.ArrowInvalid, msgspec.DecodeError) as error:
        raise BadInput(f"{path}: {getattr(error, 'strerror', None) or str(error).splitlines()[0]}") from None
    if not set(columns) <= set(table.column_names):
        told = " (label: 1 relevant, 0 not)" if "label" in columns else ""
        raise BadInput(f"{path}: needs the columns {' and '.join(columns)}{told}")
    return table


def _table(path: Path) -> pa.Table:
    if path.suffix == ".parquet":
        return pq.read_table(path)
    if path.suffix == ".csv":
        return pyarrow.csv.read_csv(path)
    if path.suffix == ".jsonl":
        return pa.Table.from_pylist(msgspec.json.Decoder().decode_lines(path.read_bytes()))
    raise BadInput(f"{path}: labelled sites are read from .parquet, .csv or .jsonl")
