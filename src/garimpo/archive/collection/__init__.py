"""Documents in and out: one even stream of Arrow batches from any input, and a crawl folder written for other programs.

::

    JSONL, Parquet, WARC, folders, crawl folder -> sources -> stream (id, url, text, html) -> text_stream (id, text)
    on_engine: the same, read by an engine's workers ; importing: into a crawl folder ; exporting: out of one
    sampling: some pages of a crawl folder into another
"""
