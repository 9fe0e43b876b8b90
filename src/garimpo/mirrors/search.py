"""From pages to pairs of hosts: scan, candidates, features, a method's scores, groups, and the host to keep."""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

import numpy as np
import pyarrow as pa

from garimpo import engine as engines
from garimpo.contract import BadInput, Summarised, check
from garimpo.contract.reading import Counts
from garimpo.contract.tables import HOST_PAIRS
from garimpo.engine import Engine
from garimpo.mirrors.blocking import KINDS, Candidates, candidates
from garimpo.mirrors.evidence import amounts, sure
from garimpo.mirrors.groups import group
from garimpo.mirrors.kept_host import POLICIES, Linking, Policy, choose, facts, linking_domains
from garimpo.mirrors.names import Names
from garimpo.mirrors.on_engine import host_links
from garimpo.mirrors.page_scan import Array, Pages, Scan, scan
from garimpo.mirrors.pair_features import SOURCE, Table, features
from garimpo.mirrors.thesis.choices import Choices
from garimpo.mirrors.weighing import Weights, probabilities, shipped, weigh

Method = Literal["garimpo", "pnu", "pu", "nu", "normpaths"]
METHODS: tuple[Method, ...] = get_args(Method)
CUT = 0.6
"""From this probability on the own method calls a pair copies."""
_SHOWN = (
    "contained", "paths", "common", "inside_a", "inside_b", "both", "same", "digests", "tails", "shapes", "redirects", "moved_a",
    "moved_b", "urls_a", "urls_b", "near", "near_same", "titles_both", "titles_same", "inlinks", "outlinks",
)  # fmt: skip


@dataclass(slots=True, repr=False)
class Found(Summarised):
    """The pairs, best first, and what is told about the run."""

    pairs: pa.Table
    counts: Counts
    hosts: int
    suppressed: dict[str, int]
    share: float
    seeds: dict[str, int]

    def summary(self) -> dict[str, Any]:
        """The run in a few numbers."""
        copies = self.pairs.filter(self.pairs["replica"])
        return {
            "hosts": self.hosts,
            "candidates": self.pairs.num_rows,
            "share_of_all_pairs": self.pairs.num_rows / max(self.hosts * (self.hosts - 1) // 2, 1),
            "replicas": copies.num_rows,
            "groups": len(copies["keep_host"].unique()),
            "suppressed": sum(self.suppressed.values()),
            "share_of_copies": self.share,
            "seeds": self.seeds,
            "passed_over": dict(self.counts),
        }


def find(
    pages: Pages, near: Pages | None = None, links: Pages | None = None, method: Method = "garimpo", **options: Any
) -> pa.Table:
    """All candidate pairs of hosts with their features and the score of a method, best first (host_pairs).

    `pages` needs a column `url`; `ip`, `digest` (or `text`, `html`), `title`, `redirect` and others serve if they are there.
    For the options see `search`.

    Args:
        pages: a table with url, and ip, digest, text or html where known.
        near: near-duplicates among the pages: id, cluster.
        links: source and target.
        method: garimpo, or one of the published methods.
        options: as for `search`.

    >>> pages = pa.table({"url": [f"http://{h}a.org/{i}" for h in ("", "www.") for i in range(9)], "digest": [*range(9)] * 2})
    >>> find(pages).select(["host_a", "host_b", "replica", "keep_host"]).to_pylist()
    [{'host_a': 'a.org', 'host_b': 'www.a.org', 'replica': True, 'keep_host': 'a.org'}]
    """
    return search(pages, near, links, method, **options).pairs


def search(
    pages: Pages,
    near: Pages | None = None,
    links: Pages | None = None,
    method: Method = "garimpo",
    *,
    keep: Policy = POLICIES[0],
    block_on: tuple[str, ...] = KINDS,
    max_list: int = 100,
    seed: int = 0,
    engine: Engine | None = None,
    weights: Weights | None = None,
    choices: Choices | None = None,
) -> Found:
    """`find`, with what was counted on the way.

    `keep` is the policy that chooses the host to keep, `block_on` what makes two hosts a candidate, `max_list` the most hosts
    that a path or content may stand on to do so.

    Args:
        pages: a table with url, and ip, digest, text or html where known.
        near: near-duplicates among the pages: id, cluster.
        links: source and target.
        method: garimpo, or one of the published methods.
        keep: what decides first which host of a group is kept.
        block_on: what two hosts must share to be compared.
        max_list: hosts that may share a thing for it to count.
        seed: makes a run repeatable.
        engine: where the job runs; this machine, unless given.
        weights: of the own method; those that come with the package, unless given.
        choices: what the published methods leave open; the threshold is also the cut of the own method's score.
    """
    choices = choices or Choices()
    if method not in METHODS:
        raise BadInput(f"method is one of {', '.join(METHODS)}, not {method}")
    if engine is None:
        with engines.local() as local:
            options: dict[str, Any] = {
                "keep": keep,
                "block_on": block_on,
                "max_list": max_list,
                "seed": seed,
                "weights": weights,
                "choices": choices,
            }
            return search(pages, near, links, method, engine=local, **options)
    if links is not None and not isinstance(links, pa.Table):
        links = host_links(engine, links)
    found = scan(engine, pages, near, max_list)
    pairs = candidates(found, block_on, max_list)
    table, names = features(found, pairs, links, max_list), Names.of(found.hosts)
    linking = linking_domains(found, links)
    if method == "garimpo":
        judged = _weighed(found, pairs, names, table, weights or shipped(), choices.threshold or CUT)
    elif method == "normpaths":
        judged = _by_pages(found, pairs, choices.threshold)
    else:
        judged = _by_rules(found, pairs, names, table, method, choices, seed)
    score = judged.score
    groups = joined(pairs, score, judged.replica, len(found.hosts))
    kept = choose(groups, facts(found, linking), keep)
    together = groups[pairs.first] == groups[pairs.second]
    score = with_groups(score, together, choices.threshold or CUT) if method == "garimpo" else score
    result = _table(found, pairs, table, score, together, kept, linking if links is not None else None, judged.extra)
    return Found(result, found.counts, len(found.hosts), pairs.suppressed, judged.share, judged.seeds)


def joined(pairs: Candidates, score: Array, replica: Array, hosts: int) -> Array:
    """The group of each host, from the scores of pairs and what the method decided of each."""
    return group(pairs.first, pairs.second, np.where(replica, np.maximum(score, 0.5), np.minimum(score, 0.49)), hosts)


def with_groups(score: Array, together: Array, cut: float) -> Array:
    """Probabilities that agree with the groups: a pair in one group gets at least the cut, any other less, in the same order."""
    lifted = np.where(score < cut, cut + 0.01 * score, score)
    lowered = np.where(score >= cut - 0.02, cut - 0.02 + 0.01 * score, score)
    return np.where(together, lifted, lowered)


class _Judged(NamedTuple):
    """What a method says of all pairs: columns to show, scores, which are copies, their share, and its seeds."""

    extra: Table
    score: Array
    replica: Array
    share: float
    seeds: dict[str, int]


def _weighed(found: Scan, pairs: Candidates, names: Names, table: Table, weights: Weights, threshold: float) -> _Judged:
    parts = weigh(amounts(found, pairs, names, table), weights)
    score, share = probabilities(parts, table, weights, sure(names, pairs, table))
    extra: Table = {f"weight_{kind}": part for kind, part in parts.items()}
    return _Judged(extra | {"same_site": names.same("site", pairs)}, score, score >= threshold, share, {})


def _by_pages(found: Scan, pairs: Candidates, threshold: float | None) -> _Judged:
    from garimpo.mirrors.thesis import normpaths

    likeness = normpaths.likeness(found, pairs)
    score = normpaths.score(likeness)
    replica = score >= (threshold or normpaths.CUT)
    return _Judged({"likeness": likeness}, score, replica, float(replica.mean()) if len(pairs) else 0.0, {})


def _by_rules(found: Scan, pairs: Candidates, names: Names, table: Table, method: str, choices: Choices, seed: int) -> _Judged:
    if not len(pairs):
        return _Judged({}, np.zeros(0), np.zeros(0, bool), 0.0, {})
    from garimpo.mirrors.thesis.methods import seeded  # takes seconds to load
    from garimpo.mirrors.thesis.pareto import dominance, layers

    modes = ("pu", "nu") if method == "pnu" else (method,)
    ranked = seeded(found, pairs, names, table, modes, choices, seed)
    extra: Table = {mode: ranked.scores[mode] for mode in modes}
    extra |= {f"{mode}_label": ranked.labels[mode] for mode in modes}
    extra["bins"] = np.full(len(pairs), choices.bins, object)
    replica = np.logical_and.reduce([ranked.scores[mode] > 0.5 for mode in modes])
    score = ranked.scores[method] if method != "pnu" else dominance(extra["pu"], extra["nu"]) / max(len(pairs) - 1, 1)
    if method == "pnu":
        extra["layer"] = layers(extra["pu"], extra["nu"])
    return _Judged(extra, score, replica, float(replica.mean()), ranked.seeds)


def _table(
    found: Scan, pairs: Candidates, table: Table, score: Array, replica: Array, kept: Array, linking: Linking | None, extra: Table
) -> pa.Table:
    hosts = pa.array(found.hosts, pa.string())
    order = np.lexsort((pairs.second, pairs.first, -score))
    first, second = pairs.first[order], pairs.second[order]
    columns = {"host_a": hosts.take(pa.array(first)), "host_b": hosts.take(pa.array(second))}
    columns |= {name: table[name][order] for name in SOURCE}
    for name in ("pu", "nu"):
        columns[name] = extra[name][order] if name in extra else pa.nulls(len(order), pa.float32())
    columns |= {"score": score[order], "replica": replica[order]}
    columns["keep_host"] = hosts.take(pa.array(np.where(replica[order], kept[first], -1), mask=~replica[order]))
    columns |= {name: table[name][order].astype(np.float32) for name in _SHOWN if name in table}
    columns |= {"first_a": found.oldest[first], "first_b": found.oldest[second]}
    if linking is not None:
        columns |= {"linking_a": linking.before(first, second), "linking_b": linking.before(second, first)}
    for name in sorted(extra.keys() - {"pu", "nu"}):  # a set has another order in every process
        values = extra[name][order]
        columns[name] = values.astype(np.float32) if values.dtype == np.float64 else values
    result = pa.table(columns)
    for name in ("nmatch", "ip4", "ip3", "fullpath", "score", "pu", "nu"):
        at = result.column_names.index(name)
        result = result.set_column(at, name, result[name].cast(pa.float32()))
    at = result.column_names.index("ndist")
    return check(result.set_column(at, "ndist", result["ndist"].cast(pa.int32())), HOST_PAIRS)
