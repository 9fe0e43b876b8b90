"""The two pattern languages compiled to one small machine.

A context of kind `alignment` reads a whole URL (its signs are told in `emit`). The path kinds of the method `garimpo` read
the path only and know three signs more: ``~`` is a run without ``/``, ``(~)`` the same captured, ``(**)`` any text, even none,
captured; `template` reads path and query, where ``(&)`` is the value of a parameter, captured.
Both become a list of instructions for a machine that tries each instruction at each place at most once: its time
is the length of the pattern times the length of the URL, whatever the URL.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from garimpo.contract.errors import BadInput

LITERAL, CLASS, SPLIT, JUMP, SAVE, MATCH = range(6)
STAR_CLASS, LETTER_CLASS, DIGIT_CLASS, SEGMENT_CLASS, ANY_CLASS, VALUE_CLASS = range(6)
MAX_CAPTURES = 64

_RUNS = {
    "([a-zA-Z]+)": (LETTER_CLASS, True),
    "([0-9]+)": (DIGIT_CLASS, True),
    "[a-zA-Z]+": (LETTER_CLASS, False),
    "[0-9]+": (DIGIT_CLASS, False),
    "★": (STAR_CLASS, True),
    "(~)": (SEGMENT_CLASS, True),
    "~": (SEGMENT_CLASS, False),
    "(&)": (VALUE_CLASS, True),
}

_SPECIAL = re.compile(r"([\\.^$*+?{}\[\]()|★~])")


@dataclass
class Code:
    """Instructions and the literal bytes they point to."""

    steps: list[tuple[int, int, int]] = field(default_factory=list)
    pool: bytearray = field(default_factory=bytearray)
    captures: list[int] = field(default_factory=list)
    """The class of each captured run."""

    def add(self, code: int, a: int = 0, b: int = 0) -> int:
        self.steps.append((code, a, b))
        return len(self.steps) - 1

    def literal(self, text: bytes) -> None:
        if text:
            self.add(LITERAL, len(self.pool), len(text))
            self.pool += text

    def run(self, kind: int, captured: bool) -> None:
        """One or more bytes of a class, as many as can be."""
        slot = len(self.captures)
        if captured:
            if slot == MAX_CAPTURES:
                raise BadInput(f"a rule's context has more than {MAX_CAPTURES} captures")
            self.captures.append(kind)
            self.add(SAVE, 2 * slot)
        first = self.add(CLASS, kind)
        self.add(SPLIT, first, first + 2)
        if captured:
            self.add(SAVE, 2 * slot + 1)

    def anything(self) -> None:
        """Any bytes, also none, as many as can be; captured."""
        slot = len(self.captures)
        self.captures.append(ANY_CLASS)
        self.add(SAVE, 2 * slot)
        split = self.add(SPLIT, len(self.steps) + 1, len(self.steps) + 3)
        self.add(CLASS, ANY_CLASS)
        self.add(JUMP, split)
        self.add(SAVE, 2 * slot + 1)


@lru_cache(maxsize=1 << 16)
def compile_context(context: str) -> Code:
    """The machine of a context. Raises `BadInput` where it is not well formed.

    >>> len(compile_context("^★/(index)?$").steps)
    8
    """
    if not (context.startswith("^") and context.endswith("$") and len(context) >= 2):
        raise BadInput(f"a context stands between ^ and $: {context[:80]!r}")
    code = Code()
    end = _sequence(code, context[1:-1], 0, context)
    if end != len(context) - 2:
        raise BadInput(f"unbalanced parenthesis in the context {context[:80]!r}")
    code.add(MATCH)
    return code


def _sequence(code: Code, text: str, at: int, whole: str) -> int:
    """Compile up to a closing parenthesis or bar at this level."""
    pending: list[str] = []

    def flush() -> None:
        code.literal("".join(pending).encode())
        pending.clear()

    while at < len(text) and text[at] not in "|)":
        run = next((name for name in _RUNS if text.startswith(name, at)), None)
        if run and not (run[0] == "(" and text.startswith("?", at + len(run))):  # an optional class captures nothing
            flush()
            code.run(*_RUNS[run])
            at += len(run)
        elif text.startswith("(**)", at):
            flush()
            code.anything()
            at += 4
        elif text[at] == "(":
            flush()
            at = _group(code, text, at + 1, whole)
        else:
            if text[at] == "\\":
                at += 1
            if at == len(text):
                raise BadInput(f"a backslash ends the context {whole[:80]!r}")
            pending.append(text[at])
            at += 1
    flush()
    return at


def _group(code: Code, text: str, at: int, whole: str) -> int:
    """Alternatives between parentheses, with a question mark behind if they may be missing."""
    parts: list[Code] = []
    while True:
        part = Code(pool=code.pool, captures=code.captures)
        at = _sequence(part, text, at, whole)
        parts.append(part)
        if at >= len(text):
            raise BadInput(f"unbalanced parenthesis in the context {whole[:80]!r}")
        at += 1
        if text[at - 1] == ")":
            break
    optional = text.startswith("?", at)
    if optional:
        skip = code.add(SPLIT)
    jumps = []
    for part in parts[:-1]:
        split = code.add(SPLIT)
        base = len(code.steps)
        code.steps += [_moved(step, base) for step in part.steps]
        jumps.append(code.add(JUMP))
        code.steps[split] = (SPLIT, split + 1, len(code.steps))
    base = len(code.steps)
    code.steps += [_moved(step, base) for step in parts[-1].steps]
    for jump in jumps:
        code.steps[jump] = (JUMP, len(code.steps), 0)
    if optional:
        code.steps[skip] = (SPLIT, skip + 1, len(code.steps))
        return at + 1
    return at


def _moved(step: tuple[int, int, int], base: int) -> tuple[int, int, int]:
    code, a, b = step
    if code == SPLIT:
        return code, a + base, b + base
    return (code, a + base, b) if code == JUMP else step


@lru_cache(maxsize=1 << 16)
def split_template(template: str) -> list[str | int]:
    """The literals and the numbers of captures of a template, in order.

    >>> split_template("$1/en/$12")
    [1, '/en/', 12]
    """
    parts: list[str | int] = []
    text: list[str] = []
    at = 0
    while at < len(template):
        sign = template[at]
        digits = at + 1
        while sign == "$" and digits < len(template) and template[digits] in "0123456789":
            digits += 1
        if digits > at + 1:
            if text:
                parts.append("".join(text))
                text = []
            parts.append(int(template[at + 1 : digits]))
            at = digits
            continue
        if sign == "\\" and at + 1 < len(template):
            at += 1
        text.append(template[at])
        at += 1
    return [*parts, "".join(text)] if text else parts


def check_template(template: str, captures: int) -> None:
    """Raise `BadInput` where a template asks for a capture its context does not make."""
    for part in split_template(template):
        if isinstance(part, int) and not 1 <= part <= captures:
            raise BadInput(f"the template {template[:80]!r} asks for ${part}, its context captures {captures}")


@lru_cache(maxsize=1 << 16)
def compile_image(template: str, captures: tuple[int, ...]) -> Code:
    """A machine that accepts every text the template can make."""
    code = Code()
    for part in split_template(template):
        if isinstance(part, str):
            code.literal(part.encode())
        elif captures[part - 1] == ANY_CLASS:
            code.anything()
        else:
            code.run(captures[part - 1], False)
    code.add(MATCH)
    return code


def is_consistent(context: str, template: str, texts: Iterable[str]) -> bool:
    """Whether a rule matches all these texts and makes one of them: what must be true of those it was made from."""
    made = {apply_pattern(context, template, text) for text in texts}
    return len(made) == 1 and None not in made


def apply_pattern(context: str, template: str, text: str) -> str | None:
    """What a rule makes of a text its context matches as a whole; None where it does not.

    >>> apply_pattern("^★://(www\\\\.)?★\\\\.★/$", "$1://$2.$3", "http://www.site.com/")
    'http://site.com'
    """
    import numpy as np

    from garimpo.dust.rules._kernels_match import match

    code = compile_context(context)
    check_template(template, len(code.captures))
    data = text.encode()
    cells = len(code.steps) * (len(data) + 1)
    saves = np.zeros(2 * MAX_CAPTURES, np.int64)
    pool = np.frombuffer(bytes(code.pool) or b"\0", np.uint8).copy()
    subject = np.frombuffer(data or b"\0", np.uint8).copy()
    steps = np.array(code.steps, np.int64)
    seen, stack = np.zeros(cells, np.uint32), np.empty(2 * cells + 8, np.int64)
    if not match(steps, 0, pool, subject, 0, len(data), saves, seen, np.uint32(1), stack):
        return None
    parts = [
        part.encode() if isinstance(part, str) else data[saves[2 * part - 2] : saves[2 * part - 1]]
        for part in split_template(template)
    ]
    return b"".join(parts).decode("utf-8", "replace")


def escape(text: str) -> str:
    """Literal text as a context writes it.

    >>> escape("index.php?")
    'index\\\\.php\\\\?'
    """
    return _SPECIAL.sub(r"\\\1", text)


def escape_template(text: str) -> str:
    """Literal text as a template writes it: only the dollar and the backslash are special."""
    return text.replace("\\", "\\\\").replace("$", "\\$")
