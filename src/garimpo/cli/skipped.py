"""``garimpo skipped``: what a crawl did not fetch, and why."""

import sys
from collections.abc import Iterator
from pathlib import Path

from garimpo.cli.options import Json, NoChance, OptionalOut
from garimpo.cli.output import emit, require_tables


def skipped(folder: Path, *, out: OptionalOut = None, json: Json = False, seed: NoChance = 0) -> None:
    """List what the crawl in FOLDER skipped: reason, rule, version, whether it was checked and found equal, URL, key.

    For example:
      garimpo skipped crawl | cut -f1 | sort | uniq -c

    Args:
        folder: A crawl folder.
        out: Write a table there (.parquet, .csv, .tsv, .jsonl) instead of lines on stdout.
    """
    from garimpo.contract.tables import SKIPPED
    from garimpo.crawl import skipped as rows_of

    require_tables(*([out] if out else []))
    counts: dict[str, int] = {}
    if out is None:
        for batch in rows_of(folder):
            for row in batch.to_pylist():
                counts[row["reason"]] = counts.get(row["reason"], 0) + 1
                fields = [row["reason"], row["rule"], row["version"], row["checked"], row["equal"], row["url"], row["key"]]
                print("\t".join(map(_shown, fields)))
        sys.stdout.flush()
        emit(counts, json, stream=sys.stderr)
        return
    import pyarrow as pa

    from garimpo.contract.table_files import write_tables

    def counted() -> Iterator[pa.Table]:
        for batch in rows_of(folder):
            for reason in batch.column("reason").to_pylist():
                counts[reason] = counts.get(reason, 0) + 1
            yield pa.Table.from_batches([batch])

    write_tables(counted(), SKIPPED, out)
    emit(counts, json, [f"{sum(counts.values()):,} rows in {out}"])


def _shown(value: object) -> str:
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
