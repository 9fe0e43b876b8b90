"""Text and attribute values of a page as it came from the web, written as serialised HTML has them.

Of character references it undoes numbers, and the standard's names of at most eight letters that mean one character. Where
another name, or one without its semicolon, may be meant, the answer is -1: the parser has to say.
"""

from html.entities import html5

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8, read_u64, write_u64
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_markup import EACH, HIGH_BITS, hashed, meaning, pack

_LONGEST_NAME = 8  # as many letters as one word holds
_KNOWN = sorted(
    (pack(name[:-1].encode()), ord(text))
    for name, text in html5.items()
    if name.endswith(";") and len(name) <= _LONGEST_NAME + 1 and len(text) == 1
)
_NAMES = np.array([name for name, _ in _KNOWN], np.uint64)
_CODES = np.array([code for _, code in _KNOWN], np.int64)
_BARE_NAMES, _BARE = hashed({1: " ".join(name for name in html5 if not name.endswith(";"))})
"""Names that stand for their character even without a semicolon."""
_LONGEST_BARE, _LONGEST_RUN, _LONGEST_NUMBER = 6, 40, 7

_LESS, _AMPERSAND, _QUOTE = (np.uint64(pack(escape)) for escape in (b"&lt;", b"&amp;", b"&quot;"))
_LESSES, _AMPERSANDS = np.uint64(ord("<")) * EACH, np.uint64(ord("&")) * EACH


@kernel(types.boolean(types.uint8), inline="always")
def is_letter(byte):  # type: ignore[no-untyped-def]
    return 97 <= (byte | 32) <= 122


@kernel(types.boolean(types.uint8), inline="always")
def is_digit(byte):  # type: ignore[no-untyped-def]
    return 48 <= byte <= 57


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64))
def _number(html, at, stop):  # type: ignore[no-untyped-def]
    """The code that stands after `&#`, and the place after its semicolon; -1 for what is no plain character."""
    base = 16 if at < stop and (html[at] | 32) == 120 else 10
    at += base == 16
    code, start = np.int64(0), at
    while at < stop and at - start < _LONGEST_NUMBER:
        byte = np.int64(html[at])
        if is_digit(html[at]):
            code = code * base + byte - 48
        elif base == 16 and 97 <= (byte | 32) <= 102:
            code = code * base + (byte | 32) - 87
        else:
            break
        at += 1
    ends = at > start and at < stop and html[at] == 59
    plain = 32 <= code < 127 or 160 <= code < 0xD800 or 0xE000 <= code < 0xFFFE or 0x10000 <= code < 0x110000
    return (code if ends and plain else -1), at + 1


@kernel(types.int64(types.uint64))
def _code(name):  # type: ignore[no-untyped-def]
    """The character that a name means; -1 for a name that is not known here."""
    low, high = 0, len(_NAMES)
    while low < high:
        middle = (low + high) // 2
        if _NAMES[middle] < name:
            low = middle + 1
        else:
            high = middle
    return _CODES[low] if low < len(_NAMES) and _NAMES[low] == name else -1


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64, types.boolean))
def _name(html, at, stop, in_value):  # type: ignore[no-untyped-def]
    """The code of the name that stands after `&`, and the place after it; an ampersand's own where it is none."""
    end, name, bare, whole = at, np.uint64(0), False, False
    while end < stop and end - at < _LONGEST_RUN and (is_letter(html[end]) or is_digit(html[end])):
        size = end - at
        if size < 8:
            name |= np.uint64(html[end]) << np.uint64(8 * size)
        whole = size < _LONGEST_BARE and meaning(name, _BARE_NAMES, _BARE) > 0
        bare = bare or whole
        end += 1
    ends = end < stop and html[end] == 59 and end > at
    if ends or (whole and not (in_value and end < stop and html[end] == 61)):
        return (_code(name) if end - at <= _LONGEST_NAME else -1), end + ends
    if bare and not in_value:  # in a value no name is cut out of a longer word
        return -1, at
    return 38, at


@kernel(types.int64(OUT8, types.int64, types.int64))
def _put(out, to, code):  # type: ignore[no-untyped-def]
    """Write a character, escaped where it would be markup; gives the place after it."""
    if code == 38:
        write_u64(out, to, _AMPERSAND)
        return to + 5
    if code == 60:
        write_u64(out, to, _LESS)
        return to + 4
    if code == 34:
        write_u64(out, to, _QUOTE)
        return to + 6
    if code < 0x80:
        out[to] = code
        return to + 1
    if code < 0x800:
        out[to] = 0xC0 | (code >> 6)
    elif code < 0x10000:
        out[to] = 0xE0 | (code >> 12)
    else:
        out[to] = 0xF0 | (code >> 18)
    width = 2 if code < 0x800 else 3 if code < 0x10000 else 4
    for i in range(1, width):
        out[to + i] = 0x80 | ((code >> (6 * (width - 1 - i))) & 63)
    return to + width


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64, types.boolean, OUT8, types.int64))
def _reference(html, at, stop, in_value, out, to):  # type: ignore[no-untyped-def]
    """Write what the ampersand at this place stands for; gives the places reached, the second -1 where only the parser knows."""
    if at + 1 < stop and html[at + 1] == 35:
        code, after = _number(html, at + 2, stop)
    else:
        code, after = _name(html, at + 1, stop, in_value)
    if code < 0:
        return after, np.int64(-1)
    if code == 34 and not in_value:
        out[to] = 34
        return after, to + 1
    return after, _put(out, to, code)


@kernel(types.int64(BYTES, types.int64, types.int64, OUT8, types.int64))
def copy_value(html, at, stop, out, to):  # type: ignore[no-untyped-def]
    """Write an attribute's value; gives the place after it, -1 where only the parser knows."""
    while at < stop and to >= 0:
        byte = html[at]
        if byte == 0 or byte == 13:
            return -1
        if byte == 38:
            at, to = _reference(html, at, stop, True, out, to)
            continue
        to = _put(out, to, byte) if byte < 0x80 else to
        if byte >= 0x80:
            out[to] = byte
            to += 1
        at += 1
    return to


@kernel(types.boolean(types.uint64), inline="always")
def _has_markup(word):  # type: ignore[no-untyped-def]
    """Whether one of eight bytes is `<`, `&` or zero; now and then also where none is."""
    return ((((word ^ _LESSES) - EACH) | ((word ^ _AMPERSANDS) - EACH) | (word - EACH)) & ~word & HIGH_BITS) != 0


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64, OUT8, types.int64))
def copy_text(html, at, stop, out, to):  # type: ignore[no-untyped-def]
    """Write text up to the next `<`; gives the places reached, the second -1 where only the parser knows."""
    while at < stop:
        while at + 8 <= stop:
            word = read_u64(html, at)
            if _has_markup(word):
                break
            write_u64(out, to, word)
            at += 8
            to += 8
        if at >= stop or html[at] == 60:
            break
        byte = html[at]
        if byte == 0:
            return at, np.int64(-1)
        if byte == 38:
            at, to = _reference(html, at, stop, False, out, to)
            if to < 0:
                break
        else:
            out[to] = byte
            at += 1
            to += 1
    return at, to
