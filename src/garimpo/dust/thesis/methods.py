"""DUSTER and DustLin: one rule from the alignment of each cluster, kept if enough clusters made it and few pairs deny it.

These are the two MapReduce jobs of DustLin-MR, `propose` over whole clusters and `measure` over any rows: the engine groups, they
map, SQL reduces. So the rules are the same wherever it runs. No step holds a cluster that outgrew its sample: `sampled` cuts it
batch by batch before rows are grouped, and what `measure` counts is added up by SQL.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.dust.inputs.preparation import TABLE, runs
from garimpo.dust.inputs.tokens import Tokens
from garimpo.dust.rules.operations import MOST_STEPS
from garimpo.dust.rules.pattern import compile_context, is_consistent
from garimpo.dust.rules.program import Program
from garimpo.dust.rules.ruleset import Rule
from garimpo.dust.thesis.emission import rule_of
from garimpo.dust.thesis.multiple_alignment import align_rows, columns_of, matrix_rows
from garimpo.dust.thesis.redundancy import drop_redundant
from garimpo.engine.base import Engine
from garimpo.engine.columns import flat, hash_strings
from garimpo.url import host_column

LONGEST = 2048
"""Longer URLs are neither aligned nor matched: they are traps or data, and an alignment costs the square of the length."""

OVER_A_LIMIT = ("", "")
"""In place of a rule that says more than can be matched: it is dropped and counted."""
PROPOSED = pa.schema(
    [
        ("context", pa.string()),
        ("template", pa.string()),
        ("host", pa.string()),
        ("clusters", pa.int64()),
        ("pick", pa.int64()),
        ("urls", pa.list_(pa.string())),
    ]
)
SIGNED = pa.schema([("signature", pa.int64()), ("clusters", pa.int64())])
MEASURED = pa.schema([(name, pa.int64()) for name in ("rule", "canonical", "cluster", "urls")])


@dataclass(frozen=True)
class Settings:
    """The thesis's parameters."""

    progressive: bool = False
    sample: int = 10
    card: int = 5
    min_frequency: int = 10
    min_support: int = 10
    fpr_max: float = 0.0
    keep_groups: bool = False
    eliminate: bool = True
    seed: int = 0


def learn_alignment(
    engine: Engine, training: Any, validation: Any, settings: Settings, counts: Counts | None = None
) -> list[Rule]:
    """Propose on the training clusters, measure on the validation clusters, drop what says nothing new.

    Both are tables, of Arrow or of the engine.
    """
    candidates = gather(engine, training, settings, counts)
    if not candidates:
        return []
    tested = _on(engine, validation)
    pairs = engine.map(tested, partial(measure, rules=candidates), MEASURED)
    found = engine.collect(engine.sql(_REDUCE, pairs=pairs)).to_pydict()
    kept = []
    for number, support, correct, saved in zip(found["rule"], found["support"], found["correct"], found["saved"]):
        wrong = support - correct
        if support >= max(settings.min_support, 1) and wrong <= settings.fpr_max * support:
            rule = candidates[number]
            kept.append(
                Rule.make(
                    "alignment",
                    rule.hosts,
                    rule.context,
                    rule.template,
                    support=int(saved),
                    clusters=rule.clusters,
                    false_positives=int(wrong),
                    made_from=rule.made_from,
                )
            )
    kept.sort(key=lambda rule: (-rule.support, -len(rule.hosts), len(rule.context), rule.context, rule.template))
    return drop_redundant(engine, kept, tested) if settings.eliminate else kept


def _on(engine: Engine, table: Any) -> Any:
    return engine.table(table) if isinstance(table, pa.Table) else table


_REDUCE = """
select rule, cast(sum(b * (b - 1) / 2) as bigint) as support, cast(sum(good) as bigint) as correct,
       cast(sum(b - 1) as bigint) as saved
from (
    select rule, canonical, sum(m) as b, sum(m * (m - 1) / 2) as good
    from (
        select rule, canonical, cluster, cast(sum(urls) as bigint) as m from pairs group by rule, canonical, cluster
    ) as parts group by rule, canonical
) as buckets
group by rule order by rule
"""


_COUNTED = """
select context, template, cast(sum(clusters) as bigint) as clusters, min_by(urls, pick) as urls
from proposed where context <> '' group by context, template having sum(clusters) >= {least}
"""
_HOSTS = """
select distinct p.context, p.template, p.host
from proposed p join counted c on c.context = p.context and c.template = p.template
"""


def gather(engine: Engine, training: Any, settings: Settings, counts: Counts | None = None) -> list[Rule]:
    """Phase 1: the rules that at least `min_frequency` clusters made, with the hosts of all of them."""
    sample = engine.map(_on(engine, training), partial(sampled, settings=settings), TABLE)
    signed = engine.group_map(sample, ["cluster"], partial(sign, settings=settings), SIGNED)
    often = f"select signature from signed group by signature having sum(clusters) >= {settings.min_frequency}"
    frequent = np.sort(engine.collect(engine.sql(often, signed=signed))["signature"].to_numpy())
    proposed = engine.group_map(sample, ["cluster"], partial(propose, settings=settings, frequent=frequent), PROPOSED)
    # A batch names a rule once for each of its hosts, but counts its clusters on one row only.
    counted = engine.sql(_COUNTED.format(least=settings.min_frequency), proposed=proposed)
    if counts is not None:
        over = engine.collect(
            engine.sql("select coalesce(sum(clusters), 0) as n from proposed where context = ''", proposed=proposed)
        )
        counts["rules over a limit"] += int(over["n"][0].as_py())
    hosts: dict[tuple[str, str], list[str]] = {}
    for batch in engine.rows(engine.sql(_HOSTS, proposed=proposed, counted=counted)):
        for context, template, host in zip(*(batch.column(name).to_pylist() for name in ("context", "template", "host"))):
            hosts.setdefault((context, template), []).append(host)
    return [
        Rule.make("alignment", hosts[row["context"], row["template"]], row["context"], row["template"],
                  clusters=row["clusters"], made_from=tuple(row["urls"]))
        for row in sorted(engine.collect(counted).to_pylist(), key=lambda row: (row["context"], row["template"]))
    ]  # fmt: skip


def sampled(table: pa.Table, settings: Settings) -> pa.Table:
    """Of the rows of a batch those that can be in the sample of their cluster: a giant cluster never reaches one worker whole."""
    rows, _ = sample_rows(table, settings.sample, settings.seed, least=1)
    return table.take(pa.array(rows)).select(TABLE.names).cast(TABLE)


def sample_rows(table: pa.Table, size: int, seed: int, least: int = 2) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """At most `size` rows of each cluster that has `least`, by hash, in the order of the hash; and where clusters begin."""
    hashes = hash_strings(table.column("url"), seed)
    length = pc.binary_length(table.column("url")).to_numpy()
    cluster = table.column("cluster").to_numpy()
    rows = np.flatnonzero(length <= LONGEST)
    rows = rows[np.lexsort((hashes[rows], cluster[rows]))]
    starts = runs(cluster[rows])
    rank = np.arange(len(rows)) - np.repeat(starts[:-1], np.diff(starts))
    counts = np.repeat(np.diff(starts), np.diff(starts))
    rows = rows[(rank < size) & (counts >= least)]
    return rows, runs(cluster[rows])


class _Signed(NamedTuple):
    """Sampled clusters: their URLs, tokens, where each begins, and a signature that is the same for those that make one rule."""

    urls: pa.StringArray
    tokens: Tokens
    starts: NDArray[np.int64]
    signatures: NDArray[np.int64]


def _signed(table: pa.Table, settings: Settings) -> _Signed | None:
    from garimpo.dust.thesis._kernels_align import cluster_signatures

    rows, starts = sample_rows(table, settings.sample, settings.seed)
    if not len(rows):
        return None
    urls = table.column("url").take(pa.array(rows)).combine_chunks()
    tokens = Tokens.of(urls)
    order = np.arange(len(rows), dtype=np.int64)
    signatures = np.empty(len(starts) - 1, np.uint64)
    cluster_signatures(order, starts, tokens.offsets, tokens.exact, tokens.folded, tokens.kinds, tokens.data, tokens.starts,
                       settings.card, settings.progressive, signatures)  # fmt: skip
    return _Signed(urls, tokens, starts, signatures.view(np.int64))


def sign(table: pa.Table, settings: Settings) -> pa.Table:
    """How many of some whole clusters have each signature: what too few have is never written out as a rule."""
    signed = _signed(table, settings)
    if signed is None:
        return SIGNED.empty_table()
    return pa.table(list(np.unique(signed.signatures, return_counts=True)), schema=SIGNED)


def propose(table: pa.Table, settings: Settings, frequent: NDArray[np.int64] | None = None) -> pa.Table:
    """Job 1, map: the rules of some whole clusters, each with the hosts it came from and the number of its clusters.

    Of clusters whose signature is not among the `frequent`, none.
    """
    signed = _signed(table, settings)
    if signed is None:
        return PROPOSED.empty_table()
    urls, tokens, starts, signatures = signed
    order = np.arange(len(urls), dtype=np.int64)
    values, inverse, counts = np.unique(signatures, return_inverse=True, return_counts=True)
    wanted = np.ones(len(values), bool) if frequent is None else np.isin(values, frequent)
    pick = hash_strings(urls, settings.seed)[starts[:-1]].view(np.int64)  # so that no order of clusters decides which is shown
    shown = np.lexsort((pick, inverse))[np.cumsum(counts) - counts]
    emitted = [_emit(tokens, order[starts[c] : starts[c + 1]], settings) if often else None for c, often in zip(shown, wanted)]
    hosts = host_column(urls).fill_null("")
    by_rule = _hosts_by(np.repeat(inverse, np.diff(starts)), hosts)
    out: dict[str, list[Any]] = {name: [] for name in PROPOSED.names}
    for number, rule in enumerate(emitted):
        if rule is None:
            continue
        cluster = shown[number]
        examples = sorted(urls.slice(starts[cluster], starts[cluster + 1] - starts[cluster]).to_pylist())
        for place, host in enumerate(by_rule[number]):
            row = (*rule, host, int(counts[number]) if place == 0 else 0, int(pick[cluster]), examples)
            for name, value in zip(PROPOSED.names, row):
                out[name].append(value)
    return pa.table(out, PROPOSED)


def _emit(tokens: Tokens, rows: NDArray[np.int64], settings: Settings) -> tuple[str, str] | None:
    matrix, _score, _merges = align_rows(tokens, rows, settings.progressive)
    columns = columns_of(tokens, matrix[np.argsort(matrix_rows(tokens, matrix))])
    rule = rule_of(columns, settings.card, settings.keep_groups)
    urls = ["".join(token or "" for token in row) for row in zip(*columns)]
    try:
        kept = rule is not None and is_consistent(*rule, urls) and len(compile_context(rule[0]).steps) <= MOST_STEPS
    except BadInput:  # more captures than there may be
        return OVER_A_LIMIT
    return rule if kept else None


def _hosts_by(group: NDArray[Any], hosts: pa.StringArray) -> dict[int, list[str]]:
    pairs = pa.table({"group": group, "host": hosts}).group_by(["group", "host"]).aggregate([])
    found: dict[int, list[str]] = {}
    for number, host in sorted(zip(pairs.column("group").to_pylist(), pairs.column("host").to_pylist())):
        found.setdefault(number, []).append(host)
    return found


def measure(table: pa.Table, rules: Sequence[Rule]) -> pa.Table:
    """Job 2, map: for each rule and canonical form, how many of these URLs of one cluster it sends there."""
    cluster = table.column("cluster").to_numpy()
    parts = []
    for number, rows, canonical in canonical_rows(table, rules):
        key = np.stack([cluster[rows], canonical.view(np.int64)])
        found, counts = np.unique(key, axis=1, return_counts=True)
        columns = [np.full(len(counts), number), found[1], found[0], counts.astype(np.int64)]
        parts.append(pa.table(columns, schema=MEASURED))
    return pa.concat_tables(parts) if parts else MEASURED.empty_table()


def canonical_rows(table: pa.Table, rules: Sequence[Rule]) -> Any:
    """For each rule that reaches rows of the table: its number, those rows, and hashes of their canonical forms."""
    urls = table.column("url").combine_chunks()
    urls = pa.concat_arrays(urls.chunks) if isinstance(urls, pa.ChunkedArray) else urls
    data, offsets = flat(urls)
    encoded = host_column(urls).dictionary_encode()
    names = encoded.dictionary.to_pylist()
    codes = encoded.indices.fill_null(len(names)).to_numpy(zero_copy_only=False)
    order = np.argsort(codes, kind="stable").astype(np.int64)
    bounds = np.searchsorted(codes[order], np.arange(len(names) + 1))
    place = {name: number for number, name in enumerate(names)}
    for number, rule in enumerate(rules):
        known = [place[host] for host in rule.hosts if host in place]
        if not known:
            continue
        rows = np.concatenate([order[bounds[h] : bounds[h + 1]] for h in known])
        canonical, made_by = Program([rule]).hashes(data, offsets, rows, rule.hosts[0])
        hit = made_by >= 0
        if hit.any():
            yield number, rows[hit], canonical[hit]
