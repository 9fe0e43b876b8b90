"""Which pages say nearly the same, and who took what from whom?

```
 texts ──► shingle sets ──► sketches ──► bands ──► candidate pairs ──► exact check ──► stars      (dedup, Index)
   │
   ├─────► terms ──► counts of the queries' terms ──► a measure ──► the best of each query         (rank) ──► evaluate
   │
   └─────► a stored Collection, grown over time ──► the nearest of a text       (rank --index, dedup --against)
```

Sub-rooms, each importing only those before it: `inputs` and `sketches`; `scoring` (terms, measures, estimates); `candidates`
(bands and pairs); `stores` (index and collection, on disk); `clusters` (dedup) and `retrieval` (rank, evaluate, reuse).

Near-duplicates. `Sets` turns a text into the sorted set of its 64-bit shingle hashes. `Sketcher` turns a set
into a short row of slots; two rows have about as many equal slots as their sets have in common. `bands` cuts the row into
bands, and two texts that agree in a whole band are a candidate pair. Candidates are then compared exactly, set against
set, in integers: a sketch proposes, it never decides. What passes are verified pairs; from them come stars: in the order
in which documents are preferred, each one goes to the earliest kept document it is directly similar to, or is kept
itself. Nothing is ever removed because of a chain.

Text reuse. `terms` cuts texts into what is compared; `measures` is the one list of measures, behind `rank`, `scores`,
`estimate` and `exact`; `ranking` reads a corpus once and keeps the best documents of each query; `evaluation` judges any
system's ranking. `Collection` keeps every document it was given, on disk, and finds the nearest by bands and an exact check;
`Index`, which serves a running crawl, folds near-duplicates away instead.

Invariants. Documents with equal sets are folded into one before anything else, so a million empty or equal pages are one.
The recall asked for is kept at the threshold itself, where pairs are found least often. Where very many documents meet in one
bucket only its first `cap` documents, in order of preference, meet those that follow; the cap is 64, or as much larger as
keeps the candidates few, and what it hides is counted. On an engine, crowded buckets and clusters are cut so that no worker
gets one whole (`large_groups`), and nothing changes. The empty set is similar to nothing. Two sketches are compared only if
their configurations are equal. A pair is similar iff its Jaccard, as a fraction of integers, is at least the threshold.
"""

from garimpo.similarity.candidates.bands import Bands, choose, explain
from garimpo.similarity.candidates.planning import plan
from garimpo.similarity.clusters.batch import Clusters, dedup
from garimpo.similarity.retrieval.evaluation import Evaluation, evaluate
from garimpo.similarity.retrieval.ranking import rank
from garimpo.similarity.scoring.estimation import estimate, exact
from garimpo.similarity.scoring.measures import MEASURES, Measure, scores
from garimpo.similarity.scoring.terms import TermConfig, Terms, terms_of
from garimpo.similarity.sketches.sets import Sets
from garimpo.similarity.sketches.sketch import SketchConfig, Sketcher, Sketches
from garimpo.similarity.stores.collection import Collection
from garimpo.similarity.stores.index import Index

__all__ = [
    "MEASURES",
    "Bands",
    "Clusters",
    "Collection",
    "Evaluation",
    "Index",
    "Measure",
    "Sets",
    "SketchConfig",
    "Sketcher",
    "Sketches",
    "TermConfig",
    "Terms",
    "choose",
    "dedup",
    "estimate",
    "evaluate",
    "exact",
    "explain",
    "plan",
    "rank",
    "scores",
    "terms_of",
]
