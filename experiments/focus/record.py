"""Puts a section into `results.md` beside this file, in place of the one of the same heading."""

import re
import sys
from pathlib import Path

RESULTS = Path(__file__).with_name("results.md")
HEAD = "# Focus: experiments\n\nWritten by the scripts in this folder; each section names its command.\n"


def record(heading: str, text: str) -> None:
    """Write or replace the section `heading`; a `--quick` run, whose figures say nothing, only prints it."""
    if "--quick" in sys.argv:
        print(f"## {heading}\n\n{text}")
        return
    before = RESULTS.read_text() if RESULTS.exists() else HEAD
    sections = re.split(r"(?m)^## ", before)
    kept = [part for part in sections[1:] if not part.startswith(f"{heading}\n")]
    kept.append(f"{heading}\n\n{text.strip()}\n\n")
    RESULTS.write_text(sections[0].rstrip() + "\n\n" + "".join(f"## {part}" for part in sorted(kept)).rstrip() + "\n")


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)
