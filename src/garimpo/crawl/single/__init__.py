"""A few pages without a crawl folder, fetched under the same politeness.

`fetcher` gets one URL at a time (robots.txt, delays, tries): the `Fetcher` for commands that wait for each page. `sites` decides
live sites through it; `documents` gets the pages that show a topic.
"""
