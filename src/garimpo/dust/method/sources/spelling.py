"""What two URLs only spell differently: ports, parameters hidden in the path, double slashes, signs between words, capitals.

This is taken away first, each as a slot of its own, so that what is left is explained by itself.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from garimpo.dust.method.operation import FIRST, SECOND, SLASHES, Operation, Proposal, Slot
from garimpo.dust.method.sources.parts import Parts

SIGNS = ("-", "_", "+", "%20")
"""What stands between words; of two the first is kept."""
_SIGN = re.compile("|".join(map(re.escape, SIGNS)))
_HIDDEN = re.compile(r";([A-Za-z0-9_.-]+)=")
_STEM = re.compile(r"(.*[^.])\.[a-z0-9]{1,5}")
MOST_FIELDS = 12


class Spelled(NamedTuple):
    """Two URLs in a common spelling, and the slots that bring them there."""

    slots: list[Slot]
    one: Parts
    two: Parts


def spellings(a: Parts, b: Parts) -> list[Spelled]:
    """The two URLs in a common spelling; and, where more is then the same, in small letters, too."""
    plain = _without_separators(*_plain(a, b))
    small = _small(*plain)
    return [plain, small] if small else [plain]


def _plain(a: Parts, b: Parts) -> Spelled:
    """Without ports, parameters in the path and double slashes, where the two differ in them."""
    slots: list[Slot] = []
    if a.port != b.port:
        slots += [[Proposal(Operation("port", own.port), side)] for own, side in ((a, FIRST), (b, SECOND)) if own.port]
        a, b = a._replace(port=""), b._replace(port="")
    p, q = a.path, b.path
    for name in sorted({*_HIDDEN.findall(p), *_HIDDEN.findall(q)}) if ";" in p or ";" in q else ():
        cut = [re.sub(rf";{re.escape(name)}=[^/;]*", "", path) for path in (p, q)]
        if cut != [p, q] and _hidden(p, name) != _hidden(q, name):
            changes = FIRST * (cut[0] != p) + SECOND * (cut[1] != q)
            slots.append([Proposal(Operation("path-parameter", f";{name}=", ""), changes)])
            p, q = cut
    if ("//" in p) != ("//" in q):
        slots.append([Proposal(Operation("slash", SLASHES, "$1/$2"), FIRST if "//" in p else SECOND)])
        p, q = re.sub("//+", "/", p), re.sub("//+", "/", q)
    return Spelled(slots, a._replace(path=p), b._replace(path=q))


def _hidden(path: str, name: str) -> str:
    found = re.search(rf";{re.escape(name)}=([^/;]*)", path)
    return found.group(1) if found else ""


def _fields(url: Parts) -> Iterator[tuple[bool, str]]:
    """The segments, without the ending of a file, and the values; whether it is a value."""
    for segment in url.path[1:].split("/")[:MOST_FIELDS]:
        stem = _STEM.fullmatch(segment)
        yield False, stem[1] if stem else segment
    for _, value in (url.query or ())[:MOST_FIELDS]:
        yield True, value


def _without_separators(slots: list[Slot], a: Parts, b: Parts) -> Spelled:
    """With the same signs between words, where two fields differ in these alone; and between parameters."""
    found: dict[Operation, None] = {}
    if a.sign != b.sign and len(a.query or ()) > 1 and len(b.query or ()) > 1:
        slots = [*slots, [Proposal(Operation("separator", "?;", "&"), FIRST if a.sign == ";" else SECOND)]]
        a, b = a._replace(sign="&"), b._replace(sign="&")
    known = {_SIGN.sub("-", text).lower(): (is_value, text) for is_value, text in _fields(b)}
    for is_value, text in _fields(a):
        in_query, other = known.get(_SIGN.sub("-", text).lower(), (False, ""))
        for pair in dict.fromkeys(zip(_SIGN.findall(text), _SIGN.findall(other))):
            if pair[0] != pair[1]:
                kept, changed = sorted(pair, key=SIGNS.index)
                if is_value != in_query:  # the path says how words are parted
                    changed, kept = pair if is_value else pair[::-1]
                found[Operation("separator", f"{'?' if is_value or in_query else ''}{changed}", kept)] = None
    for operation in found:
        ones = [_exchanged(own, operation) for own in (a, b)]
        slots = [*slots, [Proposal(operation, _sides([ones[0] != a, ones[1] != b]))]]
        a, b = ones
    return Spelled(slots, a, b)


def _exchanged(url: Parts, operation: Operation) -> Parts:
    if not operation.context.startswith("?"):
        return url._replace(path=url.path.replace(operation.context, operation.template))
    sign, made = operation.context[1:], operation.template
    pairs = tuple((name.replace(sign, made), value.replace(sign, made)) for name, value in url.query or ())
    return url if url.query is None else url._replace(query=pairs)


def _small(slots: list[Slot], a: Parts, b: Parts) -> Spelled | None:
    """Paths or queries in small letters, where that makes fields of the two the same; None where it does not."""
    told = [[*_fields(url)] for url in (a, b)]
    texts = [{text for _, text in fields} for fields in told]
    small = [{text.lower() for text in own} for own in texts]
    gained = {
        is_value
        for own, other in ((0, 1), (1, 0))
        for is_value, text in told[own]
        if text != text.lower() and text.lower() in small[other] and text not in texts[other]
    }
    if not gained:
        return None
    made = [a, b]
    if False in gained:
        made = [url._replace(path=url.path.lower()) for url in made]
        slots = [*slots, [Proposal(Operation("case", "", "lower"), _sides([a.path != made[0].path, b.path != made[1].path]))]]
    if True in gained:
        lower = [url.query and tuple((name.lower(), value.lower()) for name, value in url.query) for url in made]
        changed = [url.query != query for url, query in zip(made, lower)]
        made = [url._replace(query=query) for url, query in zip(made, lower)]
        slots = [*slots, [Proposal(Operation("query-case", "?", "lower"), _sides(changed))]]
    return Spelled(slots, made[0], made[1])


def _sides(changed: list[bool]) -> int:
    return FIRST * changed[0] + SECOND * changed[1]
