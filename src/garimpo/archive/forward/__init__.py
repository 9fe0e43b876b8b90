"""The forward index: the words of every document as numbers in a bit stream, with random access.

`build` makes one from documents, `writer` writes it part by part, `index` reads it.
"""
