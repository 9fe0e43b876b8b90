"""A stream of lines with the key of each: what ``garimpo dust apply`` writes."""

from collections.abc import Iterator
from typing import IO

import pyarrow as pa

from garimpo.dust.rules.ruleset import RuleSet

BATCH_BYTES = 4 << 20


def keyed_lines(rules: RuleSet, file: IO[bytes]) -> Iterator[tuple[bytes, int, int]]:
    """Blocks of output, how many lines each has, and how many of them a rule made: line, key, rule or dash, tab-separated.

    >>> import io
    >>> [block for block, _, _ in keyed_lines(RuleSet(), io.BytesIO(b"HTTP://a.org\\nnothing\\n"))]
    [b'HTTP://a.org\\thttp://a.org/\\t-\\nnothing\\tnothing\\t-\\n']
    """
    for given in _batches(file):
        texts = [_text(line) for line in given]
        keys, made_by = rules.keys(pa.array(texts, pa.string()))
        out: list[bytes] = []
        for line, text, key, rule in zip(given, texts, keys.to_pylist(), made_by.to_pylist()):
            own = line if text is None else key.encode()
            out.append(line + b"\t" + own + b"\t" + (rule or "-").encode() + b"\n")
        yield b"".join(out), len(out), len(out) - made_by.null_count


def _batches(file: IO[bytes]) -> Iterator[list[bytes]]:
    """Lines as they come: all that is there, without waiting for more."""
    read = getattr(file, "read1", file.read)
    rest: list[bytes] = []
    while block := read(BATCH_BYTES):
        *whole, last = block.split(b"\n")
        if whole:
            whole[0] = b"".join([*rest, whole[0]])
            rest = []
            yield whole
        rest.append(last)
    if left := b"".join(rest):
        yield [left]


def _text(line: bytes) -> str | None:
    """The line as text; None where it is no UTF-8, and so no URL."""
    try:
        return line.rstrip(b"\r").decode()
    except UnicodeDecodeError:
        return None
