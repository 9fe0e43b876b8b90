"""``garimpo export``: write a crawl folder out for other programs."""

import sys
from pathlib import Path
from typing import Literal

from garimpo.cli.output import emit, note


def export(
    folder: Path, *, to: Literal["jsonl", "csv", "cdxj"], out: Path | None = None, json: bool = False, seed: int = 0
) -> None:
    """Write a crawl folder out: its pages with text (jsonl), the table of pages (csv), or an index of its WARC files (cdxj).

    Examples:
      garimpo export crawl --to jsonl | head -1
      garimpo export crawl --to cdxj --out crawl.cdxj

    Parameters
    ----------
    folder
        The crawl folder.
    to
        The format.
    out
        The file to write; without it, to stdout.
    json
        Print one JSON object: the last line of stdout, or of stderr if the data goes to stdout.
    seed
        Makes a run repeatable; exporting has no chance in it.
    """
    from garimpo.archive import Store
    from garimpo.archive import export as write
    from garimpo.contract import Counts, publish

    counts = Counts()
    with Store.open(folder, write=False) as store:
        if out is None:
            lines = write(store, to, sys.stdout.buffer, counts)
            sys.stdout.buffer.flush()
        else:
            with publish(out) as temporary, temporary.open("wb") as file:
                lines = write(store, to, file, counts)
    if str(counts):
        note(f"passed over: {counts}")
    result = {"lines": lines, "to": to, "out": None if out is None else str(out), "counts": dict(+counts)}
    emit(result, json, [f"{lines:,} lines"], sys.stderr if out is None else sys.stdout)
