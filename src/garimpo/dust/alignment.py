"""DUSTER and DustLin: one rule from the alignment of each cluster, kept if enough clusters made it and few pairs deny it.

Both jobs are pure functions over tables of whole clusters (`propose`, `measure`), the two MapReduce jobs of DustLin-MR: the
engine groups, they map, SQL reduces. So the rules are the same wherever it runs.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from garimpo.dust.align import Tokens, align_rows, columns_of, matrix_rows
from garimpo.dust.emit import rule_of
from garimpo.dust.pattern import is_consistent
from garimpo.dust.prepare import runs
from garimpo.dust.program import Program
from garimpo.dust.redundancy import drop_redundant
from garimpo.dust.rules import Rule
from garimpo.engine.base import Engine
from garimpo.engine.columns import flat, hash_strings
from garimpo.url import host_column

LONGEST = 2048
"""Longer URLs are neither aligned nor matched: they are traps or data, and an alignment costs the square of the length."""

PROPOSED = pa.schema(
    [("context", pa.string()), ("template", pa.string()), ("host", pa.string()), ("clusters", pa.int64()),
     ("urls", pa.list_(pa.string()))]
)
MEASURED = pa.schema([("rule", pa.int64()), ("canonical", pa.int64()), ("urls", pa.int64())])


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


def learn_alignment(engine: Engine, training: pa.Table, validation: pa.Table, settings: Settings) -> list[Rule]:
    """Propose on the training clusters, measure on the validation clusters, drop what says nothing new."""
    candidates = gather(engine, training, settings)
    if not candidates:
        return []
    step = partial(measure, rules=candidates)
    pairs = engine.group_map(engine.table(validation), ["cluster"], step, MEASURED)
    found = engine.collect(engine.sql(_REDUCE, pairs=pairs)).to_pydict()
    kept = []
    for number, support, correct, saved in zip(found["rule"], found["support"], found["correct"], found["saved"]):
        wrong = support - correct
        if support >= max(settings.min_support, 1) and wrong <= settings.fpr_max * support:
            rule = candidates[number]
            kept.append(Rule.make("alignment", rule.hosts, rule.context, rule.template, support=int(saved),
                                  clusters=rule.clusters, false_positives=int(wrong), made_from=rule.made_from))
    kept.sort(key=lambda rule: (-rule.support, -len(rule.hosts), len(rule.context), rule.context, rule.template))
    return drop_redundant(kept, validation) if settings.eliminate else kept


_REDUCE = """
select rule, cast(sum(b * (b - 1) / 2) as bigint) as support, cast(sum(good) as bigint) as correct,
       cast(sum(b - 1) as bigint) as saved
from (select rule, canonical, sum(urls) as b, sum(urls * (urls - 1) / 2) as good from pairs group by rule, canonical) as buckets
group by rule order by rule
"""


def gather(engine: Engine, training: pa.Table, settings: Settings) -> list[Rule]:
    """Phase 1: the rules that at least `min_frequency` clusters made, with the hosts of all of them."""
    step = partial(propose, settings=settings)
    proposed = engine.group_map(engine.table(training), ["cluster"], step, PROPOSED)
    # A batch names a rule once for each of its hosts, but counts its clusters on one row only.
    counted = engine.sql(
        "select context, template, host, sum(clusters) as clusters, max(urls) as urls from proposed "
        "group by context, template, host",
        proposed=proposed,
    )
    rows = engine.collect(counted)
    found: dict[tuple[str, str], tuple[int, list[str], list[str]]] = {}
    for context, template, host, clusters, urls in zip(*(rows.column(name).to_pylist() for name in PROPOSED.names)):
        total, hosts, examples = found.get((context, template), (0, [], []))
        found[context, template] = (total + clusters, [*hosts, host], max(examples, urls))
    return [
        Rule.make("alignment", hosts, context, template, clusters=int(total), made_from=tuple(urls))
        for (context, template), (total, hosts, urls) in sorted(found.items())
        if total >= settings.min_frequency
    ]


def sample_rows(table: pa.Table, size: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """At most `size` rows of each cluster that has two, by hash, in the order of the hash; and where clusters begin."""
    hashes = hash_strings(table.column("url"), seed)
    length = pc.binary_length(table.column("url")).to_numpy()
    cluster = table.column("cluster").to_numpy()
    rows = np.flatnonzero(length <= LONGEST)
    rows = rows[np.lexsort((hashes[rows], cluster[rows]))]
    starts = runs(cluster[rows])
    rank = np.arange(len(rows)) - np.repeat(starts[:-1], np.diff(starts))
    counts = np.repeat(np.diff(starts), np.diff(starts))
    rows = rows[(rank < size) & (counts >= 2)]
    return rows, runs(cluster[rows])


def propose(table: pa.Table, settings: Settings) -> pa.Table:
    """Job 1, map: the rules of some whole clusters, each with the hosts it came from and the number of its clusters."""
    from garimpo.dust._kernels import cluster_signatures

    rows, starts = sample_rows(table, settings.sample, settings.seed)
    if not len(rows):
        return PROPOSED.empty_table()
    urls = table.column("url").take(pa.array(rows)).combine_chunks()
    tokens = Tokens.of(urls)
    order = np.arange(len(rows), dtype=np.int64)
    signatures = np.empty(len(starts) - 1, np.uint64)
    cluster_signatures(order, starts, tokens.offsets, tokens.exact, tokens.folded, tokens.kinds, tokens.data, tokens.starts,
                       settings.card, settings.progressive, signatures)  # fmt: skip
    _, first, inverse, counts = np.unique(signatures, return_index=True, return_inverse=True, return_counts=True)
    emitted = [_emit(tokens, order[starts[c] : starts[c + 1]], settings) for c in first]
    hosts = host_column(urls).fill_null("")
    by_rule = _hosts_by(np.repeat(inverse, np.diff(starts)), hosts)
    out: dict[str, list[Any]] = {name: [] for name in PROPOSED.names}
    for number, rule in enumerate(emitted):
        if rule is None:
            continue
        cluster = first[number]
        examples = sorted(urls.slice(starts[cluster], starts[cluster + 1] - starts[cluster]).to_pylist())
        for place, host in enumerate(by_rule[number]):
            values = (*rule, host, int(counts[number]) if place == 0 else 0, examples)
            for name, value in zip(PROPOSED.names, values):
                out[name].append(value)
    return pa.table(out, PROPOSED)


def _emit(tokens: Tokens, rows: NDArray[np.int64], settings: Settings) -> tuple[str, str] | None:
    matrix, _score, _merges = align_rows(tokens, rows, settings.progressive)
    columns = columns_of(tokens, matrix[np.argsort(matrix_rows(tokens, matrix))])
    rule = rule_of(columns, settings.card, settings.keep_groups)
    urls = ["".join(token or "" for token in row) for row in zip(*columns)]
    return rule if rule and is_consistent(*rule, urls) else None


def _hosts_by(group: NDArray[Any], hosts: pa.StringArray) -> dict[int, list[str]]:
    pairs = pa.table({"group": group, "host": hosts}).group_by(["group", "host"]).aggregate([])
    found: dict[int, list[str]] = {}
    for number, host in sorted(zip(pairs.column("group").to_pylist(), pairs.column("host").to_pylist())):
        found.setdefault(number, []).append(host)
    return found


def measure(table: pa.Table, rules: Sequence[Rule]) -> pa.Table:
    """Job 2, map: for each rule and canonical form, how many URLs of one cluster it sends there."""
    cluster = table.column("cluster").to_numpy()
    parts = []
    for number, rows, canonical in canonical_rows(table, rules):
        key = np.stack([cluster[rows], canonical.view(np.int64)])
        found, counts = np.unique(key, axis=1, return_counts=True)
        parts.append(pa.table([np.full(len(counts), number), found[1], counts.astype(np.int64)], schema=MEASURED))
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
