"""Which hosts are copies of each other.

How a pair is found. `scan` reads the pages once, on the engine: a URL becomes the keys of its host, its path, the folder and
the name of the page; what two hosts could share is gathered by host, and only what stands on two hosts or more comes back.
`candidates` expands the lists of hosts per path and per content to pairs, leaving out what stands on too many hosts to mean
anything, and counts what that left out; where an engine's workers are elsewhere the lists stay there (`spread`). `features` says
in numbers what a pair has in common: names, addresses, paths, contents, titles, links, redirects. All this is linear in the
pages but for the pairs themselves.

How it is judged. The room's own method (`evidence`, `weigh`) puts each pair on a level for each kind of evidence; levels have
weights, weights add up to log odds, and the share of copies in the collection is estimated from the collection, so that the
score is a probability. What the pages do not say (no address, nothing fetched) weighs nothing. The published methods
stand beside it (`seeded`): obvious pairs are seeds, `em` flips the labels of all others until nothing moves, reading `rules`
whose votes `lac` counts exactly, from positive seeds (`pu`), from negative ones (`nu`), and both joined by dominance
(`pareto`: `pnu`).

What is made of it. `groups` joins pairs to groups, never by a chain of single likenesses; `keep` chooses the host that stays, by
default the one that most other sites link to; `folds` gives the crawl what it may fold, as (host, prefix) into (host, prefix),
with the prefixes found by `prefixes`. `explain` and `report` say why.

Invariants: a pair is named once, host_a < host_b; the same pages in any order give the same table; no fold rests on one kind
of evidence, none crosses sites on contents alone, and between sites only the host that fewer sites link to is folded, or one that
itself leads to the other; nothing that is folded is folded into something that is folded itself.
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
