"""From a page's tree to its passages: headings, paragraphs, list items, code, rows of tables, in their order."""

import re
from dataclasses import dataclass, field
from typing import Literal

from selectolax.lexbor import LexborHTMLParser, LexborNode

from garimpo.page.main.names import BOXES, INLINE, SKIPPED, is_aside, is_hidden
from garimpo.url import Base

Kind = Literal["heading", "paragraph", "item", "code", "row"]

_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MONOSPACED = frozenset(["code", "kbd", "samp", "tt"])
_NO_DATA_TABLE = frozenset([*_HEADINGS, "table", "pre", "form"])
_SPECIAL = re.compile(r"([\\`*\[\]<])|((?<!\w)_|_(?!\w))")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight(?:-source)?|brush:)[-\s]?([a-z][\w+#]*)")


@dataclass(slots=True, eq=False)
class Box:
    """An element that may hold a whole story, inside another one."""

    outer: "Box | None" = None
    depth: int = 0


@dataclass(slots=True)
class Passage:
    """A piece of a page that stands together."""

    kind: Kind
    lines: list[str]
    """Its text, one line a block: the cells of a row, the parts between line breaks."""
    markdown: str = ""
    """The same with links and code marked; of code the text as it stands."""
    level: int = 0
    """Of a heading 1 to 6, of an item how deep its list is."""
    mark: str = "-"
    """What begins an item, or the language of code."""
    quoted: int = 0
    linked: int = 0
    """Characters that are inside links."""
    aside: bool = False
    """Whether the mark-up around it says that it is not the page's own: navigation, banner, footer."""
    table: int = -1
    row: int = -1
    cell: int = -1
    first_of_item: bool = True
    glossary: int = -1
    """The list of terms and what they mean (dl) that it stands in."""
    term: bool = False
    """Whether it is a term of that list."""
    box: Box = field(default_factory=Box)
    """The element it stands in."""

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join(self.lines)


@dataclass(slots=True)
class _Frame:
    """What counts inside an element that is open."""

    tag: str
    aside: bool
    quoted: int
    lists: tuple[str, ...]
    kind: Kind
    box: Box
    level: int = 0
    table: int = -1
    pre: bool = False
    glossary: int = -1
    term: bool = False
    href: str | None = None
    start: int = 0


@dataclass(slots=True)
class _Reader:
    base: Base
    out: list[Passage] = field(default_factory=list)
    text: list[str] = field(default_factory=list)
    marked: list[str] = field(default_factory=list)
    linked: int = 0
    links: list[_Frame] = field(default_factory=list)
    numbers: list[int] = field(default_factory=list)
    tables: list[list[int]] = field(default_factory=list)
    """Of each table: its rows so far, the cells of the last one, whether it can be data."""
    glossaries: int = 0
    fresh_item: bool = False
    language: str = ""

    def enter(self, node: LexborNode, tag: str, outer: _Frame) -> _Frame:
        attributes = node.attributes if tag not in ("p", "br", "td", "li", "b", "i") else {}
        aside = outer.aside or is_aside(tag, attributes)
        frame = _Frame(tag, aside, outer.quoted, outer.lists, outer.kind, outer.box, outer.level, outer.table, outer.pre)
        frame.glossary, frame.term = outer.glossary, outer.term
        if tag in INLINE:
            if tag == "a":
                frame.href, frame.start = attributes.get("href") or "", len(self.marked)
                self.links.append(frame)
            elif tag in _MONOSPACED and not outer.pre:
                frame.start = len(self.marked)
            if outer.pre:
                self._note_language(attributes)
            return frame
        if tag == "br":
            self._line_break(outer)
            return frame
        self.flush(outer)
        if tag in BOXES:
            frame.box = Box(outer.box, outer.box.depth + 1)
        self._enter_block(tag, attributes, frame)
        return frame

    def _enter_block(self, tag: str, attributes: dict[str, str | None], frame: _Frame) -> None:
        if tag in _NO_DATA_TABLE and frame.table >= 0:
            self.tables[frame.table][2] = 0
        if tag in _HEADINGS:
            frame.kind, frame.level = "heading", _HEADINGS[tag]
        elif tag == "pre":
            frame.kind, frame.pre = "code", True
            self._note_language(attributes)
        elif tag in ("ul", "ol"):
            frame.lists = (*frame.lists, tag)
            self.numbers.append(0)
        elif tag == "li":
            frame.kind, self.fresh_item = "item", True
            if self.numbers:
                self.numbers[-1] += 1
        elif tag == "blockquote":
            frame.quoted += 1
        elif tag == "dl":
            frame.glossary, self.glossaries = self.glossaries, self.glossaries + 1
        elif tag in ("dt", "dd"):
            frame.term = tag == "dt"
        elif tag == "table":
            frame.table = len(self.tables)
            self.tables.append([0, 0, 1])
        elif frame.table >= 0 and tag == "tr":
            self.tables[frame.table][:2] = [self.tables[frame.table][0] + 1, 0]
        elif frame.table >= 0 and tag in ("td", "th"):
            self.tables[frame.table][1] += 1
        elif tag == "div":
            self.language = ""
            self._note_language(attributes)

    def leave(self, frame: _Frame) -> None:
        if frame.tag == "a":
            self._close_link(frame)
            self.links.remove(frame)
        elif frame.tag in _MONOSPACED and not frame.pre:
            self._close_code(frame)
        elif frame.tag not in INLINE and frame.tag != "br":
            self.flush(frame)
            if frame.tag in ("ul", "ol") and self.numbers:
                self.numbers.pop()

    def say(self, text: str, frame: _Frame) -> None:
        self.text.append(text)
        self.marked.append(text if frame.pre or frame.tag in _MONOSPACED else _SPECIAL.sub(r"\\\g<0>", text))
        if self.links:
            self.linked += len(text.strip())

    def flush(self, frame: _Frame) -> None:
        """What was said since the last block is a passage."""
        for link in self.links:
            self._close_link(link)
            link.start = 0
        text, marked = "".join(self.text), "".join(self.marked)
        linked, self.linked = self.linked, 0
        self.text.clear()
        self.marked.clear()
        lines = [line for line in (" ".join(part.split()) for part in text.split("\0")) if line]
        if not lines:
            return
        if frame.pre:
            lines, marked = [" ".join(lines)], text.replace("\0", "\n").strip("\n").rstrip()
        else:
            marked = "\n".join(line for line in (" ".join(part.split()) for part in marked.split("\0")) if line)
        self.out.append(self._passage(frame, lines, marked, linked))

    def _passage(self, frame: _Frame, lines: list[str], marked: str, linked: int) -> Passage:
        table, row, cell = frame.table, -1, -1
        if table >= 0:
            row, cell = self.tables[table][:2]
        passage = Passage(frame.kind, lines, marked, frame.level, "", frame.quoted, linked, frame.aside, table, row, cell)
        passage.box, passage.glossary, passage.term = frame.box, frame.glossary, frame.term
        if frame.kind == "code":
            passage.mark = self.language
        elif frame.lists and frame.kind == "item":
            passage.level = len(frame.lists)
            passage.mark = f"{self.numbers[-1]}." if frame.lists[-1] == "ol" and self.numbers else "-"
            passage.first_of_item, self.fresh_item = self.fresh_item, False
        return passage

    def _line_break(self, frame: _Frame) -> None:
        self.text.append("\0")
        self.marked.append("\0")

    def _close_link(self, frame: _Frame) -> None:
        inside = "".join(self.marked[frame.start :])
        label = inside.strip(" \t\r\n\0")
        del self.marked[frame.start :]
        target = self.base.resolve(frame.href.strip()) if frame.href else None
        if (frame.href or "").startswith("#"):  # an anchor of the page itself: its sign is no text
            if not any(sign.isalnum() for sign in label):
                self._forget(inside)
                return
            target = None
        if target is None or not label or "\0" in label:
            self.marked.append(inside)
            return
        before, after = inside[: len(inside) - len(inside.lstrip())], inside[len(inside.rstrip()) :]
        self.marked.append(f"{before}[{label}]({target.replace('(', '%28').replace(')', '%29')}){after}")

    def _forget(self, inside: str) -> None:
        """Take back the sign of an anchor."""
        while self.text and inside:
            last = self.text.pop()
            if not inside.endswith(last) and last not in inside:
                self.text.append(last)
                return
            inside = inside[: -len(last)] if last else inside

    def _close_code(self, frame: _Frame) -> None:
        inside = "".join(self.marked[frame.start :])
        code = inside.strip()
        del self.marked[frame.start :]
        if not code or "`" in code or "](" in code or "\0" in code:
            self.marked.append(inside)
        else:
            self.marked.append(inside.replace(code, f"`{code}`"))

    def _note_language(self, attributes: dict[str, str | None]) -> None:
        found = _LANGUAGE.search((attributes.get("class") or "").lower())
        if found is not None and found[1] not in ("default", "none", "text", "source", "notranslate"):
            self.language = found[1]


def read_passages(html: bytes, url: str = "") -> list[Passage]:
    """The passages of a page, in their order.

    Args:
        html: the page in UTF-8, as the parser serialised it.
        url: what its links are resolved against.

    >>> [(one.kind, one.markdown) for one in read_passages(b"<h1>Gold</h1><p>See <a href=/pan>the pan</a>", "http://a.org/")]
    [('heading', 'Gold'), ('paragraph', 'See [the pan](http://a.org/pan)')]
    """
    tree = LexborHTMLParser(html)
    base = tree.css_first("base[href]")
    reader = _Reader(Base(url if base is None else Base(url).resolve(base.attributes["href"] or "") or url))
    if tree.body is not None:
        _walk(tree.body, reader)
    return _join_rows(reader)


def _walk(body: LexborNode, reader: _Reader) -> None:
    """Enter and leave every element, without recursion: pages nest a thousand deep."""
    root = _Frame("body", False, 0, (), "paragraph", Box())
    open_frames: list[tuple[LexborNode, _Frame]] = [(body, root)]
    node = body.child
    while open_frames:
        if node is None:
            last, frame = open_frames.pop()
            reader.leave(frame)
            node = last.next if open_frames else None
            continue
        tag, (_, outer) = node.tag or "", open_frames[-1]
        if tag == "-text":
            reader.say(node.text_content or "", outer)
        elif tag not in SKIPPED and not is_hidden(node):
            frame = reader.enter(node, tag, outer)
            if node.child is not None:
                open_frames.append((node, frame))
                node = node.child
                continue
            reader.leave(frame)
        node = node.next
    reader.flush(root)


def _join_rows(reader: _Reader) -> list[Passage]:
    """The passages, the cells of each row of a table of data as one."""
    wide = {one.table for one in reader.out if one.table >= 0 and one.cell > 1}
    out: list[Passage] = []
    for one in reader.out:
        if one.table not in wide or not reader.tables[one.table][2] or reader.tables[one.table][0] < 2:
            out.append(one)
            continue
        cell = one.markdown.replace("\n", " ").replace("|", "\\|")
        if out and out[-1].kind == "row" and (out[-1].table, out[-1].row) == (one.table, one.row):
            row = out[-1]
            gap = " " if one.cell == row.cell else " |" * (one.cell - row.cell) + " "
            row.markdown, row.cell = row.markdown + gap + cell, one.cell
            row.lines += one.lines
            row.linked += one.linked
        else:
            one.kind, one.markdown = "row", "| " * max(one.cell - 1, 0) + cell
            out.append(one)
    return out
