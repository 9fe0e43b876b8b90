"""Read pages are compared with what the crawl has, kept, and committed.

::

    ReadBatch -> keeper -> repeats: do we have these bytes, or a page that says the same? what is new of it?
                   |-> rows, WARC records -> commit
                   |-> links -> strategy (scores) -> frontier
                 revisits: what an earlier crawl knew of a page, with freshness: which are worth a visit
                 counting: what an answer counts as

Pages are taken in order of arrival. `full_disk` tries a write again until there is room.
"""
