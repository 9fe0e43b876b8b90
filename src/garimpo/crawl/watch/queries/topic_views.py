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
