"""The five escapes of serialised HTML."""

# The ampersand comes last, as it stands for itself in all others.
_ESCAPES = (("&nbsp;", "\xa0"), ("&quot;", '"'), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


def unescape(escaped: bytes) -> str:
    """The string that stands escaped in serialised HTML.

    >>> unescape(b"?a=1&amp;b=&amp;lt;")
    '?a=1&b=&lt;'
    """
    text = escaped.decode("utf-8", "replace")
    if "&" in text:
        for escape, character in _ESCAPES:
            text = text.replace(escape, character)
    return text
