"""Real text to fill applications with: manuals of Debian packages (or, without them, of Python), and what `--text` names."""

import ast
import re
import sysconfig
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser

from realweb.packages import unpack_debian

PACKAGES = ("sqlite3-doc", "postgresql-doc-15", "git-doc", "bind9-doc")
FEWEST_WORDS, MOST_WORDS = 60, 600


@dataclass(frozen=True)
class Document:
    """A text with a title. `topic` says where it comes from; `tags` are words it uses much."""

    title: str
    paragraphs: tuple[str, ...]
    topic: str
    tags: tuple[str, ...]

    @property
    def text(self) -> str:
        """The paragraphs, with blank lines between them."""
        return "\n\n".join(self.paragraphs)

    @property
    def slug(self) -> str:
        """The title as a name: small letters, digits and hyphens.

        >>> Document("What is WAL?", (), "", ()).slug
        'what-is-wal'
        """
        return re.sub(r"[^a-z0-9]+", "-", self.title.lower()).strip("-") or "untitled"


def read_texts(folder: Path, more: Path | None) -> list[Document]:
    """Documents, always in the same order: those of `more` first, then those of the packages (unpacked into `folder`).

    Where no package can be had, what Python's library says about itself takes their place.
    """
    if not (folder / "ready").exists():
        unpack_debian(PACKAGES, folder / "root", needed=False)
        (folder / "ready").touch()
    given = [*_read_given(more)] if more else []
    carried = [*_read_folder(folder / "root" / "usr" / "share" / "doc", (".html",))] or [*_read_python()]
    return _distinct([*_mixed(given), *_mixed(carried)])


def _read_given(path: Path) -> Iterator[Document]:
    if path.is_dir():
        yield from _read_folder(path)
        return
    import pyarrow.parquet as parquet

    for row in parquet.read_table(path).to_pylist():
        topic = str(row.get("label") or row.get("topic") or path.stem)
        yield from _make(str(row.get("title") or ""), re.split(r"\n\s*\n", row["text"] or ""), topic)


def _read_folder(folder: Path, suffixes: Sequence[str] = (".html", ".txt")) -> Iterator[Document]:
    for path in sorted(path for path in folder.rglob("*") if path.suffix in suffixes and path.is_file()):
        topic = path.relative_to(folder).parts[0]
        if path.suffix == ".html":
            yield from _read_html(path.read_bytes(), topic)
        else:
            yield from _make("", re.split(r"\n\s*\n", path.read_text(errors="replace")), topic)


def _read_python() -> Iterator[Document]:
    """What the modules, classes and functions of the standard library say about themselves."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted(path for path in library.rglob("*.py") if not {"site-packages", "test"} & {*path.parts}):
        topic = path.relative_to(library).parts[0].removesuffix(".py")
        try:
            tree = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError):
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                name = topic if isinstance(node, ast.Module) else f"{topic}: {node.name}"
                yield from _make(name, re.split(r"\n\s*\n", ast.get_docstring(node) or ""), topic)


def _read_html(page: bytes, topic: str) -> Iterator[Document]:
    tree = LexborHTMLParser(page)
    title = tree.css_first("h1") or tree.css_first("title")
    paragraphs = [node.text(separator=" ") for node in tree.css("p, li p, dd")]
    yield from _make(title.text(separator=" ") if title else "", paragraphs, topic)


def _make(title: str, paragraphs: Sequence[str], topic: str) -> Iterator[Document]:
    """The document, if it is long enough; what is too long is cut at a paragraph."""
    kept: list[str] = []
    words = 0
    for paragraph in (" ".join(part.split()) for part in paragraphs):
        if paragraph and words < MOST_WORDS:
            kept.append(paragraph)
            words += paragraph.count(" ") + 1
    if words >= FEWEST_WORDS:
        title = " ".join(re.sub(r"[^\w\s.,:()'-]", " ", title).split())[:80] or " ".join(kept[0].split()[:8])
        yield Document(title, tuple(kept), topic, _tags(kept))


def _tags(paragraphs: Sequence[str]) -> tuple[str, ...]:
    counts: dict[str, int] = {}
    for word in re.findall(r"[a-z]{5,12}", " ".join(paragraphs).lower()):
        counts[word] = counts.get(word, 0) + 1
    return tuple(sorted(counts, key=lambda word: (-counts[word], word))[:3])


def _mixed(documents: Sequence[Document]) -> list[Document]:
    return sorted(documents, key=lambda document: blake2b(document.text.encode(), digest_size=8).digest())


def _distinct(documents: Sequence[Document]) -> list[Document]:
    """The first document of each slug: applications name pages by it."""
    return [*{document.slug: document for document in reversed(documents)}.values()][::-1]
