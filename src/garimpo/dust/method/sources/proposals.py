"""What explains that two URLs show one page: operations, one slot for each difference, and all of them together.

URLs are compared part by part: scheme, path, query. Where the parts do not explain a pair, `whole_urls` tries to find the
fields of one in the other. Of every slot each way is proposed alone; where there are several slots, also all together, as a
bundle: differences that always come together are no rule alone.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from garimpo.dust.method.operation import EITHER, FIRST, SECOND, Operation, Proposal, Slot, bundle
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.method.sources.path_segments import segment_slot
from garimpo.dust.method.sources.spelling import spellings
from garimpo.dust.method.sources.whole_urls import carried
from garimpo.dust.rules.pattern import escape, escape_template
from garimpo.dust.rules.ruleset import MOST_PARTS

FINAL_SLASH = Operation("slash", "^(**)/$", "$1")
LONGEST_DEFAULT = 64
MOST_SEGMENTS = 24
MOST_COMBINED = 2
"""Slots of several ways that are combined in all of them."""
ROUNDABOUT = frozenset({"rewrite", "segment"})
"""Kinds that explain nearly any two paths: where fields of one URL are found in the other, that says more."""
_NUMBER = re.compile("[0-9]{3,}")


def operations(a: Parts, b: Parts, names: Slot | None = None) -> Iterator[Operation]:
    """All operations that two URLs propose; `names` is what makes one of their hosts, where these differ."""
    for slots in explanations(a, b, names):
        yield from operations_of(slots, names)


def operations_of(slots: Sequence[Slot], names: Slot | None = None) -> Iterator[Operation]:
    """What an explanation proposes: each way alone, and one of each slot together."""
    if not names or len(slots) == 1:
        yield from (way.operation for slot in slots for way in slot)
    if 2 <= len(slots) <= MOST_PARTS and all(slots):
        for choice in _choices(slots):
            together = bundle(choice)
            if together:
                yield together


def _choices(slots: Sequence[Slot]) -> Iterator[tuple[Proposal, ...]]:
    """One way of each slot, the first or the last; of parameters all the first or all the last, and so where there are many."""
    together = [place for place, slot in enumerate(slots) if slot[0].operation.kind == "parameter"]
    groups = [[place] for place in range(len(slots)) if place not in together] + ([together] if together else [])
    several = [any(len(slots[place]) > 1 for place in group) for group in groups]
    ends = [(0, -1) if more else (0,) for more in several]
    for chosen in product(*ends) if sum(several) <= MOST_COMBINED else zip(*([0, -1] for _ in groups)):
        way = {place: end for group, end in zip(groups, chosen) for place in group}
        yield tuple(slot[way[place]] for place, slot in enumerate(slots))


def explanations(a: Parts, b: Parts, names: Slot | None = None) -> Iterator[list[Slot]]:
    """Ways to explain all differences of a pair, each a slot a difference; `names` explains that of the hosts."""
    if len(a.path) > 1024 or len(b.path) > 1024:
        return
    scheme = Proposal(Operation("scheme", "https://", "http://"), FIRST if a.scheme == "https" else SECOND)
    before: list[Slot] = [*([names] if names else []), *([[scheme]] if a.scheme != b.scheme else [])]
    for slots, one, two in spellings(a, b):
        for rest in _explained(one, two):
            if before or slots or rest:
                yield [*before, *slots, *rest]


def _explained(a: Parts, b: Parts) -> Iterator[list[Slot]]:
    """Explanations of what is left: by fields of one found in the other, and part by part."""
    path_slots = _path_slots(a.path, b.path)
    roundabout = path_slots is None or any(way.operation.kind in ROUNDABOUT for slot in path_slots for way in slot)
    own, other, idle = _without_idle(a, b)
    found = False
    if roundabout or _renames(a.query or (), b.query or ()):
        for one, two, slots in ((own, other, idle), (a, b, [])) if idle else ((a, b, []),):
            moved = carried(one, two, path_slots is None)
            if moved:
                found = True
                yield [moved, *slots]
    if path_slots is not None and not (found and own.query != other.query and not (own.query and other.query)):
        yield [*path_slots, *_query_slots(a.query or (), b.query or ())]


def _without_idle(a: Parts, b: Parts) -> tuple[Parts, Parts, list[Slot]]:
    """The two URLs without the parameters in which they differ and whose values stand nowhere in the other; slots of these."""
    named = _by_name(a.query or ()), _by_name(b.query or ())
    texts = ["/".join([own.path, *(value for _, value in own.query or ())]) for own in (a, b)]
    idle = {
        name
        for name in {*named[0], *named[1]}
        if named[0].get(name) != named[1].get(name)
        and not any(_stands_in(value, texts[1 - side]) for side in (0, 1) for value in named[side].get(name, ()))
    }
    left = [tuple(pair for pair in own.query or () if pair[0] not in idle) or None for own in (a, b)]
    return a._replace(query=left[0]), b._replace(query=left[1]), _dropped(idle, *named)


def _stands_in(value: str, text: str) -> bool:
    return value not in ("", "\0") and re.search(rf"(?<![A-Za-z0-9]){re.escape(value)}(?![A-Za-z0-9])", text) is not None


def _dropped(names: Iterable[str], in_a: Mapping[str, Sequence[str]], in_b: Mapping[str, Sequence[str]]) -> list[Slot]:
    """A slot for each parameter that does not count."""
    slots = []
    for name in sorted(names):
        values = {value for side in (in_a, in_b) for value in side.get(name, ())}
        slots.append(_parameter_slot(name, sorted(values), FIRST * (name in in_a) + SECOND * (name in in_b)))
    return slots


def _renames(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> bool:
    """Whether a value stands under one name here and under another there."""
    only_a, only_b = set(a) - set(b), set(b) - set(a)
    names_a, names_b = {name for name, _ in a}, {name for name, _ in b}
    values = {value for name, value in only_a if name not in names_b} & {value for name, value in only_b if name not in names_a}
    return bool(values - {"\0", ""})


def _query_slots(a: tuple[tuple[str, str], ...], b: tuple[tuple[str, str], ...]) -> list[Slot]:
    if a == b:
        return []
    if sorted(a) == sorted(b):
        return [[_order(a, b)]]
    small = [tuple((name.lower(), value.lower()) for name, value in pairs) for pairs in (a, b)]
    if len({*small[0]} & {*small[1]}) > len({*a} & {*b}):
        capitals = FIRST * (small[0] != a) + SECOND * (small[1] != b)
        return [[Proposal(Operation("query-case", "?", "lower"), capitals)], *_query_slots(*small)]
    in_a, in_b = _by_name(a), _by_name(b)
    dropped = {name for name in {*in_a, *in_b} if in_a.get(name) != in_b.get(name)}
    slots = _dropped(dropped, in_a, in_b)
    kept = [tuple(pair for pair in pairs if pair[0] not in dropped) for pairs in (a, b)]
    if kept[0] != kept[1]:
        slots.append([_order(*kept)])
    return slots


def _order(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> Proposal:
    return Proposal(Operation("order", "?", "sorted"), FIRST * (list(a) != sorted(a)) + SECOND * (list(b) != sorted(b)))


def _by_name(pairs: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        found[name] = (*found.get(name, ()), value)
    return found


def _parameter_slot(name: str, values: list[str], changes: int) -> Slot:
    """The parameter whatever its value; or with the one it has, where only one URL has it."""
    if not name or " " in name:
        return []
    slot = [Proposal(Operation("parameter", f"?{name}=*"), changes)]
    if changes != EITHER and len(values) == 1 and values[0] != "\0" and len(values[0]) <= LONGEST_DEFAULT:
        slot.append(Proposal(Operation("parameter", f"?{name}={one_value(values[0])}"), changes))
    return slot


def one_value(text: str) -> str:
    """A parameter's value as the context of an operation writes it."""
    return re.sub(r"([\\|*])", r"\\\1", text)


def _path_slots(p: str, q: str) -> list[Slot] | None:
    """The slots of two paths, simplest explanations first; None where they have none."""
    if p == q:
        return []
    if p.lower() == q.lower():
        return [_case_slot(p, q)]
    if p != p.lower() or q != q.lower():
        lowered = _shape_slots(p.lower(), q.lower())
        if lowered is not None and not any(way.operation.kind in ROUNDABOUT for slot in lowered for way in slot):
            return [*lowered, _case_slot(p, q)] if p[:2] != q[:2] or _differs_in_case(p, q) else lowered
    return _shape_slots(p, q)


def _differs_in_case(p: str, q: str) -> bool:
    """Whether the common beginning of two paths, in whatever case, is written in two cases."""
    size = next((i for i, (a, b) in enumerate(zip(p.lower(), q.lower())) if a != b), min(len(p), len(q)))
    return p[:size] != q[:size]


def _case_slot(p: str, q: str) -> Slot:
    """The case of the whole path, or of the one folder that differs."""
    slot = [Proposal(Operation("case", "", "lower"), FIRST * (p != p.lower()) + SECOND * (q != q.lower()))]
    one, two = p.split("/"), q.split("/")
    other = [i for i, (a, b) in enumerate(zip(one, two)) if a != b and a.lower() == b.lower()]
    if len(other) == 1 and other[0] < min(len(one), len(two)) - 1 and one[: other[0]] == two[: other[0]]:
        at = other[0]
        given, made = (one, two) if two[at] == two[at].lower() else (two, one)
        context = "/".join(map(escape, given[: at + 1]))
        template = "/".join(map(escape_template, made[: at + 1]))
        slot.append(Proposal(Operation("prefix", f"^{context}/(**)$", f"{template}/$1"), FIRST if given is one else SECOND))
    return slot


def _shape_slots(p: str, q: str) -> list[Slot] | None:
    """Final slash, index file, ending, then segments that were put in, taken out or exchanged."""
    side = FIRST
    if len(p) < len(q) or (len(p) == len(q) and p < q):
        p, q, side = q, p, SECOND  # p becomes q: the longer one goes
    if p == q + "/":
        return [[Proposal(FINAL_SLASH, side)]]
    slots: list[Slot] = []
    folder, _, file = p.rpartition("/")
    if "." in file and (q == folder + "/" or q == folder) and _looks_like_file(file):
        slots.append([Proposal(Operation("index", f"^(**)/{escape(file)}$", "$1/"), side)])
        if q == folder and q:
            slots.append([Proposal(FINAL_SLASH, side)])
        return slots
    bare, other = p.removesuffix("/"), q.removesuffix("/")
    if (bare != p) != (other != q) and bare and other:
        slots.append([Proposal(FINAL_SLASH, side if bare != p else EITHER - side)])
        p, q = bare, other
        if len(p) < len(q):
            p, q, side = q, p, EITHER - side
    ending = _ending_slot(p, q, side)
    if ending:
        return [*slots, ending]
    file, other_file = p.rpartition("/")[2], q.rpartition("/")[2]
    if file != other_file and file.partition(".")[0] == other_file.partition(".")[0] and "." in file + other_file:
        longer = len(file) > len(other_file) or (len(file) == len(other_file) and file > other_file)
        slots.append(_ending_slot(*((file, other_file) if longer else (other_file, file)), side if longer else EITHER - side))
        p = p.removesuffix(file) + other_file
        if not slots[-1]:
            return None
    one, two = p[1:].split("/"), q[1:].split("/")
    if len(one) > MOST_SEGMENTS or len(two) > MOST_SEGMENTS:
        return None
    if len(one) == len(two) and side == SECOND:
        one, two, side = two, one, FIRST  # of equals the second URL is the one that stays
    slot = [Proposal(way.operation, way.changes if way.changes == EITHER else side) for way in segment_slot(one, two)]
    return [*slots, slot] if slot else None


def _ending_slot(p: str, q: str, side: int) -> Slot:
    stem, dot, ending = p.rpartition(".")
    other, other_dot, other_ending = q.rpartition(".")
    if dot and "/" not in ending and stem == q:
        return [Proposal(Operation("extension", rf"^(**)\.{escape(ending)}$", "$1"), side)]
    if dot and other_dot and stem == other and "/" not in ending + other_ending:
        return [Proposal(Operation("extension", rf"^(**)\.{escape(ending)}$", f"$1.{escape_template(other_ending)}"), side)]
    return []


def _looks_like_file(file: str) -> bool:
    return _NUMBER.search(file) is None and len(file) <= 24
