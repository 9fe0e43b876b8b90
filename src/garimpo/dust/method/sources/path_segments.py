"""Paths that differ in a segment: put in, taken out or exchanged, told as path patterns.

The pattern keeps as much of the path's form as the pair shows: how many segments stand before, which are numbers, which tokens
at the ends of the changed segment are the same. What is only chance in one pair (two titles that begin with one word) finds no
support in other clusters.
"""

from collections.abc import Sequence

from garimpo.dust.method.operation import EITHER, FIRST, SECOND, Operation, Proposal, Slot
from garimpo.dust.rules.pattern import escape, escape_template
from garimpo.url import token_type, tokens

PREFIX, SEGMENT, REWRITE = "prefix", "segment", "rewrite"


def segment_slot(one: Sequence[str], two: Sequence[str]) -> Slot:
    """Alternatives that turn the segments `one` into `two`: the particular text first, then what varies."""
    start = 0
    while start < min(len(one), len(two)) and one[start] == two[start]:
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and one[-1 - end] == two[-1 - end]:
        end += 1
    out, into = list(one[start : len(one) - end]), list(two[start : len(two) - end])
    if len(out) == 1 and not into:
        found = _removed(one, start, out[0], end)
    elif len(out) == 1 and len(into) == 1:
        return [
            *_sided(_exchanged(one, start, out[0], into[0], end), FIRST),
            *_sided(_words(one, start, out[0], into[0], end), EITHER),
        ]
    else:
        found = _literal(one, start, out, into, end) if len(out) + len(into) <= 4 else []
        found += [] if into else _several(start, out, end)
        forth = _moved(one, two)
        found += forth
        if not forth:
            return [*_sided(found, FIRST), *_sided(_moved(two, one), SECOND)]
    return _sided(found, FIRST)


def _sided(rules: Sequence[tuple[str, str, str]], side: int) -> Slot:
    return [Proposal(Operation(*rule), side) for rule in rules]


def _before(count: int) -> tuple[str, str, int]:
    """Context and template of `count` segments copied from the front, and the number of the next capture."""
    return "".join("/(~)" for _ in range(count)), "".join(f"/${i + 1}" for i in range(count)), count + 1


def _literal(one: Sequence[str], start: int, out: list[str], into: list[str], end: int) -> list[tuple[str, str, str]]:
    """These very segments become those: under any path behind them, after as many segments as here."""
    context, template, following = _before(start)
    context += "".join(f"/{escape(text)}" for text in out)
    template += "".join(f"/{escape_template(text)}" for text in into)
    rules = []
    if end:
        rules.append((PREFIX, f"^{context}/(**)$", f"{template}/${following}"))
        if end > 1:  # only under one folder: where the rule holds for some pages, it may hold for all of these
            folder = one[len(one) - end]
            narrow = f"{template}/{escape_template(folder)}/${following}"
            rules.append((PREFIX, f"^{context}/{escape(folder)}/(**)$", narrow))
    elif start:
        rules.append((SEGMENT, f"^{context}$", template))
    if start:
        front = "".join(f"/{escape(text)}" for text in one[:start])
        literal = "".join(f"/{escape(text)}" for text in out)
        target = "".join(f"/{escape_template(text)}" for text in [*one[:start], *into])
        if end:
            rules.append((PREFIX, f"^{front}{literal}/(**)$", f"{target}/$1"))
        else:
            rules.append((SEGMENT, f"^{front}{literal}$", target))
    return rules


def _removed(one: Sequence[str], start: int, text: str, end: int) -> list[tuple[str, str, str]]:
    """A segment taken out: as it is, or as one of many that begin and end alike."""
    rules = _literal(one, start, [text], [], end)
    if end:
        context, template, following = _before(start)
        for form in _forms(text):
            rules.append((SEGMENT, f"^{context}/{form}/(**)$", f"{template}/${following}"))
    elif start:
        front, target, _ = _typed(one[:start])
        rules.append((SEGMENT, f"^{front}/~$", target))
    return rules


def _several(start: int, out: list[str], end: int) -> list[tuple[str, str, str]]:
    """Segments taken out, with the middle free where they have one: ``/print/s-9f3e/a`` is ``/a``."""
    formed = [form[-1] if form else escape(text) for text in out for form in (_forms(text),)]
    if not end or len(out) > 4 or formed == [escape(text) for text in out]:
        return []
    context, template, following = _before(start)
    return [(SEGMENT, f"^{context}/{'/'.join(formed)}/(**)$", f"{template}/${following}")]


def _moved(source: Sequence[str], target: Sequence[str]) -> list[tuple[str, str, str]]:
    """Segments in other places, with names put in or left out: ``/9780/A-Title/plp`` is ``/products/isbn/9780``."""
    kept = [text for text in target if text in source]
    if not kept or len(set(source)) < len(source) or not all(text in source or _is_name(text) for text in target):
        return []
    context: list[str] = []
    place: dict[str, int] = {}
    for text in source:
        if text in kept:
            place[text] = len(place) + 1
            context.append("([0-9]+)" if text.isascii() and text.isdigit() else "(~)")
        else:
            context.append(escape(text) if _is_name(text) else "~")
    template = [f"${place[text]}" if text in place else escape_template(text) for text in target]
    if all(_is_name(text) for text in kept):
        return []
    return [(REWRITE, f"^/{'/'.join(context)}$", f"/{'/'.join(template)}")]


def _is_name(text: str) -> bool:
    """Whether a segment looks like a fixed word of the software, not like content."""
    return len(text) <= 12 and text.isascii() and text.replace(".", "").isalpha() and text == text.lower()


def _forms(text: str) -> list[str]:
    """A segment with its middle free, the ends as they are: ``u-red`` is ``u-~``, ``(S(9f3e))`` is ``(S(~))``; any number."""
    if text.isascii() and text.isdigit():
        return ["[0-9]+"]
    cut = tokens(text)
    tail = len(cut)
    while tail > 0 and token_type(cut[tail - 1]) == "p":
        tail -= 1
    forms = []
    for lead in (1, 2, 3):
        if lead < tail and any(token_type(token) == "p" for token in cut[:lead]):
            forms.append(escape("".join(cut[:lead])) + "~" + escape("".join(cut[tail:])))
    return forms


def _typed(segments: Sequence[str], first: int = 1) -> tuple[str, str, int]:
    """Segments copied, numbers known as such; context, template, next capture."""
    context = "".join("/([0-9]+)" if text.isascii() and text.isdigit() else "/(~)" for text in segments)
    return context, "".join(f"/${first + i}" for i in range(len(segments))), first + len(segments)


def _exchanged(one: Sequence[str], start: int, out: str, into: str, end: int) -> list[tuple[str, str, str]]:
    """A segment with another in its place: these two, or a part put on."""
    rules = _literal(one, start, [out], [into], end)
    context, template, following = _before(start)
    rest, copied = ("/(**)", f"/${following + 1}") if end else ("", "")
    if out.startswith(into):
        extra = escape(out[len(into) :])
        rules.append((REWRITE, f"^{context}/(~){extra}{rest}$", f"{template}/${following}{copied}"))
    elif out.endswith(into):
        extra = escape(out[: -len(into)])
        rules.append((REWRITE, f"^{context}/{extra}(~){rest}$", f"{template}/${following}{copied}"))
    return rules


def _words(one: Sequence[str], start: int, out: str, into: str, end: int) -> list[tuple[str, str, str]]:
    """A segment whose words do not count, or only those at its end."""
    rules: list[tuple[str, str, str]] = []
    front, target, following = _typed(one[:start])
    back, back_target, _ = _typed(one[len(one) - end :], following) if end else ("", "", 0)
    tails = [] if end else _tails(out, into, following)
    if not tails:  # else both end with a number, which may be all that names the page
        rules.append((REWRITE, f"^{front}/~{back}$", f"{target}/{back_target}"))
    for tail, kept in tails:
        rules.append((REWRITE, f"^{front}/~{tail}$", f"{target}/{kept}"))
    return rules


def _tails(out: str, into: str, first: int) -> list[tuple[str, str]]:
    """Common last tokens of two segments, numbers captured: ``red-car-17.html`` and ``blue-17.html`` share ``-17.html``."""
    a, b = tokens(out), tokens(into)
    common = 0
    while common < min(len(a), len(b)) - 1 and a[-1 - common] == b[-1 - common]:
        common += 1
    shared = a[len(a) - common :] if common else []
    numbers = [i for i, token in enumerate(shared) if token_type(token) == "n"]
    if not numbers:
        return []
    shared = shared[max(numbers[0] - 1, 0) :]
    if token_type(shared[0]) == "a":
        shared = shared[1:]
    context, template = "", ""
    for token in shared:
        if token_type(token) == "n":
            context += "([0-9]+)"
            template += f"${first}"
            first += 1
        else:
            context += escape(token)
            template += escape_template(token)
    return [(context, template)]
