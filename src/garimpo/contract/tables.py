"""The tables that pass between rooms: their columns, in order, with types and what may be null."""

from collections.abc import Sequence

import pyarrow as pa

from garimpo.contract.errors import BadInput, GarimpoError

STRING, LARGE = pa.string(), pa.large_string()
TIME = pa.timestamp("us", tz="UTC")


def _need(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=False)


def _may(name: str, kind: pa.DataType) -> pa.Field:
    return pa.field(name, kind, nullable=True)


DOCUMENTS = pa.schema([_need("id", STRING), _may("url", STRING), _may("text", LARGE), _may("html", pa.large_binary())])

PAGES = pa.schema(
    [
        _need("url", STRING),
        _need("host", STRING),
        _may("ip", STRING),
        _need("fetched_at", TIME),
        _need("status", pa.int16()),
        _may("error", STRING),
        _may("content_type", STRING),
        _may("length", pa.int64()),
        _may("digest", pa.uint64()),
        _may("text_digest", pa.uint64()),
        _may("title", STRING),
        _may("text", LARGE),
        _may("language", STRING),
        _may("canonical", STRING),
        _may("redirect", STRING),
        _may("parent", STRING),
        _need("depth", pa.int32()),
        _may("score", pa.float32()),
        _may("duplicate_of", STRING),
        _may("etag", STRING),
        _may("last_modified", STRING),
        _may("warc_file", STRING),
        _may("warc_offset", pa.int64()),
    ]
)

LINKS = pa.schema(
    [
        _need("source", STRING),
        _need("target", STRING),
        _need("anchor", STRING),
        _may("rel", STRING),
        _may("context", STRING),
    ]
)

PLACE = _may("place", pa.uint64())
"""An extra column of links: a hash of the path of tags that the link stands in, the same wherever a template repeats it."""

NEAR = pa.schema(
    [
        _need("id", STRING),
        _need("cluster", pa.int64()),
        _need("keep", pa.bool_()),
        _need("kept_id", STRING),
        _need("similarity", pa.float32()),
    ]
)

NEAR_PAIRS = pa.schema([_need("a", STRING), _need("b", STRING), _need("jaccard", pa.float64())])

RANKING = pa.schema([_need("query", STRING), _need("id", STRING), _need("rank", pa.int32()), _need("similarity", pa.float64())])

CLUSTERS = pa.schema([_need("cluster", pa.int64()), _need("url", STRING), _may("evidence", STRING)])

HOST_PAIRS = pa.schema(
    [
        _need("host_a", STRING),
        _need("host_b", STRING),
        _need("ndist", pa.int32()),
        _need("nmatch", pa.float32()),
        _need("ip4", pa.float32()),
        _need("ip3", pa.float32()),
        _need("fullpath", pa.float32()),
        _may("pu", pa.float32()),
        _may("nu", pa.float32()),
        _need("score", pa.float32()),
        _need("replica", pa.bool_()),
        _may("keep_host", STRING),
    ]
)

FOLDS = pa.schema([_need("host", STRING), _need("prefix", STRING), _need("keep_host", STRING), _need("keep_prefix", STRING)])

SCORES = pa.schema([_need("id", STRING), _need("score", pa.float64()), _need("relevant", pa.bool_())])

SITES = pa.schema(
    [
        _need("site", STRING),
        _may("relevant", pa.bool_()),
        _need("reason", STRING),
        _may("entry_url", STRING),
        _need("pages_fetched", pa.int32()),
        _need("score", pa.float64()),
        _may("place", pa.list_(STRING)),
    ]
)

SKIPPED = pa.schema(
    [
        _need("url", STRING),
        _may("key", STRING),
        _need("reason", STRING),
        _may("rule", STRING),
        _may("version", pa.int32()),
        _need("at", TIME),
        _need("checked", pa.bool_()),
        _may("equal", pa.bool_()),
    ]
)

SCHEMAS = {
    "documents": DOCUMENTS,
    "pages": PAGES,
    "links": LINKS,
    "near": NEAR,
    "near_pairs": NEAR_PAIRS,
    "ranking": RANKING,
    "clusters": CLUSTERS,
    "host_pairs": HOST_PAIRS,
    "folds": FOLDS,
    "scores": SCORES,
    "sites": SITES,
    "skipped": SKIPPED,
}


def check(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """The table with the schema's columns first, in its order and types; extra columns follow.

    Raises when a column is missing, of a type that does not cast without loss, or null where it may not be.

    Args:
        table: the table.
        schema: one of this module's.

    >>> check(pa.table({"b": ["y"], "a": ["x"], "jaccard": [1.0]}), NEAR_PAIRS).column_names
    ['a', 'b', 'jaccard']
    """
    missing = [name for name in schema.names if name not in table.column_names]
    if missing:
        raise GarimpoError(f"table lacks the column(s) {', '.join(missing)}")
    columns = [_checked_column(table.column(field.name), field) for field in schema]
    extra = [name for name in table.column_names if name not in schema.names]
    fields = [*schema, *(table.schema.field(name) for name in extra)]
    return pa.table([*columns, *(table.column(name) for name in extra)], schema=pa.schema(fields))


def _checked_column(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    if not field.nullable and column.null_count:
        raise GarimpoError(f"column {field.name} has {column.null_count} null value(s)")
    if column.type == field.type:
        return column
    try:
        return column.cast(field.type)
    except pa.ArrowInvalid as error:
        raise GarimpoError(f"column {field.name} is {column.type}, not {field.type}: {error}") from None


def empty(schema: pa.Schema) -> pa.Table:
    """A table of the schema with no rows."""
    return schema.empty_table()


def require(names: Sequence[str], needed: Sequence[str], where: str) -> None:
    """Raise `BadInput` naming the columns of `needed` that a table at `where` does not have."""
    missing = [name for name in needed if name not in names]
    if missing:
        have = ", ".join(names) or "none"
        raise BadInput(f"{where}: no column {', '.join(missing)} (it has: {have})")
