"""How the elements of a plain page nest: what a start tag closes, what an end tag closes, and where the parser has to say.

The stack holds the open elements of the body, the innermost last: their names, and what each is to the nesting. A start tag may
close a paragraph, a list item, a cell or an option that is the innermost element; where it would close one around others that
are still open, the parser would open those anew, or move them: the answer is then -1.
"""

import numpy as np
from numba import types

from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_extract import PATH_STEP
from garimpo.page.html._kernels_markup import WORD, hashed, pack

# What a tag is to the nesting. Any other is an ordinary element, closed by its own end tag alone.
(VOID, BLOCK, HEADING, PARAGRAPH, ITEM, TERM, FORMATTING, ANCHOR, FORM, BUTTON, TABLE, CAPTION, COLUMNS, ROWS, ROW, CELL, SELECT,
 OPTION, GROUP, OBJECT, RAW, WORDS, RULE, COLUMN, SVG, HTML, HEAD, BODY, STRANGE) = range(1, 30)  # fmt: skip

NAMES, NESTING = hashed(
    {
        VOID: "area base basefont bgsound br embed img input link meta param source track wbr",
        BLOCK: "address article aside blockquote center details dir div dl fieldset figcaption figure footer header hgroup main"
        " menu nav ol pre section summary ul",
        HEADING: "h1 h2 h3 h4 h5 h6",
        PARAGRAPH: "p",
        ITEM: "li",
        TERM: "dd dt",
        FORMATTING: "b big code em font i s small strike strong tt u",
        ANCHOR: "a",
        FORM: "form",
        BUTTON: "button",
        TABLE: "table",
        CAPTION: "caption",
        COLUMNS: "colgroup",
        COLUMN: "col",
        ROWS: "tbody thead tfoot",
        ROW: "tr",
        CELL: "td th",
        SELECT: "select",
        OPTION: "option",
        GROUP: "optgroup",
        RAW: "script style noscript iframe",
        WORDS: "title textarea",
        RULE: "hr",
        HTML: "html",
        HEAD: "head",
        BODY: "body",
        OBJECT: "applet marquee object",
        SVG: "svg",
        STRANGE: "dialog frame frameset image isindex keygen listing math menuitem nobr noembed noframes"
        " plaintext rb rp rt rtc ruby search template xmp",
    }
)

STACK_NAMES, STACK_KINDS = types.Array(types.uint64, 1, "C"), types.Array(types.uint8, 1, "C")
IGNORED = -2
"""The answer for an end tag that closes nothing."""

HOLDERS = (BLOCK, HEADING, ITEM, TERM, TABLE, CAPTION, ROW, CELL)
"""What the place of a link is made of, as in `_kernels_extract`; no paragraphs, which a table closes or not by document type."""
_TBODY, _DIV, _ADDRESS = (np.uint64(pack(name)) for name in (b"tbody", b"div", b"address"))


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64, WORD), inline="always")
def _push(names, kinds, depth, kind, name):  # type: ignore[no-untyped-def]
    if depth >= names.size:
        return -1
    names[depth], kinds[depth] = name, kind
    return depth + 1


@kernel(WORD(STACK_NAMES, STACK_KINDS, types.int64))
def path_of(names, kinds, depth):  # type: ignore[no-untyped-def]
    """The path of the holders that are open, as `extract` has it."""
    path = np.uint64(0)
    for i in range(depth):
        if kinds[i] in HOLDERS:
            path = path * PATH_STEP + names[i]
    return path


@kernel(types.boolean(STACK_KINDS, types.int64, types.int64))
def _is_open(kinds, depth, kind):  # type: ignore[no-untyped-def]
    for i in range(depth):  # noqa: SIM110 - in kernels a loop: an array's `any` makes numba load half of NumPy's support for it
        if kinds[i] == kind:
            return True
    return False


@kernel(types.int64(STACK_KINDS, types.int64))
def _paragraph(kinds, depth):  # type: ignore[no-untyped-def]
    """Where the paragraph lies that a block would close; -1 without one."""
    for i in range(depth - 1, -1, -1):
        kind = kinds[i]
        if kind == PARAGRAPH:
            return i
        if kind in (TABLE, CELL, CAPTION, BUTTON, OBJECT):
            break
    return -1


@kernel(types.int64(STACK_KINDS, types.int64))
def _close_paragraph(kinds, depth):  # type: ignore[no-untyped-def]
    place = _paragraph(kinds, depth)
    return depth if place < 0 else place if place == depth - 1 else -1


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64))
def _close_item(names, kinds, depth, kind):  # type: ignore[no-untyped-def]
    """Close the list item (or term) that another one ends, and a paragraph."""
    at = depth - 1
    while at >= 0 and kinds[at] != kind:
        passed = kinds[at] in (0, FORMATTING, ANCHOR, PARAGRAPH) or names[at] == _DIV or names[at] == _ADDRESS
        at = at - 1 if passed else -1
    if at < 0:
        return _close_paragraph(kinds, depth)
    is_innermost = at == depth - 1 or (at == depth - 2 and kinds[depth - 1] == PARAGRAPH)
    return at if is_innermost else -1


@kernel(types.boolean(types.int64), inline="always")
def holds_only_parts(kind):  # type: ignore[no-untyped-def]
    """Whether text and other elements inside this part of a table are moved out of it."""
    return kind in (TABLE, COLUMNS, ROWS, ROW)


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64, WORD))
def _open_part(names, kinds, depth, kind, name):  # type: ignore[no-untyped-def]
    """A start tag of a part of a table, or inside such a part."""
    while depth and (kinds[depth - 1] == PARAGRAPH or kinds[depth - 1] == ITEM or kinds[depth - 1] == TERM):
        depth -= 1
    top = kinds[depth - 1] if depth else 0
    if top == CELL and (kind in (CELL, ROW, ROWS)):
        depth -= 1
        top = kinds[depth - 1]
    if top == ROW and (kind in (ROW, ROWS)):
        depth -= 1
        top = kinds[depth - 1]
    if (top == ROWS and kind == ROWS) or (top == COLUMNS and (kind in (ROWS, ROW))):
        depth -= 1
        top = kinds[depth - 1]
    if kind == ROW and top == TABLE:
        depth = _push(names, kinds, depth, ROWS, _TBODY)
        top = ROWS
    fits = (kind == CELL and top == ROW) or (kind == ROW and top == ROWS) or (top == TABLE and (kind in (ROWS, CAPTION, COLUMNS)))
    if fits and depth > 0:
        return _push(names, kinds, depth, kind, name)
    return depth if kind == COLUMN and top == COLUMNS else -1


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64, WORD))
def _open_option(names, kinds, depth, kind, name):  # type: ignore[no-untyped-def]
    """A start tag inside a select."""
    if kind != OPTION and kind != GROUP:
        return -1
    if kinds[depth - 1] == OPTION:
        depth -= 1
    if kind == GROUP and kinds[depth - 1] == GROUP:
        depth -= 1
    return _push(names, kinds, depth, kind, name)


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64, WORD))
def open_element(names, kinds, depth, kind, name):  # type: ignore[no-untyped-def]
    """The depth of the stack after a start tag in the body; -1 where the parser has to say."""
    top = kinds[depth - 1] if depth else 0
    if kind >= HTML:
        return -1
    if SELECT <= top <= GROUP:
        return _open_option(names, kinds, depth, kind, name)
    if CAPTION <= kind <= CELL or kind == COLUMN or holds_only_parts(top):
        return _open_part(names, kinds, depth, kind, name)
    if kind in (OPTION, GROUP) or (kind == HEADING and top == HEADING):
        return -1
    if kind == ANCHOR and top == ANCHOR:
        depth -= 1
    if (kind in (ANCHOR, FORM, BUTTON)) and _is_open(kinds, depth, kind):
        return -1
    if kind in (ITEM, TERM):
        depth = _close_item(names, kinds, depth, kind)
    elif kind in (BLOCK, HEADING, PARAGRAPH, FORM, RULE):
        depth = _close_paragraph(kinds, depth)
    elif kind == TABLE and _close_paragraph(kinds, depth) < 0:  # the document type says whether it closes one: held as open
        return -1
    if depth < 0 or kind == VOID or RAW <= kind <= SVG:
        return depth
    return _push(names, kinds, depth, kind, name)


@kernel(types.boolean(types.int64, types.int64), inline="always")
def _ends_with(inner, kind):  # type: ignore[no-untyped-def]
    """Whether an element of the kind `inner` needs no end tag of its own before that of one of `kind`."""
    if kind in (SELECT, GROUP):
        return inner == OPTION or (kind == SELECT and inner == GROUP)
    if inner in (PARAGRAPH, ITEM, TERM):
        return True
    if kind == ROW:
        return inner == CELL
    if kind == ROWS:
        return inner in (CELL, ROW)
    return kind == TABLE and (inner in (CELL, ROW, ROWS, COLUMNS))


@kernel(types.int64(STACK_NAMES, STACK_KINDS, types.int64, types.int64, WORD))
def close_element(names, kinds, depth, kind, name):  # type: ignore[no-untyped-def]
    """The depth of the stack after an end tag in the body; `IGNORED`, or -1 where the parser has to say."""
    if kind == VOID or RAW <= kind <= BODY:
        return IGNORED
    if kind == STRANGE:
        return -1
    if kind == PARAGRAPH:
        if depth and (holds_only_parts(kinds[depth - 1]) or SELECT <= kinds[depth - 1] <= GROUP):
            return -1
        return _close_paragraph(kinds, depth)  # without one the parser makes an empty paragraph
    inner = depth
    if not (kind == 0 or kind in (FORMATTING, ANCHOR)):
        while inner and names[inner - 1] != name and _ends_with(kinds[inner - 1], kind):
            inner -= 1
    if inner and names[inner - 1] == name:
        return inner - 1
    for i in range(depth):
        if names[i] == name or (kind == HEADING and kinds[i] == HEADING):
            return -1
    return IGNORED
