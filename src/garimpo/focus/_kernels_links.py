"""Jitted code of the link scorer: what a link is worth, learning what it led to, and who is to be scored anew at once."""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64
from garimpo.engine.jit import kernel
from garimpo.focus._kernels_records import (
    ANCHORED,
    CHILD,
    CONTEXT,
    DEPTH,
    DRY,
    FLOATS,
    FOLDER,
    GATE,
    GAVE,
    GIVEN,
    GOOD,
    HOST,
    IN_FLOATS,
    IN_KEYS,
    IN_OFFSETS,
    KEYS,
    LED,
    LINES,
    NEXT_OF_SOURCE,
    NODE_FIELDS,
    OUT,
    OWN,
    PLACE,
    PLACE_SALT,
    READ,
    RICH,
    SCORE,
    SCOUT,
    SIZE,
    SIZES,
    SLOTS,
    SOURCE,
    SUM,
    TABLE,
    TRIED,
    VALUE,
    enlist,
    find,
    look,
    node_of,
    record_of,
    tie,
)

SPARSE = 1 << 18
DENSE = 20
GRAMS = 44
ANCHOR, ADDRESS, AROUND, PAGE, BEFORE = 8, 6, 6, 20, 4
"""How many words are looked at: of the anchor, the URL (its last), the context; of the page it stands on (evenly), and of the
link by which that page was found."""
TRACE, DISCOUNT = 3, 0.5
"""How far back a relevant page is credited, and what a step is worth."""
SIBLINGS = 64
"""So many waiting pages of a record are scored anew when one of it was read; the others wait for the next pass over all."""


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


@kernel(types.float32(types.float32, types.int32, LINES, TABLE, types.float32, types.float32))
def temper(given, node, ties, records, explore, budget):  # type: ignore[no-untyped-def]
    """The score as the queue gets it: one page of a directory not met yet is worth a look, one that gave nothing for long is not.

    A look into a new host is worth `explore`; one into another directory of a host as much of it as the directories tried there
    gave, drawn to one. So a host that has a directory for every page is not tried without end.
    """
    record, host = ties[node, FOLDER], ties[node, HOST]
    if records[record, READ] == 0:
        if records[record, SCOUT] == 0:
            records[record, SCOUT] = node + 1
        if records[record, SCOUT] == node + 1:
            return given + (1 - given) * explore * (records[host, GAVE] + 1) / (records[host, TRIED] + 1)
    dry = records[record, DRY] / budget
    return given / dry if dry > 1 else given


@kernel(types.float32(FLOATS), inline="always")
def _mean(weights):  # type: ignore[no-untyped-def]
    """The mean score of all pages read."""
    return np.float32((weights[SPARSE + DENSE] + 0.02) / (weights[SPARSE + DENSE + 1] + 1))


@kernel(
    types.void(
        IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_KEYS, IN_FLOATS, IN_FLOATS, IN_FLOATS, IN_FLOATS,
        IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS, IN_KEYS, IN_OFFSETS, IN_OFFSETS,
        KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS, SIZES,
        TABLE, TABLE, LINES, SLOTS, LINES, FLOATS, FLOATS, types.float32, types.float32, types.int64, types.int64, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def score_links(  # type: ignore[no-untyped-def]
    targets, target_hosts, target_folders, sources, source_hosts, source_folders, places,
    source_scores, depths, anchored, contexts,
    anchor_words, anchor_at, context_words, context_at, url_words, url_from, url_to, page_words, page_from, page_to,
    node_keys, node_slots, known_nodes, record_keys, record_slots, known_records, sizes,
    nodes, records, ties, heads, grams, weights, squares, explore, budget, start, stop, out,
):  # fmt: skip
    """Score the links of these rows, and remember for each target the link that promises most, until the target is read.

    `source_scores`, `depths` and `out` begin with the first of these rows.
    """
    dense = np.empty(DENSE, np.float32)
    line = np.empty(GRAMS, np.int32)
    kept = np.empty(NODE_FIELDS, np.float32)
    mean = _mean(weights)
    for row in range(start, stop):
        source = node_of(sources[row], node_keys, node_slots, known_nodes, sizes, nodes, ties)
        tie(
            source, source_hosts[row], source_folders[row], record_keys, record_slots, known_records, sizes, records, ties, heads
        )  # fmt: skip
        if np.isnan(nodes[source, SCORE]):
            nodes[source, SCORE] = source_scores[row - start]
        target = node_of(targets[row], node_keys, node_slots, known_nodes, sizes, nodes, ties)
        tie(
            target, target_hosts[row], target_folders[row], record_keys, record_slots, known_records, sizes, records, ties, heads
        )  # fmt: skip
        if not np.isnan(nodes[target, SCORE]) or target == source:
            out[row - start] = 0
            continue
        place = np.int32(-1)
        if places[row]:
            key = mix64(places[row] ^ source_hosts[row]) ^ PLACE_SALT
            place = record_of(key, record_keys, record_slots, known_records, sizes, records, heads)
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
        for i in range(min(BEFORE, ties[source, OWN])):  # the words of the link before: what the page it stands on is about
            line[size] = np.int32(mix64(np.uint64(grams[source, i]) ^ np.uint64(4 << 20)) & np.uint64(SPARSE - 1))
            size += 1
        kept[:] = nodes[target]
        before = ties[target, PLACE]
        nodes[target, ANCHORED], nodes[target, CONTEXT] = anchored[row], contexts[row]
        nodes[target, DEPTH] = depths[row - start]
        ties[target, PLACE] = place
        look(target, source, nodes, records, ties, mean, dense)
        given = weigh(dense, line, own, size, weights)
        if given > kept[GIVEN]:
            if ties[target, SOURCE] < 0:
                enlist(target, source, place, ties, heads)
            nodes[target, GIVEN] = given
            ties[target, SOURCE], ties[target, SIZE], ties[target, OWN] = source, size, own
            for i in range(size):
                grams[target, i] = line[i]
        else:
            nodes[target] = kept
            ties[target, PLACE] = before
            given = kept[GIVEN]
        out[row - start] = temper(given, target, ties, records, explore, budget)


@kernel(types.void(types.int32, types.float32, TABLE), inline="always")
def _count(record, score, records):  # type: ignore[no-untyped-def]
    records[record, READ] += 1
    records[record, SUM] += score
    records[record, DRY] = 0 if score > 0.5 else records[record, DRY] + 1


@kernel(
    types.int32(
        types.uint64, types.uint64, types.uint64, types.float32, KEYS, SLOTS, KEYS, KEYS, SLOTS, KEYS, SIZES,
        TABLE, TABLE, LINES, SLOTS, LINES, FLOATS, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def learn_page(  # type: ignore[no-untyped-def]
    key, host, folder, score, node_keys, node_slots, known_nodes, record_keys, record_slots, known_records,
    sizes, nodes, records, ties, heads, grams, weights, squares,
):  # fmt: skip
    """A page was read: teach the link that led to it its score, and the links before it the discounted reward. Gives its row."""
    node = node_of(key, node_keys, node_slots, known_nodes, sizes, nodes, ties)
    tie(node, host, folder, record_keys, record_slots, known_records, sizes, records, ties, heads)
    source = ties[node, SOURCE]
    dense = np.empty(DENSE, np.float32)
    mean = _mean(weights)
    met = weights[SPARSE + DENSE]
    calm = (met + np.float32(0.1)) / (met + 1)  # what is off topic says little until something is on it
    if source >= 0:
        look(node, source, nodes, records, ties, mean, dense)
        step(dense, grams[node], ties[node, OWN], ties[node, SIZE], score, calm + 5 * score, weights, squares)
        nodes[source, OUT] += 1
        nodes[source, GOOD] += score
        other = ties[source, FOLDER]
        if other != ties[node, FOLDER]:
            records[other, LED] += 1
            records[other, GATE] += score
    nodes[node, SCORE] = score
    nodes[node, VALUE] = max(nodes[node, VALUE], score)
    tried, host = ties[node, FOLDER], ties[node, HOST]
    records[host, TRIED] += records[tried, READ] == 0
    if score > 0.5 and records[tried, SCOUT] != RICH:
        records[tried, SCOUT] = RICH
        records[host, GAVE] += 1
    _count(host, score, records)
    _count(tried, score, records)
    if ties[node, PLACE] >= 0:
        _count(ties[node, PLACE], score, records)
    weights[SPARSE + DENSE] += score
    weights[SPARSE + DENSE + 1] += 1
    reward = score
    for _ in range(TRACE):
        reward *= np.float32(DISCOUNT)
        if source < 0 or reward < 0.05 or reward <= nodes[source, VALUE]:
            break
        nodes[source, VALUE] = reward
        above = ties[source, SOURCE]
        if above >= 0:
            look(source, above, nodes, records, ties, mean, dense)
            weight = np.float32(calm + 5 * reward / DISCOUNT)
            step(dense, grams[source], ties[source, OWN], ties[source, SIZE], reward, weight, weights, squares)
        source = above
    return node


@kernel(types.float32(types.int32, TABLE, TABLE, LINES, LINES, FLOATS, FLOATS, types.float32, types.float32, types.float32))
def _again(node, nodes, records, ties, grams, weights, dense, mean, explore, budget):  # type: ignore[no-untyped-def]
    """The score of a waiting page by what is known now."""
    look(node, ties[node, SOURCE], nodes, records, ties, mean, dense)
    given = weigh(dense, grams[node], ties[node, OWN], ties[node, SIZE], weights)
    nodes[node, GIVEN] = given
    return temper(given, node, ties, records, explore, budget)


@kernel(
    types.void(
        IN_KEYS, KEYS, SLOTS, TABLE, TABLE, LINES, LINES, FLOATS, types.float32, types.float32, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def score_again(  # type: ignore[no-untyped-def]
    keys, node_keys, node_slots, nodes, records, ties, grams, weights, explore, budget, out
):
    """The scores of URLs that wait, by what is known now; -1 for one never met or read already."""
    dense = np.empty(DENSE, np.float32)
    mean = _mean(weights)
    for row in range(keys.size):
        node = find(node_keys, node_slots, keys[row])
        waits = node >= 0 and ties[node, SOURCE] >= 0 and np.isnan(nodes[node, SCORE])
        out[row] = _again(node, nodes, records, ties, grams, weights, dense, mean, explore, budget) if waits else -1


@kernel(
    types.int64(
        types.int32, TABLE, TABLE, LINES, SLOTS, LINES, FLOATS, types.float32, types.float32, SLOTS, FLOATS,
    ),
    allocates=True,
)  # fmt: skip
def score_siblings(  # type: ignore[no-untyped-def]
    node, nodes, records, ties, heads, grams, weights, explore, budget, out, scores
):
    """The pages that wait beside one that was just read (same source, directory or place), and their scores now.

    Gives how many; `out` has room for three times `SIBLINGS`. Pages that were read since leave the lists on the way.
    """
    dense = np.empty(DENSE, np.float32)
    mean = _mean(weights)
    count = 0
    for kind in range(3):
        column = NEXT_OF_SOURCE + kind
        owner = ties[node, SOURCE if kind == 0 else FOLDER if kind == 1 else PLACE]
        if owner < 0:
            continue
        last, at, met = np.int32(-1), ties[owner, CHILD] if kind == 0 else heads[owner], 0
        while at >= 0 and met < SIBLINGS:
            after = ties[at, column]
            if np.isnan(nodes[at, SCORE]):
                out[count] = at
                scores[count] = _again(at, nodes, records, ties, grams, weights, dense, mean, explore, budget)
                count += 1
                met += 1
                last = at
            elif last >= 0:
                ties[last, column] = after
            elif kind == 0:
                ties[owner, CHILD] = after
            else:
                heads[owner] = after
            at = after
    return count
