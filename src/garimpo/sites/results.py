"""What was found, for people and programs: a table of sites, and one offline page with a bar chart of places."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from garimpo.contract import BadInput, publish
from garimpo.contract.tables import SITES, check
from garimpo.report import Report, bar_plot
from garimpo.sites.detector import Detection
from garimpo.sites.places import states

FORMATS = (".parquet", ".csv")


def sites_table(detections: Sequence[Detection]) -> pa.Table:
    """One row a site, with the title of its entry (or root) as an extra column."""
    pages = [[visit.page for visit in found.visits if visit.page is not None] for found in detections]
    table = pa.table({
        "site": [found.site for found in detections],
        "relevant": pa.array([found.relevant for found in detections], pa.bool_()),
        "reason": [found.reason for found in detections],
        "entry_url": pa.array([found.entry_url for found in detections], pa.string()),
        "pages_fetched": pa.array([found.pages_fetched for found in detections], pa.int32()),
        "score": pa.array([found.score for found in detections], pa.float64()),
        "place": pa.array([states(seen) if found.relevant else None for found, seen in zip(detections, pages)],
                          pa.list_(pa.string())),
        "title": pa.array([seen[0].title if seen else None for seen in pages], pa.string()),
    })  # fmt: skip
    return check(table, SITES)


def check_name(path: Path) -> None:
    """Refuse a name whose ending is no format of a table, before the work is done."""
    if path.suffix not in FORMATS:
        raise BadInput(f"{path}: a table of sites is written as {' or '.join(FORMATS)}")


def write_table(table: pa.Table, path: Path) -> None:
    """Parquet, or CSV where the name ends so; places are then joined by spaces."""
    with publish(path) as temporary:
        if path.suffix != ".csv":
            pq.write_table(table, temporary, compression="zstd")
            return
        places = pa.array([None if row is None else " ".join(row) for row in table.column("place").to_pylist()], pa.string())
        flat = table.set_column(table.column_names.index("place"), "place", places)
        pyarrow.csv.write_csv(flat, temporary)


def write_report(table: pa.Table, path: Path, title: str = "Sites found") -> None:
    """One HTML page: how many, where, and which."""
    rows = [row for row in table.to_pylist() if row["relevant"]]
    report = Report(title)
    unknown = sum(answer is None for answer in table.column("relevant").to_pylist())
    report.paragraph(f"{len(rows):,} of {table.num_rows:,} sites are relevant; {unknown:,} could not be read.")
    places = Counter(place for row in rows for place in row["place"] or ())
    if places:
        report.figure(bar_plot(dict(places.most_common()), "place", "sites"), "Sites by the places they name.")
    shown = [(row["site"], row["title"] or "", row["entry_url"] or "", f"{row['score']:.3f}", " ".join(row["place"] or ()))
             for row in rows]  # fmt: skip
    report.table(("site", "title", "entry", "confidence", "places"), shown)
    report.write(path)
