"""What could not be fetched: URL, what was answered, and which page links to it."""

from typing import Any

from garimpo.archive import Store
from garimpo.crawl.watch.queries.segment_queries import query_pages

ANSWERS = {
    400: "bad request", 401: "needs a login", 403: "forbidden", 404: "not found", 405: "method not allowed", 408: "too slow",
    410: "gone", 429: "too many requests", 451: "barred by law", 500: "error of the server", 502: "bad gateway",
    503: "not available", 504: "gateway too slow",
}  # fmt: skip


def answer_words(status: int, error: str | None = None) -> str:
    """A status as a person reads it.

    Args:
        status: the status; 0: there was no answer.
        error: what was wrong.

    >>> answer_words(404), answer_words(0, "timeout"), answer_words(418)
    ('404 not found', 'no connection: timeout', '418')
    """
    if status == 0:
        return f"no connection: {error}" if error else "no connection"
    return f"{status} {ANSWERS[status]}" if status in ANSWERS else str(status)


def broken(store: Store, limit: int | None = None, search: str = "") -> list[dict[str, Any]]:
    """The URLs whose newest answer was an error, those that were fetched last first.

    Args:
        store: the crawl folder.
        limit: so many at most.
        search: only those whose URL has this in it.
    """
    query = """SELECT url, arg_max(status, fetched_at) AS status, arg_max(error, fetched_at) AS error,
                      arg_max(parent, fetched_at) AS parent, epoch(max(fetched_at)) AS "at"
               FROM pages WHERE (status = 0 OR status >= 400) AND contains(url, $search)
               GROUP BY url ORDER BY "at" DESC, url LIMIT $limit"""
    return query_pages(store, query, search=search, limit=limit or 1 << 40)
