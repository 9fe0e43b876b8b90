"""CPU time of processes and all that descend from them."""

import os
from collections.abc import Iterable
from pathlib import Path


def cpu_seconds(roots: Iterable[int] | None = None) -> float:
    """User and system seconds of `roots` (this process), their living descendants and those they waited for."""
    figures = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            figures[int(entry.name)] = (int(fields[1]), sum(map(int, fields[11:15])))
    family, grown = set(roots if roots is not None else [os.getpid()]), True
    while grown:
        more = {pid for pid, (parent, _) in figures.items() if parent in family} - family
        family, grown = family | more, bool(more)
    return sum(figures[pid][1] for pid in family if pid in figures) / os.sysconf("SC_CLK_TCK")
