"""What is fetched next: URL, then host, then address.

::

    decisions of the gate -> frontier -> host_queues (the best URLs of each host in memory, the rest in SQLite)
                                |
                             hosts (awake) <-> sleeping (two numbers a host in memory)
                                |
                             workbench: hosts and addresses by the time they may be asked
    what was read -> worth: what URLs of each shape have brought, a factor of the scores of those that wait

Inside a host the best-scored URL goes first, but for the turns that go to the one that waits longest; across hosts the best-
scored host that is ready. A host and its address are never asked sooner than their delays allow, and `quota` bounds the pages
of a host or a site. `rescoring` gives queued URLs new scores in batches; `revision` looks at them again when rules are new or
withdrawn. Both run right after a commit."""
