"""Our own method: operations proposed from several sources, counted once, and chosen.

::

    clusters -> sources (by part, by segment, fields of one URL in the other, host names), bundles
             -> candidates (one list) -> trial (one count: saved, denied) -> belief (what other hosts say, what it has to say)
             -> choice (from the surest to the boldest), narrowing (where it holds, what was shown) -> rules of a site
             ; lending (to hosts that showed little)

An operation is a rule without hosts; a bundle is several that always come together, with the forms they were seen in. All that is
learned of a site depends on its own rows and on what other sites say about operations, so `site` is a pure function that
`learner` runs here or on an engine.
"""
