"""Parameters that come in changing company, told together.

One URL has ``utm_source``, the next ``utm_medium`` and ``utm_term``, a third all of them: each set alone has few witnesses. Where
sets that come with the same other differences overlap, they are one bundle that knows all forms the URLs were seen in; and all
forms there could be, where nearly every page shows another one.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

from garimpo.dust.method.operation import FIRST, SECOND, Operation, Proposal, Slot, bundle_of, in_bundle_order
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.rules.ruleset import MOST_PARTS

MOST_UNITED, MOST_PAIRS = 6, 2000
LEAST_SETS = 2
"""Sets of parameters that must be seen."""


class _Pair(NamedTuple):
    """What a pair shows: the parameters that make its difference, those that each URL has, and the two URLs."""

    names: frozenset[str]
    has: tuple[frozenset[str], frozenset[str]]
    example: tuple[str, str]


class Unions:
    """The pairs of a host, by the differences that come with their parameters."""

    def __init__(self) -> None:
        self._pairs: dict[tuple[Proposal, ...], list[_Pair]] = defaultdict(list)

    def add(self, slots: Sequence[Slot], one: Parts, two: Parts, example: tuple[str, str]) -> None:
        """Add an explanation of a pair.

        Args:
            slots: the explanation
            one: the first URL
            two: the second
            example: their texts
        """
        if not all(slots):
            return
        own = [slot[0] for slot in slots if slot[0].operation.kind == "parameter"]
        if not own or len(own) > MOST_UNITED:
            return
        names = frozenset(_name(way.operation) for way in own)
        has = tuple(frozenset(name for name, _ in url.query or ()) for url in (one, two))
        others = [slot for slot in slots if slot[0].operation.kind != "parameter"]
        for place in (0, -1) if any(len(slot) > 1 for slot in others) else (0,):
            known = self._pairs[tuple(slot[place] for slot in others)]
            if len(known) < MOST_PAIRS:
                known.append(_Pair(names, (has[0], has[1]), example))

    def proposals(self) -> Iterator[tuple[Operation, int, tuple[str, str]]]:
        """Each union, how many pairs propose it, and one of them."""
        for others, pairs in self._pairs.items():
            count = Counter(name for pair in pairs for name in pair.names)
            most = min(MOST_UNITED, MOST_PARTS - len(others))
            united = sorted(count, key=lambda name: (-count[name], name))[:most]
            told = [pair for pair in pairs if pair.names <= {*united}]
            if len({pair.names for pair in told}) >= LEAST_SETS and len(others) + len(united) >= 2:
                yield _union(others, united, told), len(told), told[0].example


def _name(operation: Operation) -> str:
    return operation.context[1:].partition("=")[0]


def _union(others: Sequence[Proposal], united: Sequence[str], pairs: Sequence[_Pair]) -> Operation:
    """One bundle of them all, with the forms that were seen, or all of them."""
    parts = in_bundle_order([*(way.operation for way in others), *(Operation("parameter", f"?{name}=*") for name in united)])
    seen: dict[tuple[bool, ...], set[tuple[bool, ...]]] = defaultdict(set)
    for pair in pairs:
        for side, has in zip((FIRST, SECOND), pair.has):
            seen[tuple(bool(way.changes & side) for way in others)].add(tuple(name in has for name in united))
    forms = set()
    for front, sets in seen.items():
        for own in _likely(sets):
            changed = dict(zip([way.operation for way in others], front)) | {
                Operation("parameter", f"?{name}=*"): there for name, there in zip(united, own)
            }
            forms.add("".join("1" if changed[part] else "0" for part in parts))
    return bundle_of(parts, forms)


def _likely(seen: set[tuple[bool, ...]]) -> set[tuple[bool, ...]]:
    """The sets that were seen; where these are many, all with what they all have, and something more."""
    shown = [own for own in seen if any(own)]
    if len(shown) <= max(map(len, seen)):
        return seen
    always = [all(column) for column in zip(*shown)]
    ways = product(*((True,) if fixed else (False, True) for fixed in always))
    return seen | {own for own in ways if list(own) != always}
