"""An answer becomes a row, links, a verdict and WARC records.

::

    answers -> inline (in the loop) or pool (reader processes) -> reader -> ReadBatch

Bytes go to a reader process by shared memory, Arrow batches come back. A reader that dies costs its batch only, which is
read again. `sitemaps` reads the URLs of a sitemap.
"""
