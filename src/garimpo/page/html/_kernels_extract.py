"""Read the parser's own serialisation of a page in one pass: visible text, links, what the head says.

All here relies on the form the HTML standard gives to serialised trees: names in lower case, every attribute as
` name="value"` with its quotes escaped, every `<` of the text escaped. A page as it came from the web is never read here:
the parser, or for plain pages `_kernels_plain`, brings it into that form.
"""

import numpy as np
from numba import types

from garimpo.engine._kernels import BYTES, OUT8, mix64
from garimpo.engine.jit import kernel
from garimpo.page.html._kernels_copy import EDGE, JOINED, ONE, PARTED, SPACED, copy_text
from garimpo.page.html._kernels_markup import WORD, count_prices, find, hashed, meaning, name_at, pack

ROWS = types.Array(types.int32, 2, "C")
COUNTS = types.Array(types.int64, 1, "C")

# What a tag means to `extract`. Any other tag parts words.
INLINE, SKIP, RAW, LINK, FRAME, HEAD_LINK, META, BASE, ROOT, IMAGE, TITLE, SVG, BODY, HOLDER = range(1, 15)

# Columns of a row: spans of attributes in the HTML, of text in the text, and of the target among all targets; then the two halves
# of the place of a link, a hash of the path of holders (lists, cells, sections ...) that it stands in.
KIND, VALUE, VALUE_STOP, LABEL, LABEL_STOP, TEXT, TEXT_STOP, CONTEXT, CONTEXT_STOP, TARGET, TARGET_STOP = range(11)
PLACE, PLACE_HIGH, COLUMNS = range(11, 14)
BY_HTTP_EQUIV = 100

# Places in the counts of `extract`.
TEXT_LENGTH, LINK_COUNT, HEAD_COUNT, IMAGES, PRICES, TITLE_START, TITLE_STOP, COUNT_LENGTH = range(8)

ANCHOR_BYTES, SIDE_BYTES, SIDE_WORDS = 512, 160, 10


PAGE_NAMES, PAGE_MEANING = hashed(
    {
        INLINE: "abbr acronym b bdi bdo big blink cite code data del dfn em font i ins kbd label mark nobr q s samp small span"
        " strike strong sub sup time tt u var wbr",
        SKIP: "script style template iframe noembed noframes noscript",
        RAW: "xmp plaintext",
        LINK: "a area",
        FRAME: "frame",
        HEAD_LINK: "link",
        META: "meta",
        BASE: "base",
        ROOT: "html",
        IMAGE: "img",
        TITLE: "title",
        SVG: "svg",
        BODY: "body frameset",
        HOLDER: "address article aside blockquote caption center dd details dir div dl dt fieldset figcaption figure footer"
        " h1 h2 h3 h4 h5 h6 header hgroup li main menu nav ol pre section summary table td th tr ul",
    }
)
_HREF, _SRC, _REL, _NAME, _EQUIV = (np.uint64(pack(word)) for word in (b"href", b"src", b"rel", b"name", b"http-equiv"))
_CONTENT, _LANG, _IFRAME, _A = (np.uint64(pack(word)) for word in (b"content", b"lang", b"iframe", b"a"))


PATH_STEP = np.uint64(0x9E3779B97F4A7C15)
"""A path is hashed as a number in this base, so that the last name can be taken off again: the step is odd, and its inverse
modulo 2^64 undoes it."""
PATH_BACK = np.uint64(pow(int(PATH_STEP), -1, 1 << 64))


@kernel(types.void(types.Array(types.int32, 1, "C"), WORD), inline="always")
def _put_place(row, path):  # type: ignore[no-untyped-def]
    """Note the place of a link; it is never 0, which stands for one that is not known."""
    place = max(mix64(path), ONE)
    row[PLACE] = np.int32(place & np.uint64(0xFFFFFFFF))
    row[PLACE_HIGH] = np.int32(place >> np.uint64(32))


@kernel(types.int64(BYTES, types.int64, types.int64))
def _comment_stop(data, at, stop):  # type: ignore[no-untyped-def]
    while at + 2 < stop and not (data[at] == 45 and data[at + 1] == 45 and data[at + 2] == 62):
        at += 1
    return min(at + 3, stop)


@kernel(types.int64(BYTES, types.int64, types.int64, WORD))
def _end_tag(data, at, stop, name):  # type: ignore[no-untyped-def]
    """Where the end tag of a raw element begins; nested templates are counted."""
    depth = 1
    while at < stop:
        at = find(data, at, stop, np.uint8(60))
        if at + 1 >= stop:
            return stop
        closing = data[at + 1] == 47
        found, after = name_at(data, at + 2 if closing else at + 1, stop)
        if found == name and after < stop:
            if closing:
                depth -= 1
            elif data[at + 1] == 116 and data[at + 2] == 101:  # only "template" can hold itself
                depth += 1
            if depth == 0:
                return at
        at += 1
    return stop


@kernel(types.int64(BYTES, types.int64, types.int64), inline="always")
def _whole_character(text, at, low):  # type: ignore[no-untyped-def]
    while at > low and (text[at] & 0xC0) == 0x80:
        at -= 1
    return at


@kernel(types.void(BYTES, types.int64, ROWS, types.int64))
def _trim_links(text, length, rows, count):  # type: ignore[no-untyped-def]
    """Cut each link's anchor to size and find the words around it."""
    for r in range(count):
        row = rows[r]
        start, stop = np.int64(row[TEXT]), np.int64(row[TEXT_STOP])
        if stop < 0:
            stop = length
        while start < stop and text[start] <= 32:
            start += 1
        if stop - start > ANCHOR_BYTES:
            stop = _whole_character(text, start + ANCHOR_BYTES, start)
        while stop > start and text[stop - 1] <= 32:
            stop -= 1
        left, words = start, 0
        while left > 0 and start - left < SIDE_BYTES:
            if text[left - 1] <= 32 and left != start:
                words += 1
                if words == SIDE_WORDS:
                    break
            left -= 1
        while left < start and ((text[left] & 0xC0) == 0x80 or text[left] <= 32):
            left += 1
        right, words = stop, 0
        while right < length and right - stop < SIDE_BYTES:
            if text[right] <= 32 and right != stop:
                words += 1
                if words == SIDE_WORDS:
                    break
            right += 1
        if right < length:
            right = _whole_character(text, right, stop)
        row[TEXT], row[TEXT_STOP], row[CONTEXT], row[CONTEXT_STOP] = start, stop, left, right


@kernel(types.int64(BYTES, types.int64, types.int64, types.uint8, types.Array(types.int32, 1, "C")))
def _attributes(html, at, stop, kind, row):  # type: ignore[no-untyped-def]
    """Note the attributes that matter to a tag of this kind (what is absent is -1); gives where the tag ends."""
    row[VALUE] = row[LABEL] = -1
    while at < stop and html[at] != 62:
        name_start = at + 1
        equals = find(html, name_start + 1, stop, np.uint8(61))
        value = equals + 2
        quote = find(html, value, stop, np.uint8(34))
        name = np.uint64(0)
        if html[name_start] == EDGE:  # what `_kernels_plain` says of the place
            for i in range(value, quote):
                name = (name << np.uint64(4)) | np.uint64(html[i] & 15)
            _put_place(row, name)
            at = quote + 1
            continue
        for i in range(min(8, equals - name_start)):
            name |= np.uint64(html[name_start + i]) << np.uint64(8 * i)
        is_value = (
            (name == _HREF and kind in (LINK, HEAD_LINK, BASE))
            or (name == _SRC and kind == FRAME)
            or (name == _CONTENT and kind == META)
            or (name == _LANG and kind == ROOT)
        )
        if is_value:
            row[VALUE], row[VALUE_STOP] = value, quote
        elif name == _REL or (name in (_NAME, _EQUIV) and kind == META and row[LABEL] < 0):
            row[LABEL], row[LABEL_STOP] = value, quote
            if name == _EQUIV:
                row[KIND] = BY_HTTP_EQUIV
        at = quote + 1
    return at


@kernel(types.int64(BYTES, types.int64, types.int64))
def _tag_stop(html, at, stop):  # type: ignore[no-untyped-def]
    """Where a tag's ">" stands: a quoted value may hold others."""
    while at < stop and html[at] != 62:
        at = find(html, at + 2, stop, np.uint8(61)) + 2
        at = find(html, at, stop, np.uint8(34)) + 1
    return at


@kernel(types.int64(BYTES, types.int64, types.int64))
def _declaration_stop(html, at, stop):  # type: ignore[no-untyped-def]
    """The end of a comment, a document type or a processing instruction."""
    if at + 3 < stop and html[at + 1] == 33 and html[at + 2] == 45 and html[at + 3] == 45:
        return _comment_stop(html, at + 4, stop)
    return find(html, at, stop, np.uint8(62)) + 1


@kernel(types.int8(types.uint8), inline="always")
def _edge(kind):  # type: ignore[no-untyped-def]
    """What a tag of this kind puts between the words before and after it."""
    if kind in (LINK, INLINE, SKIP):
        return JOINED
    return SPACED if kind == IMAGE else PARTED


@kernel(types.void(BYTES, OUT8, ROWS, ROWS, COUNTS))
def extract(html, text, links, head, counts):  # type: ignore[no-untyped-def]
    """Visible text, white space collapsed, a newline between blocks; a row for each link and each tag that tells something."""
    stop = html.size
    at, out, link_count, head_count, open_link = 0, 0, 0, 0, -1
    gap, in_body, in_svg, path = JOINED, False, False, np.uint64(0)
    counts[:] = 0
    counts[TITLE_START] = -1
    while at < stop:
        if in_body:
            at, out, gap = copy_text(html, at, stop, True, text, out, gap)
        else:
            at = find(html, at, stop, np.uint8(60))
        if at + 1 >= stop:
            break
        if html[at + 1] == 33 or html[at + 1] == 63:
            at = _declaration_stop(html, at, stop)
            continue
        if html[at + 1] == 47:
            name, at = name_at(html, at + 2, stop)
            kind = meaning(name, PAGE_NAMES, PAGE_MEANING)
            if name == _A:
                if open_link >= 0:
                    links[open_link, TEXT_STOP] = out
                open_link = -1
            elif kind == HOLDER:
                path = (path - name) * PATH_BACK
            in_svg = in_svg and kind != SVG
            gap = max(gap, _edge(kind))
            at = find(html, at, stop, np.uint8(62)) + 1
            continue
        name, at = name_at(html, at + 1, stop)
        kind = meaning(name, PAGE_NAMES, PAGE_MEANING)
        if name == _A and open_link >= 0:
            links[open_link, TEXT_STOP] = out
            open_link = -1
        if (kind in (LINK, FRAME) or name == _IFRAME) and link_count < links.shape[0]:
            row = links[link_count]
            row[KIND] = LINK if kind == LINK else FRAME
            _put_place(row, path)
            at = _attributes(html, at, stop, np.uint8(row[KIND]), row)
            if row[VALUE] >= 0:
                row[TEXT], row[TEXT_STOP] = out, out
                if name == _A:
                    row[TEXT_STOP] = -1
                    open_link = link_count
                link_count += 1
        elif HEAD_LINK <= kind <= ROOT and head_count < head.shape[0]:
            row = head[head_count]
            row[KIND] = kind
            at = _attributes(html, at, stop, kind, row)
            head_count += row[VALUE] >= 0
        at = _tag_stop(html, at, stop) + 1
        if kind == HOLDER:
            path = path * PATH_STEP + name
        elif kind == BODY:
            in_body = True
        elif kind == SVG:
            in_svg = True
        elif kind == IMAGE:
            counts[IMAGES] += 1
        elif kind == TITLE and not in_svg and counts[TITLE_START] < 0:
            counts[TITLE_START] = at
            at = _end_tag(html, at, stop, name)
            counts[TITLE_STOP] = at
        elif kind == SKIP:
            at = _end_tag(html, at, stop, name)
        elif kind == RAW:
            at, out, gap = copy_text(html, at, _end_tag(html, at, stop, name), False, text, out, PARTED)
        gap = max(gap, _edge(kind))
    _trim_links(text, out, links, link_count)
    counts[TEXT_LENGTH], counts[LINK_COUNT], counts[HEAD_COUNT] = out, link_count, head_count
    counts[PRICES] = count_prices(text, out)
