"""Where an operation holds: conditions under which its errors vanish, and the bounds of what its evidence shows.

`narrowed` looks, for an operation that pages deny, at what the URLs it joins rightly have and those it confuses have not: a
folder, a segment at some depth, a parameter, its value or its lack; one condition, else two. `tightened` holds an operation that
is to be used to what was shown of it: the folder, the parameters and values that all its evidence has.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np
from numpy.typing import NDArray

from garimpo.dust.method.operation import Operation
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.method.sources.proposals import one_value
from garimpo.dust.rules.condition import ABSENT, PRESENT, VALUE, Clause, Condition
from garimpo.dust.rules.pattern import escape

LEAST = 3
"""Savings under a condition that are worth a look."""
MOST_ROWS, MOST_CONDITIONS, MOST_FIRST = 1500, 8, 3
LONGEST_VALUE, LONGEST_PATH, DEPTH = 32, 96, 3
GENERIC_VALUES = 3
"""Different values a parameter must have been seen to have before any will do."""
_NAME_OF = re.compile(r"\?([^=]*)=")
Text = Callable[[int], str]


class Outcome(NamedTuple):
    """Rows an operation changes, the share of a saving and of a denial that each has, and the key of each."""

    rows: NDArray[np.int64]
    good: NDArray[np.float64]
    bad: NDArray[np.float64]
    keys: NDArray[np.uint64]


def outcome(keys: NDArray[np.uint64], base: NDArray[np.uint64], clusters: NDArray[np.int64]) -> Outcome:
    """What became of each row whose key is no longer its own. What is too much is left out by key, not by cluster."""
    changed = np.flatnonzero(keys != base)
    wanted = np.unique(keys[changed])
    if len(wanted) > MOST_ROWS:
        wanted = wanted[np.argsort(wanted * np.uint64(0x9E3779B97F4A7C15), kind="stable")[:MOST_ROWS]]
        wanted.sort()
    place = np.searchsorted(wanted, keys)
    place[place == len(wanted)] = 0
    inside = np.flatnonzero(wanted[place] == keys) if len(wanted) else np.zeros(0, np.int64)
    group = place[inside]
    size = np.bincount(group, minlength=len(wanted))
    pages = np.unique(np.stack([group, clusters[inside]]), axis=1)
    several = np.bincount(pages[0], minlength=len(wanted))
    is_changed = keys[inside] != base[inside]
    movers = np.maximum(np.bincount(group[is_changed], minlength=len(wanted)), 1)
    own, rows = group[is_changed], inside[is_changed]
    return Outcome(rows, ((size - several) / movers)[own], ((several - 1) / movers)[own], keys[rows])


def narrowed(operation: Operation, seen: Outcome, text: Text, level: float) -> tuple[list[Operation], int]:
    """The operation under conditions that might hold its share of errors to `level`, and how many were looked at."""
    rows = [(frozenset(features(Parts.of(text(row)))), g, b) for row, g, b in zip(*(c.tolist() for c in seen[:3])) if g or b]
    good, bad = _totals(rows)
    found, tried = _holding(good, bad, level), len(good)
    if not found:
        promising = sorted((f for f in good if good[f] >= LEAST and good[f] > bad[f]), key=lambda f: (bad[f] - good[f], f))
        for first in promising[:MOST_FIRST]:
            rest = [(own - {first}, g, b) for own, g, b in rows if _has(own, first)]
            more = _totals(rest)
            tried += len(more[0])
            found += [first.joined(second) for second in _holding(*more, level)[:2] if not (first.path and second.path)]
    return [operation.under(condition) for condition in found[:MOST_CONDITIONS]], tried


def _has(own: frozenset[Condition], feature: Condition) -> bool:
    if feature.clauses and feature.clauses[0].kind == ABSENT:
        return Condition("", (Clause(PRESENT, feature.clauses[0].name),)) not in own
    return feature in own


def _totals(rows: Sequence[tuple[frozenset[Condition], float, float]]) -> tuple[Counter[Condition], Counter[Condition]]:
    good: Counter[Condition] = Counter()
    bad: Counter[Condition] = Counter()
    for own, g, b in rows:
        for feature in own:
            good[feature] += g  # type: ignore[assignment]
            bad[feature] += b  # type: ignore[assignment]
    all_good, all_bad = sum(g for _, g, _ in rows), sum(b for _, _, b in rows)
    for feature in [f for f in good if f.clauses and f.clauses[0].kind == PRESENT]:
        lacks = Condition("", (Clause(ABSENT, feature.clauses[0].name),))
        good[lacks], bad[lacks] = all_good - good[feature], all_bad - bad[feature]  # type: ignore[assignment]
    return good, bad


def _holding(good: Counter[Condition], bad: Counter[Condition], level: float) -> list[Condition]:
    held = [f for f in good if good[f] >= LEAST and bad[f] <= level * (good[f] + bad[f])]
    return sorted(held, key=lambda f: (-good[f], len(f.path), f))


def features(parts: Parts) -> Iterator[Condition]:
    """What may be asked of a URL: folders, segments at a depth, parameters and their values."""
    segments = parts.path.split("/")[1:]
    front = ""
    for depth, segment in enumerate(segments[: DEPTH + 1]):
        last = depth == len(segments) - 1
        if not last and depth < DEPTH:
            front += f"/{escape(segment)}"
            yield Condition(f"^{front}/(**)$")
        if depth and segment and len(segment) <= LONGEST_VALUE:
            yield Condition(f"^{'/~' * depth}/{escape(segment)}{'' if last else '/(**)'}$")
    if len(parts.path) <= LONGEST_PATH:
        yield Condition(f"^{escape(parts.path)}$")
    for name, value in dict.fromkeys(parts.query or ()):
        if name and " " not in name:
            yield Condition("", (Clause(PRESENT, name),))
            if value != "\0" and len(value) <= LONGEST_VALUE:
                yield Condition("", (Clause(VALUE, name, value),))


class Bounds(NamedTuple):
    """An operation held to what was shown of it, and whether its values were never seen to change."""

    operation: Operation
    provisional: bool


def tightened(operation: Operation, seen: Outcome, text: Text) -> Bounds:
    """The operation under what all rows that it saved have in common."""
    right = seen.good > seen.bad
    rows, keys = seen.rows[right].tolist(), seen.keys[right].tolist()
    parts = [Parts.of(text(row)) for row in rows]
    if not parts:
        return Bounds(operation, False)
    values = _values(operation, parts)
    own = _common_path(operation, parts)
    clauses = _common_clauses(parts, set(values), exact=len(parts) >= 2 * GENERIC_VALUES)
    held = _with_values(operation, values).under(Condition(own, clauses))
    return Bounds(held, any(_never_changes(name, parts, keys) for name in values))


def _common_path(operation: Operation, parts: Sequence[Parts]) -> str:
    paths = [part.path.split("/") for part in parts]
    if len({part.path for part in parts}) == 1 and len(parts) >= GENERIC_VALUES:
        own = f"^{escape(parts[0].path)}$"
        return "" if own == operation.context else own
    shared = 1
    while shared < min(map(len, paths)) - 1 and len({path[shared] for path in paths}) == 1:
        shared += 1
    front = "/".join(map(escape, paths[0][:shared]))
    if shared > 1:
        return "" if any(part.context.startswith(f"^{front}/") for part in operation.parts()) else f"^{front}/(**)$"
    return _common_segment(operation, paths) if len(paths) >= 2 * GENERIC_VALUES else ""


def _common_segment(operation: Operation, paths: Sequence[Sequence[str]]) -> str:
    """A segment that all paths have at one depth, where what stands before it changes."""
    for depth in range(2, min(min(map(len, paths)), DEPTH + 2)):
        segment = paths[0][depth]
        named = any(f"/{escape(segment)}" in part.context for part in operation.parts())
        last = {len(path) == depth + 1 for path in paths}
        if segment and not named and len(last) == 1 and all(path[depth] == segment for path in paths):
            return f"^{'/~' * (depth - 1)}/{escape(segment)}{'' if last == {True} else '/(**)'}$"
    return ""


def _common_clauses(parts: Sequence[Parts], dropped: set[str], exact: bool) -> tuple[Clause, ...]:
    """The parameters that all URLs have, beside those that are dropped; with their value where all have the same."""
    named = [dict(part.query or ()) for part in parts]
    shared = set.intersection(*(set(pairs) for pairs in named)) - dropped - {""}
    found = []
    for name in sorted(shared):
        values = {pairs[name] for pairs in named}
        value = values.pop()
        if " " not in name:
            alone = exact and not values and value != "\0" and len(value) <= LONGEST_VALUE
            found.append(Clause(VALUE, name, value) if alone else Clause(PRESENT, name))
    return tuple(found)


def _values(operation: Operation, parts: Sequence[Parts]) -> dict[str, set[str]]:
    """The values that were dropped, by the name of each parameter that is dropped whatever its value."""
    found: dict[str, set[str]] = {}
    for part in operation.parts():
        name = _NAME_OF.search(part.context)
        if part.kind == "parameter" and name:
            found[name[1]] = {value for one in parts for key, value in one.query or () if key == name[1]}
    return found


def _with_values(operation: Operation, values: dict[str, set[str]]) -> Operation:
    """The operation with the few values that were seen in place of any."""

    def held(part: Operation) -> Operation:
        name = _NAME_OF.search(part.context)
        if part.kind != "parameter" or not name or not part.context.endswith("=*"):
            return part
        seen = values[name[1]]
        if len(seen) >= GENERIC_VALUES or "\0" in seen or any(len(value) > 2 * LONGEST_VALUE for value in seen) or not seen:
            return part
        return part._replace(context=f"?{name[1]}={'|'.join(map(one_value, sorted(seen)))}")

    if operation.kind != "bundle":
        return held(operation)
    return operation._replace(context=msgspec.json.encode([list(held(part)[:3]) for part in operation.parts()]).decode())


def _never_changes(name: str, parts: Sequence[Parts], keys: Sequence[int]) -> bool:
    """Whether a parameter was seen with several values, but never two of them on one page."""
    by_key: dict[int, set[str]] = defaultdict(set)
    for part, key in zip(parts, keys):
        by_key[key].update(value for own, value in part.query or () if own == name)
    return len(set.union(*by_key.values())) >= GENERIC_VALUES and all(len(values) <= 1 for values in by_key.values())
