"""What a run would do and what to expect of it, from a sample, without running it."""

import numpy as np
import pyarrow as pa
import xxhash

from garimpo.contract import Counts, Result
from garimpo.similarity.candidates.bands import Floats, as_fraction, choose, explain
from garimpo.similarity.inputs.batches import Documents, batches_of
from garimpo.similarity.sketches.sketch import Sketcher, Sketches

SAMPLE = 1000


def plan(
    documents: Documents,
    threshold: float = 0.8,
    *,
    shingle: int = 5,
    sketch: str = "fss",
    slots: int | None = None,
    recall: float = 0.99,
    seed: int = 0,
) -> Result:
    """The bands a run would use, its S-curve, and the pairs, memory and recall to expect.

    All documents are counted; those whose ids have the smallest hashes are sketched, and the similarities of their pairs
    foretell how many candidates there will be.

    Args:
        documents: as `dedup` takes them.
        threshold: the smallest similarity of near-duplicates.
        shingle: words in a shingle.
        sketch: the method of sketching.
        slots: of a sketch.
        recall: the share of near-duplicates that the bands should find.
        seed: of the sketches' hash functions.

    >>> plan(pa.table({"id": ["a", "b"], "text": ["red gold", "red river"]}))["documents"]
    2
    """
    sketcher = Sketcher(sketch, slots, shingle, seed)
    bands = choose(sketcher.config, as_fraction(threshold), recall)
    count, texts = _sampled(documents)
    sketches, sets = sketcher.read(pa.array(texts, pa.large_string()))
    mean = float(sets.sizes.mean()) if len(sets) else 0.0
    return explain(bands, count, _similarities(sketches) if len(texts) > 1 else None, mean)


def _sampled(documents: Documents) -> tuple[int, list[str | None]]:
    count = 0
    held: list[tuple[int, str | None]] = []
    for batch in batches_of(documents, (), Counts()):
        count += batch.num_rows
        marks = [xxhash.xxh64_intdigest(name.encode()) for name in batch.column("id").to_pylist()]
        chosen = sorted(range(batch.num_rows), key=marks.__getitem__)[:SAMPLE]
        taken = batch.column("text").take(pa.array(chosen, pa.int64())).to_pylist()
        held = sorted([*held, *zip((marks[i] for i in chosen), taken)], key=lambda entry: entry[0])[:SAMPLE]
    return count, [text for _, text in held]


def _similarities(sketches: Sketches) -> tuple[Floats, Floats]:
    """A histogram of the similarities of all pairs of the sample, as their sketches tell them."""
    from garimpo.similarity.scoring.estimation import estimate

    weights = np.zeros(101)
    for row in range(len(sketches) - 1):
        others = sketches[slice(row + 1, None)]
        this = sketches[np.full(len(others), row)]
        weights += np.bincount((estimate(this, others) * 100).astype(np.int64), minlength=101)
    return np.arange(101) / 100, weights
