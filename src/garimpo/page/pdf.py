"""The text of PDF documents, where the extra `[pdf]` is installed.

PDFium is a large program for hostile bytes: a crawl reads with it only in a process that may die, and that its limits end.
"""

import functools
import importlib.util
import time
from statistics import quantiles
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pypdfium2

MEDIA_TYPE = "application/pdf"
MOST_BYTES = 32 << 20
"""A larger document is not opened."""
MOST_PAGES = 2000
MOST_CHARACTERS = 8 << 20
MOST_SECONDS = 1.5
"""CPU time after which no further page is begun; what was read until then is the text."""
_FULL = 0.75
"""A line ends its paragraph if it is shorter than this share of the longest lines of its page."""
_HYPHENS = "\ufffe\x02\xad"


@functools.cache
def has_pdf() -> bool:
    """Whether the extra `[pdf]` is installed."""
    return importlib.util.find_spec("pypdfium2") is not None


def says_pdf(content_type: str | None) -> bool:
    """Whether a content type is that of PDF documents.

    Args:
        content_type: as the server stated it.
    """
    return (content_type or "").partition(";")[0].strip().lower() == MEDIA_TYPE


def is_pdf(body: bytes) -> bool:
    """Whether a body begins as a PDF document does.

    Args:
        body: its bytes.

    >>> is_pdf(b"%PDF-1.7 ..."), is_pdf(b"<html>")
    (True, False)
    """
    return b"%PDF-" in body[:1024]


def read_pdf(body: bytes) -> tuple[str | None, str]:
    """The title and the text of a document, a newline between paragraphs; nothing where it cannot be opened.

    Args:
        body: its bytes.
    """
    if not has_pdf() or not is_pdf(body) or len(body) > MOST_BYTES:
        return None, ""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(body)
    except pypdfium2.PdfiumError:  # damaged, or locked by a password
        return None, ""
    try:
        title = " ".join(document.get_metadata_value("Title").split()) or None
        return title, "\n".join(_pages(document))
    finally:
        document.close()


def _pages(document: "pypdfium2.PdfDocument") -> list[str]:
    import pypdfium2

    texts: list[str] = []
    stop, characters = time.thread_time() + MOST_SECONDS, 0
    for number in range(min(len(document), MOST_PAGES)):
        if time.thread_time() > stop or characters > MOST_CHARACTERS:
            break
        try:
            page = document[number]
            text = page.get_textpage().get_text_range()
            page.close()
        except pypdfium2.PdfiumError:
            continue
        texts += paragraphs(text.encode("utf-8", "replace").decode())
        characters += len(text)
    return texts


def paragraphs(text: str) -> list[str]:
    """The lines of a page put together again.

    Args:
        text: the lines as they stand on the page.

    >>> paragraphs("Gold was found in the ri\\ufffever, they\\r\\nsaid.\\r\\nNobody had looked for it before.")
    ['Gold was found in the river, they said.', 'Nobody had looked for it before.']
    """
    text = text.translate(dict.fromkeys(map(ord, _HYPHENS)))
    lines = [line for line in (" ".join(line.split()) for line in text.splitlines()) if line]
    if not lines:
        return []
    full = _FULL * (quantiles(map(len, lines), n=10)[-1] if len(lines) > 1 else 0)
    out: list[list[str]] = [[]]
    for line in lines:
        out[-1].append(line)
        if len(line) < full:
            out.append([])
    return [" ".join(part) for part in out if part]
