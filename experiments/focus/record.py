"""Puts a section into `results.md` beside this file, in place of the one of the same heading; tables and intervals for it."""

import re
import sys
from pathlib import Path

import numpy as np

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


def gains(differences: np.ndarray) -> list[str]:
    """Of each column the mean and its 95 % interval (bootstrap over the rows: topics, trees or cases)."""
    chance, size = np.random.default_rng(0), len(differences)
    draws = [differences[chance.integers(size, size=size)].mean(axis=0) for _ in range(2000)]
    low, high = np.quantile(draws, [0.025, 0.975], axis=0)
    return [f"{m:+.3f} [{a:+.3f}, {b:+.3f}]" for m, a, b in zip(differences.mean(axis=0), low, high)]
