"""Digests: of a page's bytes, and of what a reader sees of it."""

from collections.abc import Sequence
from hashlib import blake2b

import numpy as np

from garimpo.page import _kernels_digest as k

_SHORT = 1 << 16
"""Up to this length it is worth to lay texts beside each other."""
_ZEROS = bytes(k.BLOCK)


def digest(body: bytes) -> int:
    """64-bit BLAKE2b of the body after content-encoding, before charset.

    >>> digest(b"gold")
    10837187491037727384
    """
    return int.from_bytes(blake2b(body, digest_size=8).digest(), "big")


def digests(several: Sequence[bytes]) -> list[int]:
    """The `digest` of each; of many texts of a few kilobytes in a third of the time.

    >>> digests([b"gold"] * 20) == [digest(b"gold")] * 20
    True
    """
    short = [row for row, text in enumerate(several) if len(text) <= _SHORT]
    if len(short) < k.LANES // 2:  # most lanes would be idle
        return [digest(text) for text in several]
    found = [0 if len(text) <= _SHORT else digest(text) for text in several]
    for row, one in zip(short, _side_by_side([several[row] for row in short])):
        found[row] = one
    return found


def text_digest(text: str) -> int:
    """64-bit BLAKE2b of the text with its white space collapsed.

    >>> text_digest(" pan \\n gold ") == text_digest("pan gold")
    True
    """
    return digest(" ".join(text.split()).encode("utf-8", "replace"))


def _side_by_side(several: Sequence[bytes]) -> list[int]:
    lengths = np.array([len(text) for text in several])
    filled = [piece for text in several for piece in (text, _ZEROS[: -len(text) % k.BLOCK if text else k.BLOCK])]
    chain, block = np.empty(8 * k.LANES, np.uint64), np.empty(18 * k.LANES, np.uint64)
    out, places = np.empty(len(several), np.uint64), np.empty(2 * k.LANES, np.int64)
    k.blake2b(np.frombuffer(b"".join(filled), np.uint64), lengths, chain, block, places, out)
    return out.byteswap().tolist()
