"""What is committed, and the records that all parts of a crawl pass on.

::

    entry      a queued URL with its score, depth and kind
    host       a host and its address: delays, counters, the heaps they wait in
    seen       the seen set: a log of 64-bit keys, and a memory-mapped table that is its index
    schema     the tables of state/crawl.sqlite
    queued, fetched, skipped, host_rows, rule_rows, known_rows, meta      the statements on them, by table
    soundness  whether a state file that opens holds what it must

All SQL on a crawl's state stands here, and nothing here decides what is fetched. Rows are written only inside a commit of the
crawl folder. The log of the seen set counts as far as the last commit says; its table can be rebuilt from it.
"""
