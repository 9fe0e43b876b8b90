"""Passages written out: as Markdown (CommonMark with pipe tables), or as plain text with a newline between blocks."""

import re
from collections.abc import Iterable, Sequence

from garimpo.page.main.passages import Passage

_LEADING = re.compile(r"^(#{1,6}\s|[-+>]\s|(\d+)([.)])\s)")
_FENCES = re.compile(r"`{3,}")


def plain_text(passages: Iterable[Passage]) -> str:
    """The text of passages, a newline between blocks.

    Args:
        passages: in their order.
    """
    return "\n".join(line for one in passages for line in one.lines)


def to_markdown(passages: Sequence[Passage]) -> str:
    """Passages as Markdown.

    Args:
        passages: in their order.

    >>> print(to_markdown([Passage("heading", ["Gold"], "Gold", 2), Passage("item", ["pan"], "pan", 1)]), end="")
    ## Gold
    <BLANKLINE>
    - pan
    """
    parts: list[str] = []
    before: Passage | None = None
    for one in passages:
        heads_table = one.kind == "row" and (before is None or before.kind != "row" or before.table != one.table)
        if before is not None:
            parts.append("\n" if _belongs(before, one) else "\n\n")
        parts.append(_quoted(_body(one, heads_table, before), one.quoted))
        before = one
    return "".join(parts) + "\n" if parts else ""


def _belongs(before: Passage, one: Passage) -> bool:
    """Whether no blank line parts the two."""
    if before.kind == one.kind == "row":
        return before.table == one.table
    if not (before.kind == one.kind == "item" and one.first_of_item and before.quoted == one.quoted):
        return False
    return before.level != one.level or (before.mark == "-") == (one.mark == "-")  # two lists in a row are two


def _body(one: Passage, heads_table: bool, before: Passage | None) -> str:
    if one.kind == "heading":
        return "#" * one.level + " " + one.markdown.replace("\n", " ")
    if one.kind == "code":
        fence = "`" * (1 + max((len(run) for run in _FENCES.findall(one.markdown)), default=2))
        return f"{fence}{one.mark}\n{one.markdown}\n{fence}"
    if one.kind == "row":
        row = f"| {one.markdown} |"
        return f"{row}\n|{' --- |' * max(one.cell, 1)}" if heads_table else row
    if one.kind == "item":
        indent = "  " * (one.level - 1)
        if one.first_of_item or before is None:
            return f"{indent}{one.mark or '-'} " + one.markdown.replace("\n", f"\n{indent}  ")
        return f"{indent}  " + one.markdown.replace("\n", f"\n{indent}  ")
    return "\n".join(_plain_line(line) for line in one.markdown.split("\n"))


def _plain_line(line: str) -> str:
    """A line of a paragraph whose first sign would make it something else."""
    found = _LEADING.match(line)
    if found is None:
        return line
    return f"{found[2]}\\{line[len(found[2]) :]}" if found[2] else "\\" + line


def _quoted(body: str, depth: int) -> str:
    return "\n".join(f"{'> ' * min(depth, 9)}{line}" for line in body.split("\n")) if depth else body
