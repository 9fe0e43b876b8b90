"""Learning rules from clusters, by any of the methods."""

import contextlib
import os
from typing import Any, Literal

import pyarrow as pa

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.dust.engine.clusters import halves
from garimpo.dust.inputs.files import read_clusters
from garimpo.dust.inputs.preparation import cluster_hash, prepare
from garimpo.dust.method.belief import DEFAULT_ERROR
from garimpo.dust.rules.report import by_saving
from garimpo.dust.rules.ruleset import RuleSet
from garimpo.engine import Engine, local

Method = Literal["garimpo", "dustlin", "duster"]
NEGLIGIBLE, MANY = 0.03, 50
"""Of more than so many rules, those that save least are left out as long as together they save at most this share."""


def learn(
    clusters: Any,
    method: Method = "garimpo",
    *,
    fpr_max: float | None = None,
    min_support: int | None = None,
    min_frequency: int | None = None,
    sample: int = 10,
    card: int = 5,
    keep_groups: bool = False,
    everything: bool = False,
    seed: int = 0,
    normalise: bool = True,
    engine: Engine | None = None,
    counts: Counts | None = None,
) -> RuleSet:
    """Rules from a table of clusters (`cluster`, `url`); a cluster of one URL is a page known to be unique.

    Args:
        clusters: a table of Arrow, a file of clusters (`clusters.tsv`), or a table of an engine
        method: our own, or one of the published ones
        fpr_max: the share of wrong pairs a rule may be expected to have; unless given 0.01, and 0 for the published methods
        min_support: fetches (published methods: pairs) that a rule must save; unless given as little as can be trusted (10)
        min_frequency: clusters that must propose a rule of the published methods (10)
        sample: URLs of a cluster that are compared
        card: tokens from which the published methods take a class in place of a list
        keep_groups: keep groups in the template (mode B of the published methods)
        everything: keep also rules that together save next to nothing
        seed: from which the published methods draw their samples and halves
        normalise: whether URLs are to be normalised first
        engine: where to run
        counts: gets what was passed over

    >>> rows = [(n, f"http://a.org/{n}{end}") for n in range(40) for end in ("", "/")]
    >>> table = pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})
    >>> rules = learn(table)
    >>> rules.key("http://a.org/new/") == rules.key("http://a.org/new")
    True
    """
    if method not in ("garimpo", "dustlin", "duster"):
        raise BadInput(f"no method {method!r} (there are: garimpo, dustlin, duster)")
    if fpr_max is None:
        fpr_max = DEFAULT_ERROR if method == "garimpo" else 0.0
    if not 0 <= fpr_max < 1:
        raise BadInput(f"fpr_max is a share from 0 to below 1, not {fpr_max}")
    if not 2 <= sample <= 1000:
        raise BadInput(f"sample is a number of URLs from 2 to 1,000, not {sample}")
    if isinstance(clusters, (str, os.PathLike)):
        clusters = read_clusters(clusters, counts)
    table = prepare(clusters, counts, normalise) if isinstance(clusters, pa.Table) else clusters
    if method == "garimpo":
        from garimpo.dust.method.learner import Learner

        found = Learner(fpr_max, min_support, min_frequency, sample, seed, engine=engine).learn(table)
        return found if everything else worth_reading(found, counts)
    from garimpo.dust.thesis.methods import Settings, learn_alignment

    settings = Settings(
        progressive=method == "duster",
        sample=sample,
        card=card,
        min_frequency=10 if min_frequency is None else min_frequency,
        min_support=10 if min_support is None else min_support,
        fpr_max=fpr_max,
        keep_groups=keep_groups,
        eliminate=method == "dustlin",
        seed=seed,
    )
    with contextlib.ExitStack() as stack:
        if engine is None:
            engine = stack.enter_context(local())
        training, validation = split(table, seed) if isinstance(table, pa.Table) else halves(engine, table, seed)
        return RuleSet(learn_alignment(engine, training, validation, settings, counts))


def worth_reading(rules: RuleSet, counts: Counts | None = None) -> RuleSet:
    """Of a large set those that save most: without the many that together save next to nothing."""
    if len(rules) <= MANY:
        return rules
    saved = sum(rule.support for rule in rules.rules)
    kept, left = list(by_saving(rules)), NEGLIGIBLE * saved
    while kept and kept[-1].support <= left:
        left -= kept.pop().support
    if counts is not None:
        counts["rules that save next to nothing"] += len(rules) - len(kept)
    return RuleSet(kept, rules.version)


def split(table: pa.Table, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """Training and validation clusters, halves by a hash of the cluster number."""
    half = cluster_hash(table.column("cluster").to_numpy(), seed) >> 63 == 0
    return table.filter(pa.array(half)), table.filter(pa.array(~half))
