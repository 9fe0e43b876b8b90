"""Blank what would cost the HTML parser quadratic time or memory, in a page as it came from the web.

The parser looks through all open elements at most start tags, through all attributes of a tag at each new one (where html
or body stands twice, the second adds to the first), and opens unclosed formatting elements anew in every paragraph. Ten
thousand elements inside each other are harmless, a million are not. The scan follows the tokeniser of the HTML standard where
tags end; where it errs, some markup more is blanked.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_markup import find, hashed, is_space, meaning, name_at

# What a tag means here. Any other tag nests.
VOID, CLOSES_ITSELF, FORMATTING, FOREIGN, RAW, ROOT = range(1, 7)

NAMES, MEANING = hashed(
    {
        VOID: "area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr",
        CLOSES_ITSELF: "a colgroup dd dt head li optgroup option p rp rt tbody td tfoot th thead tr",
        FORMATTING: "b big code em font i nobr s small strike strong tt u",
        FOREIGN: "svg math",
        ROOT: "body html",
        RAW: "script style title textarea xmp iframe noembed noframes noscript",
    }
)


@kernel(types.void(OUT8, types.int64, types.int64))
def _blank(data, start, stop):  # type: ignore[no-untyped-def]
    for i in range(start, min(stop, data.size)):
        data[i] = 32


@kernel(types.int64(BYTES, types.int64, types.int64))
def _comment_stop(data, at, stop):  # type: ignore[no-untyped-def]
    while at + 2 < stop:
        if data[at] == 45 and data[at + 1] == 45:
            if data[at + 2] == 62:
                return at + 3
            if data[at + 2] == 33 and at + 3 < stop and data[at + 3] == 62:
                return at + 4
        at += 1
    return stop


@kernel(types.int64(BYTES, types.int64, types.int64))
def _attribute_stop(data, at, stop):  # type: ignore[no-untyped-def]
    """The end of the attribute that begins here: name, and value if it has one."""
    at += 1
    while at < stop and not is_space(data[at]) and data[at] != 47 and data[at] != 62 and data[at] != 61:
        at += 1
    ahead = at
    while ahead < stop and is_space(data[ahead]):
        ahead += 1
    if ahead >= stop or data[ahead] != 61:
        return at
    at = ahead + 1
    while at < stop and is_space(data[at]):
        at += 1
    if at < stop and (data[at] == 34 or data[at] == 39):
        return find(data, at + 1, stop, data[at]) + 1
    while at < stop and not is_space(data[at]) and data[at] != 62:
        at += 1
    return at


@kernel(types.Tuple((types.int64, types.int64))(OUT8, types.int64, types.int64, types.int64))
def _start_tag(data, at, stop, most):  # type: ignore[no-untyped-def]
    """Where a start tag ends, and how many attributes it keeps; those past `most` are blanked."""
    attributes, surplus = 0, np.int64(-1)
    while at < stop and data[at] != 62:
        if is_space(data[at]) or data[at] == 47:
            at += 1
            continue
        if attributes == most and surplus < 0:
            surplus = at
        at = _attribute_stop(data, at, stop)
        attributes += 1
    if surplus >= 0:
        _blank(data, surplus, at)
    return min(at + 1, stop), min(attributes, most)


@kernel(types.int64(BYTES, types.int64, types.int64, types.uint64))
def _raw_stop(data, at, stop, name):  # type: ignore[no-untyped-def]
    while True:
        at = find(data, at, stop, np.uint8(60))
        if at + 1 >= stop:
            return stop
        if data[at + 1] == 47 and name_at(data, at + 2, stop)[0] == name:
            return at
        at += 1


@kernel(types.int64(OUT8, types.int64, types.int64, types.int64, types.int64))
def tame(data, most_depth, most_formatting, most_attributes, most_nodes):  # type: ignore[no-untyped-def]
    """Blank surplus tags and attributes in place; gives the length at which tags and attributes reach `most_nodes`."""
    stop = data.size
    at, nodes, depth, surplus, formatting, formatting_surplus = 0, 0, 0, 0, 0, 0
    foreign, of_roots = False, 0
    while True:
        start = find(data, at, stop, np.uint8(60))
        if start + 1 >= stop:
            return stop
        second = data[start + 1]
        if second == 33 or second == 63:
            if start + 3 < stop and data[start + 2] == 45 and data[start + 3] == 45:
                at = _comment_stop(data, start + 2, stop)
            else:
                at = find(data, start, stop, np.uint8(62)) + 1
            nodes += 1
        elif second == 47:
            name, at = name_at(data, start + 2, stop)
            at = min(find(data, at, stop, np.uint8(62)) + 1, stop)
            kind = meaning(name, NAMES, MEANING)
            if kind == FORMATTING and formatting_surplus:
                _blank(data, start, at)
                formatting_surplus -= 1
            elif kind == FORMATTING:
                formatting = max(0, formatting - 1)
            elif kind == FOREIGN:
                foreign = False
            if (kind == 0 or kind == FOREIGN) and surplus:
                _blank(data, start, at)
                surplus -= 1
            elif kind == 0 or kind == FOREIGN:
                depth = max(0, depth - 1)
        elif 65 <= (second & 0xDF) <= 90:
            name, at = name_at(data, start + 1, stop)
            at, attributes = _start_tag(data, at, stop, most_attributes)
            nodes += 2 + attributes  # an element, and a text as likely as not
            kind = meaning(name, NAMES, MEANING)
            if kind == FORMATTING:
                formatting += 1
                if formatting > most_formatting:
                    _blank(data, start, at)
                    formatting -= 1
                    formatting_surplus += 1
            elif kind == ROOT:  # all of them are one element, with the attributes of all
                of_roots += attributes
                if of_roots > most_attributes:
                    _blank(data, start, at)
            elif kind == RAW:
                at = _raw_stop(data, at, stop, name)
            elif (kind == 0 or kind == FOREIGN) and not (foreign and data[at - 2] == 47):
                depth += 1
                foreign = foreign or kind == FOREIGN
                if depth > most_depth:
                    _blank(data, start, at)
                    depth -= 1
                    surplus += 1
        else:
            at = start + 1
        if nodes > most_nodes:
            return start
