"""Which URLs showed one page: clusters, from a crawl folder, documents, or files.

::

    pages -> clustering (equal text, near-duplicates, canonical, redirects) -> files (TSV, JSONL, Parquet)
                                                                                 |
                                                          preparation: normal form, one cluster a URL
"""
