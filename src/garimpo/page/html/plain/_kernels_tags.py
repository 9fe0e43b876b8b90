"""Tags, comments and raw elements of a page as it came from the web, found as the HTML standard's tokeniser finds them.

Where a tag is so strange that its end or its meaning takes the whole tokeniser, the place given is -1.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_extract import FRAME, META, PAGE_MEANING, PAGE_NAMES, ROOT
from garimpo.page.html._kernels_markup import WORD, find, is_space, meaning, pack
from garimpo.page.html.plain._kernels_escapes import copy_value, is_digit, is_letter
from garimpo.page.html.plain._kernels_nesting import BLOCK, NAMES, NESTING

MOST_ATTRIBUTES = 256
"""Of one tag; beyond that the limits put on the parser hold."""

SCRIPT = np.uint64(pack(b"script"))
_LONG = np.uint64(1 << 63)
_HREF, _SRC, _REL, _NAME, _EQUIV, _CONTENT, _LANG = (
    np.uint64(pack(name)) for name in (b"href", b"src", b"rel", b"name", b"http-equiv", b"content", b"lang")
)


@kernel(types.int64(BYTES, types.int64, types.int64), inline="always")
def skip_space(html, at, stop):  # type: ignore[no-untyped-def]
    while at < stop and is_space(html[at]):
        at += 1
    return at


@kernel(types.Tuple((WORD, types.int64))(BYTES, types.int64, types.int64))
def tag_name(html, at, stop):  # type: ignore[no-untyped-def]
    """The name of a tag and where it ends, -1 if it is strange. One of up to eight bytes is packed, a longer one hashed."""
    name, mixed, start = np.uint64(0), np.uint64(0), at
    while at < stop and html[at] != 62 and html[at] != 47 and not is_space(html[at]):
        byte = html[at]
        if is_letter(byte):
            byte |= np.uint8(32)
        elif not is_digit(byte) and byte != 45 and byte != 58:
            return name, np.int64(-1)
        if at - start < 8:
            name |= np.uint64(byte) << np.uint64(8 * (at - start))
        mixed = (mixed ^ np.uint64(byte)) * np.uint64(0x100000001B3)
        at += 1
    if at >= stop:
        return name, np.int64(-1)
    if at - start > 8 and meaning(name, PAGE_NAMES, PAGE_MEANING):  # which `extract` would take for the shorter one
        return name, np.int64(-1)
    if at - start > 8 and not (at - start == 10 and meaning(name, NAMES, NESTING) == BLOCK):
        name = mixed | _LONG
    return name, at


@kernel(types.int64(OUT8, types.int64, WORD))
def put_name(out, to, name):  # type: ignore[no-untyped-def]
    while name:
        out[to] = name & np.uint64(255)
        name >>= np.uint64(8)
        to += 1
    return to


@kernel(types.boolean(WORD, types.int64, types.uint8), inline="always")
def _tells(name, size, kind):  # type: ignore[no-untyped-def]
    """Whether `extract` looks at this attribute of a tag of this kind."""
    if name == _REL:
        return size == 3
    if kind == META:
        return name in (_CONTENT, _EQUIV) or (name == _NAME and size == 4)
    if kind == FRAME:
        return name == _SRC
    return name == (_LANG if kind == ROOT else _HREF)


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64))
def _value(html, at, stop):  # type: ignore[no-untyped-def]
    """Where the value behind an equals sign begins and ends (at its quote, if it has one); -1 if it is strange."""
    at = skip_space(html, at, stop)
    if at >= stop or html[at] == 62:
        return np.int64(-1), np.int64(-1)
    if html[at] == 34 or html[at] == 39:
        end = find(html, at + 1, stop, html[at])
        return at + 1, end if end < stop else np.int64(-1)
    end = at
    while end < stop and html[end] != 62 and not is_space(html[end]):
        end += 1
    return at, end if end < stop else np.int64(-1)


@kernel(types.Tuple((types.int64, types.int64))(BYTES, types.int64, types.int64, types.uint8, OUT8, types.int64))
def copy_attributes(html, at, stop, kind, out, to):  # type: ignore[no-untyped-def]
    """Write the attributes that tell something of a tag of this kind (0: none); gives where the tag ends, -1 if it is strange."""
    count, written = 0, np.uint64(0)
    strange = (np.int64(-1), to)
    while True:
        while at < stop and (is_space(html[at]) or html[at] == 47):
            at += 1
        if at >= stop or html[at] == 61 or count == MOST_ATTRIBUTES:
            return strange
        if html[at] == 62:
            return at + 1, to
        start, name = at, np.uint64(0)
        while at < stop and html[at] != 61 and html[at] != 62 and html[at] != 47 and not is_space(html[at]):
            if html[at] == 0:
                return strange
            if at - start < 8:
                byte = html[at] | np.uint8(32) if is_letter(html[at]) else html[at]
                name |= np.uint64(byte) << np.uint64(8 * (at - start))
            at += 1
        size = at - start
        value = value_stop = at
        after = skip_space(html, at, stop)
        if after < stop and html[after] == 61:
            value, value_stop = _value(html, after + 1, stop)
            if value_stop < 0:
                return strange
            at = value_stop + (html[value_stop] == 34 or html[value_stop] == 39)
        count += 1
        if kind and _tells(name, size, kind):
            letter = np.uint64(1) << (name & np.uint64(31))  # of the names that one kind of tag has, no two begin with the same
            if written & letter or (name == _EQUIV and size != 10):
                return strange
            written |= letter
            out[to] = 32
            to = put_name(out, to + 1, name)
            out[to], out[to + 1] = 61, 34
            to = copy_value(html, value, value_stop, out, to + 2)
            if to < 0:
                return strange
            out[to] = 34
            to += 1


@kernel(types.int64(BYTES, types.int64, types.int64, WORD))
def raw_stop(html, at, stop, name):  # type: ignore[no-untyped-def]
    """Where the end tag of a raw element begins; -1 without one, and where a script may hide it in a comment."""
    in_comment = False
    while True:
        at = find(html, at, stop, np.uint8(60))
        if at + 2 >= stop:
            return -1
        closing = html[at + 1] == 47
        if closing or (in_comment and is_letter(html[at + 1])):
            found, end = tag_name(html, at + 1 + closing, stop)
            if end >= 0 and found == name:
                return at if closing else -1
        elif name == SCRIPT and html[at + 1] == 33 and html[at + 2] == 45:
            in_comment = True
        at += 1


@kernel(types.int64(BYTES, types.int64, types.int64))
def _comment_stop(html, at, stop):  # type: ignore[no-untyped-def]
    """Where a comment ends whose first two dashes end before this place; -1 if it ends strangely."""
    if at + 1 < stop and (html[at] == 62 or (html[at] == 45 and html[at + 1] == 62)):
        return -1
    while True:
        at = find(html, at, stop, np.uint8(45))
        if at + 2 >= stop:
            return -1
        if html[at + 1] == 45 and html[at + 2] == 62:
            return at + 3
        if html[at + 1] == 45 and html[at + 2] == 33:
            return -1
        at += 1


@kernel(types.int64(BYTES, types.int64, types.int64))
def declaration_stop(html, at, stop):  # type: ignore[no-untyped-def]
    """The end of a comment, a document type, or what the parser makes a comment of; -1 if it is strange."""
    if at + 3 < stop and html[at + 1] == 33 and html[at + 2] == 45 and html[at + 3] == 45:
        return _comment_stop(html, at + 4, stop)
    end = find(html, at, stop, np.uint8(62))
    return end + 1 if end < stop else -1


@kernel(types.int64(BYTES, types.int64, types.int64))
def end_tag_stop(html, at, stop):  # type: ignore[no-untyped-def]
    """Where an end tag ends whose name ends here; -1 if there is more in it."""
    at = skip_space(html, at, stop)
    return at + 1 if at < stop and html[at] == 62 else -1
