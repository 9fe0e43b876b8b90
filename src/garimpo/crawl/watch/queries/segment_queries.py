"""Questions to the tables of a crawl folder, answered by DuckDB straight from the segments."""

from pathlib import Path
from typing import Any

import duckdb

from garimpo.archive import Store

_EMPTY = {
    "pages": """SELECT ''::VARCHAR url, ''::VARCHAR host, NULL::TIMESTAMPTZ fetched_at, 0::SMALLINT status, ''::VARCHAR error,
        ''::VARCHAR content_type, 0::BIGINT length, 0::UBIGINT digest, ''::VARCHAR title, ''::VARCHAR text,
        ''::VARCHAR "language", ''::VARCHAR redirect, ''::VARCHAR parent, 0::INTEGER depth, 0::FLOAT score,
        ''::VARCHAR duplicate_of, ''::VARCHAR warc_file, 0::BIGINT warc_offset, ''::VARCHAR filename WHERE false""",
    "links": "SELECT ''::VARCHAR source, ''::VARCHAR target, ''::VARCHAR anchor WHERE false",
}


def connect() -> duckdb.DuckDBPyConnection:
    """A database in memory that takes one thread: it runs beside a crawl."""
    database = duckdb.connect(":memory:", config={"threads": 1})
    database.execute("SET TimeZone = 'UTC'")
    return database


def view(database: duckdb.DuckDBPyConnection, name: str, files: list[Path]) -> None:
    """Make a view over some segments.

    Args:
        database: the database.
        name: pages or links.
        files: the segments.
    """
    listed = ", ".join("'" + str(file).replace("'", "''") + "'" for file in files)
    source = f"SELECT * FROM read_parquet([{listed}], union_by_name=true, filename=true)" if files else _EMPTY[name]
    database.execute(f"CREATE OR REPLACE TEMP VIEW {name} AS {source}")


def query_pages(store: Store, query: str, **values: Any) -> list[dict[str, Any]]:
    """The rows of a query over `pages` and `links`.

    Args:
        store: the crawl folder.
        query: SQL, with named parameters.
        values: of the parameters.
    """
    for patience in (2, 1, 0):
        with connect() as database:
            view(database, "pages", store.page_files())
            if " links" in query:
                view(database, "links", store.link_files())
            try:
                found = database.execute(query, values)
                names = [column[0] for column in found.description]
                return [dict(zip(names, row)) for row in found.fetchall()]
            except duckdb.IOException:  # a running crawl has merged a segment meanwhile
                if not patience:
                    raise
    raise AssertionError
