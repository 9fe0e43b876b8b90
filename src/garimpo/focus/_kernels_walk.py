"""Jitted code of a simulated visit by our own strategy: the queue, and page after page without a word of Python between.

The queue is a binary heap of page numbers, best priority first, then what was put first. `heap` holds the pages, `place` where
each stands in it (-1: it does not), `order` when it was put; `state` counts (waiting, put so far, visited, rescored at).
"""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel
from garimpo.focus._kernels_links import (
    FLOATS,
    IN_FLOATS,
    IN_KEYS,
    IN_OFFSETS,
    KEYS,
    LINES,
    SLOTS,
    TABLE,
    learn_page,
    score_again,
    score_links,
)

WAITING, PUT, VISITED, NEXT = range(4)
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


@kernel(
    types.int64(
        types.int32, types.Array(types.int32, 1, "C"), TABLE,
        HEAP, HEAP, PRIORITY, NUMBERS, NUMBERS, types.Array(types.boolean, 1, "C"), FLOATS,
        IN_OFFSETS, IN_NODES, IN_FLOATS, IN_KEYS, IN_KEYS,
        IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_FLOATS, IN_FLOATS, IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS,
        IN_KEYS, IN_OFFSETS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS,
        KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS, types.Array(types.int64, 1, "C"),
        TABLE, TABLE, LINES, LINES, FLOATS, FLOATS, types.float32, types.float32,
    ),
    allocates=True,
)  # fmt: skip
def walk_pages(  # type: ignore[no-untyped-def]
    last, visited, scratch, heap, place, priority, order, state, done, depth, offsets, arcs, quality, keys, hosts_of,
    targets, target_hosts, sources, source_hosts, anchored, contexts, anchor_words, anchor_at, context_words, context_at,
    url_words, url_from, url_to, page_words, page_from, page_to,
    node_keys, node_slots, known_nodes, host_keys, host_slots, known_hosts, sizes,
    nodes, hosts, ties, grams, weights, squares, explore, budget,
):  # fmt: skip
    """Learn from the page visited last (-1: none) and put its links, then visit the next, and so on; returns how many.

    Each time what was visited has grown by three tenths, everything that waits is scored anew.
    """
    scores, depths, found = scratch[0], scratch[1], scratch[2]
    for step in range(visited.size):
        if last >= 0:
            learn_page(
                keys[last], hosts_of[last], quality[last], node_keys, node_slots, known_nodes, host_keys, host_slots,
                known_hosts, sizes, nodes, hosts, ties, grams, weights, squares,
            )  # fmt: skip
            start, stop = offsets[last], offsets[last + 1]
            scores[: stop - start] = quality[last]
            depths[: stop - start] = depth[last] + 1
            score_links(
                targets, target_hosts, sources, source_hosts, scores, depths, anchored, contexts,
                anchor_words, anchor_at, context_words, context_at, url_words, url_from, url_to, page_words, page_from, page_to,
                node_keys, node_slots, known_nodes, host_keys, host_slots, known_hosts, sizes,
                nodes, hosts, ties, grams, weights, squares, explore, budget, start, stop, found,
            )  # fmt: skip
            for row in range(start, stop):
                node = arcs[row]
                if priority[node] == -np.inf:
                    depth[node] = depth[last] + 1
                if not done[node] and found[row - start] > priority[node]:
                    offer(node, found[row - start], heap, place, priority, order, state)
            state[VISITED] += 1
            if state[VISITED] >= state[NEXT]:
                state[NEXT] = np.int64(1.3 * state[VISITED]) + 100
                waiting = np.sort(heap[: state[WAITING]])
                again = np.empty(waiting.size, np.float32)
                score_again(
                    keys[waiting], node_keys, node_slots, nodes, hosts, ties, grams, weights, explore, budget, again
                )
                for i in range(waiting.size):
                    if again[i] >= 0:
                        priority[waiting[i]] = again[i]
                    state[PUT] += 1
                    order[waiting[i]] = state[PUT]
                for i in range(waiting.size - 1, -1, -1):
                    sink(i, state[WAITING], heap, place, priority, order)
        last = take(heap, place, priority, order, state)
        if last < 0:
            return step
        done[last] = True
        visited[step] = last
    return visited.size
