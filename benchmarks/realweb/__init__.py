"""A web of real software: applications from Debian and PyPI, filled with real text, crawled behind one cache, judged by content.

    PYTHONPATH=benchmarks python -m realweb setup|serve|snapshot|bench

An `Application` knows how one piece of software is installed, filled and served, and, for the judge alone, which part of its
pages is the main text and what kind of page a URL leads to. `packages` gets software and `texts` the text to fill it with;
both come from Debian packages and wheels. `Answers` keeps every answer that was ever given for a URL; the `Upstream` of an
application is started by the first URL that is missing there and stopped at the end. Two fronts stand before the answers:
`cache`, an HTTP server on loopback, and `fetcher`, which hands them to a crawl directly. So every crawl sees the same bytes,
and an application whose pages are all kept need not run at all.

The `judge` says which pages are one. It imports nothing of garimpo, nor does anything it imports; so it cannot agree with us by
construction. `bench` crawls, and asks the judge about what was fetched and about what was skipped.
"""
