"""From bytes to text: which encoding a page is in, by byte-order mark, header, declaration, or its bytes."""

import codecs
import re

from resiliparse.parse.encoding import map_encoding_to_html5

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CHARSET = re.compile(r"charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([^\s\"';,/>]{1,40})", re.IGNORECASE)
_META_CHARSET = re.compile(rb"<meta[^>]{0,500}?charset\s{0,9}=\s{0,9}[\"']?\s{0,9}([^\s\"';,/>]{1,40})", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"\s{0,99}<\?xml[^>]{0,200}?encoding\s{0,9}=\s{0,9}[\"']([^\"']{1,40})[\"']")
_LONGEST_TYPE = 1024
_DECLARED_WITHIN = 4096

_UTF8_LABELS = frozenset({"utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"})
# Decoders of the whole family where the label's own codec knows only a part of it.
_WIDER = {"gbk": "gb18030", "gb2312": "gb18030", "shift_jis": "cp932", "euc-kr": "cp949", "big5": "big5hkscs"}


def codec_of(label: str) -> str | None:
    """The Python codec for an encoding label of the web; None for one that no browser knows.

    >>> codec_of("Latin1"), codec_of("x-none")
    ('cp1252', None)
    """
    label = label.strip().lower()
    if label in _UTF8_LABELS:
        return "utf-8"
    name: str = map_encoding_to_html5(label)
    if name.lower() == "utf-8":
        return None
    name = _WIDER.get(name.lower(), name)
    try:
        return codecs.lookup(name).name
    except LookupError:
        return None


def _declared(body: bytes) -> str | None:
    stop = body.find(b"</head>", 0, _DECLARED_WITHIN)
    start = body[: stop if stop > 0 else _DECLARED_WITHIN]
    if b"charset" not in start.lower() and b"encoding" not in start:
        return None
    for pattern in (_META_CHARSET, _XML_ENCODING):
        if found := (pattern.match if pattern is _XML_ENCODING else pattern.search)(start):
            codec = codec_of(found[1].decode("ascii", "replace"))
            # A declaration that could be read as ASCII cannot be in UTF-16.
            return "utf-8" if codec and codec.startswith("utf-16") else codec
    return None


def decode(body: bytes, content_type: str | None) -> tuple[bytes, str]:
    """The page in UTF-8 (invalid bytes replaced, no mark) and the name of the encoding it was in.

    >>> decode("é".encode("latin-1"), "text/html; charset=ISO-8859-1")
    (b'\\xc3\\xa9', 'cp1252')
    """
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return _to_utf8(body[len(mark) :], codec), codec
    stated = _CHARSET.search(content_type[:_LONGEST_TYPE]) if content_type else None
    known = (codec_of(stated[1]) if stated else None) or _declared(body)
    if known:
        return _to_utf8(body, known), known
    if body.isascii():
        return body, "utf-8"
    try:
        body.decode("utf-8")
    except UnicodeDecodeError as error:
        # A body with other UTF-8 in it that was cut in the middle of its last character is still UTF-8.
        if error.start < len(body) - 3 or body[: error.start].isascii():
            return _to_utf8(body, "cp1252"), "cp1252"
    return _to_utf8(body, "utf-8"), "utf-8"


def _to_utf8(body: bytes, codec: str) -> bytes:
    if body.isascii() and not codec.startswith(("utf-16", "iso2022", "hz")):
        return body
    text = body.decode(codec, "replace")
    if codec == "utf-8" and "\ufffd" not in text:
        return body
    return text.encode("utf-8", "replace")
