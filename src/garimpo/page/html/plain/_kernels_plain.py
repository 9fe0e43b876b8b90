"""Pages that say what they mean: rewritten as the parser would serialise them, without making a tree.

A page is plain when its tags nest as they stand, but for the end tags that authors may leave out: then the tree holds the
text and the links in the order of the page, and all that `extract` looks at can be written down in one pass. Whatever could make
the parser move, repeat or drop something (overlapping tags, text between the cells of a table, a link inside a link, a second
body, markup inside SVG) is left to the parser: the answer is then -1. Tags that `extract` passes over are not written, those
that only part words become a byte that no UTF-8 text has (`EDGE`), which `extract` takes for the edge of a block.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_copy import EDGE
from garimpo.page.html._kernels_extract import (
    BASE,
    COUNTS,
    FRAME,
    HEAD_LINK,
    IMAGE,
    INLINE,
    LINK,
    META,
    PAGE_MEANING,
    PAGE_NAMES,
    ROOT,
    ROWS,
    SKIP,
    TITLE,
    extract,
)
from garimpo.page.html._kernels_extract import BODY as PAGE_BODY
from garimpo.page.html._kernels_markup import WORD, hashed, meaning, pack
from garimpo.page.html.plain._kernels_escapes import copy_text, copy_value, is_letter
from garimpo.page.html.plain._kernels_nesting import (
    ANCHOR,
    BODY,
    GROUP,
    HEAD,
    HTML,
    IGNORED,
    NAMES,
    NESTING,
    RAW,
    SELECT,
    STACK_KINDS,
    STACK_NAMES,
    STRANGE,
    SVG,
    WORDS,
    close_element,
    holds_only_parts,
    open_element,
    path_of,
)
from garimpo.page.html.plain._kernels_tags import (
    SCRIPT,
    copy_attributes,
    declaration_stop,
    end_tag_stop,
    put_name,
    raw_stop,
    skip_space,
    tag_name,
)

# Where in the page a place is.
BEFORE_HTML, BEFORE_HEAD, IN_HEAD, AFTER_HEAD, IN_BODY = range(5)

PLACES = types.Tuple((types.int64, types.int64))
STATE = types.Tuple((types.int64, types.int64, types.int64, types.int64))
"""The places reached in the page (-1: strange) and in what is written, the depth of the stack, and where in the page that is."""

MOST_TAGS = 100_000
"""Beyond that the limits put on the parser hold."""

_BR, _BODY, _IFRAME, _TITLE, _DESC, _STYLE, _SVG = (
    np.uint64(pack(name)) for name in (b"br", b"body", b"iframe", b"title", b"desc", b"style", b"svg")
)

SHAPE_NAMES, SHAPES = hashed(
    {1: "circle defs desc ellipse g line mask path polygon polyline rect stop symbol text title tspan use"}
)
"""What a drawing may hold to be read here: in other elements, as in longer names, HTML may stand again."""


@kernel(PLACES(BYTES, types.int64, types.int64, WORD, OUT8, types.int64))
def _copy_words(html, at, stop, name, out, to):  # type: ignore[no-untyped-def]
    """Write the text of a title or a text area, in which tags are text; gives the places reached, -1 where it is strange."""
    end = raw_stop(html, at, stop, name)
    while at < end and to >= 0:
        at, to = copy_text(html, at, end, out, to)
        if to >= 0 and at < end:
            to = copy_value(html, at, at + 1, out, to)
            at += 1
    return end, to if end >= 0 else np.int64(-1)


@kernel(types.int64(OUT8, types.int64))
def _open_body(out, to):  # type: ignore[no-untyped-def]
    out[to] = 60
    to = put_name(out, to + 1, _BODY)
    out[to] = 62
    return to + 1


@kernel(types.int64(OUT8, types.int64, types.uint8, types.uint8))
def _part_words(out, to, kind, nesting):  # type: ignore[no-untyped-def]
    """Write an end tag: that of a link as it is, of all others that part words an edge."""
    if nesting == ANCHOR:
        out[to], out[to + 1], out[to + 2], out[to + 3] = 60, 47, 97, 62
        return to + 4
    if kind != INLINE:
        out[to] = EDGE
        to += 1
    return to


@kernel(types.boolean(STACK_KINDS, types.int64), inline="always")
def _between_parts(kinds, depth):  # type: ignore[no-untyped-def]
    """Whether this is a place in a table where nothing but its parts may stand."""
    return depth > 0 and holds_only_parts(kinds[depth - 1])


@kernel(types.int64(OUT8, types.int64, WORD))
def _put_path(out, to, path):  # type: ignore[no-untyped-def]
    """Write the path that leads to a link as an attribute of a name that no page has."""
    out[to], out[to + 1], out[to + 2], out[to + 3] = 32, EDGE, 61, 34
    for i in range(16):
        out[to + 4 + i] = np.uint8(64) | np.uint8((path >> np.uint64(60 - 4 * i)) & np.uint64(15))
    out[to + 20] = 34
    return to + 21


@kernel(PLACES(BYTES, types.int64, types.int64, WORD, types.uint8, types.uint8, WORD, OUT8, types.int64))
def _copy_tag(html, at, stop, name, kind, nesting, path, out, to):  # type: ignore[no-untyped-def]
    """Write a start tag whose name ends here, with the whole element if it holds no others; -1 where it is strange."""
    shown = kind if kind == LINK or HEAD_LINK <= kind <= ROOT else FRAME if name == _IFRAME else 0
    whole = shown or kind in (IMAGE, TITLE, PAGE_BODY)
    if whole:
        out[to] = 60
        to = put_name(out, to + 1, name)
    elif kind != INLINE and kind != SKIP:
        out[to] = EDGE
        to += 1
    bare = to
    at, to = copy_attributes(html, at, stop, np.uint8(shown), out, to)
    if to > bare and (shown in (LINK, FRAME)):  # with an attribute there is room for another
        to = _put_path(out, to, path)
    if whole:
        out[to] = 62
        to += 1
    if at >= 0 and nesting in (RAW, WORDS):
        if nesting == WORDS:
            at, to = _copy_words(html, at, stop, name, out, to)
        else:
            at = raw_stop(html, at, stop, name)
        if at < 0 or to < 0:
            return np.int64(-1), to
        if whole:
            out[to], out[to + 1] = 60, 47
            to = put_name(out, to + 2, name)
            out[to] = 62
            to += 1
        elif nesting == WORDS:
            out[to] = EDGE
            to += 1
        at = end_tag_stop(html, tag_name(html, at + 2, stop)[1], stop)
    return at, to


@kernel(PLACES(BYTES, types.int64, types.int64, OUT8, types.int64))
def _copy_svg(html, at, stop, out, to):  # type: ignore[no-untyped-def]
    """Write the text of a drawing whose start tag ended here; gives the places reached, -1 if there is more in it than shapes."""
    labelled = False
    if html[at - 2] == 47:
        return np.int64(-1), to
    while True:
        at, to = copy_text(html, at, stop, out, to)
        if to < 0 or at + 2 >= stop:
            return np.int64(-1), to
        closing = html[at + 1] == 47
        if html[at + 1] == 33 and html[at + 2] == 45:
            at = declaration_stop(html, at, stop)
            if at < 0:
                return at, to
            continue
        name, at = tag_name(html, at + 1 + closing, stop)
        if at < 0 or (name != _SVG and not meaning(name, SHAPE_NAMES, SHAPES)) or (labelled and not closing):
            return np.int64(-1), to
        if name in (_TITLE, _DESC):
            labelled = not closing
        elif labelled or (name == _SVG and not closing):
            return np.int64(-1), to
        at = copy_attributes(html, at, stop, np.uint8(0), out, to)[0] if not closing else end_tag_stop(html, at, stop)
        if at < 0:
            return at, to
        out[to] = EDGE
        to += 1
        if name == _SVG:
            return at, to


@kernel(types.int64(types.int64, types.int64, types.uint8, WORD))
def _moved(where, nesting, kind, name):  # type: ignore[no-untyped-def]
    """Where in the page the start tag stands that was met there: tags of html, head and body may be left out. -1: strange."""
    if nesting == STRANGE:
        return -1
    if nesting == HTML:
        return BEFORE_HEAD if where == BEFORE_HTML else -1
    if nesting == HEAD:
        return IN_HEAD if where <= BEFORE_HEAD else -1
    if nesting == BODY:
        return IN_BODY
    in_head = kind in (TITLE, META, HEAD_LINK, BASE) or (kind == SKIP and name != _IFRAME)
    return (max(where, IN_HEAD) if where < IN_BODY else where) if in_head else IN_BODY


@kernel(PLACES(types.int64, STACK_NAMES, STACK_KINDS, types.int64, types.uint8, WORD))
def _after_end_tag(where, names, kinds, depth, nesting, name):  # type: ignore[no-untyped-def]
    """Where in the page an end tag leads, and the depth of the stack, `IGNORED` if it closes nothing; -1: strange."""
    if where == IN_BODY:
        if name == _BR:
            in_select = depth > 0 and SELECT <= kinds[depth - 1] <= GROUP
            return where, np.int64(-1) if in_select or _between_parts(kinds, depth) else depth
        return where, close_element(names, kinds, depth, nesting, name)
    if nesting == HEAD and where == IN_HEAD:
        return np.int64(AFTER_HEAD), np.int64(IGNORED)
    strange = name == _BR or HTML <= nesting <= STRANGE
    return where, np.int64(-1 if strange else IGNORED)


@kernel(STATE(BYTES, types.int64, types.int64, STACK_NAMES, STACK_KINDS, types.int64, types.int64, OUT8, types.int64))
def _end_tag(html, at, stop, names, kinds, depth, where, out, to):  # type: ignore[no-untyped-def]
    strange = (np.int64(-1), to, depth, where)
    if not is_letter(html[at + 2]):
        return strange
    name, at = tag_name(html, at + 2, stop)
    if at < 0:
        return strange
    nesting = meaning(name, NAMES, NESTING)
    where, closed = _after_end_tag(where, names, kinds, depth, nesting, name)
    if closed == -1:
        return strange
    if closed != IGNORED:
        depth = closed
        to = _part_words(out, to, meaning(name, PAGE_NAMES, PAGE_MEANING), nesting)
    return end_tag_stop(html, at, stop), to, depth, where


@kernel(STATE(BYTES, types.int64, types.int64, STACK_NAMES, STACK_KINDS, types.int64, types.int64, OUT8, types.int64))
def _start_tag(html, at, stop, names, kinds, depth, where, out, to):  # type: ignore[no-untyped-def]
    strange = (np.int64(-1), to, depth, where)
    name, at = tag_name(html, at + 1, stop)
    if at < 0:
        return strange
    kind, nesting = meaning(name, PAGE_NAMES, PAGE_MEANING), meaning(name, NAMES, NESTING)
    before, where = where, _moved(where, nesting, kind, name)
    if where < 0:
        return strange
    if nesting == BODY and before == IN_BODY:  # one body is enough
        return copy_attributes(html, at, stop, np.uint8(0), out, to)[0], to, depth, where
    if where == IN_BODY and nesting != BODY:
        if before != IN_BODY:
            to = _open_body(out, to)
        if not (_between_parts(kinds, depth) and name in (SCRIPT, _STYLE)):
            depth = open_element(names, kinds, depth, nesting, name)
        if depth < 0:
            return strange
    path = path_of(names, kinds, depth) if where == IN_BODY and (kind == LINK or name == _IFRAME) else np.uint64(0)
    at, to = _copy_tag(html, at, stop, name, kind, nesting, path, out, to)
    if nesting == SVG and at >= 0:
        at, to = _copy_svg(html, at, stop, out, to)
    return at, to, depth, where


@kernel(types.int64(BYTES, OUT8, STACK_NAMES, STACK_KINDS))
def _rewrite(html, out, names, kinds):  # type: ignore[no-untyped-def]
    """Write a plain page down for `extract`; gives the length of what is written, -1 where the parser has to read the page."""
    stop, at, to, depth, where, tags = html.size, np.int64(0), np.int64(0), np.int64(0), np.int64(BEFORE_HTML), 0
    while at >= 0 and to >= 0 and tags <= MOST_TAGS:
        if where < IN_BODY:
            at = skip_space(html, at, stop)
            if at < stop and html[at] != 60:
                where = np.int64(IN_BODY)
                to = _open_body(out, to)
        if where == IN_BODY:
            text = at
            at, to = copy_text(html, at, stop, out, to)
            if to < 0 or (_between_parts(kinds, depth) and skip_space(html, text, at) < at):
                return -1
        if at + 2 >= stop:
            return to if at >= stop and where == IN_BODY else -1
        tags += 1
        second = html[at + 1]
        if is_letter(second):
            at, to, depth, where = _start_tag(html, at, stop, names, kinds, depth, where, out, to)
        elif second == 47:
            at, to, depth, where = _end_tag(html, at, stop, names, kinds, depth, where, out, to)
        elif second == 33 or second == 63:
            at = declaration_stop(html, at, stop)
        elif where == IN_BODY and not _between_parts(kinds, depth):  # a sign that opens no tag
            to = copy_value(html, at, at + 1, out, to)
            at += 1
        else:
            return -1
    return -1


@kernel(types.int64(BYTES, OUT8, STACK_NAMES, STACK_KINDS, OUT8, ROWS, ROWS, COUNTS))
def read_plain(html, out, names, kinds, text, links, head, counts):  # type: ignore[no-untyped-def]
    """Rewrite a plain page and `extract` what it says; gives the length of its new form, -1 where it takes the parser."""
    length = _rewrite(html, out, names, kinds)
    if length >= 0:
        extract(out[:length], text, links, head, counts)
    return length
