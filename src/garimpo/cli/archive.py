"""``garimpo archive``: make a crawl folder from data, and take pages out of one."""

from pathlib import Path
from typing import Any

from garimpo.cli.options import Json, NoChance, Out, group_of_verbs
from garimpo.cli.output import emit, note, progress, require_folders

app = group_of_verbs("archive", "Make a crawl folder from data or from another one, or take pages out of one.")


@app.command(name="import")
def import_(*docs: Path, out: Out, links: Path | None = None, json: Json = False, seed: NoChance = 0) -> None:
    """Make a crawl folder from documents: JSON lines, Parquet, WARC, a folder of HTML and text files, or a crawl folder.

    For example:
      garimpo archive import pages.parquet --links links.parquet --out crawl
      garimpo archive import old.warc.gz more.jsonl.gz --out crawl

    Args:
        docs: The documents.
        out: The crawl folder to make.
        links: A Parquet file with the columns source and target; without it, links are read from the HTML.
    """
    from garimpo.archive import import_documents
    from garimpo.contract import BadInput, Counts

    if not docs:
        raise BadInput("no documents given (try: garimpo archive import --help)")
    counts = Counts()
    with progress("importing") as bar:
        result = import_documents(docs, out, links=links, counts=counts, progress=bar.advance)
    if str(counts):
        note(f"passed over or changed: {counts}")
    lines = [f"{out}: {result['pages']:,} pages, {result['links']:,} links"]
    emit({**result, "out": str(out), "counts": dict(+counts)}, json, lines)


@app.command
def sample(
    folder: Path, *, out: Out, per_host: int, max_depth: int, seeds: Path | None = None, max_pages: int | None = None,
    json: Json = False, seed: NoChance = 0,
) -> None:  # fmt: skip
    """Make a smaller crawl folder out of a large one, as a shallow crawl would have brought it.

    Hosts are taken in the order in which they are met; inside a host links are followed depth first.

    For example:
      garimpo archive sample crawl --per-host 2500 --max-depth 4 --out small

    Args:
        folder: The crawl folder.
        out: The crawl folder to make.
        per_host: Pages of a host, at most.
        max_depth: Links from the home page of a host, at most.
        seeds: URLs to begin with, one a line (the first page of each host, unless given).
        max_pages: Pages in all, at most.
    """
    from garimpo.archive import sample_folder
    from garimpo.contract import Counts
    from garimpo.focus import read_urls

    counts = Counts()
    given = [] if seeds is None else read_urls(seeds)
    with progress("sampling") as bar:
        result = sample_folder(
            folder, out, per_host=per_host, max_depth=max_depth, seeds=given, most=max_pages, counts=counts, progress=bar.advance
        )
    if str(counts):
        note(f"passed over or changed: {counts}")
    lines = [f"{out}: {result['pages']:,} pages of {result['hosts']:,} hosts, {result['links']:,} links"]
    emit({**result, "out": str(out), "counts": dict(+counts)}, json, lines)


@app.command
def remove(folder: Path, *what: str, json: Json = False, seed: NoChance = 0) -> None:
    """Take URLs or whole hosts out of a crawl folder for good: out of its tables and its WARC files.

    For example:
      garimpo archive remove crawl http://a.example/private.html
      garimpo archive remove crawl a.example b.example

    Args:
        folder: The crawl folder. A note of what was removed stays in its state and its log.
        what: URLs (http://...) and host names.
    """
    from garimpo.archive import remove as take_out
    from garimpo.contract import GarimpoError

    result = take_out(folder, what)
    lines = [f"{folder}: removed {result['pages']:,} pages, {result['links']:,} links, {result['records']:,} WARC records"]
    emit({**result, "what": list(what)}, json, lines)
    if not any(result[name] for name in ("pages", "links", "records")):
        raise GarimpoError(f"{folder}: nothing in it matched {', '.join(what)}")


@app.command
def build(folder: Path, *, out: Out, json: Json = False, seed: NoChance = 0) -> None:
    """Build the compressed forward index of a crawl folder (or of documents of any kind): the words of each document.

    For example:
      garimpo archive build crawl --out crawl.fwd

    Args:
        folder: The crawl folder, or documents.
        out: The index to write.
    """
    from garimpo.archive.forward.build import build_forward
    from garimpo.contract import Counts

    require_folders(out)
    counts = Counts()
    with progress("indexing") as bar:
        result = build_forward(folder, out, counts=counts, progress=bar.advance)
    if str(counts):
        note(f"passed over or changed: {counts}")
    emit({**result, "out": str(out)}, json, _index_lines(out, result))


@app.command
def stat(file: Path, *, json: Json = False, seed: NoChance = 0) -> None:
    """Show what a forward index holds, and the bits of each field beside their entropy.

    For example:
      garimpo archive stat crawl.fwd

    Args:
        file: An index made by archive build.
    """
    from garimpo.archive.forward.index import Forward

    result = Forward(file).stat()
    emit(result, json, _index_lines(file, result))


def _index_lines(file: Path, result: dict[str, Any]) -> list[str]:
    counts = ", ".join(f"{result[name]:,} {name}" for name in ("documents", "terms", "pairs", "bytes"))
    lines = [f"{file}: {counts}"]
    for name, field in result["fields"].items():
        over = f"{100 * field['over']:+.1f} % beside the entropy" if field["entropy"] else "entropy 0"
        lines.append(f"{name:>12}: {field['bits']:,} bits ({field['bits_each']:.2f} each, {over})")
    return lines
