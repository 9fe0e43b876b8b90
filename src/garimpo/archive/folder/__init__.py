"""The crawl folder: opened, read, repaired, added to in commits.

::

    store -- segments (Parquet), state (SQLite: the only truth), learned (numbered files), lookup (rows by URL)
       opening: repairing (dropped: where it moves things), rebuilding (the state, from what lies on disk), configuration
       after commits: merging ; taking pages out for good: removal
"""
