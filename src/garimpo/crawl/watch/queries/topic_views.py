"""What a focused crawl goes by, and the best it found."""

from typing import Any

from garimpo.archive import Store
from garimpo.contract.errors import GarimpoError
from garimpo.crawl.watch.queries.segment_queries import query_pages


def topic_words(store: Store, limit: int = 20) -> list[tuple[str, float]]:
    """The words that speak most for a crawl's topic; none where it has no topic.

    Args:
        store: the crawl folder.
        limit: so many at most.
    """
    from garimpo.focus import TopicModel

    path = store.learned.path("topic")
    try:
        return [] if path is None else [(word, weight) for word, weight in TopicModel.load(path).words(limit) if weight > 0]
    except GarimpoError:
        return []


def best_pages(store: Store, limit: int) -> list[dict[str, Any]]:
    """The pages with the best scores.

    Args:
        store: the crawl folder.
        limit: so many at most.
    """
    query = """SELECT url, title, score FROM pages WHERE status = 200 AND duplicate_of IS NULL AND score IS NOT NULL
               ORDER BY score DESC, url LIMIT $limit"""
    return query_pages(store, query, limit=limit)


def best_sites(store: Store, limit: int) -> list[dict[str, Any]]:
    """The hosts of a crawl that collects sites, by what their pages scored: `host, pages, listings, score, url` (the best page).

    Args:
        store: the crawl folder.
        limit: so many at most.
    """
    query = """SELECT host, count(*) AS pages, count(*) FILTER (score >= 0.5) AS listings, max(score) AS score,
                      arg_max(url, score) AS url
               FROM pages WHERE status = 200 AND duplicate_of IS NULL AND score IS NOT NULL
               GROUP BY host ORDER BY listings DESC, score DESC, host LIMIT $limit"""
    return query_pages(store, query, limit=limit)
