"""Jitted code of a simulated visit by our own strategy: the queue, and page after page without a word of Python between.

The queue is a binary heap of page numbers, best priority first, then what was put first. `heap` holds the pages, `place` where
each stands in it (-1: it does not), `order` when it was put; `state` counts (waiting, put so far, visited, the next pass over
all that waits, scores given so far to new links and to those that waited).

What a page turned out to be counts at once for the pages that wait beside it (`score_siblings`). Words learned reach all others
in a pass over the queue, each time what was visited has grown by a twentieth, as long as passes cost no more than so many
times the scoring of the links themselves.
"""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel
from garimpo.focus._kernels_links import SIBLINGS, learn_page, score_again, score_links, score_siblings
from garimpo.focus._kernels_records import (
    FLOATS,
    IN_FLOATS,
    IN_KEYS,
    IN_OFFSETS,
    KEYS,
    LINES,
    SIZES,
    SLOTS,
    TABLE,
    find,
)

WAITING, PUT, VISITED, NEXT, SCORED, AGAIN = range(6)
GROWTH, FIRST, MOST_AGAIN, FREE = 1.05, 5, 3, 50_000
"""Of passes over the queue: when the next is due, and so many scores for each link scored (and some more) at most."""
HEAP = types.Array(types.int32, 1, "C")
PRIORITY = types.Array(types.float64, 1, "C")
NUMBERS = types.Array(types.int64, 1, "C")
IN_NODES = types.Array(types.int32, 1, "C", readonly=True)


@kernel(types.boolean(types.int32, types.int32, PRIORITY, NUMBERS))
def before(a, b, priority, order):  # type: ignore[no-untyped-def]
    """Whether page a goes before page b."""
    return priority[a] > priority[b] or (priority[a] == priority[b] and order[a] < order[b])


@kernel(types.void(types.int64, HEAP, HEAP, PRIORITY, NUMBERS))
def rise(at, heap, place, priority, order):  # type: ignore[no-untyped-def]
    """Move the page at a place up to where it belongs."""
    node = heap[at]
    while at > 0:
        above = (at - 1) >> 1
        if not before(node, heap[above], priority, order):
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = node
    place[node] = at


@kernel(types.void(types.int64, types.int64, HEAP, HEAP, PRIORITY, NUMBERS))
def sink(at, size, heap, place, priority, order):  # type: ignore[no-untyped-def]
    """Move the page at a place down to where it belongs."""
    node = heap[at]
    while 2 * at + 1 < size:
        below = 2 * at + 1
        if below + 1 < size and before(heap[below + 1], heap[below], priority, order):
            below += 1
        if not before(heap[below], node, priority, order):
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    heap[at] = node
    place[node] = at


@kernel(types.void(types.int32, types.float64, HEAP, HEAP, PRIORITY, NUMBERS, NUMBERS))
def offer(node, worth, heap, place, priority, order, state):  # type: ignore[no-untyped-def]
    """Put a page, or raise it if it waits with less."""
    priority[node] = worth
    state[PUT] += 1
    order[node] = state[PUT]
    if place[node] < 0:
        place[node] = state[WAITING]
        heap[state[WAITING]] = node
        state[WAITING] += 1
    rise(place[node], heap, place, priority, order)


@kernel(types.int32(HEAP, HEAP, PRIORITY, NUMBERS, NUMBERS))
def take(heap, place, priority, order, state):  # type: ignore[no-untyped-def]
    """The page that goes first, or -1."""
    if state[WAITING] == 0:
        return np.int32(-1)
    node = heap[0]
    state[WAITING] -= 1
    size = state[WAITING]
    if size:
        heap[0] = heap[size]
        sink(0, size, heap, place, priority, order)
    place[node] = -1
    return node


@kernel(types.void(types.int32, types.float64, HEAP, HEAP, PRIORITY, NUMBERS, NUMBERS))
def change(node, worth, heap, place, priority, order, state):  # type: ignore[no-untyped-def]
    """Give a page that waits another priority."""
    risen = worth > priority[node]
    priority[node] = worth
    if risen:
        rise(place[node], heap, place, priority, order)
    else:
        sink(place[node], state[WAITING], heap, place, priority, order)


@kernel(
    types.int64(
        types.int32, types.Array(types.int32, 1, "C"), TABLE, SLOTS,
        HEAP, HEAP, PRIORITY, NUMBERS, NUMBERS, types.Array(types.boolean, 1, "C"), FLOATS,
        IN_OFFSETS, IN_NODES, IN_FLOATS, IN_KEYS, IN_KEYS, IN_KEYS,
        IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_FLOATS, IN_FLOATS,
        IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS,
        KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS, SIZES,
        TABLE, TABLE, LINES, SLOTS, LINES, FLOATS, FLOATS, types.float32, types.float32,
    ),
    allocates=True,
)  # fmt: skip
def walk_pages(  # type: ignore[no-untyped-def]
    last, visited, scratch, page_of, heap, place, priority, order, state, done, depth,
    offsets, arcs, quality, keys, hosts_of, folders_of,
    targets, target_hosts, target_folders, sources, source_hosts, source_folders, places, anchored, contexts,
    anchor_words, anchor_at, context_words, context_at, url_words, url_from, url_to, page_words, page_from, page_to,
    node_keys, node_slots, known_nodes, record_keys, record_slots, known_records, sizes,
    nodes, records, ties, heads, grams, weights, squares, explore, budget,
):  # fmt: skip
    """Learn from the page visited last (-1: none) and put its links, then visit the next, and so on; returns how many.

    `page_of` has the page of each row of the scorer.
    """
    scores, depths, found = scratch[0], scratch[1], scratch[2]
    beside, worth = np.empty(3 * SIBLINGS, np.int32), np.empty(3 * SIBLINGS, np.float32)
    for step in range(visited.size):
        if last >= 0:
            node = learn_page(
                keys[last], hosts_of[last], folders_of[last], quality[last], node_keys, node_slots, known_nodes,
                record_keys, record_slots, known_records, sizes, nodes, records, ties, heads, grams, weights, squares,
            )  # fmt: skip
            start, stop = offsets[last], offsets[last + 1]
            scores[: stop - start] = quality[last]
            depths[: stop - start] = depth[last] + 1
            score_links(
                targets, target_hosts, target_folders, sources, source_hosts, source_folders, places,
                scores, depths, anchored, contexts,
                anchor_words, anchor_at, context_words, context_at, url_words, url_from, url_to, page_words, page_from, page_to,
                node_keys, node_slots, known_nodes, record_keys, record_slots, known_records, sizes,
                nodes, records, ties, heads, grams, weights, squares, explore, budget, start, stop, found,
            )  # fmt: skip
            state[SCORED] += stop - start
            for row in range(start, stop):
                target = arcs[row]
                if priority[target] == -np.inf:
                    depth[target] = depth[last] + 1
                    page_of[find(node_keys, node_slots, targets[row])] = target
                if not done[target] and found[row - start] > priority[target]:
                    offer(target, found[row - start], heap, place, priority, order, state)
            count = score_siblings(node, nodes, records, ties, heads, grams, weights, explore, budget, beside, worth)
            for i in range(count):
                target = page_of[beside[i]]
                if place[target] >= 0:
                    change(target, worth[i], heap, place, priority, order, state)
            state[VISITED] += 1
            waiting = state[WAITING]
            if state[VISITED] >= state[NEXT] and state[AGAIN] + waiting <= FREE + MOST_AGAIN * state[SCORED]:
                state[NEXT] = np.int64(GROWTH * state[VISITED]) + FIRST
                state[AGAIN] += waiting
                again = np.empty(waiting, np.float32)
                score_again(
                    keys[heap[:waiting]], node_keys, node_slots, nodes, records, ties, grams, weights, explore, budget, again
                )
                for i in range(waiting):
                    if again[i] >= 0:
                        priority[heap[i]] = again[i]
                for i in range(waiting - 1, -1, -1):
                    sink(i, waiting, heap, place, priority, order)
        last = take(heap, place, priority, order, state)
        if last < 0:
            return step
        done[last] = True
        visited[step] = last
    return visited.size
