"""The same crawl as rounds on an engine.

::

    driver: queue -> lease (hosts dealt out) -> worker (a loop of its own on a scratch folder) -> tables -> one commit

A host belongs to one worker a round, so its delays hold over the whole cluster.
"""
