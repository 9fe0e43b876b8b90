"""Jitted code of the link scorer: its tables of pages and hosts, what a link looks like, and learning what it led to.

Arrays that travel together: `nodes` (one record a URL), `ties` (its source, its host, how many words its link has, and how
many of them are the link's), `hosts` (one a host), `grams` (the hashed words of the link by which a
URL was found), `model` (weights and their squared gradients). Fields of a record are named by the constants below.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64
from garimpo.engine.jit import kernel

SPARSE = 1 << 18
DENSE = 19
GRAMS = 44
ANCHOR, ADDRESS, AROUND, PAGE, BEFORE = 8, 6, 6, 20, 4
"""How many words are looked at: of the anchor, the URL (its last), the context; of the page it stands on (evenly), and of the
link by which that page was found."""
TRACE, DISCOUNT = 3, 0.5
"""How far back a relevant page is credited, and what a step is worth."""

SCORE, VALUE, ANCHORED, CONTEXT, DEPTH, GIVEN, OUT, GOOD = range(8)
NODE_FIELDS = 8
"""Of a page: its score (NaN: not read), the best reward found behind it, the topic's scores of the anchor and of the context
(NaN: no known word), its depth, the score its link got, how many of its links were read, and the sum of what they were."""
READ, SUM, DRY, LED, GATE, SCOUT = range(6)
HOST_FIELDS = 6
"""Of a host: pages read, the sum of their scores, pages read since the last relevant one; links of its pages to other hosts
that were read, and the sum of what they led to; one more than the number of the page that is to be tried first there."""

KEYS = types.Array(types.uint64, 1, "C")
SLOTS = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.float32, 2, "C")
LINES = types.Array(types.int32, 2, "C")
FLOATS = types.Array(types.float32, 1, "C")
IN_KEYS = types.Array(types.uint64, 1, "C", readonly=True)
IN_OFFSETS = types.Array(types.int64, 1, "C", readonly=True)
IN_FLOATS = types.Array(types.float32, 1, "C", readonly=True)


@kernel(types.int32(KEYS, SLOTS, types.uint64))
def find(keys, slots, key):  # type: ignore[no-untyped-def]
    """The record of a key, or -1 - place where it belongs."""
    mask = np.uint64(keys.size - 1)
    place = mix64(key) & mask
    while slots[place] >= 0:
        if keys[place] == key:
            return slots[place]
        place = (place + np.uint64(1)) & mask
    return np.int32(-1) - np.int32(place)


@kernel(types.void(KEYS, types.int64, KEYS, SLOTS))
def refill(known, count, keys, slots):  # type: ignore[no-untyped-def]
    """Enter the keys of all records into a fresh table."""
    for i in range(count):
        place = -1 - find(keys, slots, known[i])
        keys[place] = known[i]
        slots[place] = i


@kernel(types.float32(types.float32))
def fine(score):  # type: ignore[no-untyped-def]
    """A score on a logarithmic scale, so that small ones differ too: 0.0001 is 0, 1 is 1."""
    return max(np.float32(0), 1 + np.log10(max(score, np.float32(1e-4))) / 4)


@kernel(types.void(types.int32, types.int32, types.int32, TABLE, TABLE, LINES, types.float32, FLOATS))
def look(node, source, host, nodes, hosts, ties, mean, dense):  # type: ignore[no-untyped-def]
    """Fill `dense` with what is known of a link now: the page it stands on, its words by the topic, the hosts' records."""
    dense[:] = np.float32(0)
    dense[0] = 1
    read, total = hosts[host, READ], hosts[host, SUM]
    dense[8] = (total + 2 * mean) / (read + 2)
    dense[9] = 1 / (1 + read)
    dense[16] = (hosts[host, GATE] + mean) / (hosts[host, LED] + 1)
    anchored, context = nodes[node, ANCHORED], nodes[node, CONTEXT]
    if not np.isnan(anchored):
        dense[3] = anchored - np.float32(0.5)
        dense[18] = fine(anchored)
        dense[5] = 1
    if not np.isnan(context):
        dense[4] = context - np.float32(0.5)
    dense[12] = 1 / (1 + nodes[node, DEPTH])
    if source < 0:
        return
    score = nodes[source, SCORE]
    dense[1] = 0 if np.isnan(score) else score
    dense[17] = fine(dense[1])
    above = ties[source, 0]
    if above >= 0 and not np.isnan(nodes[above, SCORE]):
        dense[2] = nodes[above, SCORE]
    same = ties[source, 1] == host
    if same:
        dense[6] = 1
        dense[7] = dense[1]
    else:
        dense[13] = dense[8]
    dense[10] = (nodes[source, GOOD] + 2 * mean) / (nodes[source, OUT] + 2)
    dense[11] = nodes[source, VALUE]
    other = ties[source, 1]
    dense[14] = (hosts[other, SUM] + 2 * mean) / (hosts[other, READ] + 2)
    if not same:
        dense[15] = (hosts[other, GATE] + mean) / (hosts[other, LED] + 1)


LINE = types.Array(types.int32, 1, "A")


@kernel(types.float32(FLOATS, LINE, types.int32, types.int32, FLOATS))
def weigh(dense, grams, own, size, weights):  # type: ignore[no-untyped-def]
    """The worth of a link: its dense features, the first `own` words (the link's), and the rest (the page's)."""
    total = np.float32(0)
    for i in range(DENSE):
        total += dense[i] * weights[SPARSE + i]
    words = np.float32(0)
    for i in range(own):
        words += weights[grams[i]]
    total += words / np.sqrt(np.float32(max(own, 1)))
    words = np.float32(0)
    for i in range(own, size):
        words += weights[grams[i]]
    total += words / np.sqrt(np.float32(max(size - own, 1)))
    return 1 / (1 + np.exp(-total))


@kernel(types.void(FLOATS, LINE, types.int32, types.int32, types.float32, types.float32, FLOATS, FLOATS))
def step(dense, grams, own, size, target, weight, weights, squares):  # type: ignore[no-untyped-def]
    """One step of AdaGrad on the log loss towards `target`; what is rare and good weighs more."""
    error = weight * (weigh(dense, grams, own, size, weights) - target)
    for i in range(DENSE):
        slope = error * dense[i]
        squares[SPARSE + i] += slope * slope
        weights[SPARSE + i] -= np.float32(0.08) * slope / np.sqrt(squares[SPARSE + i] + 1)
    for i in range(size):
        slope = error / np.sqrt(np.float32(own if i < own else size - own))
        squares[grams[i]] += slope * slope
        weights[grams[i]] -= np.float32(0.5) * slope / np.sqrt(squares[grams[i]] + np.float32(0.1))


@kernel(
    types.int32(
        types.Array(types.int32, 1, "C"), types.int32, IN_KEYS, types.int64, types.int64, types.int64, types.uint64
    ),
)  # fmt: skip
def put_words(line, size, hashes, start, stop, most, salt):  # type: ignore[no-untyped-def]
    """Add up to `most` words, hashed into the weights with a salt of their kind."""
    for i in range(start, min(stop, start + most)):
        line[size] = np.int32(mix64(hashes[i] ^ salt) & np.uint64(SPARSE - 1))
        size += 1
    return size


@kernel(types.float32(types.float32, types.int32, types.int32, TABLE, types.float32, types.float32))
def temper(given, node, host, hosts, explore, budget):  # type: ignore[no-untyped-def]
    """The score as the queue gets it: one page of a host not met yet is worth a look, a host that gave nothing for long is not.

    So hosts are tried while nothing promises more than `explore`; what does goes first.
    """
    if hosts[host, READ] == 0:
        if hosts[host, SCOUT] == 0:
            hosts[host, SCOUT] = node + 1
        if hosts[host, SCOUT] == node + 1:
            return given + (1 - given) * explore
    dry = hosts[host, DRY] / budget
    return given / dry if dry > 1 else given


@kernel(types.int32(types.uint64, KEYS, SLOTS, KEYS, types.Array(types.int64, 1, "C"), TABLE, LINES, LINES))
def _node(key, keys, slots, known, sizes, nodes, ties, grams):  # type: ignore[no-untyped-def]
    """The record of a URL, made if it is new. The caller sees to it that there is room."""
    at = find(keys, slots, key)
    if at >= 0:
        return at
    place, at = -1 - at, np.int32(sizes[0])
    keys[place], slots[place] = key, at
    known[at] = key
    sizes[0] += 1
    nodes[at] = np.float32(0)
    nodes[at, SCORE] = nodes[at, ANCHORED] = nodes[at, CONTEXT] = np.nan
    nodes[at, GIVEN] = -1
    ties[at, 0] = ties[at, 1] = -1
    ties[at, 2] = ties[at, 3] = 0
    return at


@kernel(types.int32(types.uint64, KEYS, SLOTS, KEYS, types.Array(types.int64, 1, "C"), TABLE))
def _host(key, keys, slots, known, sizes, hosts):  # type: ignore[no-untyped-def]
    at = find(keys, slots, key)
    if at >= 0:
        return at
    place, at = -1 - at, np.int32(sizes[1])
    keys[place], slots[place] = key, at
    known[at] = key
    sizes[1] += 1
    hosts[at] = np.float32(0)
    return at


@kernel(
    types.void(
        IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_FLOATS, IN_FLOATS, IN_FLOATS, IN_FLOATS,
        IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS,
        KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS, types.Array(types.int64, 1, "C"),
        TABLE, TABLE, LINES, LINES, FLOATS, FLOATS, types.float32, types.float32, types.int64, types.int64, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def score_links(  # type: ignore[no-untyped-def]
    targets, target_hosts, sources, source_hosts, source_scores, depths, anchored, contexts,
    anchor_words, anchor_at, context_words, context_at, url_words, url_from, url_to, page_words, page_from, page_to,
    node_keys, node_slots, known_nodes, host_keys, host_slots, known_hosts, sizes,
    nodes, hosts, ties, grams, weights, squares, explore, budget, start, stop, out,
):  # fmt: skip
    """Score the links of these rows, and remember for each target the link that promises most, until the target is read.

    `source_scores`, `depths` and `out` begin with the first of these rows.
    """
    dense = np.empty(DENSE, np.float32)
    line = np.empty(GRAMS, np.int32)
    kept = np.empty(NODE_FIELDS, np.float32)
    mean = np.float32((weights[SPARSE + DENSE] + 0.02) / (weights[SPARSE + DENSE + 1] + 1))
    for row in range(start, stop):
        source = _node(sources[row], node_keys, node_slots, known_nodes, sizes, nodes, ties, grams)
        if ties[source, 1] < 0:
            ties[source, 1] = _host(source_hosts[row], host_keys, host_slots, known_hosts, sizes, hosts)
        if np.isnan(nodes[source, SCORE]):
            nodes[source, SCORE] = source_scores[row - start]
        target = _node(targets[row], node_keys, node_slots, known_nodes, sizes, nodes, ties, grams)
        if ties[target, 1] < 0:
            ties[target, 1] = _host(target_hosts[row], host_keys, host_slots, known_hosts, sizes, hosts)
        host = ties[target, 1]
        if not np.isnan(nodes[target, SCORE]) or target == source:
            out[row - start] = 0
            continue
        size = np.int32(0)
        size = put_words(line, size, anchor_words, anchor_at[row], anchor_at[row + 1], ANCHOR, np.uint64(1))
        last = max(url_from[row], url_to[row] - ADDRESS)
        size = put_words(line, size, url_words, last, url_to[row], ADDRESS, np.uint64(2))
        size = put_words(line, size, context_words, context_at[row], context_at[row + 1], AROUND, np.uint64(3))
        own, words = size, page_to[row] - page_from[row]
        for i in range(min(np.int64(PAGE), words)):
            word = page_words[page_from[row] + i * words // min(np.int64(PAGE), words)]
            line[size] = np.int32(mix64(word ^ np.uint64(5)) & np.uint64(SPARSE - 1))
            size += 1
        for i in range(min(BEFORE, ties[source, 3])):  # the words of the link before: what the page it stands on is about
            line[size] = np.int32(mix64(np.uint64(grams[source, i]) ^ np.uint64(4 << 20)) & np.uint64(SPARSE - 1))
            size += 1
        kept[:] = nodes[target]
        nodes[target, ANCHORED], nodes[target, CONTEXT] = anchored[row], contexts[row]
        nodes[target, DEPTH] = depths[row - start]
        look(target, source, host, nodes, hosts, ties, mean, dense)
        given = weigh(dense, line, own, size, weights)
        if given > kept[GIVEN]:
            nodes[target, GIVEN] = given
            ties[target, 0], ties[target, 2], ties[target, 3] = source, size, own
            for i in range(size):
                grams[target, i] = line[i]
        else:
            nodes[target] = kept
            given = kept[GIVEN]
        out[row - start] = temper(given, target, host, hosts, explore, budget)


@kernel(
    types.void(
        types.uint64, types.uint64, types.float32, KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS,
        types.Array(types.int64, 1, "C"), TABLE, TABLE, LINES, LINES, FLOATS, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def learn_page(  # type: ignore[no-untyped-def]
    key, host_key, score, node_keys, node_slots, known_nodes, host_keys, host_slots, known_hosts,
    sizes, nodes, hosts, ties, grams, weights, squares,
):  # fmt: skip
    """A page was read: teach the link that led to it its score, and the links before it the discounted reward."""
    node = _node(key, node_keys, node_slots, known_nodes, sizes, nodes, ties, grams)
    if ties[node, 1] < 0:
        ties[node, 1] = _host(host_key, host_keys, host_slots, known_hosts, sizes, hosts)
    host, source = ties[node, 1], ties[node, 0]
    dense = np.empty(DENSE, np.float32)
    mean = np.float32((weights[SPARSE + DENSE] + 0.02) / (weights[SPARSE + DENSE + 1] + 1))
    met = weights[SPARSE + DENSE]
    calm = (met + np.float32(0.1)) / (met + 1)  # what is off topic says little until something is on it
    if source >= 0:
        look(node, source, host, nodes, hosts, ties, mean, dense)
        step(dense, grams[node], ties[node, 3], ties[node, 2], score, calm + 5 * score, weights, squares)
        nodes[source, OUT] += 1
        nodes[source, GOOD] += score
        if ties[source, 1] != host:
            hosts[ties[source, 1], LED] += 1
            hosts[ties[source, 1], GATE] += score
    nodes[node, SCORE] = score
    nodes[node, VALUE] = max(nodes[node, VALUE], score)
    hosts[host, READ] += 1
    hosts[host, SUM] += score
    hosts[host, DRY] = 0 if score > 0.5 else hosts[host, DRY] + 1
    weights[SPARSE + DENSE] += score
    weights[SPARSE + DENSE + 1] += 1
    reward = score
    for _ in range(TRACE):
        reward *= np.float32(DISCOUNT)
        if source < 0 or reward < 0.05 or reward <= nodes[source, VALUE]:
            break
        nodes[source, VALUE] = reward
        above = ties[source, 0]
        if above >= 0:
            look(source, above, ties[source, 1], nodes, hosts, ties, mean, dense)
            weight = np.float32(calm + 5 * reward / DISCOUNT)
            step(dense, grams[source], ties[source, 3], ties[source, 2], reward, weight, weights, squares)
        source = above


@kernel(
    types.void(
        IN_KEYS, KEYS, SLOTS, TABLE, TABLE, LINES, LINES, FLOATS, types.float32, types.float32, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def score_again(  # type: ignore[no-untyped-def]
    keys, node_keys, node_slots, nodes, hosts, ties, grams, weights, explore, budget, out
):
    """The scores of URLs that wait, by what is known now; -1 for one never met or read already."""
    dense = np.empty(DENSE, np.float32)
    mean = np.float32((weights[SPARSE + DENSE] + 0.02) / (weights[SPARSE + DENSE + 1] + 1))
    for row in range(keys.size):
        node = find(node_keys, node_slots, keys[row])
        out[row] = -1
        if node < 0 or ties[node, 0] < 0 or not np.isnan(nodes[node, SCORE]):
            continue
        host = ties[node, 1]
        look(node, ties[node, 0], host, nodes, hosts, ties, mean, dense)
        given = weigh(dense, grams[node], ties[node, 3], ties[node, 2], weights)
        nodes[node, GIVEN] = given
        out[row] = temper(given, node, host, hosts, explore, budget)
