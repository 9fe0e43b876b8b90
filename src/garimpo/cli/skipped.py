"""``garimpo skipped``: what a crawl did not fetch, and why."""

import sys
from pathlib import Path

from garimpo.cli.output import emit


def skipped(folder: Path, *, out: Path | None = None, json: bool = False, seed: int = 0) -> None:
    """List what the crawl in FOLDER skipped: reason, rule, version, whether it was checked and found equal, URL, key.

    Example: garimpo skipped crawl | cut -f1 | sort | uniq -c

    Parameters
    ----------
    folder: a crawl folder
    out: write a Parquet table there instead of lines on stdout
    json: print counts by reason as JSON (on stderr when lines go to stdout)
    """
    from garimpo.contract.files import publish
    from garimpo.contract.tables import SKIPPED
    from garimpo.crawl import skipped as rows_of

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
    import pyarrow.parquet as pq

    with publish(out) as temporary, pq.ParquetWriter(temporary, SKIPPED) as writer:
        for batch in rows_of(folder):
            writer.write_batch(batch)
            for reason in batch.column("reason").to_pylist():
                counts[reason] = counts.get(reason, 0) + 1
    emit(counts, json, [f"{sum(counts.values()):,} rows in {out}"])


def _shown(value: object) -> str:
    return "-" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
