"""The hot loops of the room: votes of rules, label flips, entropy cuts, dominance, pair expansion and set overlap."""

from typing import Any

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, xxh64
from garimpo.engine.jit import kernel


def _array(kind: Any, dimensions: int = 1, readonly: bool = True) -> Any:
    return types.Array(kind, dimensions, "C", readonly=readonly)


I32, I64, F64, I8 = (_array(kind) for kind in (types.int32, types.int64, types.float64, types.int8))
I64_OUT, F64_OUT, I8_OUT = (_array(kind, readonly=False) for kind in (types.int64, types.float64, types.int8))
I32_OUT = _array(types.int32, readonly=False)
RULES = _array(types.int32, 2)
OPTIONS = types.UniTuple(types.float64, 3)  # min_support, min_confidence, count_zero_rules


@kernel(types.float64(I32, F64, F64, types.float64, types.float64, types.float64, OPTIONS), inline="always")
def vote(rules, positive, negative, own_positive, own_negative, prior, options):  # type: ignore[no-untyped-def]
    """Membership in the negative class by the mean confidence of the rules of one cell; `own` is left out of the counts."""
    min_support, min_confidence, count_zero = options
    sum_positive = sum_negative = 0.0
    rules_positive = rules_negative = 0
    for i in range(rules.size):
        if rules[i] < 0:
            continue
        p = positive[rules[i]] - own_positive
        n = negative[rules[i]] - own_negative
        if p + n <= 0.0:
            continue
        confidence = p / (p + n)
        if count_zero != 0.0 or (p > 0.0 and p >= min_support and confidence >= min_confidence):
            sum_positive += confidence
            rules_positive += 1
        if count_zero != 0.0 or (n > 0.0 and n >= min_support and 1.0 - confidence >= min_confidence):
            sum_negative += 1.0 - confidence
            rules_negative += 1
    share_positive = sum_positive / rules_positive if rules_positive else 0.0
    share_negative = sum_negative / rules_negative if rules_negative else 0.0
    if share_positive + share_negative == 0.0:
        return prior
    return share_negative / (share_negative + share_positive)


@kernel(types.void(RULES, F64, F64, types.float64, types.float64, types.float64, OPTIONS, F64_OUT))
def votes(rules, positive, negative, own_positive, own_negative, prior, options, out):  # type: ignore[no-untyped-def]
    """`vote` for each cell."""
    for cell in range(out.size):
        out[cell] = vote(rules[cell], positive, negative, own_positive, own_negative, prior, options)


@kernel(types.void(RULES, I32, I8, types.int8, F64, F64_OUT), allocates=True)
def count_rules(rules, cells, labels, label, base, out):  # type: ignore[no-untyped-def]
    """Support of each rule among the instances with `label`, on top of what the seeds give."""
    whole = np.zeros(out.size, np.int64)
    for i in range(cells.size):
        if labels[i] == label:
            for r in range(rules.shape[1]):
                whole[rules[cells[i], r]] += 1
    for rule in range(out.size):
        out[rule] = base[rule] + whole[rule]


FLAG = types.boolean


@kernel(types.int64(RULES, I32, I32, I8_OUT, F64, F64, I64_OUT, I64_OUT, F64, types.float64, OPTIONS, FLAG, FLAG), allocates=True)
def flip_pass(  # type: ignore[no-untyped-def]
    rules, order, cells, labels, seeds_positive, seeds_negative, positive, negative, cuts, prior, options, towards, rebuild
):
    """One pass of label flips, each seen by the next instance. `towards` positive: flip below the cut; else above it.

    The counts follow each flip in the rules of its cell only; with `rebuild` they are counted anew from all instances.
    """
    flips = 0
    source = np.int8(0) if towards else np.int8(1)
    scratch_positive = np.empty(rules.shape[1], np.float64)
    scratch_negative = np.empty(rules.shape[1], np.float64)
    local = np.arange(rules.shape[1]).astype(np.int32)
    for at in range(order.size):
        i = order[at]
        cell = cells[i]
        if labels[i] != source or np.isnan(cuts[cell]):
            continue
        for r in range(local.size):
            rule = rules[cell, r]
            scratch_positive[r] = seeds_positive[rule] + positive[rule]
            scratch_negative[r] = seeds_negative[rule] + negative[rule]
        own_positive = 0.0 if towards else 1.0
        alpha = vote(local, scratch_positive, scratch_negative, own_positive, 1.0 - own_positive, prior, options)
        if (towards and alpha > cuts[cell]) or (not towards and alpha <= cuts[cell]):
            continue
        labels[i] = np.int8(1) - source
        flips += 1
        if rebuild:
            positive[:] = 0
            negative[:] = 0
            for j in range(cells.size):
                for r in range(local.size):
                    if labels[j] == 1:
                        positive[rules[cells[j], r]] += 1
                    else:
                        negative[rules[cells[j], r]] += 1
        else:
            step = 1 if towards else -1
            for r in range(local.size):
                positive[rules[cell, r]] += step
                negative[rules[cell, r]] -= step
    return flips


@kernel(types.float64(types.float64, types.float64), inline="always")
def _entropy(p, n):  # type: ignore[no-untyped-def]
    if p <= 0.0 or n <= 0.0:
        return 0.0
    total = p + n
    return -(p * np.log(p / total) + n * np.log(n / total))


@kernel(types.void(_array(types.int32, 2), I32, F64, F64, F64, FLAG, F64_OUT), allocates=True)
def entropy_cuts(  # type: ignore[no-untyped-def]
    values, entry_cell, entry_alpha, entry_positive, entry_negative, smallest, cuts
):
    """For each cell the purest cut of the scores of all examples that share a value with it; NaN where there is none.

    Entries (a cell's examples of one label and score) come sorted by score. Of equally pure cuts the smallest or the largest.
    """
    keep = np.empty(entry_cell.size, np.int64)
    for cell in range(cuts.size):
        kept = 0
        total_positive = total_negative = 0.0
        for e in range(entry_cell.size):
            other = entry_cell[e]
            for f in range(values.shape[1]):
                if values[cell, f] == values[other, f]:
                    keep[kept] = e
                    kept += 1
                    total_positive += entry_positive[e]
                    total_negative += entry_negative[e]
                    break
        cuts[cell] = np.nan
        if total_positive == 0.0 or total_negative == 0.0:
            continue
        best = np.inf
        p = n = 0.0
        for k in range(kept - 1):
            p += entry_positive[keep[k]]
            n += entry_negative[keep[k]]
            alpha = entry_alpha[keep[k]]
            if entry_alpha[keep[k + 1]] == alpha:
                continue
            impurity = _entropy(p, n) + _entropy(total_positive - p, total_negative - n)
            if impurity < best or (not smallest and impurity == best):
                best = impurity
                cuts[cell] = alpha


@kernel(types.void(I64, I64, I64, types.int64, I64_OUT), allocates=True)
def dominated(order, first, second, levels, out):  # type: ignore[no-untyped-def]
    """How many points each point dominates: `order` sorts by (first, second) ranks; a Fenwick tree counts the second."""
    tree = np.zeros(levels + 1, np.int64)
    start = 0
    while start < order.size:
        stop = start
        while stop < order.size and first[order[stop]] == first[order[start]]:
            at = second[order[stop]] + 1
            while at <= levels:
                tree[at] += 1
                at += at & -at
            stop += 1
        run = start
        while run < stop:
            end = run
            while end < stop and second[order[end]] == second[order[run]]:
                end += 1
            total = 0
            at = second[order[run]] + 1
            while at > 0:
                total += tree[at]
                at -= at & -at
            for k in range(run, end):
                out[order[k]] = total - (end - run)
            run = end
        start = stop


@kernel(types.void(BYTES, I64, I64_OUT, I64_OUT, I64_OUT, I64_OUT), allocates=True)
def path_keys(data, offsets, paths, sections, tails, shapes):  # type: ignore[no-untyped-def]
    """Keys of each normal URL's path with query, of its first folder, of what follows the last one, and without digits."""
    longest = 0
    for i in range(paths.size):
        longest = max(longest, offsets[i + 1] - offsets[i])
    shape = np.empty(longest, np.uint8)
    for i in range(paths.size):
        stop = offsets[i + 1]
        slashes = 0
        start = offsets[i]
        while start < stop:
            if data[start] == 47:
                slashes += 1
                if slashes == 3:
                    break
            start += 1
        last = start
        section = start
        at = start
        while at < stop and data[at] != 63:
            if data[at] == 47:
                last = at
                if section == start:
                    section = at
            at += 1
        paths[i] = np.int64(xxh64(data, start, stop, np.uint64(0)))
        sections[i] = np.int64(xxh64(data, start, min(section + 1, stop), np.uint64(0)))
        tails[i] = np.int64(xxh64(data, min(last + 1, stop), stop, np.uint64(0)))
        length = 0
        for at in range(start, stop):
            if data[at] < 48 or data[at] > 57:
                shape[length] = data[at]
                length += 1
        shapes[i] = np.int64(xxh64(shape, 0, length, np.uint64(0)))


@kernel(allocates=True)
def _grown(array, room, used):  # type: ignore[no-untyped-def]
    """A larger array that begins with what is used of this one."""
    out = np.empty(room, array.dtype)
    out[:used] = array[:used]
    return out


@kernel(I64_OUT(I64, I32, I64, I32, F64, types.int64, types.float64), allocates=True)
def expand(starts, lists, list_starts, list_hosts, weights, min_shared, min_weight):  # type: ignore[no-untyped-def]
    """All pairs of hosts that share enough lists of enough weight, host by host, as keys a * hosts + b with a < b."""
    hosts = starts.size - 1
    shared = np.zeros(hosts, np.int32)
    weight = np.zeros(hosts, np.float64)
    touched = np.empty(hosts, np.int64)
    room = 1 << 16
    out = np.empty(room, np.int64)
    written = 0
    for a in range(hosts):
        found = 0
        for e in range(starts[a], starts[a + 1]):
            which = lists[e]
            for at in range(list_starts[which + 1] - 1, list_starts[which] - 1, -1):
                b = list_hosts[at]
                if b <= a:  # lists are sorted: what is left was seen from the other side
                    break
                if shared[b] == 0:
                    touched[found] = b
                    found += 1
                shared[b] += 1
                weight[b] += weights[which]
        if written + found > room:
            room = 2 * (written + found)
            out = _grown(out, room, written)
        begin = written
        for k in range(found):
            b = touched[k]
            if shared[b] >= min_shared and weight[b] >= min_weight:
                out[written] = a * hosts + b
                written += 1
            shared[b] = 0
            weight[b] = 0.0
        out[begin:written].sort()
    return out[:written].copy()


@kernel(types.void(I32, I32, I64, I64, I64, F64, I32_OUT, F64_OUT, F64_OUT, I32_OUT, I32_OUT))
def overlap(first, second, starts, items, values, weights, shared, total, largest, both, same):  # type: ignore[no-untyped-def]
    """What two sorted sets share, for each pair of sets: by binary search from the smaller into the larger."""
    for k in range(first.size):
        a, b = first[k], second[k]
        if starts[a + 1] - starts[a] > starts[b + 1] - starts[b]:
            a, b = b, a
        low, high = starts[b], starts[b + 1]
        for e in range(starts[a], starts[a + 1]):
            left, right = low, high
            while left < right:
                middle = (left + right) // 2
                if items[middle] < items[e]:
                    left = middle + 1
                else:
                    right = middle
            low = left
            if left < high and items[left] == items[e]:
                shared[k] += 1
                total[k] += weights[e]
                largest[k] = max(largest[k], weights[e])
                if values[e] != 0 and values[left] != 0:
                    both[k] += 1
                    if values[e] == values[left]:
                        same[k] += 1


@kernel(types.void(I32, I32, I64, I64, I64, I64, *[I64_OUT] * 6), allocates=True)
def covered(first, second, starts, items, homes, sizes, shared, sections, inside_first, inside_second, idle_first, idle_second):  # type: ignore[no-untyped-def]
    """For each pair of hosts the paths both have, in how many sections, the URLs each has in these, and those too many there.

    `homes` is the section of each entry, `sizes` the URLs of each section.
    """
    counts = np.zeros(sizes.size, np.int64)
    longest = 0
    for host in range(starts.size - 1):
        longest = max(longest, starts[host + 1] - starts[host])
    touched = np.empty((2, longest), np.int64)
    for k in range(first.size):
        low, high = starts[second[k]], starts[second[k] + 1]
        found = 0
        for e in range(starts[first[k]], starts[first[k] + 1]):
            left, right = low, high
            while left < right:
                middle = (left + right) // 2
                if items[middle] < items[e]:
                    left = middle + 1
                else:
                    right = middle
            low = left
            if left < high and items[left] == items[e]:
                shared[k] += 1
                if counts[homes[e]] == 0:
                    inside_first[k] += sizes[homes[e]]
                    inside_second[k] += sizes[homes[left]]
                    touched[0, found] = homes[e]
                    touched[1, found] = homes[left]
                    found += 1
                counts[homes[e]] += 1
                counts[homes[left]] += 1
        sections[k] = found
        idle_first[k] = _idle(touched[0, :found], sizes, counts, shared[k] - found, inside_first[k] - found)
        idle_second[k] = _idle(touched[1, :found], sizes, counts, shared[k] - found, inside_second[k] - found)
        for at in range(found):
            counts[touched[0, at]] = counts[touched[1, at]] = 0


@kernel()
def _idle(touched, sizes, counts, met, known):  # type: ignore[no-untyped-def]
    """The URLs of sections that are more than the shared ones there explain, at the rate of the whole and two deviations more."""
    total = np.int64(0)
    for home in touched:
        if met > 0:
            explained = (counts[home] + 2.0 * np.sqrt(np.float64(counts[home])) + 1.0) * known / met
            total += np.int64(max(sizes[home] - explained, 0.0))
    return total
