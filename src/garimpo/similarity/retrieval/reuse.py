"""Reuse shown: the passages of each query that its ranked sources have, as a table, added up by a column, and as a page."""

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from garimpo.contract import BadInput, Counts
from garimpo.report import Report
from garimpo.similarity.inputs.batches import Documents, batches_of
from garimpo.similarity.retrieval.spans import Span, find_spans

KINDS = ("verbatim", "rewritten", "new")
SPANS = pa.schema(
    [
        ("query", pa.string()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("kind", pa.string()),
        ("words", pa.int64()),
        ("id", pa.string()),
        ("source_start", pa.int64()),
        ("source_end", pa.int64()),
    ]
)
Named = dict[str, str]
SHOWN = 50
"""Queries on the page."""
LONGEST = 20_000
"""Characters of a text on the page."""


@dataclass
class Reuse:
    """The spans of each query, in the order of the queries."""

    spans: dict[str, list[Span]]
    texts: dict[str, str]
    sources: dict[str, str]
    groups: dict[str, str]
    """The value of the column that reuse is added up by, of each query (or of each source)."""
    by_source: bool

    def table(self) -> pa.Table:
        """One row a span: characters `start` to `end` of the query; `id` and the characters of its source."""
        rows = [
            (query, s.start, s.end, s.kind, s.words, s.source, s.source_start, s.source_end)
            for query, spans in self.spans.items()
            for s in spans
        ]
        return pa.table([list(column) for column in zip(*rows)] or [[]] * len(SPANS), schema=SPANS)

    def shares(self, query: str) -> dict[str, float]:
        """Which share of the words of a query is of each kind."""
        return _shares(self.spans[query])

    def added_up(self) -> list[dict[str, Any]]:
        """For each value of the column: queries, words, and the shares of what is verbatim, rewritten and new."""
        grouped: dict[str, list[tuple[str, Span]]] = {}
        total = sum(span.words for spans in self.spans.values() for span in spans)
        for query, spans in self.spans.items():
            for span in spans:
                name = self.groups.get((span.source or "") if self.by_source else query)
                if name is not None:
                    grouped.setdefault(name, []).append((query, span))
        out = []
        for name, pairs in sorted(grouped.items()):
            words = total if self.by_source else sum(span.words for _, span in pairs)
            shares = _shares([span for _, span in pairs], words)
            out.append({"value": name, "queries": len({query for query, _ in pairs}), "words": words, **shares})
        return out


def _shares(spans: Iterable[Span], total: int | None = None) -> dict[str, float]:
    spans = list(spans)
    words = sum(span.words for span in spans) if total is None else total
    return {kind: sum(span.words for span in spans if span.kind == kind) / max(1, words) for kind in KINDS}


def find_reuse(queries: Documents, corpus: Documents, ranking: pa.Table, by: str | None = None) -> Reuse:
    """The passages of each query that the documents ranked for it have.

    Args:
        queries: what was asked.
        corpus: what was searched.
        ranking: what `rank` answered.
        by: a column of the queries (or else of the corpus) by which reuse can be added up: outlet, customer, domain.
    """
    columns = () if by is None else (by,)
    texts, groups = _read(queries, None, columns)
    sources, source_groups = _read(corpus, ranking["id"], columns)
    if by is not None and not groups and not source_groups:
        raise BadInput(f"neither the queries nor the documents they were ranked with have a column {by}")
    listed: dict[str, dict[str, str]] = {name: {} for name in texts}
    for row in ranking.sort_by([("query", "ascending"), ("rank", "ascending")]).to_pylist():
        if row["query"] in listed and row["id"] != row["query"]:
            listed[row["query"]][row["id"]] = sources.get(row["id"], "")
    spans = {name: find_spans(text, listed[name]) for name, text in texts.items()}
    return Reuse(spans, texts, sources, groups or source_groups, not groups)


def _read(
    documents: Documents, wanted: pa.ChunkedArray | None, columns: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    texts: dict[str, str] = {}
    groups: dict[str, str] = {}
    ids = None if wanted is None else pc.unique(wanted)
    for batch in batches_of(documents, columns, Counts()):
        rows = batch if ids is None else batch.filter(pc.is_in(batch.column("id"), value_set=ids))
        names = rows.column("id").to_pylist()
        texts.update(zip(names, (text or "" for text in rows.column("text").to_pylist())))
        for column in columns:
            values = rows.column(column).to_pylist()
            groups.update({name: str(value) for name, value in zip(names, values) if value is not None})
    return texts, groups


def write_reuse(reuse: Reuse, path: str | os.PathLike[str]) -> None:
    """One offline HTML page: each query beside its sources, with what was taken marked in both."""
    report = Report("Text reuse")
    shown = sorted(reuse.spans, key=lambda name: (reuse.shares(name)["new"], name))[:SHOWN]
    rows = [[name, *reuse.shares(name).values()] for name in shown]
    report.table(["text", *KINDS], rows, f"shares of the words; {len(shown)} of {len(reuse.spans):,} texts, most reuse first")
    if reuse.groups:
        added = [[row["value"], row["queries"], row["words"], *(row[kind] for kind in KINDS)] for row in reuse.added_up()]
        report.table(["value", "texts", "words", *KINDS], added, "added up")
    report.paragraph("Marked dark: word for word. Marked light: rewritten. Not marked: new.")
    for name in shown:
        report.heading(name)
        report.marked(*_sides(reuse, name))
    report.write(path)


def _sides(reuse: Reuse, name: str) -> tuple[list[tuple[str, list[tuple[str, str]]]], list[tuple[str, list[tuple[str, str]]]]]:
    """The query and its used sources, each as a caption and pieces of text with their kind."""
    spans = [span for span in reuse.spans[name] if span.kind != "new"]
    left = [(name, _pieces(reuse.texts[name], [(span.start, span.end, span.kind) for span in spans]))]
    right = []
    for source in dict.fromkeys(span.source for span in spans if span.source is not None):
        used = [(s.source_start or 0, s.source_end or 0, s.kind) for s in spans if s.source == source]
        right.append((source, _pieces(reuse.sources[source], used)))
    return left, right


def _pieces(text: str, marks: Iterable[tuple[int, int, str]]) -> list[tuple[str, str]]:
    pieces, at = [], 0
    for start, end, kind in sorted(marks):
        begin = max(start, at)
        if begin >= end or begin > LONGEST:
            continue
        pieces += [(text[at:begin], ""), (text[begin:end], kind)]
        at = end
    return [*pieces, (text[at : max(at, LONGEST)], "")]
