"""Documents in CSV and TSV files: a heading, then one row a document; every value is text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from garimpo.contract.errors import BadInput
from garimpo.contract.reading import Counts

BLOCK = 8 << 20
SUFFIXES = (".csv", ".tsv", ".csv.gz", ".tsv.gz", ".csv.zst", ".tsv.zst")
UNEVEN = "row with too many or too few values"


def read_delimited(path: Path, columns: Sequence[str], counts: Counts, text: str = "text") -> Iterator[pa.Table]:
    """The known columns of a file and those of `columns`, a few megabytes at a time; `text` names the column of texts."""
    for table in read_whole(path, counts):
        names = table.column_names
        if text not in names and (text != "text" or "html" not in names):
            raise BadInput(f"{path}: no column {text if text != 'text' else 'text or html'} (it has: {', '.join(names)})")
        wanted = [name for name in names if name in ("id", "url", "html", text, *columns) and (name != "text" or text == "text")]
        yield table.select(wanted).rename_columns(["text" if name == text else name for name in wanted])


def read_whole(path: Path, counts: Counts) -> Iterator[pa.Table]:
    """All columns of a file, as strings; the later of columns with one name get a number."""
    from pyarrow import csv

    def skip(row: Any) -> str:
        counts[UNEVEN] += 1
        return "skip"

    delimiter = "\t" if ".tsv" in path.name.lower() else ","
    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=skip)
    try:
        names = _heading(path, delimiter)
        types = csv.ConvertOptions(column_types=dict.fromkeys(names, pa.large_string()), strings_can_be_null=False)
        with pa.input_stream(str(path), compression="detect") as file:
            reader = csv.open_csv(file, csv.ReadOptions(block_size=BLOCK), parse, types)
            for batch in reader:
                yield pa.table(batch).rename_columns(_told_apart(names))
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
        if isinstance(error, PermissionError):
            raise
        raise BadInput(f"{path}: not a table of text ({str(error).splitlines()[0]})") from None


def _told_apart(names: list[str]) -> list[str]:
    """The names of columns, the later of those with one name numbered.

    >>> _told_apart(["id", "text", "text", "text_2"])
    ['id', 'text', 'text_2', 'text_2_2']
    """
    out: list[str] = []
    for name in names:
        number, own = 1, name
        while own in out:
            number += 1
            own = f"{name}_{number}"
        out.append(own)
    return out


def _heading(path: Path, delimiter: str) -> list[str]:
    from pyarrow import csv

    parse = csv.ParseOptions(delimiter=delimiter, newlines_in_values=True, invalid_row_handler=lambda row: "skip")
    with pa.input_stream(str(path), compression="detect") as file:
        options = csv.ReadOptions(block_size=BLOCK)
        return list(csv.open_csv(file, options, parse, csv.ConvertOptions(check_utf8=False)).schema.names)
