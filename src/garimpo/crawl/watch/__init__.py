"""What a crawl says of itself: the live line, counters, metrics, the report.

All of it is read from the crawl folder or from counters of the loop; nothing here changes a crawl.
"""
