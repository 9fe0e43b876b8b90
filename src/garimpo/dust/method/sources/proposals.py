"""What explains that two URLs show one page: operations, one slot for each difference, and all of them together.

URLs are compared part by part: scheme, path, query. Where the parts do not explain a pair, `whole_urls` tries to find the
fields of one in the other. Of every slot each way is proposed alone; where there are several slots, also all together, as a
bundle: differences that always come together are no rule alone.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import product

from garimpo.dust.method.operation import EITHER, FIRST, SECOND, Operation, Proposal, Slot, bundle
from garimpo.dust.method.sources.parts import Parts
from garimpo.dust.method.sources.path_segments import segment_slot
from garimpo.dust.method.sources.whole_urls import carried
from garimpo.dust.rules.pattern import escape, escape_template

FINAL_SLASH = Operation("slash", "^(**)/$", "$1")
SLASHES = Operation("slash", "^(**)//(**)$", "$1/$2")
LONGEST_DEFAULT = 64
MOST_SEGMENTS = 24
MOST_SLOTS = 5
MOST_COMBINED = 2
"""Slots of several ways that are combined in all of them."""
ROUNDABOUT = frozenset({"rewrite", "segment"})
"""Kinds that explain nearly any two paths: where fields of one URL are found in the other, that says more."""
_NUMBER = re.compile("[0-9]{3,}")
_HIDDEN = re.compile(r";([A-Za-z0-9_.-]+)=")


def operations(a: Parts, b: Parts, names: Slot | None = None) -> Iterator[Operation]:
    """All operations that two URLs propose; `names` is what makes one of their hosts, where these differ."""
    for slots in explanations(a, b):
        whole = [names, *slots] if names else slots
        if names and not slots:
            yield from (way.operation for way in names)
        elif not names:
            for slot in slots:
                yield from (way.operation for way in slot)
        if 2 <= len(whole) <= MOST_SLOTS and all(whole):
            for choice in _choices(whole):
                together = bundle(choice)
                if together:
                    yield together


def _choices(slots: Sequence[Slot]) -> Iterator[tuple[Proposal, ...]]:
    """One way of each slot: of few slots the ends of each in all combinations, of more all first or all last ways."""
    ends = [(slot[0], slot[-1]) if len(slot) > 1 else (slot[0],) for slot in slots]
    if sum(len(ways) > 1 for ways in ends) <= MOST_COMBINED:
        yield from product(*ends)
    else:
        yield from (tuple(ways[place] for ways in ends) for place in (0, -1))


def explanations(a: Parts, b: Parts) -> list[list[Slot]]:
    """Ways to explain all differences of a pair but the host's, each a slot a difference; none where there is no way."""
    if len(a.path) > 1024 or len(b.path) > 1024:
        return []
    slots: list[Slot] = []
    if a.scheme != b.scheme:
        slots.append([Proposal(Operation("scheme", "https://", "http://"), FIRST if a.scheme == "https" else SECOND)])
    found: list[list[Slot]] = []
    path_slots = _path_slots(a.path, b.path)
    roundabout = path_slots is None or any(way.operation.kind in ROUNDABOUT for slot in path_slots for way in slot)
    if roundabout or _renames(a.query or (), b.query or ()):
        moved = carried(a, b, path_slots is None)
        if moved:
            found.append([*slots, moved])
    if path_slots is not None and not (found and a.query != b.query and not (a.query and b.query)):
        query_slots = _query_slots(a.query or (), b.query or ())
        if path_slots or query_slots or slots:
            found.append([*slots, *path_slots, *query_slots])
    return found


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
    if sorted((n.lower(), v.lower()) for n, v in a) == sorted((n.lower(), v.lower()) for n, v in b):
        capitals = FIRST * _has_capitals(a) + SECOND * _has_capitals(b)
        return [[Proposal(Operation("query-case", "?", "lower"), capitals)]]
    slots: list[Slot] = []
    in_a, in_b = _by_name(a), _by_name(b)
    dropped = {name for name in {*in_a, *in_b} if in_a.get(name) != in_b.get(name)}
    for name in sorted(dropped):
        values = {value for side in (in_a, in_b) for value in side.get(name, ())}
        slots.append(_parameter_slot(name, sorted(values), FIRST * (name in in_a) + SECOND * (name in in_b)))
    kept = [tuple(pair for pair in pairs if pair[0] not in dropped) for pairs in (a, b)]
    if kept[0] != kept[1]:
        slots.append([_order(*kept)])
    return slots


def _order(a: Sequence[tuple[str, str]], b: Sequence[tuple[str, str]]) -> Proposal:
    return Proposal(Operation("order", "?", "sorted"), FIRST * (list(a) != sorted(a)) + SECOND * (list(b) != sorted(b)))


def _has_capitals(pairs: Sequence[tuple[str, str]]) -> bool:
    return any(text != text.lower() for pair in pairs for text in pair)


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
    slots: list[Slot] = []
    if ";" in p or ";" in q:
        for name in sorted({*_HIDDEN.findall(p), *_HIDDEN.findall(q)}):
            cut = [re.sub(rf";{re.escape(name)}=[^/;]*", "", path) for path in (p, q)]
            if cut != [p, q] and _hidden(p, name) != _hidden(q, name):
                changes = FIRST * (cut[0] != p) + SECOND * (cut[1] != q)
                slots.append([Proposal(Operation("path-parameter", f";{name}=", ""), changes)])
                p, q = cut
    if ("//" in p) != ("//" in q):
        slots.append([Proposal(SLASHES, FIRST if "//" in p else SECOND)])
        p, q = re.sub("//+", "/", p), re.sub("//+", "/", q)
    if p == q:
        return slots
    if p.lower() == q.lower():
        return [*slots, _case_slot(p, q)]
    if p != p.lower() or q != q.lower():
        lowered = _shape_slots(p.lower(), q.lower())
        if lowered is not None and not any(way.operation.kind in ROUNDABOUT for slot in lowered for way in slot):
            return [*slots, *lowered, _case_slot(p, q)] if p[:2] != q[:2] or _differs_in_case(p, q) else slots + lowered
    rest = _shape_slots(p, q)
    return None if rest is None else slots + rest


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


def _hidden(path: str, name: str) -> str:
    found = re.search(rf";{re.escape(name)}=([^/;]*)", path)
    return found.group(1) if found else ""


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
