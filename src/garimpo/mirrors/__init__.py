"""Which hosts are copies of each other.

How a pair is found. `page_scan` reads the pages once, on the engine: a URL becomes the keys of its host, its path, the folder
and the name of the page; what two hosts could share is gathered by host, and only what stands on two hosts or more comes back.
`blocking` expands the lists of hosts per path and per content to pairs, leaving out what stands on too many hosts to mean
anything, and counts what that left out; where an engine's workers are elsewhere the lists stay there (`on_engine`).
`pair_features` says in numbers what a pair has in common: names, addresses, paths and the sections they stand in, contents,
titles, links, redirects. All this is linear in the pages but for the pairs themselves.

How it is judged. The room's own method says what amounts of evidence a pair has (`evidence`) and weighs them (`weighing`):
weights add up to log odds, and the share of copies in the collection is estimated from the collection, so that the score is a
probability. What the pages do not say (no address, nothing fetched) weighs nothing. The published methods stand beside it
(`thesis`): obvious pairs are seeds, `em` flips the labels of all others until nothing moves, reading a `rule_index` whose
votes `lac` counts exactly, from positive seeds (`pu`), from negative ones (`nu`), and both joined by dominance (`pareto`:
`pnu`); and `normpaths`, which adds up pages that are equal under one path.

What is made of it. `groups` joins pairs to groups, never by a chain of single likenesses; `kept_host` chooses the host that
stays, by default the one that most other domains link to; `folding` gives the crawl what it may fold, as (host, prefix) into
(host, prefix), with the prefixes found by `prefixes`. `explanation` and `report` say why; `gold` draws pairs to label by hand
and says how right the method is.

Invariants: a pair is named once, host_a < host_b; the same pages in any order give the same table; no fold rests on one kind
of evidence, none crosses sites on contents alone, and between sites only a host is folded that was met later and hardly
anybody links to, or one that itself leads to the other; nothing that is folded is folded into something that is folded itself.
"""

from typing import TYPE_CHECKING, Any

from garimpo.mirrors.folding import folds
from garimpo.mirrors.kept_host import POLICIES
from garimpo.mirrors.search import METHODS, find, search

if TYPE_CHECKING:
    from garimpo.mirrors.thesis.lac import LAC

__all__ = ["LAC", "METHODS", "POLICIES", "find", "folds", "search"]


def __getattr__(name: str) -> Any:
    """The classifier that is an estimator of scikit-learn is loaded when it is asked for: that takes seconds."""
    if name == "LAC":
        from garimpo.mirrors.thesis.lac import LAC

        return LAC
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
