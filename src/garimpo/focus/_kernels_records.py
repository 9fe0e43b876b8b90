"""Jitted records of the link scorer: one for each URL, and one for each host, directory and place in a template.

Arrays that travel together: `nodes` and `ties` (one row a URL: numbers, and what it is tied to), `records` (one row a host,
directory or place), `heads` (of each record the URL tied to it last), `grams` (the hashed words of the link by which a URL was
found). Fields are named by the constants below.

What a link is believed to lead to is a chain of means, each drawn to the one before it as long as it rests on little:

    whole crawl -> host of the target -> its directory -> place in the template -> page the link stands on

URLs that hang on one record form a list (`heads`, and the ties `NEXT...`): when one of them is read, the others are scored anew
at once.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import mix64
from garimpo.engine.jit import kernel

SCORE, VALUE, ANCHORED, CONTEXT, DEPTH, GIVEN, OUT, GOOD = range(8)
NODE_FIELDS = 8
"""Of a page: its score (NaN: not read), the best reward found behind it, the topic's scores of the anchor and of the context
(NaN: no known word), its depth, the score its link got, how many of its links were read, and the sum of what they were."""
READ, SUM, DRY, LED, GATE, SCOUT = range(6)
RECORD_FIELDS = 6
"""Of a record: pages read, the sum of their scores, pages read since the last relevant one; links of its pages to other
directories that were read, and the sum of what they led to; one more than the number of the page to be tried first there, or
`RICH` once a page there was relevant."""
TRIED, GAVE = LED, GATE
"""Of a host, in the same fields: its directories of which a page was read, and those of them where one was relevant."""
RICH = -1
SOURCE, HOST, SIZE, OWN, FOLDER, PLACE, NEXT_OF_SOURCE, NEXT_OF_FOLDER, NEXT_OF_PLACE, CHILD = range(10)
TIES = 10
"""Of a page: the page its link stands on, its host, how many words its link has and how many of them are the link's own, its
directory, its place, the next page of the same source, directory and place, and the last page found on it (-1: none)."""
FOLDER_SALT, PLACE_SALT = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xC2B2AE3D27D4EB4F)
"""What tells the keys of directories and places from those of hosts."""
SHRUNK = 2
"""A mean is drawn to that of its parent as by so many pages."""

KEYS = types.Array(types.uint64, 1, "C")
SLOTS = types.Array(types.int32, 1, "C")
TABLE = types.Array(types.float32, 2, "C")
LINES = types.Array(types.int32, 2, "C")
FLOATS = types.Array(types.float32, 1, "C")
SIZES = types.Array(types.int64, 1, "C")
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


@kernel(types.int32(types.uint64, KEYS, SLOTS, KEYS, SIZES, TABLE, LINES))
def node_of(key, keys, slots, known, sizes, nodes, ties):  # type: ignore[no-untyped-def]
    """The row of a URL, made if it is new. The caller sees to it that there is room."""
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
    ties[at] = -1
    ties[at, SIZE] = ties[at, OWN] = 0
    return at


@kernel(types.int32(types.uint64, KEYS, SLOTS, KEYS, SIZES, TABLE, SLOTS))
def record_of(key, keys, slots, known, sizes, records, heads):  # type: ignore[no-untyped-def]
    """The record of a host, directory or place, made if it is new."""
    at = find(keys, slots, key)
    if at >= 0:
        return at
    place, at = -1 - at, np.int32(sizes[1])
    keys[place], slots[place] = key, at
    known[at] = key
    sizes[1] += 1
    records[at] = np.float32(0)
    heads[at] = -1
    return at


@kernel(types.void(types.int32, types.uint64, types.uint64, KEYS, SLOTS, KEYS, SIZES, TABLE, LINES, SLOTS))
def tie(node, host, folder, keys, slots, known, sizes, records, ties, heads):  # type: ignore[no-untyped-def]
    """Tie a page to the records of its host and directory, once."""
    if ties[node, HOST] < 0:
        ties[node, HOST] = record_of(host, keys, slots, known, sizes, records, heads)
        ties[node, FOLDER] = record_of(folder ^ FOLDER_SALT, keys, slots, known, sizes, records, heads)


@kernel(types.void(types.int32, types.int32, types.int32, LINES, SLOTS))
def enlist(node, source, place, ties, heads):  # type: ignore[no-untyped-def]
    """Put a page that was found for the first time into the lists of its source, directory and place."""
    folder = ties[node, FOLDER]
    ties[node, NEXT_OF_SOURCE], ties[source, CHILD] = ties[source, CHILD], node
    ties[node, NEXT_OF_FOLDER], heads[folder] = heads[folder], node
    if place >= 0:
        ties[node, NEXT_OF_PLACE], heads[place] = heads[place], node


@kernel(types.float32(types.float32))
def fine(score):  # type: ignore[no-untyped-def]
    """A score on a logarithmic scale, so that small ones differ too: 0.0001 is 0, 1 is 1."""
    return max(np.float32(0), 1 + np.log10(max(score, np.float32(1e-4))) / 4)


@kernel(types.float32(types.int32, types.float32, TABLE), inline="always")
def drawn(record, parent, records):  # type: ignore[no-untyped-def]
    """The mean of a record, drawn to what its parent says; that alone where there is no record."""
    if record < 0:
        return parent
    return (records[record, SUM] + SHRUNK * parent) / (records[record, READ] + SHRUNK)


@kernel(types.void(types.int32, types.int32, TABLE, TABLE, LINES, types.float32, FLOATS))
def look(node, source, nodes, records, ties, mean, dense):  # type: ignore[no-untyped-def]
    """Fill `dense` with what is known of a link now: the page it stands on, its words by the topic, the records."""
    dense[:] = np.float32(0)
    dense[0] = 1
    folder = ties[node, FOLDER]
    of_host = drawn(ties[node, HOST], mean, records)
    of_folder = drawn(folder, of_host, records)
    of_place = drawn(ties[node, PLACE], of_folder, records)
    dense[8] = of_folder
    dense[9] = 1 / (1 + records[folder, READ])
    dense[16] = (records[folder, GATE] + mean) / (records[folder, LED] + 1)
    dense[19] = of_place
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
    above = ties[source, SOURCE]
    if above >= 0 and not np.isnan(nodes[above, SCORE]):
        dense[2] = nodes[above, SCORE]
    other = ties[source, FOLDER]
    if other == folder:
        dense[6] = 1
        dense[7] = dense[1]
    else:
        dense[13] = of_folder
        dense[15] = (records[other, GATE] + mean) / (records[other, LED] + 1)
    dense[10] = (nodes[source, GOOD] + SHRUNK * of_place) / (nodes[source, OUT] + SHRUNK)
    dense[11] = nodes[source, VALUE]
    dense[14] = drawn(other, drawn(ties[source, HOST], mean, records), records)
