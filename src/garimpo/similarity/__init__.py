"""Which pages say nearly the same?

How a text moves through this room. `Sets` turns it into the sorted set of its 64-bit shingle hashes. `Sketcher` turns a set
into a short row of slots; two rows have about as many equal slots as their sets have in common. `bands` cuts the row into
bands, and two texts that agree in a whole band are a candidate pair. Candidates are then compared exactly, set against
set, in integers: a sketch proposes, it never decides. What passes are verified pairs; from them come stars: in the order
in which documents are preferred, each one goes to the earliest kept document it is directly similar to, or is kept
itself. Nothing is ever removed because of a chain.

Invariants. Documents with equal sets are folded into one before anything else, so a million empty or equal pages are one.
A bucket of m documents makes at most m * cap pairs: only its first `cap` documents, in order of preference, meet
those that follow; what that hides is counted. On an engine, crowded buckets and clusters are cut so that no worker gets
one whole (`crowds`), and nothing changes. The empty set is similar to nothing. Two sketches are compared only if
their configurations are equal. A pair is similar iff its Jaccard, as a fraction of integers, is at least the threshold.
"""

from garimpo.similarity.bands import Bands, choose, explain
from garimpo.similarity.batch import Clusters, dedup
from garimpo.similarity.estimate import estimate, exact
from garimpo.similarity.index import Index
from garimpo.similarity.planning import plan
from garimpo.similarity.ranking import rank
from garimpo.similarity.sets import Sets
from garimpo.similarity.sketch import SketchConfig, Sketcher, Sketches

__all__ = [
    "Bands",
    "Clusters",
    "Index",
    "Sets",
    "SketchConfig",
    "Sketcher",
    "Sketches",
    "choose",
    "dedup",
    "estimate",
    "exact",
    "explain",
    "plan",
    "rank",
]
