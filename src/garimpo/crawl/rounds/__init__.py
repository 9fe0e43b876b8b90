"""The same crawl as rounds on an engine.

::

    driver: queue -> lease (hosts dealt out) -> worker (a loop of its own on a scratch folder) -> tables -> one commit
              ^                  ^ known: what earlier rounds fetched and skipped there             |
              |                  ^ learned/ <- study (a worker learns, when enough is new) <--------+
              +-------------------------------------------------------------------------------------+

A host belongs to one worker a round, so its delays hold over the whole cluster. What rules skip, postpone, check and withdraw is
decided by the worker's own loop, with the gate of every crawl; the driver only carries rows from round to round.
"""
