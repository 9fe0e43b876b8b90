"""``garimpo export``: write a crawl folder out for other programs."""

import sys
from pathlib import Path
from typing import Literal

from garimpo.cli.options import Json, NoChance, OptionalOut, Switch
from garimpo.cli.output import emit, note, require_folders


def export(
    folder: Path,
    *,
    to: Literal["jsonl", "csv", "parquet", "markdown", "txt", "cdxj", "wacz"],
    out: OptionalOut = None,
    main_text: Switch = False,
    all: Switch = False,
    json: Json = False,
    seed: NoChance = 0,
) -> None:
    """Write a crawl folder out: its pages as a data set or as files of text, the table of pages, or what replay needs.

    For example:
      garimpo export crawl --to jsonl | head -1
      garimpo export crawl --to markdown --main-text --out pages/
      garimpo export crawl --to parquet --main-text --out pages.parquet
      garimpo export crawl --to cdxj --out crawl.cdxj

    Args:
        folder: The crawl folder.
        to: The format. jsonl: pages with text; csv: the table of pages; parquet: pages with text, as a data set; markdown,
            txt: a folder with one file a page; cdxj: an index of the WARC files; wacz: all answers for replay.
        out: The file to write, or the folder to make (markdown, txt); without it, to stdout (jsonl, csv, cdxj).
        main_text: Leave out menus, banners and footers: what the pages of a host repeat, or an extractor says.
        all: In parquet, markdown and txt, pages that repeat another one, too.
    """
    from garimpo.archive import Store
    from garimpo.archive import export as write
    from garimpo.archive.collection.exporting import PLACED
    from garimpo.contract import BadInput, Counts, publish

    if to in PLACED and out is None:
        raise BadInput(f"{to}: give the {'folder' if to in ('markdown', 'txt') else 'file'} to write with --out")
    if to not in ("markdown", "txt"):
        require_folders(out)
    elif out is not None and not out.absolute().parent.is_dir():
        raise BadInput(f"{out}: there is no folder {out.parent}")
    counts = Counts()
    with Store.open(folder, write=False) as store:
        if out is None:
            lines = write(store, to, sys.stdout.buffer, counts, main_text=main_text)
            sys.stdout.buffer.flush()
        elif to in PLACED:
            lines = write(store, to, out, counts, main_text=main_text, every=all)
        else:
            with publish(out) as temporary:
                lines = write(store, to, temporary, counts, main_text=main_text)
    if str(counts):
        note(f"passed over: {counts}")
    result = {"lines": lines, "to": to, "out": None if out is None else str(out), "counts": dict(+counts)}
    what = {"parquet": "rows", "markdown": "files", "txt": "files"}.get(to, "lines")
    emit(result, json, [f"{lines:,} {what}"], sys.stderr if out is None else sys.stdout)
