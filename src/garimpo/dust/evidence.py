"""What one host's clusters say about each operation: how many confirm it, how many deny it."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from garimpo.dust.operation import Operation, Proposal, Slot
from garimpo.dust.prepare import runs
from garimpo.dust.propose import Parts, propose
from garimpo.dust.trial import HostRows, Trial
from garimpo.engine.base import Engine
from garimpo.engine.columns import flat
from garimpo.url import host_column

MOST_CLUSTERS = 400
"""Clusters of one host that are compared pair by pair; more show nothing new."""
MOST_OPERATIONS = 96
GENERIC_VALUES = 3
"""Different texts an operation must have been seen to ignore before it may ignore any."""


PARTICULAR = frozenset({"prefix", "segment", "rewrite", "parameter"})
"""Kinds with so many forms (folders, values of a parameter) that one cluster says nothing for the one it shows."""


class Evidence(NamedTuple):
    """An operation on one host."""

    operation: Operation
    confirmed: int
    """Clusters in which it removes a difference."""
    denied: int
    """Pairs of pages it would confuse."""
    saved: int
    """Fetches it alone would save."""
    example: tuple[str, str]


def host_evidence(
    host: HostRows,
    texts: Sequence[str],
    data: NDArray[np.uint8],
    offsets: NDArray[np.int64],
    sample: int,
    fpr_max: float = 0.0,
    bold: bool = False,
) -> list[Evidence]:
    """All operations the host's clusters propose, each with the clusters for and the pairs against it.

    `bold`: also those that one cluster alone proposes.
    """
    pairs = _proposals(host, texts, sample)
    support: dict[Operation, set[int]] = defaultdict(set)
    values: dict[Operation, set[str]] = defaultdict(set)
    example: dict[Operation, tuple[str, str]] = {}
    for cluster, slots, urls in pairs:
        for slot in slots:
            for operation, value in slot:
                support[operation].add(cluster)
                values[operation].update(value.split("\n"))
                example.setdefault(operation, urls)
    eligible = [
        o
        for o in support
        if bold or (len(values[o]) >= GENERIC_VALUES if is_generic(o) else len(support[o]) > 1 or o.kind not in PARTICULAR)
    ]
    eligible.sort(key=lambda o: (-len(support[o]), o))
    measured = Trial(host, data, offsets).each(eligible[:MOST_OPERATIONS])
    confirmed = _confirmed(pairs, measured, fpr_max)
    return [
        Evidence(operation, len(confirmed[operation]), denied, saved, example[operation])
        for operation, (denied, saved) in measured.items()
    ]


EVIDENCE = pa.schema(
    [(name, pa.string()) for name in ("host", "kind", "context", "template", "from_a", "from_b")]
    + [(name, pa.int64()) for name in ("confirmed", "denied", "saved")]
)


def distributed_evidence(
    engine: Engine, current: pa.Table, hosts: Mapping[str, HostRows], sample: int, fpr_max: float = 0.0, bold: bool = False
) -> dict[str, list[Evidence]]:
    """`host_evidence` of many hosts, each host's rows as one group of the engine."""
    rows = np.sort(np.concatenate([host.rows for host in hosts.values()]))
    table = current.take(pa.array(rows))
    table = table.append_column("host", host_column(table.column("url")))
    step = partial(evidence_step, sample=sample, fpr_max=fpr_max, bold=bold)
    told = engine.group_map(engine.table(table), ["host"], step, EVIDENCE, order=["cluster", "url"], python_bound=True)
    found: dict[str, list[Evidence]] = defaultdict(list)
    for batch in engine.rows(told):
        for row in batch.to_pylist():
            operation = Operation(row["kind"], row["context"], row["template"])
            example = (row["from_a"], row["from_b"])
            found[row["host"]].append(Evidence(operation, row["confirmed"], row["denied"], row["saved"], example))
    return found


def evidence_step(table: pa.Table, sample: int, fpr_max: float = 0.0, bold: bool = False) -> pa.Table:
    """The evidence of some whole hosts: a table `host`, `cluster`, `url` sorted by these becomes one of `EVIDENCE`."""
    urls = table.column("url").combine_chunks()
    data, offsets = flat(urls)
    names, clusters = table.column("host").to_pylist(), table.column("cluster").to_numpy()
    out: dict[str, list[object]] = {name: [] for name in EVIDENCE.names}
    starts = [i for i in range(len(names)) if i == 0 or names[i] != names[i - 1]]
    for begin, end in zip(starts, [*starts[1:], len(names)]):
        host = HostRows(np.arange(begin, end, dtype=np.int64), clusters[begin:end])
        texts = urls.slice(begin, end - begin).to_pylist()
        for found in host_evidence(host, texts, data, offsets, sample, fpr_max, bold):
            values = (names[begin], *found.operation, *found.example, found.confirmed, found.denied, found.saved)
            for name, value in zip(EVIDENCE.names, values):
                out[name].append(value)
    return pa.table(out, EVIDENCE)


def is_generic(operation: Operation) -> bool:
    """Whether it ignores some text whatever that is."""
    if operation.kind == "parameter":
        return operation.context.endswith("=*")
    if operation.kind == "path-parameter":
        return True
    bare = operation.context.replace("(~)", "").replace("\\~", "")
    return "~" in bare or (operation.kind == "rewrite" and "(~)" in operation.context)


def _proposals(host: HostRows, texts: Sequence[str], sample: int) -> list[tuple[int, list[Slot], tuple[str, str]]]:
    starts = runs(host.clusters)
    many = np.flatnonzero(np.diff(starts) >= 2)
    if len(many) > MOST_CLUSTERS:
        many = many[:: -(-len(many) // MOST_CLUSTERS)]
    found = []
    for place in many.tolist():
        members = sorted(texts[starts[place] : starts[place + 1]], key=lambda url: (len(url), url))
        if len(members) > sample:
            members = [members[0], *members[1 :: -(-(len(members) - 1) // (sample - 1))]]
        parts = [Parts.of(url) for url in members]
        pairs = {(0, i) for i in range(1, len(parts))} | {(i - 1, i) for i in range(1, len(parts))}
        for i, j in sorted(pairs):
            slots = propose(parts[j], parts[i])
            if slots:
                found.append((int(host.clusters[starts[place]]), slots, (members[j], members[i])))
    return found


def _confirmed(
    pairs: list[tuple[int, list[Slot], tuple[str, str]]], measured: dict[Operation, tuple[int, int]], fpr_max: float
) -> dict[Operation, set[int]]:
    """The clusters for each operation: pairs whose every other difference has an explanation nothing denies."""
    confirmed: dict[Operation, set[int]] = {operation: set() for operation in measured}

    def stands(proposal: Proposal) -> bool:
        denied, saved = measured.get(proposal.operation, (1, 0))
        return denied <= fpr_max * (denied + saved)

    for cluster, slots, _ in pairs:
        doubtful = [number for number, slot in enumerate(slots) if not any(map(stands, slot))]
        if len(doubtful) > 1:
            continue
        for number, slot in enumerate(slots):
            if doubtful and doubtful[0] != number:
                continue
            for operation, _ in slot:
                if operation in confirmed:
                    confirmed[operation].add(cluster)
    return confirmed
