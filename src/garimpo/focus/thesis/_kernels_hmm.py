"""Jitted code of the context-graph Markov model: online naive Bayes over distance classes, labels by back-crawl, Viterbi.

Nodes carry `label` (distance to the nearest relevant page as far as visited pages show it; `states` where unknown), `seen` (the
class naive Bayes gave, -1: not visited) and `paths` (the Viterbi variable of the best state path that ends there, in logs).

Two variants. Ours divides a page's log likelihood by its mass, so that posteriors do not saturate, cuts a class off at a low
quantile of what it is used to, learns from irrelevant pages too, and carries distances back without limit. The *literal* one does
as the source says: the likelihood as it is, the least posterior as the cut, and only a relevant page is followed back, over
visited pages, as many links as there are states. Naive Bayes and the Markov model are frozen each by itself.
"""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel

RECENT = 64
OFFSETS = types.Array(types.int64, 1, "C", readonly=True)
NODES = types.Array(types.int32, 1, "C", readonly=True)
WEIGHTS = types.Array(types.float32, 1, "C", readonly=True)
LABELS = types.Array(types.int8, 1, "C")
TABLE = types.Array(types.float64, 2, "C")
FLOATS = types.Array(types.float64, 1, "C")
COUNTS = types.Array(types.float32, 2, "C")
SIZES = types.Array(types.int64, 1, "C")


@kernel(types.void(types.int64, types.boolean, OFFSETS, NODES, WEIGHTS, COUNTS, FLOATS, FLOATS, FLOATS))
def distances(node, literal, starts, terms, weights, counts, totals, documents, out):  # type: ignore[no-untyped-def]
    """The posterior of each trained class for a page; unless literal, its log likelihood taken per word."""
    classes = out.size
    vocabulary = counts.shape[0]
    mass = 0.0
    every = 0.0
    for c in range(classes):
        every += documents[c]
        out[c] = 0.0
    for cell in range(starts[node], starts[node + 1]):
        mass += weights[cell]
        for c in range(classes):
            out[c] += weights[cell] * np.log((1.0 + counts[terms[cell], c]) / (vocabulary + totals[c]))
    top = -np.inf
    for c in range(classes):
        share = out[c] if literal else out[c] / mass * 10.0 if mass > 0 else 0.0
        out[c] = np.log((1.0 + documents[c]) / (classes + every)) + share
        top = max(top, out[c])
    total = 0.0
    for c in range(classes):
        out[c] = np.exp(out[c] - top)
        total += out[c]
    for c in range(classes):
        out[c] /= total


@kernel(types.int64(types.int64, types.boolean, OFFSETS, NODES, WEIGHTS, COUNTS, FLOATS, FLOATS, FLOATS, FLOATS))
def observe(node, literal, starts, terms, weights, counts, totals, documents, floors, posterior):  # type: ignore[no-untyped-def]
    """The class of a page, or the extra class if its posterior is under what the class is used to."""
    distances(node, literal, starts, terms, weights, counts, totals, documents, posterior)
    best = 0
    for c in range(1, posterior.size):
        if posterior[c] > posterior[best]:
            best = c
    return best if posterior[best] >= floors[best] else posterior.size


@kernel(types.void(types.int64, types.int64, types.float64, OFFSETS, NODES, WEIGHTS, COUNTS, FLOATS, FLOATS))
def teach(node, label, sign, starts, terms, weights, counts, totals, documents):  # type: ignore[no-untyped-def]
    """Add a page to (or with sign -1 take it from) a trained class."""
    if label >= documents.size:
        return
    documents[label] += sign
    for cell in range(starts[node], starts[node + 1]):
        counts[terms[cell], label] += sign * weights[cell]
        totals[label] += sign * weights[cell]


@kernel(
    types.void(
        types.int64, types.int64, types.int64, LABELS, LABELS, OFFSETS, NODES, OFFSETS, NODES, TABLE, TABLE,
    )
)  # fmt: skip
def count_arcs(node, label, sign, labels, seen, out_at, out_to, in_at, in_from, moves, shown):  # type: ignore[no-untyped-def]
    """Count the arcs between this page, as one of `label`, and labelled visited pages; and what it looked like."""
    states = moves.shape[0]
    for i in range(out_at[node], out_at[node + 1]):
        other = out_to[i]
        if seen[other] >= 0 and labels[other] < states and other != node:
            moves[label, labels[other]] += sign
    for i in range(in_at[node], in_at[node + 1]):
        other = in_from[i]
        if seen[other] >= 0 and labels[other] < states and other != node:
            moves[labels[other], label] += sign
    shown[label, seen[node]] += sign


@kernel(
    types.void(
        types.int64, types.int64, types.boolean, types.boolean, types.boolean, OFFSETS, NODES, OFFSETS, NODES, OFFSETS, NODES,
        WEIGHTS, LABELS, LABELS, COUNTS, FLOATS, FLOATS, FLOATS, COUNTS, SIZES, TABLE, TABLE, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def relabel(  # type: ignore[no-untyped-def]
    node, label, literal, bayes, markov, out_at, out_to, in_at, in_from, starts, terms, weights,
    labels, seen, counts, totals, documents, floors, recent, placed, moves, shown, posterior,
):  # fmt: skip
    """Take a page out of its old class and cells, put it into the new ones, and look at it again; each model if it may learn."""
    old, states = labels[node], moves.shape[0]
    if old < states and bayes:
        teach(node, old, -1.0, starts, terms, weights, counts, totals, documents)
    if old < states and markov:
        count_arcs(node, old, -1, labels, seen, out_at, out_to, in_at, in_from, moves, shown)
    labels[node] = label
    if bayes:
        teach(node, label, 1.0, starts, terms, weights, counts, totals, documents)
    seen[node] = observe(node, literal, starts, terms, weights, counts, totals, documents, floors, posterior)
    if label < posterior.size and bayes:
        recent[label, placed[label] % RECENT] = posterior[label]
        placed[label] += 1
        if placed[label] >= 5 and (placed[label] < 64 or placed[label] % 16 == 0):
            some = np.sort(recent[label, : min(placed[label], RECENT)])
            floors[label] = some[0 if literal else int(0.05 * some.size)]
    if markov:
        count_arcs(node, label, 1, labels, seen, out_at, out_to, in_at, in_from, moves, shown)


@kernel(types.void(types.int64, types.int64, LABELS, COUNTS, TABLE, TABLE))
def extend(node, parent, seen, paths, moves, shown):  # type: ignore[no-untyped-def]
    """One step of Viterbi in logs, from the path that ends at the parent (none: all states alike)."""
    states = moves.shape[0]
    top = -np.inf
    for s in range(states):
        seen_here = 0.0
        for o in range(states):
            seen_here += shown[s, o]
        best = 0.0
        if parent >= 0:
            best = -np.inf
            for before in range(states):
                left = 0.0
                for t in range(states):
                    left += moves[before, t]
                best = max(best, paths[parent, before] + np.log((moves[before, s] + 1.0) / (left + states)))
        paths[node, s] = best + np.log((shown[s, seen[node]] + 1.0) / (seen_here + states))
        top = max(top, paths[node, s])
    for s in range(states):
        paths[node, s] -= top


@kernel(
    types.float64(
        types.int64, types.int64, types.boolean, types.boolean, types.boolean, types.boolean,
        OFFSETS, NODES, OFFSETS, NODES, OFFSETS, NODES, WEIGHTS,
        LABELS, LABELS, COUNTS, COUNTS, FLOATS, FLOATS, FLOATS, COUNTS, SIZES, TABLE, TABLE, FLOATS,
        types.Array(types.int32, 1, "C"), types.Array(types.int32, 1, "C"), LABELS,
    ),
    allocates=True,
)  # fmt: skip
def visit_page(  # type: ignore[no-untyped-def]
    node, parent, relevant, literal, bayes, markov, out_at, out_to, in_at, in_from, starts, terms, weights,
    labels, seen, paths, counts, totals, documents, floors, recent, placed, moves, shown, posterior, queue, met, observed,
):  # fmt: skip
    """A page was visited: observe it, learn from it, and return its state by Viterbi on the path that led to it.

    `bayes` and `markov` say which models may learn; `met` has for each page the relevant page it was met from last, `observed`
    what it looked like when it was visited.
    """
    states = moves.shape[0]
    seen[node] = observe(node, literal, starts, terms, weights, counts, totals, documents, floors, posterior)
    observed[node] = seen[node]
    found = states
    if relevant:
        found = 0
    elif not literal:
        for i in range(out_at[node], out_at[node + 1]):
            other = out_to[i]
            if seen[other] >= 0 and labels[other] + 1 < found and other != node:
                found = min(labels[other] + 1, states - 1)
    if found < states and (bayes or markov):
        queue[0] = node
        met[node] = node
        first, last, far, ring = 0, 1, 0, 1  # so far from the page it goes, and where the pages of the next distance begin
        relabel(
            node, found, literal, bayes, markov, out_at, out_to, in_at, in_from, starts, terms, weights,
            labels, seen, counts, totals, documents, floors, recent, placed, moves, shown, posterior,
        )  # fmt: skip
        while first < last and not (literal and far >= states):
            here = queue[first % queue.size]
            first += 1
            step = min((far if literal else labels[here]) + 1, states - 1)
            for i in range(in_at[here], in_at[here + 1]):
                before = in_from[i]
                if seen[before] < 0 or last - first >= queue.size:
                    continue
                if met[before] == node if literal else step >= labels[before]:
                    continue
                met[before] = node
                relabel(
                    before, min(step, labels[before]), literal, bayes, markov,
                    out_at, out_to, in_at, in_from, starts, terms, weights,
                    labels, seen, counts, totals, documents, floors, recent, placed, moves, shown, posterior,
                )  # fmt: skip
                queue[last % queue.size] = before
                last += 1
            if first == ring:
                far, ring = far + 1, last
    extend(node, parent, seen, paths, moves, shown)
    if relevant:
        return 0.0
    best = 0
    for s in range(1, states):
        if paths[node, s] > paths[node, best]:
            best = s
    return float(best)
