"""What is asked of a crawl folder: its tables (by DuckDB, straight from the segments) and its state.

`tallies` sums up each segment once; the others read what they need when they are asked.
"""
