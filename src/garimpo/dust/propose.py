"""What could make two URLs of one page equal: the differences of a pair, told as operations.

A pair is compared part by part: scheme, path (segment by segment, then token by token), query (by name). Each difference is a
*slot*: alternatives that would remove it, from the general to the particular. Two URLs are explained by one alternative
of each slot. Nothing here decides what is true; that is for the evidence of all clusters.
"""

import re
from typing import NamedTuple

from garimpo.dust.emit import escape, escape_template
from garimpo.dust.operation import Operation, Proposal, Slot
from garimpo.dust.segments import segment_slot, static_contexts
from garimpo.url import tokens

_HIDDEN = re.compile(r";([A-Za-z_][\w.-]*)=[^/;]*")
_NUMBER = re.compile(r"[0-9]+")
SLASHES = Operation("slash", "^(**)//(**)$", "$1/$2")
FINAL_SLASH = Operation("slash", "^(**)/$", "$1")
MOST_SEGMENTS = 12
LONGEST_DEFAULT = 16
"""A value that a parameter may have as well as be missing is short; longer ones are names of sessions and of things."""
ROUNDABOUT = frozenset({"prefix", "segment", "rewrite"})
"""Explanations of two paths that a path and parameters with the same values are better than."""


class Parts(NamedTuple):
    """A normalised URL in parts."""

    scheme: str
    host: str
    path: str
    query: tuple[tuple[str, str], ...] | None

    @classmethod
    def of(cls, url: str) -> "Parts":
        scheme, _, rest = url.partition("://")
        before, mark, query = rest.partition("?")
        host, slash, path = before.partition("/")
        pairs = tuple((name, value if equals else "\0") for name, equals, value in (p.partition("=") for p in query.split("&")))
        return cls(scheme, host, slash + path, pairs if mark else None)


def propose(a: Parts, b: Parts) -> list[Slot] | None:
    """The slots of a pair on one host; None where some difference has no explanation."""
    if len(a.path) > 1024 or len(b.path) > 1024:
        return None
    slots: list[Slot] = []
    if a.scheme != b.scheme:
        slots.append([Proposal(Operation("scheme", "https://", "http://"))])
    path_slots = _path_slots(a, b)
    if path_slots is None or any(p.operation.kind in ROUNDABOUT for slot in path_slots for p in slot):
        moved = _static_dynamic(a, b) or _static_dynamic(b, a)
        if moved:
            return [*slots, moved]
    if path_slots is None:
        return None
    slots += path_slots
    scope = _scope(min(a.path, b.path, key=lambda path: (len(path), path)))
    query_slots = _query_slots(a.query or (), b.query or (), scope)
    slots += query_slots
    if not slots and a.query != b.query:  # only a question mark with nothing behind it
        return None
    return slots


def _scope(path: str) -> str:
    first = path[1:].partition("/")[0]
    return f"/{first}" if first else path


def _query_slots(a: tuple[tuple[str, str], ...], b: tuple[tuple[str, str], ...], scope: str) -> list[Slot]:
    if a == b:
        return []
    if sorted(a) == sorted(b):
        return [[Proposal(Operation("order", "?", "sorted"))]]
    if sorted((n.lower(), v.lower()) for n, v in a) == sorted((n.lower(), v.lower()) for n, v in b):
        return [[Proposal(Operation("query-case", "?", "lower"))]]
    slots: list[Slot] = []
    kept: list[list[tuple[str, str]]] = [[], []]
    in_a, in_b = _by_name(a), _by_name(b)
    dropped = {name for name in {*in_a, *in_b} if in_a.get(name) != in_b.get(name)}
    for name in sorted(dropped):
        values = {value for side in (in_a, in_b) for value in side.get(name, ())}
        one_sided = not (name in in_a and name in in_b)
        slots.append(_parameter_slot(name, sorted(values), one_sided, scope))
    for side, pairs in enumerate((a, b)):
        kept[side] = [pair for pair in pairs if pair[0] not in dropped]
    if kept[0] != kept[1]:
        slots.append([Proposal(Operation("order", "?", "sorted"))])
    return slots


def _by_name(pairs: tuple[tuple[str, str], ...]) -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for name, value in pairs:
        found[name] = (*found.get(name, ()), value)
    return found


def _parameter_slot(name: str, values: list[str], one_sided: bool, scope: str) -> Slot:
    if not name:
        return []
    text = "\n".join(values)
    slot = [Proposal(Operation("parameter", f"{where}?{name}=*"), text) for where in ("", scope)]
    if one_sided and len(values) == 1 and values[0] != "\0" and len(values[0]) <= LONGEST_DEFAULT:
        value = "\\*" if values[0] == "*" else values[0]
        slot += [Proposal(Operation("parameter", f"{where}?{name}={value}"), text) for where in ("", scope)]
    return slot


def _path_slots(a: Parts, b: Parts) -> list[Slot] | None:
    """The slots of two paths, simplest explanations first; None where they have none."""
    p, q = a.path, b.path
    slots: list[Slot] = []
    if ";" in p or ";" in q:
        names = {*_HIDDEN.findall(p), *_HIDDEN.findall(q)}
        for name in sorted(names):
            cut = [re.sub(rf";{re.escape(name)}=[^/;]*", "", path) for path in (p, q)]
            if cut != [p, q] and _hidden(p, name) != _hidden(q, name):
                slots.append([Proposal(Operation("path-parameter", f";{name}=", ""), _hidden(p, name) + _hidden(q, name))])
                p, q = cut
    if p == q:
        return slots
    if ("//" in p) != ("//" in q):
        slots.append([Proposal(SLASHES)])
        p, q = re.sub("//+", "/", p), re.sub("//+", "/", q)
    if p != q and p.lower() == q.lower():
        slots.append([Proposal(Operation("case", "", "lower")), Proposal(Operation("case", _scope(p), "lower"))])
        return slots
    if p == q:
        return slots
    rest = _shape_slots(p, q)
    if rest is None and (p != p.lower() or q != q.lower()):
        rest = _shape_slots(p.lower(), q.lower())
        if rest is not None:
            rest.append([Proposal(Operation("case", "", "lower"))])
    return None if rest is None else slots + rest


def _hidden(path: str, name: str) -> str:
    found = re.search(rf";{re.escape(name)}=([^/;]*)", path)
    return found.group(1) if found else ""


def _shape_slots(p: str, q: str) -> list[Slot] | None:
    """Final slash, index file, ending, then segments that were put in, taken out or exchanged."""
    if len(p) < len(q) or (len(p) == len(q) and p < q):
        p, q = q, p  # p becomes q: the longer one goes
    slots: list[Slot] = []
    if p == q + "/":
        return [[Proposal(FINAL_SLASH)]]
    folder, _, file = p.rpartition("/")
    if "." in file and (q == folder + "/" or q == folder) and _looks_like_file(file):
        slots.append([Proposal(Operation("index", f"^(**)/{escape(file)}$", "$1/"))])
        if q == folder and q:
            slots.append([Proposal(FINAL_SLASH)])
        return slots
    stem, dot, ending = p.rpartition(".")
    other, other_dot, other_ending = q.rpartition(".")
    if dot and "/" not in ending and stem == q:
        return [[Proposal(Operation("extension", rf"^(**)\.{escape(ending)}$", "$1"))]]
    if dot and other_dot and stem == other and "/" not in ending + other_ending:
        return [[Proposal(Operation("extension", rf"^(**)\.{escape(ending)}$", f"$1.{escape_template(other_ending)}"))]]
    one, two = p[1:].split("/"), q[1:].split("/")
    if len(one) > MOST_SEGMENTS or len(two) > MOST_SEGMENTS:
        return None
    if one[-1] == "" != two[-1]:
        slots.append([Proposal(FINAL_SLASH)])
        one = one[:-1]
    elif two[-1] == "" != one[-1]:
        slots.append([Proposal(FINAL_SLASH)])
        two = two[:-1]
    slot = segment_slot(one, two)
    return [*slots, slot] if slot else None


def _looks_like_file(file: str) -> bool:
    return _NUMBER.search(file) is None and len(file) <= 24


def _static_dynamic(static: Parts, dynamic: Parts) -> Slot:
    """A path that carries the values of the other URL's parameters: ``/story_400.html`` and ``/story?id=400``."""
    if static.query or not dynamic.query or len(dynamic.query) > 4:
        return []
    cut = tokens(static.path)
    if len(cut) > 40:
        return []
    places: dict[int, int] = {}
    query: list[str] = []
    for number, (name, value) in enumerate(dynamic.query):
        at = [i for i, token in enumerate(cut) if token == value and i not in places]
        if len(at) == 1:
            places[at[0]] = number
            query.append(f"{escape_template(name)}=${len(places)}")
        elif value != "\0" and not at:
            query.append(escape_template(f"{name}={value}"))
        else:
            return []
    if not places or sorted(places) != list(places):
        return []
    template = f"{escape_template(dynamic.path)}?{'&'.join(query)}"
    return [Proposal(Operation("rewrite", context, template), static.path) for context in static_contexts(cut, set(places))]
