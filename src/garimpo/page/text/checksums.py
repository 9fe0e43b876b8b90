"""Digests: of a page's bytes, and of what a reader sees of it."""

from hashlib import blake2b


def digest(body: bytes) -> int:
    """64-bit BLAKE2b of the body after content-encoding, before charset.

    Args:
        body: The bytes of the page.

    >>> digest(b"gold")
    10837187491037727384
    """
    return int.from_bytes(blake2b(body, digest_size=8).digest(), "big")


def text_digest(text: str) -> int:
    """64-bit BLAKE2b of the text with its white space collapsed.

    Args:
        text: The visible text of the page.

    >>> text_digest(" pan \\n gold ") == text_digest("pan gold")
    True
    """
    return digest(" ".join(text.split()).encode("utf-8", "replace"))
