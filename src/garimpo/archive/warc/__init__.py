"""WARC files: records as bytes, written, read, and cut into members.

`records` makes the bytes, `writer` appends them in commits, `reader` reads files of any origin, `members` finds the records of
a damaged file.
"""
