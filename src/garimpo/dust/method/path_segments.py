"""Paths that differ in a segment: put in, taken out or exchanged, told as path patterns.

The pattern keeps as much of the path's form as the pair shows: how many segments stand before, which are numbers, which tokens
at the ends of the changed segment are the same. What is only chance in one pair (two titles that begin with one word) finds no
support in other clusters.
"""

from collections.abc import Sequence

from garimpo.dust.emit import escape, escape_template
from garimpo.dust.operation import Operation, Proposal, Slot
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
        found = _exchanged(one, start, out[0], into[0], end)
    else:
        found = _literal(one, start, out, into, end) if len(out) + len(into) <= 4 else []
        found += _moved(one, two) or _moved(two, one)
    return [Proposal(Operation(*rule), value) for rule, value in found]


def _before(count: int) -> tuple[str, str, int]:
    """Context and template of `count` segments copied from the front, and the number of the next capture."""
    return "".join("/(~)" for _ in range(count)), "".join(f"/${i + 1}" for i in range(count)), count + 1


def _literal(one: Sequence[str], start: int, out: list[str], into: list[str], end: int) -> list[tuple[tuple[str, str, str], str]]:
    """These very segments become those: under any path behind them, after as many segments as here."""
    context, template, following = _before(start)
    context += "".join(f"/{escape(text)}" for text in out)
    template += "".join(f"/{escape_template(text)}" for text in into)
    rules = []
    if end:
        rules.append(((PREFIX, f"^{context}/(**)$", f"{template}/${following}"), ""))
        if end > 1:  # only under one folder: where the rule holds for some pages, it may hold for all of these
            folder = one[len(one) - end]
            narrow = f"{template}/{escape_template(folder)}/${following}"
            rules.append(((PREFIX, f"^{context}/{escape(folder)}/(**)$", narrow), ""))
    elif start:
        rules.append(((SEGMENT, f"^{context}$", template), ""))
    if start:
        front = "".join(f"/{escape(text)}" for text in one[:start])
        literal = "".join(f"/{escape(text)}" for text in out)
        target = "".join(f"/{escape_template(text)}" for text in [*one[:start], *into])
        if end:
            rules.append(((PREFIX, f"^{front}{literal}/(**)$", f"{target}/$1"), ""))
        else:
            rules.append(((SEGMENT, f"^{front}{literal}$", target), ""))
    return rules


def _removed(one: Sequence[str], start: int, text: str, end: int) -> list[tuple[tuple[str, str, str], str]]:
    """A segment taken out: as it is, or as one of many that begin and end alike."""
    rules = _literal(one, start, [text], [], end)
    if end:
        context, template, following = _before(start)
        for form in _forms(text):
            rules.append(((SEGMENT, f"^{context}/{form}/(**)$", f"{template}/${following}"), text))
    elif start:
        front, target, _ = _typed(one[:start])
        rules.append(((SEGMENT, f"^{front}/~$", target), text))
    return rules


def _moved(source: Sequence[str], target: Sequence[str]) -> list[tuple[tuple[str, str, str], str]]:
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
    ignored = "\n".join(text for text in source if text not in kept)
    return [((REWRITE, f"^/{'/'.join(context)}$", f"/{'/'.join(template)}"), ignored)]


def _is_name(text: str) -> bool:
    """Whether a segment looks like a fixed word of the software, not like content."""
    return len(text) <= 12 and text.isascii() and text.replace(".", "").isalpha() and text == text.lower()


def _forms(text: str) -> list[str]:
    """The segment with its middle free, the ends as they are: ``u-red`` is ``u-~``, ``(S(9f3e))`` is ``(S(~))``."""
    cut = tokens(text)
    tail = len(cut)
    while tail > 0 and token_type(cut[tail - 1]) == "p":
        tail -= 1
    forms = []
    for lead in (2, 3, 1):
        if lead < tail and any(token_type(token) == "p" for token in cut[:lead]):
            forms.append(escape("".join(cut[:lead])) + "~" + escape("".join(cut[tail:])))
    return forms


def _typed(segments: Sequence[str], first: int = 1) -> tuple[str, str, int]:
    """Segments copied, numbers known as such; context, template, next capture."""
    context = "".join("/([0-9]+)" if text.isascii() and text.isdigit() else "/(~)" for text in segments)
    return context, "".join(f"/${first + i}" for i in range(len(segments))), first + len(segments)


def _exchanged(one: Sequence[str], start: int, out: str, into: str, end: int) -> list[tuple[tuple[str, str, str], str]]:
    """A segment with another in its place: these two, or a part put on, or words that do not count."""
    rules = _literal(one, start, [out], [into], end)
    context, template, following = _before(start)
    rest, copied = ("/(**)", f"/${following + 1}") if end else ("", "")
    if out.startswith(into):
        extra = escape(out[len(into) :])
        rules.append(((REWRITE, f"^{context}/(~){extra}{rest}$", f"{template}/${following}{copied}"), into))
    elif out.endswith(into):
        extra = escape(out[: -len(into)])
        rules.append(((REWRITE, f"^{context}/{extra}(~){rest}$", f"{template}/${following}{copied}"), into))
    front, target, following = _typed(one[:start])
    back, back_target, _ = _typed(one[len(one) - end :], following) if end else ("", "", 0)
    tails = [] if end else _tails(out, into, following)
    if not tails:  # else both end with a number, which may be all that names the page
        rules.append(((REWRITE, f"^{front}/~{back}$", f"{target}/{back_target}"), f"{out}\n{into}"))
    for tail, kept, values in tails:
        rules.append(((REWRITE, f"^{front}/~{tail}$", f"{target}/{kept}"), values))
    return rules


def _tails(out: str, into: str, first: int) -> list[tuple[str, str, str]]:
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
    return [(context, template, f"{out}\n{into}")]


def static_contexts(cut: Sequence[str], captured: set[int]) -> list[str]:
    """Contexts of a static path whose tokens `captured` are copied: other segments free, or all but numbers as they are."""
    free, literal = [], []
    segment: list[tuple[int, str]] = []

    def close() -> None:
        if not segment:
            return
        holds = any(i in captured for i, _ in segment)
        if not holds:
            free.append("~")
        else:
            places = [n for n, (i, _) in enumerate(segment) if i in captured]
            lead, tail = segment[: places[0]], segment[places[-1] + 1 :]
            if lead:
                free.append("~" + escape(lead[-1][1]) if len(lead) > 1 and token_type(lead[-1][1]) == "p" else _plain(lead))
            free.append(_capture(segment[places[0] : places[-1] + 1], captured))
            if tail:
                free.append(_plain(tail))
        literal.append(_capture(segment, captured))
        segment.clear()

    for i, token in enumerate(cut):
        if token == "/":
            close()
            free.append("/")
            literal.append("/")
        else:
            segment.append((i, token))
    close()
    both = [f"^{''.join(literal)}$", f"^{''.join(free)}$"]
    return both if both[0] != both[1] else both[:1]


def _plain(part: Sequence[tuple[int, str]]) -> str:
    return "".join(escape(token) for _, token in part)


def _capture(part: Sequence[tuple[int, str]], captured: set[int]) -> str:
    out = []
    for i, token in part:
        if i in captured:
            out.append("([0-9]+)" if token_type(token) == "n" else "(~)")
        else:
            out.append(escape(token))
    return "".join(out)
