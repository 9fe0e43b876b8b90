"""What a crawl says of itself: the live line, status, metrics, the report, and why a URL was not fetched.

::

    crawl.log ──► journal ──► outlook ──► counters: status ──┐
    state, tables ──► queries, why ──────────────────────────┼──► sections ──► report, dashboard (`ui`)
    the loop ──► progress: the line, crawl.log, metrics      ┘

`status` is one record, with one meaning for each number: the live line, the log, the report and the dashboard show the same.
All of it is read from the crawl folder or from counters of the loop; nothing here changes a crawl.
"""
