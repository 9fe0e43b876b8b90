"""Learning rules from clusters, by any of the methods."""

import contextlib
from typing import Any, Literal

import pyarrow as pa

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts
from garimpo.dust.prepare import cluster_hash, prepare
from garimpo.dust.rules import RuleSet
from garimpo.dust.show import by_saving
from garimpo.dust.spread import halves
from garimpo.engine import Engine, local

Method = Literal["garimpo", "dustlin", "duster"]
NEGLIGIBLE, MANY = 0.03, 50
"""Of more than so many rules, those that save least are left out as long as together they save at most this share."""


def learn(
    clusters: Any,
    method: str = "garimpo",
    *,
    fpr_max: float = 0.0,
    min_support: int | None = None,
    min_frequency: int | None = None,
    sample: int = 10,
    card: int = 5,
    keep_groups: bool = False,
    seed: int = 0,
    normalise: bool = True,
    engine: Engine | None = None,
    counts: Counts | None = None,
) -> RuleSet:
    """Rules from a table of clusters (`cluster`, `url`); a cluster of one URL is a page known to be unique.

    The table is one of Arrow, or one of the engine that `read_spread` made.

    >>> rows = [(n, f"http://a.org/{n}{end}") for n in range(40) for end in ("", "/")]
    >>> table = pa.table({"cluster": [n for n, _ in rows], "url": [url for _, url in rows]})
    >>> rules = learn(table)
    >>> rules.key("http://a.org/new/") == rules.key("http://a.org/new")
    True
    """
    if method not in ("garimpo", "dustlin", "duster"):
        raise BadInput(f"no method {method!r} (there are: garimpo, dustlin, duster)")
    if not 0 <= fpr_max < 1:
        raise BadInput(f"fpr_max is a share from 0 to below 1, not {fpr_max}")
    if not 2 <= sample <= 1000:
        raise BadInput(f"sample is a number of URLs from 2 to 1,000, not {sample}")
    table = prepare(clusters, counts, normalise) if isinstance(clusters, pa.Table) else clusters
    if method == "garimpo":
        from garimpo.dust.learner import Learner
        from garimpo.dust.spread_learner import SpreadLearner

        kind = Learner if isinstance(table, pa.Table) else SpreadLearner
        learner = kind(fpr_max, min_support, min_frequency, sample, seed, engine=engine)
        rules = worth_reading(learner.learn(table))
        if learner.left_out and counts is not None:
            counts["URLs of crowded hosts not looked at"] += learner.left_out
        return rules
    from garimpo.dust.alignment import Settings, learn_alignment

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
        return RuleSet(learn_alignment(engine, training, validation, settings))


def worth_reading(rules: RuleSet) -> RuleSet:
    """Of a large set those that save most: without the many that together save next to nothing."""
    if len(rules) <= MANY:
        return rules
    saved = sum(rule.support for rule in rules.rules)
    kept, left = list(by_saving(rules)), NEGLIGIBLE * saved
    while kept and kept[-1].support <= left:
        left -= kept.pop().support
    return RuleSet(kept, rules.version)


def split(table: pa.Table, seed: int = 0) -> tuple[pa.Table, pa.Table]:
    """Training and validation clusters, halves by a hash of the cluster number."""
    half = cluster_hash(table.column("cluster").to_numpy(), seed) >> 63 == 0
    return table.filter(pa.array(half)), table.filter(pa.array(~half))
